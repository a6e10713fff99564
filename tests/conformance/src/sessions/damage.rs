use super::*;
use crate::check::{fails, holds, same_bytes};

pub const CASES: &[Case] = &[
    ("a torn tail is told by its place, and waking keeps it aside", torn),
    ("a torn tail needs a wake before anything is appended", needs_wake),
    ("a torn tail of zeros is one like any other", zeros),
    ("a torn tail and an open turn are mended together", torn_and_open),
    ("a line that is no record before others is damage, and waking leaves it", malformed),
    ("a gap in the sequence is damage, and is told as one", gap),
    ("a record whose place was used is damage, and is told as one", repeated),
    ("damage is set aside whole, if that is asked for", set_aside),
    ("damage refuses what is appended, and the session is let go", refuses_appends),
    ("a wake that fails lets the session go", failed_wake),
    ("damage hides nothing that precedes it", readable),
    ("a log of another version is unsupported, and is left alone", version),
    ("a log whose header names another id is damaged", other_id),
    ("a log without a header is damaged, and nothing makes it up", no_header),
];

fn damage_of(state: &SessionState) -> Outcome<&Damage> {
    state.recovery.damage.as_ref().ok_or_else(|| format!("the damage: expected some, found {:?}", state.recovery))
}

/// Puts a sound part and a damaged one into the store.
fn put_damaged(rest: &str) -> Outcome<String> {
    let sound = log("x", WHOLE);
    put("x", sound.clone() + rest)?;
    Ok(sound)
}

fn is(damage: &Damage, kind: DamageKind, offset: usize, length: usize, records: u64) -> Outcome {
    equal("the kind of damage", damage.kind, kind)?;
    equal("how many events precede it", damage.expected, WHOLE.len() as u64)?;
    equal("where it begins", damage.offset, offset as u64)?;
    equal("how many bytes it has", damage.length, length as u64)?;
    equal("how many records are behind it", damage.records, records)?;
    holds("its detail says something", !damage.detail.is_empty())
}

fn kept_aside(state: &SessionState, expected: &str) -> Outcome {
    let name = state.recovery.kept_at.as_deref().unwrap_or_default();
    let kept = store::read_aside("x", name, 0, u32::MAX).must("reading what was kept aside")?;
    same_bytes("what was kept aside", &kept, expected.as_bytes())?;
    equal("the pieces that its state names", &state.asides[..], [name.to_string()])
}

const TORN: &str = r#"{"type":"user/mess"#;

fn torn() -> Outcome {
    let sound = put_damaged(TORN)?;
    is(damage_of(&inspect("x")?)?, DamageKind::Torn, sound.len(), TORN.len(), 0)?;
    let state = wake("x", CLOSE)?;
    is(damage_of(&state)?, DamageKind::Torn, sound.len(), TORN.len(), 0)?;
    log_is("x", sound)?;
    kept_aside(&state, TORN)
}

fn needs_wake() -> Outcome {
    let sound = put_damaged(TORN)?;
    let next = event(3, "a", "{}");
    leaves_all(|| {
        fails!("appending", sessions::append("x", std::slice::from_ref(&next)), Error::NeedsWake(_))?;
        fails!("appending lines", sessions::append_lines("x", &line_of(&next)), Error::NeedsWake(_))?;
        fails!("emitting", sessions::emit_event("x", "a", "{}"), Error::NeedsWake(_))
    })?;
    wake("x", CLOSE)?;
    sessions::append("x", std::slice::from_ref(&next)).must("appending once it was woken")?;
    log_is("x", sound + &line_of(&next))
}

fn zeros() -> Outcome {
    let zeros = "\0".repeat(4096);
    let sound = put_damaged(&zeros)?;
    let state = wake("x", CLOSE)?;
    is(damage_of(&state)?, DamageKind::Torn, sound.len(), zeros.len(), 0)?;
    log_is("x", sound)?;
    kept_aside(&state, &zeros)
}

fn torn_and_open() -> Outcome {
    let sound = log("x", BROKEN_OFF);
    put("x", sound.clone() + TORN)?;
    let state = wake("x", CLOSE)?;
    equal("the closers", &state.recovery.closers, &its_closers())?;
    kept_aside(&state, TORN)?;
    log_is("x", sound + &its_closers().iter().map(line_of).collect::<String>())
}

/// Waking says what is wrong, and leaves everything as it was.
fn is_refused(rest: &str, kind: DamageKind, records: u64) -> Outcome {
    let sound = put_damaged(rest)?;
    leaves_all(|| {
        is(damage_of(&inspect("x")?)?, kind, sound.len(), rest.len(), records)?;
        match sessions::wake("x", CLOSE) {
            Err(Error::Corrupt(damage)) => is(&damage, kind, sound.len(), rest.len(), records),
            other => Err(format!("waking: expected damage to be told, found {other:?}")),
        }
    })
}

fn malformed() -> Outcome {
    is_refused(&(TORN.to_string() + "\n" + &line(3, "a", "{}") + &line(4, "a", "{}")), DamageKind::Malformed, 2)
}

fn gap() -> Outcome {
    is_refused(&(line(4, "a", "{}") + &line(5, "a", "{}")), DamageKind::Gap, 2)
}

fn repeated() -> Outcome {
    is_refused(&(line(2, "a", "{}") + &line(3, "a", "{}")), DamageKind::Repeated, 2)
}

fn set_aside() -> Outcome {
    let rest = TORN.to_string() + "\n" + &line(3, "a", "{}");
    let sound = put_damaged(&rest)?;
    let state = wake("x", SET_ASIDE)?;
    is(damage_of(&state)?, DamageKind::Malformed, sound.len(), rest.len(), 1)?;
    kept_aside(&state, &rest)?;
    log_is("x", &sound)?;
    sessions::append("x", &[event(3, "b", "{}")]).must("appending then")?;
    log_is("x", sound + &line(3, "b", "{}"))
}

fn refuses_appends() -> Outcome {
    put_damaged(&line(7, "a", "{}"))?;
    leaves_all(|| {
        fails!("appending", sessions::append("x", &[event(3, "a", "{}")]), Error::Corrupt(_))?;
        fails!("flushing", sessions::flush("x"), Error::Corrupt(_))
    })?;
    store::acquire("x").must("acquiring it beside").map(drop)
}

fn failed_wake() -> Outcome {
    put_damaged(&line(7, "a", "{}"))?;
    fails!("waking", sessions::wake("x", CLOSE), Error::Corrupt(_))?;
    store::acquire("x").must("acquiring it beside").map(drop)
}

fn readable() -> Outcome {
    for (n, rest) in
        [TORN.to_string(), TORN.to_string() + "\n" + &line(3, "a", "{}"), line(9, "a", "{}")].iter().enumerate()
    {
        let id = format!("x{n}");
        put(&id, log(&id, WHOLE) + rest)?;
        equal("the events that precede", slice(&id, 0, 100)?.events, events(WHOLE))?;
        equal("where to go on", slice(&id, 0, 100)?.next, 3u64)?;
        let lines = sessions::get_lines(&id, 0, 10_000).must("reading lines")?;
        equal("the log's sound part", header(&id) + &lines, log(&id, WHOLE))?;
        equal("its length", inspect(&id)?.length, 3u64)?;
    }
    Ok(())
}

fn version() -> Outcome {
    put("x", "{\"type\":\"session\",\"version\":99,\"who\":\"knows\"}\n")?;
    leaves_all(|| {
        fails!("waking", sessions::wake("x", SET_ASIDE), Error::UnsupportedVersion(99))?;
        fails!("inspecting", sessions::inspect("x"), Error::UnsupportedVersion(99))?;
        fails!("appending", sessions::append("x", &[event(0, "a", "{}")]), Error::UnsupportedVersion(99))
    })
}

fn other_id() -> Outcome {
    put("x", log("y", WHOLE))?;
    leaves_all(|| {
        for (what, found) in [("waking", sessions::wake("x", CLOSE)), ("inspecting", sessions::inspect("x"))] {
            match found {
                Err(Error::Corrupt(damage)) => {
                    let both = damage.detail.contains("\"x\"") && damage.detail.contains("\"y\"");
                    holds(&format!("{what} names both ids: {}", damage.detail), both)?;
                }
                other => return Err(format!("{what}: expected damage to be told, found {other:?}")),
            }
        }
        Ok(())
    })
}

fn no_header() -> Outcome {
    for (n, bytes) in ["", "\n", TORN, &line(0, "a", "{}"), header("x").trim_end(), "\u{feff}"].iter().enumerate() {
        let id = format!("x{n}");
        put(&id, bytes)?;
        leaves_all(|| {
            fails!(format!("waking {bytes:?}"), sessions::wake(&id, SET_ASIDE), Error::Corrupt(_))?;
            fails!(format!("appending to {bytes:?}"), sessions::append(&id, &events(WHOLE)), Error::Corrupt(_))
        })?;
    }
    Ok(())
}
