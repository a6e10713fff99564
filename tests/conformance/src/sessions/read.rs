use super::*;
use crate::bindings::agent::session::messages;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("a slice holds the events of its places, and says where to go on", slices),
    ("a slice leaves out the types named, and still goes on behind them", except),
    ("a slice from the end or behind it is empty", past_the_end),
    ("reading writes nothing", writes_nothing),
    ("inspecting tells what waking then does", tells_what_waking_does),
    ("inspecting tells whether some writer holds the session", tells_held),
    ("reading goes on beside a writer, and sees what is appended", beside_a_writer),
    ("the revision changes when the log does, and not otherwise", revision),
    ("the header of a session is read whatever the rest of its log is like", header_alone),
    ("reading a session that is not there is not found", absent),
    ("verifying tells the same as inspecting", verifies),
    ("checking finds nothing wrong with a whole turn", checks_whole),
    ("checking tells of every rule that is broken", checks_broken),
];

fn slices() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    let all = events(BROKEN_OFF);
    for (start, max, expected, next) in
        [(0u64, 3, 0..3, 3u64), (2, 2, 2..4, 4), (6, 9, 6..7, 7), (0, 100, 0..7, 7), (3, 1, 3..4, 4), (2, 0, 0..0, 2)]
    {
        let found = slice("x", start, max)?;
        equal(&format!("at most {max} events from {start} on"), &found.events[..], &all[expected])?;
        equal("where to go on", found.next, next)?;
    }
    Ok(())
}

fn except() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    let without = ["tool/call".to_string(), "turn/start".into(), "of no event".into()];
    let found = sessions::get_events("x", 0, 100, &without).must("slicing")?;
    let places: Vec<_> = found.events.iter().map(|event| event.seq).collect();
    equal("the places of the others", places, [1, 2, 3, 5])?;
    equal("where to go on", found.next, 7u64)?;
    let found = sessions::get_events("x", 3, 2, &without).must("slicing")?;
    equal("the places of two others", found.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [3, 5])
}

fn past_the_end() -> Outcome {
    put_log("x", WHOLE)?;
    for start in [3, 4, 1 << 40, u64::MAX] {
        let found = slice("x", start, 10)?;
        equal(&format!("the events from {start} on"), found.events, [])?;
        equal("where to go on", found.next, start)?;
    }
    Ok(())
}

fn writes_nothing() -> Outcome {
    put_log("open", BROKEN_OFF)?;
    put("torn", log("torn", WHOLE) + "{\"ty")?;
    put("damaged", log("damaged", WHOLE) + &line(9, "a", "{}"))?;
    put("unended", log("unended", WHOLE).trim_end())?;
    leaves_all(|| {
        for id in ["open", "torn", "damaged", "unended"] {
            inspect(id)?;
            sessions::verify(id).must("verifying")?;
            sessions::check(id).must("checking")?;
            sessions::get_session(id).must("asking for the header")?;
            slice(id, 0, 100)?;
            sessions::get_lines(id, 0, 1000).must("reading lines")?;
            sessions::has(id).must("asking for it")?;
            let options = DeriveOptions { length: None, pairing: Pairing::Paired, start: 0, max_bytes: 1000 };
            messages::derive_messages(id, options).must("deriving messages")?;
        }
        let options = ListOptions { order: ListOrder::ById, cwd: None, parent_session: None, cursor: None, limit: 100 };
        sessions::list(&options).must("listing").map(drop)
    })
}

fn tells_what_waking_does() -> Outcome {
    for (n, rest) in ["", "{\"ty"].into_iter().enumerate() {
        let id = format!("x{n}");
        put(&id, log(&id, BROKEN_OFF) + rest)?;
        let before = inspect(&id)?;
        let woken = wake(&id, CLOSE)?;
        equal("the closers", &before.recovery.closers, &woken.recovery.closers)?;
        equal("the damage", &before.recovery.damage, &woken.recovery.damage)?;
        equal("where bytes are kept, before any is", before.recovery.kept_at, None::<String>)?;
        equal("its length", before.length, BROKEN_OFF.len() as u64)?;
        equal("its header", before.header, woken.header)?;
    }
    Ok(())
}

fn tells_held() -> Outcome {
    put_log("x", WHOLE)?;
    holds("nobody holds it", !inspect("x")?.held)?;
    store::acquire("x").must("acquiring")?;
    holds("the other holds it", inspect("x")?.held)?;
    store::release("x");
    holds("nobody holds it any more", !inspect("x")?.held)?;
    wake("x", CLOSE)?;
    holds("it is held once it is woken", inspect("x")?.held)
}

fn beside_a_writer() -> Outcome {
    put_log("x", WHOLE)?;
    store::acquire("x").must("acquiring")?;
    equal("its length", inspect("x")?.length, 3u64)?;
    crate::storage::append("x", line(3, "a", "{}") + &line(4, "a", "{}"))?;
    equal("its length once it has grown", inspect("x")?.length, 5u64)?;
    equal("the events that came", slice("x", 3, 10)?.events, [event(3, "a", "{}"), event(4, "a", "{}")])?;
    crate::storage::append("x", &line(5, "a", "{}")[..20])?;
    equal("its length while a line is written", slice("x", 0, 10)?.next, 5u64)?;
    crate::storage::append("x", &line(5, "a", "{}")[20..])?;
    equal("its length once the line is whole", slice("x", 0, 10)?.next, 6u64)
}

fn revision() -> Outcome {
    put_log("x", WHOLE)?;
    let first = inspect("x")?.revision;
    equal("the revision, asked for again", &inspect("x")?.revision, &first)?;
    equal("the revision of a whole log once it is woken", &wake("x", CLOSE)?.revision, &first)?;
    sessions::append("x", &[event(3, "a", "{}")]).must("appending")?;
    let second = inspect("x")?.revision;
    holds(&format!("the revision {second:?} is another than {first:?}"), second != first)?;
    sessions::release("x").must("releasing")?;
    equal("the revision once it is released", &inspect("x")?.revision, &second)?;
    sessions::delete("x").must("deleting")?;
    put_log("x", WHOLE)?;
    let anew = inspect("x")?.revision;
    holds(&format!("the revision {anew:?} of the log made anew is another than {first:?}"), anew != first)
}

fn header_alone() -> Outcome {
    for (n, rest) in ["", "{\"ty", "nothing\nof\nthe\nkind\n", &line(9, "a", "{}")].into_iter().enumerate() {
        let id = format!("x{n}");
        put(&id, header(&id) + rest)?;
        let found = sessions::get_session(&id).must("asking for the header")?;
        equal("the header's id", found.id, id)?;
        equal("when it was created", found.created_at, 1u64)?;
    }
    Ok(())
}

fn absent() -> Outcome {
    fails!("inspecting", sessions::inspect("x"), Error::NotFound(_))?;
    fails!("verifying", sessions::verify("x"), Error::NotFound(_))?;
    fails!("checking", sessions::check("x"), Error::NotFound(_))?;
    fails!("asking for the header", sessions::get_session("x"), Error::NotFound(_))?;
    fails!("slicing", sessions::get_events("x", 0, 1, &[]), Error::NotFound(_))?;
    fails!("reading lines", sessions::get_lines("x", 0, 1), Error::NotFound(_))?;
    equal("whether it is there", sessions::has("x").must("asking")?, false)?;
    equal("all that is stored", everything()?, [])
}

fn verifies() -> Outcome {
    for (n, rest) in ["", "{\"ty", &line(9, "a", "{}")].into_iter().enumerate() {
        let id = format!("x{n}");
        put(&id, log(&id, BROKEN_OFF) + rest)?;
        let inspected = inspect(&id)?;
        equal("its state", sessions::verify(&id).must("verifying")?, inspected)?;
    }
    Ok(())
}

fn checks_whole() -> Outcome {
    put_log("x", WHOLE)?;
    equal("what is wrong", sessions::check("x").must("checking")?, Vec::<String>::new())?;
    put_log("y", BROKEN_OFF)?;
    wake("y", CLOSE)?;
    equal("what is wrong with what was woken", sessions::check("y").must("checking")?, Vec::<String>::new())
}

fn checks_broken() -> Outcome {
    put_log(
        "x",
        &[
            ("step/end", "{}"),
            ("turn/end", "{}"),
            ("assistant/message", r#"{"content":[]}"#),
            ("turn/start", "{}"),
            ("turn/start", "{}"),
            ("tool/result", r#"{"callId":"of no call"}"#),
        ],
    )?;
    let found = sessions::check("x").must("checking")?;
    holds(&format!("each of the six but the first `turn/start` is told of: {found:?}"), found.len() >= 5)?;
    holds("each is one line", found.iter().all(|rule| !rule.is_empty() && !rule.contains('\n')))
}
