use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("appending writes the events as lines, in order", writes_lines),
    ("appending what does not continue the log is refused, and the expected place is told", contiguous),
    ("appending is all or none", all_or_none),
    ("appending data that is not JSON on one line is refused", one_line),
    ("appending data that is nested too deep is refused", too_deep),
    ("appending keeps data to the byte", data_kept),
    ("appending to a session that is not there is not found, and makes none", absent),
    ("appending to what another holds is busy", busy),
    ("appending claims the session, until it is released", claims),
    ("appending goes on in an open turn and closes none", open_turn_goes_on),
    ("appending to a log that another has grown goes on behind it", after_another),
    ("an event that is emitted gets the next place and the present time", emits),
    ("emitting what can't be stored is refused, and no place is used up", emits_nothing),
    ("a flush of what is not held claims it, and changes nothing", flush_claims),
];

fn writes_lines() -> Outcome {
    put_log("x", WHOLE)?;
    let more = [event(3, "turn/start", r#"{"turn":2}"#), event(4, "any type at all", "[1,2]")];
    sessions::append("x", &more).must("appending")?;
    sessions::append("x", &[]).must("appending none")?;
    sessions::append("x", &[event(5, "turn/end", "null")]).must("appending one")?;
    let expected = log("x", WHOLE) + &line_of(&more[0]) + &line_of(&more[1]) + &line(5, "turn/end", "null");
    log_is("x", expected)
}

fn contiguous() -> Outcome {
    put_log("x", WHOLE)?;
    let refused = |seqs: &[u64], at: u64, found: u64| {
        let batch: Vec<_> = seqs.iter().map(|seq| event(*seq, "a", "{}")).collect();
        match sessions::append("x", &batch) {
            Err(Error::Sequence(SequenceConflict { expected, actual })) => {
                equal(&format!("the places expected and found in {seqs:?}"), (expected, actual), (at, found))
            }
            other => Err(format!("appending {seqs:?}: expected a sequence conflict, found {other:?}")),
        }
    };
    leaves_all(|| {
        refused(&[4], 3, 4)?;
        refused(&[2], 3, 2)?;
        refused(&[0], 3, 0)?;
        refused(&[3, 5], 4, 5)?;
        refused(&[3, 4, 4], 5, 4)?;
        // The first refusal has claimed the session.
        sessions::release("x").must("releasing")
    })?;
    sessions::append("x", &[event(3, "a", "{}")]).must("appending the next")
}

fn all_or_none() -> Outcome {
    put_log("x", WHOLE)?;
    leaves_all(|| {
        let batch = [event(3, "a", "{}"), event(4, "a", "{}"), event(5, "a", "not JSON"), event(6, "a", "{}")];
        match sessions::append("x", &batch) {
            Err(Error::Rejected(rejected)) => equal("which event is rejected", rejected.index, 2u32)?,
            other => return Err(format!("appending: expected the third to be rejected, found {other:?}")),
        }
        sessions::release("x").must("releasing")
    })?;
    create("y")?;
    fails!("appending first", sessions::append("y", &[event(0, "a", "{}"), event(1, "a", "{")]), Error::Rejected(_))?;
    equal("whether the other is stored", sessions::has("y").must("asking")?, false)
}

fn one_line() -> Outcome {
    put_log("x", WHOLE)?;
    leaves_all(|| {
        for data in
            ["", " ", "{", "{}{}", "{'a':1}", "{\"a\":\n1}", "\"a\nb\"", "{\"a\":\r1}", "nan", "01", "\"\u{1}\""]
        {
            let appended = sessions::append("x", &[event(3, "a", data)]);
            fails!(format!("appending {data:?}"), appended, Error::Rejected(_))?;
        }
        let appended = sessions::append("x", &[event(3, "session", "{}")]);
        fails!("appending an event of the header's type", appended, Error::Rejected(_))?;
        sessions::release("x").must("releasing")
    })
}

fn too_deep() -> Outcome {
    put_log("x", WHOLE)?;
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    fails!("appending 128 levels", sessions::append("x", &[event(3, "a", &nested(128))]), Error::Rejected(_))?;
    log_is("x", log("x", WHOLE))?;
    sessions::append("x", &[event(3, "a", &nested(127))]).must("appending 127 levels, the record being one more")
}

/// Data that much software changes on its way through.
const DELICATE: &[&str] = &[
    r#"{"id":2512292042121000001,"f":1.0,"e":1e400,"g":-0}"#,
    r#"{"b":1,"a":2,"a":3}"#,
    r#"{"half":"\ud83d","escaped":"\u0041\/","nul":"\u0000"}"#,
    "{\"separators\":\"\u{2028}\u{2029}\u{85}\",\"emoji\":\"👩‍🚀\",\"bom\":\"\u{feff}\"}",
    r#"{ "white" : [ 1 , 2 ] }"#,
    r#""a string""#,
    "null",
    "[]",
];

fn data_kept() -> Outcome {
    create("x")?;
    let batch: Vec<_> = (0..).zip(DELICATE).map(|(seq, data)| event(seq, "a", data)).collect();
    sessions::append("x", &batch).must("appending")?;
    log_is("x", header("x") + &batch.iter().map(line_of).collect::<String>())?;
    equal("the events, read back", slice("x", 0, 100)?.events, batch)
}

fn absent() -> Outcome {
    fails!("appending", sessions::append("x", &events(WHOLE)), Error::NotFound(_))?;
    fails!("appending lines", sessions::append_lines("x", &line(0, "a", "{}")), Error::NotFound(_))?;
    fails!("emitting", sessions::emit_event("x", "a", "{}"), Error::NotFound(_))?;
    fails!("flushing", sessions::flush("x"), Error::NotFound(_))?;
    equal("all that is stored", everything()?, [])
}

fn busy() -> Outcome {
    let log = put_log("x", WHOLE)?;
    store::acquire("x").must("acquiring")?;
    fails!("appending", sessions::append("x", &[event(3, "a", "{}")]), Error::Busy(_))?;
    fails!("emitting", sessions::emit_event("x", "a", "{}"), Error::Busy(_))?;
    fails!("waking", sessions::wake("x", CLOSE), Error::Busy(_))?;
    log_is("x", log)?;
    equal("its events", slice("x", 0, 100)?.events, events(WHOLE))?;
    store::release("x");
    sessions::append("x", &[event(3, "a", "{}")]).must("appending once it is released")
}

fn claims() -> Outcome {
    put_log("x", WHOLE)?;
    sessions::append("x", &[event(3, "a", "{}")]).must("appending")?;
    fails!("acquiring it beside", store::acquire("x"), store::StorageError::Busy(_))?;
    sessions::release("x").must("releasing")?;
    store::acquire("x").must("acquiring what was released").map(drop)
}

fn open_turn_goes_on() -> Outcome {
    let log = put_log("x", BROKEN_OFF)?;
    let next = event(7, "tool/result", r#"{"callId":"b","content":"late"}"#);
    sessions::append("x", std::slice::from_ref(&next)).must("appending")?;
    log_is("x", log + &line_of(&next))
}

fn after_another() -> Outcome {
    create("x")?;
    sessions::append("x", &events(WHOLE)).must("appending")?;
    sessions::release("x").must("releasing")?;
    store::acquire("x").must("acquiring")?;
    crate::storage::append("x", line(3, "theirs", "{}"))?;
    store::release("x");
    fails!("appending in its place", sessions::append("x", &[event(3, "mine", "{}")]), Error::Sequence(_))?;
    sessions::append("x", &[event(4, "mine", "{}")]).must("appending behind it")?;
    log_is("x", log("x", WHOLE) + &line(3, "theirs", "{}") + &line(4, "mine", "{}"))
}

fn emits() -> Outcome {
    create("x")?;
    for expected in 0..3u64 {
        equal("the place", sessions::emit_event("x", "a", r#"{"n":1}"#).must("emitting")?, expected)?;
    }
    let found = slice("x", 0, 10)?.events;
    equal("the places", found.iter().map(|event| event.seq).collect::<Vec<_>>(), [0, 1, 2])?;
    holds("all have a time of this age, in milliseconds", found.iter().all(|event| event.time > 1_500_000_000_000))?;
    let lines: String = found.iter().map(line_of).collect();
    equal("type and data", found.iter().all(|event| event.type_ == "a" && event.data == r#"{"n":1}"#), true)?;
    log_is("x", header("x") + &lines)
}

fn emits_nothing() -> Outcome {
    create("x")?;
    sessions::emit_event("x", "a", "{}").must("emitting")?;
    let before = bytes("x")?;
    fails!("emitting what is not JSON", sessions::emit_event("x", "a", "{"), Error::Rejected(_))?;
    log_is("x", &before)?;
    equal("the next place", sessions::emit_event("x", "a", "{}").must("emitting")?, 1u64)
}

fn flush_claims() -> Outcome {
    let log = put_log("x", BROKEN_OFF)?;
    sessions::flush("x").must("flushing")?;
    log_is("x", log)?;
    fails!("acquiring it beside", store::acquire("x"), store::StorageError::Busy(_))
}
