use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("deleting removes the session and all that belongs to it", deletes),
    ("deleting a session that is not there is no error", deletes_absent),
    ("deleting what another holds is busy, and leaves it", deletes_busy),
    ("deleting what is held lets it go, and it can be created anew", deletes_held),
    ("deleting a session that was created and not stored forgets it", deletes_unborn),
    ("releasing lets another write, and what is not held is no error", releases),
];

fn deletes() -> Outcome {
    put("x", log("x", WHOLE) + "{\"ty")?;
    put_log("y", WHOLE)?;
    wake("x", CLOSE)?;
    sessions::delete("x").must("deleting")?;
    equal("whether it is there", sessions::has("x").must("asking")?, false)?;
    fails!("inspecting", sessions::inspect("x"), Error::NotFound(_))?;
    equal("what was set aside for it", store::asides("x").must("listing the pieces")?, [])?;
    log_is("y", log("y", WHOLE))
}

fn deletes_absent() -> Outcome {
    sessions::delete("x").must("deleting")?;
    equal("all that is stored", everything()?, [])
}

fn deletes_busy() -> Outcome {
    let log = put_log("x", WHOLE)?;
    store::acquire("x").must("acquiring")?;
    fails!("deleting", sessions::delete("x"), Error::Busy(_))?;
    log_is("x", log)
}

fn deletes_held() -> Outcome {
    create("x")?;
    sessions::append("x", &events(WHOLE)).must("appending")?;
    sessions::delete("x").must("deleting")?;
    fails!("appending to it", sessions::append("x", &[event(3, "a", "{}")]), Error::NotFound(_))?;
    create("x")?;
    sessions::append("x", &[event(0, "a", "{}")]).must("appending to the new one")?;
    log_is("x", header("x") + &line(0, "a", "{}"))
}

fn deletes_unborn() -> Outcome {
    create("x")?;
    sessions::delete("x").must("deleting")?;
    fails!("asking for it", sessions::get_session("x"), Error::NotFound(_))?;
    create("x").map(drop)
}

fn releases() -> Outcome {
    sessions::release("never there").must("releasing what was never there")?;
    put_log("x", WHOLE)?;
    sessions::release("x").must("releasing what is not held")?;
    wake("x", CLOSE)?;
    sessions::release("x").must("releasing")?;
    holds("nobody holds it", !stat("x")?.held)?;
    store::acquire("x").must("acquiring it beside")?;
    fails!("appending", sessions::append("x", &[event(3, "a", "{}")]), Error::Busy(_))
}
