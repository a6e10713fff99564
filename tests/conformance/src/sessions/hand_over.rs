use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("a hand-off records a boundary and lets the session go", hands_off),
    ("a hand-off closes no turn, and the next writer goes on in it", turn_goes_on),
    ("a hand-off whose data is not JSON is refused, and records nothing", refused),
    ("the last boundary is told by whoever looks", last_boundary),
    ("a hand-off of what another holds is busy", busy),
];

fn hands_off() -> Outcome {
    create("x")?;
    sessions::append("x", &events(WHOLE)).must("appending")?;
    equal("its place", sessions::hand_off("x", r#"{"to":"next"}"#).must("handing off")?, 3u64)?;
    holds("nobody holds it", !stat("x")?.held)?;
    let boundary = slice("x", 3, 1)?.events;
    let found: Vec<_> = boundary.iter().map(|event| (event.type_.as_str(), event.data.as_str())).collect();
    equal("the boundary", found, [("session/boundary", r#"{"to":"next"}"#)])?;
    log_is("x", log("x", WHOLE) + &boundary.iter().map(line_of).collect::<String>())?;
    store::acquire("x").must("the next writer's acquiring").map(drop)
}

fn turn_goes_on() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    sessions::hand_off("x", "{}").must("handing off")?;
    let state = wake("x", KEEP)?;
    equal("what is closed", state.recovery.closers, [])?;
    equal("its length", state.length, BROKEN_OFF.len() as u64 + 1)
}

fn refused() -> Outcome {
    let log = put_log("x", WHOLE)?;
    fails!("handing off", sessions::hand_off("x", "{"), Error::Rejected(_))?;
    log_is("x", log)
}

fn last_boundary() -> Outcome {
    put_log("x", WHOLE)?;
    equal("the boundary, where there is none", inspect("x")?.boundary, None)?;
    for data in [r#"{"n":1}"#, r#"{"n":2}"#] {
        sessions::hand_off("x", data).must("handing off")?;
        sessions::emit_event("x", "a", "{}").must("going on")?;
    }
    for state in [inspect("x")?, wake("x", CLOSE)?, sessions::verify("x").must("verifying")?] {
        equal("the boundary", state.boundary.map(|event| (event.seq, event.data)), Some((5, r#"{"n":2}"#.into())))?;
    }
    Ok(())
}

fn busy() -> Outcome {
    let log = put_log("x", WHOLE)?;
    store::acquire("x").must("acquiring")?;
    fails!("handing off", sessions::hand_off("x", "{}"), Error::Busy(_))?;
    log_is("x", log)
}
