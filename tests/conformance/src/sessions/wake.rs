use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("waking closes a turn that was broken off, call by call", closes),
    ("waking twice gives the same bytes", twice),
    ("waking a whole log changes nothing", whole),
    ("waking keeps a turn open if told to", keeps),
    ("waking makes up no result where no call was made", no_calls),
    ("waking copies turn and step as they were written, or leaves them out", copies_numbers),
    ("waking answers calls of the open scope alone", open_scope_alone),
    ("waking claims the session", claims),
    ("waking what another holds is busy, and changes nothing", busy),
    ("waking a session that is not there is not found, and makes none", absent),
    ("waking a session that was created and not stored leaves it so", unborn),
    ("loading wakes the session and gives all of it", loads),
];

fn closes() -> Outcome {
    let log = put_log("x", BROKEN_OFF)?;
    let state = wake("x", CLOSE)?;
    equal("the closers", &state.recovery.closers, &its_closers())?;
    equal("the length", state.length, (BROKEN_OFF.len() + ITS_CLOSERS.len()) as u64)?;
    equal("whether a turn is open", state.turn_open, false)?;
    log_is("x", log + &its_closers().iter().map(line_of).collect::<String>())
}

fn twice() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    wake("x", CLOSE)?;
    let once = bytes("x")?;
    equal("what the second wake closes", wake("x", CLOSE)?.recovery.closers, [])?;
    sessions::release("x").must("releasing")?;
    equal("what a third closes", wake("x", CLOSE)?.recovery.closers, [])?;
    log_is("x", once)
}

fn whole() -> Outcome {
    let log = put_log("x", WHOLE)?;
    let state = wake("x", CLOSE)?;
    equal("what it mends", state.recovery, Recovery { damage: None, kept_at: None, closers: Vec::new() })?;
    log_is("x", log)
}

fn keeps() -> Outcome {
    let log = put_log("x", BROKEN_OFF)?;
    let state = wake("x", KEEP)?;
    equal("the closers", state.recovery.closers, [])?;
    equal("the length", state.length, BROKEN_OFF.len() as u64)?;
    equal("whether a turn is open", state.turn_open, true)?;
    log_is("x", log)?;
    equal("the closers of a wake that is not told to", wake("x", CLOSE)?.recovery.closers, its_closers())
}

fn kinds(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.type_.as_str()).collect()
}

fn no_calls() -> Outcome {
    let chunks: &[(&str, &str)] = &[
        ("turn/start", r#"{"turn":1}"#),
        ("step/start", r#"{"turn":1,"step":1}"#),
        ("assistant/chunk", r#"{"chunk":{"type":"tool-call","id":"a"}}"#),
    ];
    put_log("x", chunks)?;
    equal("the closers", kinds(&wake("x", CLOSE)?.recovery.closers), ["step/end", "turn/end"])?;
    put_log("y", &chunks[..1])?;
    equal("the closers of a turn without a step", kinds(&wake("y", CLOSE)?.recovery.closers), ["turn/end"])
}

fn copies_numbers() -> Outcome {
    put_log("x", &[("turn/start", r#"{"turn": 1.50e1}"#), ("step/start", r#"{"turn":9}"#)])?;
    let closers = wake("x", CLOSE)?.recovery.closers;
    let data: Vec<_> = closers.iter().map(|event| event.data.as_str()).collect();
    equal("the closers", data, [r#"{"turn":1.50e1}"#, r#"{"turn":1.50e1,"reason":{"kind":"interrupted"}}"#])
}

fn open_scope_alone() -> Outcome {
    let call = r#"{"content":[{"type":"tool-call","id":"a"}]}"#;
    put_log(
        "x",
        &[
            ("turn/start", "{}"),
            ("assistant/message", call),
            ("turn/end", "{}"),
            ("turn/start", "{}"),
            ("step/start", "{}"),
            ("assistant/message", call),
            ("step/end", "{}"),
        ],
    )?;
    equal("the closers", kinds(&wake("x", CLOSE)?.recovery.closers), ["turn/end"])
}

fn claims() -> Outcome {
    put_log("x", WHOLE)?;
    let state = wake("x", CLOSE)?;
    holds("its state says that it is held", state.held)?;
    fails!("acquiring it beside", store::acquire("x"), store::StorageError::Busy(_))
}

fn busy() -> Outcome {
    let log = put_log("x", BROKEN_OFF)?;
    store::acquire("x").must("acquiring")?;
    fails!("waking", sessions::wake("x", CLOSE), Error::Busy(_))?;
    fails!("loading", sessions::load("x"), Error::Busy(_))?;
    log_is("x", log)
}

fn absent() -> Outcome {
    fails!("waking", sessions::wake("x", CLOSE), Error::NotFound(_))?;
    fails!("loading", sessions::load("x"), Error::NotFound(_))?;
    equal("all that is stored", everything()?, [])
}

fn unborn() -> Outcome {
    let header = create("x")?;
    let state = wake("x", CLOSE)?;
    equal("its header", state.header, header)?;
    equal("its length", state.length, 0u64)?;
    equal("all that is stored", everything()?, [])?;
    sessions::append("x", &events(WHOLE)).must("appending then")?;
    log_is("x", log("x", WHOLE))
}

fn loads() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    let loaded = sessions::load("x").must("loading")?;
    let expected = [events(BROKEN_OFF), its_closers()].concat();
    equal("its length", loaded.state.length, expected.len() as u64)?;
    equal("all events", loaded.events, expected)?;
    fails!("acquiring it beside", store::acquire("x"), store::StorageError::Busy(_))
}
