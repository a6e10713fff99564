use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("creating stores nothing", stores_nothing),
    ("creating answers the header that it was given", answers_header),
    ("creating makes a session that can be looked at before it is stored", can_be_looked_at),
    ("creating what is created or stored already is refused", already_exists),
    ("creating under an id that is none is refused", invalid_id),
    ("creating with a time that no log can hold is refused", time_too_large),
    ("the first events bring the log into being, with its header", first_events),
    ("a flush brings a session without events into being", flushed),
    ("a session that was created and released before it was stored is forgotten", forgotten),
    ("whoever created a session that another stored first appends nothing to it", another_was_first),
];

fn stores_nothing() -> Outcome {
    create("x")?;
    equal("whether it is stored", sessions::has("x").must("asking")?, false)?;
    equal("all that is stored", everything()?, [])
}

fn answers_header() -> Outcome {
    let new = NewSession {
        id: "x".into(),
        cwd: Some("/some where".into()),
        parent_session: Some("y".into()),
        created_at: Some(9_007_199_254_740_991),
    };
    let expected = SessionHeader {
        version: 0,
        id: new.id.clone(),
        created_at: 9_007_199_254_740_991,
        cwd: new.cwd.clone(),
        parent_session: new.parent_session.clone(),
        seed_length: None,
    };
    equal("the header", &sessions::create(&new).must("creating")?, &expected)?;
    sessions::flush("x").must("storing")?;
    equal("the header that is stored", sessions::get_session("x").must("asking")?, expected)?;
    let line = r#"{"type":"session","version":0,"id":"x","createdAt":9007199254740991,"cwd":"/some where","parentSession":"y"}"#;
    log_is("x", format!("{line}\n"))
}

fn can_be_looked_at() -> Outcome {
    let header = create("x")?;
    equal("its header", &sessions::get_session("x").must("asking")?, &header)?;
    let state = inspect("x")?;
    equal("its header, by its state", state.header, header)?;
    equal("its length", state.length, 0u64)?;
    equal("its events", slice("x", 0, 10)?.events, [])?;
    equal("its lines", sessions::get_lines("x", 0, 100).must("reading")?, "")?;
    equal("all that is stored", everything()?, [])
}

fn already_exists() -> Outcome {
    create("x")?;
    fails!("creating it again", sessions::create(&new("x")), Error::AlreadyExists(_))?;
    sessions::flush("x").must("storing")?;
    fails!("creating what is stored", sessions::create(&new("x")), Error::AlreadyExists(_))?;
    put_log("y", &[])?;
    fails!("creating what another has stored", sessions::create(&new("y")), Error::AlreadyExists(_))?;
    log_is("x", header("x"))
}

fn invalid_id() -> Outcome {
    for id in ["", "a\0b", &"x".repeat(256)] {
        fails!(format!("creating {id:?}"), sessions::create(&new(id)), Error::InvalidId(_))?;
        fails!(format!("asking for {id:?}"), sessions::has(id), Error::InvalidId(_))?;
    }
    equal("all that is stored", everything()?, [])
}

fn time_too_large() -> Outcome {
    let new = NewSession { created_at: Some(1 << 53), ..new("x") };
    fails!("creating", sessions::create(&new), Error::Refused(_))?;
    fails!("asking for it", sessions::get_session("x"), Error::NotFound(_))
}

fn first_events() -> Outcome {
    create("x")?;
    sessions::append("x", &events(WHOLE)).must("appending")?;
    log_is("x", log("x", WHOLE))?;
    equal("whether it is stored", sessions::has("x").must("asking")?, true)
}

fn flushed() -> Outcome {
    create("x")?;
    sessions::flush("x").must("flushing")?;
    log_is("x", header("x"))?;
    holds("it is held", stat("x")?.held)?;
    sessions::append("x", &events(WHOLE)).must("appending")?;
    log_is("x", log("x", WHOLE))
}

fn forgotten() -> Outcome {
    create("x")?;
    sessions::release("x").must("releasing")?;
    fails!("asking for it", sessions::get_session("x"), Error::NotFound(_))?;
    fails!("appending to it", sessions::append("x", &events(WHOLE)), Error::NotFound(_))?;
    equal("all that is stored", everything()?, [])
}

fn another_was_first() -> Outcome {
    create("x")?;
    let log = put_log("x", WHOLE)?;
    let appended = sessions::append("x", &[event(0, "mine", "{}")]);
    fails!("appending", appended, Error::AlreadyExists(_))?;
    log_is("x", log)
}
