use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("a fork copies all lines to the byte, under a header of its own", copies),
    ("a fork at a length has just so many events, and closes what the cut left open", at_a_length),
    ("a fork names its parent and how much it took over, without what was closed", names_parent),
    ("a fork inherits where the parent was created, unless it is told otherwise", inherits_cwd),
    ("a fork of more events than there are is refused", too_long),
    ("a fork never replaces a session", never_replaces),
    ("a fork leaves the parent as it was, also where another holds it", leaves_parent),
    ("a fork of a damaged session takes what precedes the damage", damaged),
    ("a fork is held by nobody, and lives on without its parent", lives_on),
    ("a fork of a session that is not there is not found, and makes none", absent),
];

fn fork(id: &str, length: Option<u64>, child: &str) -> Outcome<SessionHeader> {
    sessions::fork(id, length, &new(child)).must(&format!("forking {id:?} at {length:?}"))
}

/// The header line of a fork that [`fork`] made.
fn child_header(id: &str, parent: &str, seed_length: usize) -> String {
    let origin = format!("\"parentSession\":\"{parent}\",\"seedLength\":{seed_length}");
    format!("{{\"type\":\"session\",\"version\":0,\"id\":\"{id}\",\"createdAt\":1,{origin}}}\n")
}

fn copies() -> Outcome {
    // As another program may have written it.
    let odd = " {\"seq\":3 ,\"time\":7,\"more\":1,\"type\":\"a\",\"data\":{\"f\":1.0}}\r\n";
    put("x", log("x", WHOLE) + odd)?;
    fork("x", None, "y")?;
    let lines: String = events(WHOLE).iter().map(line_of).collect();
    log_is("y", child_header("y", "x", 4) + &lines + odd)
}

fn at_a_length() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    for length in 0..=BROKEN_OFF.len() {
        let child = format!("y{length}");
        fork("x", Some(length as u64), &child)?;
        let found = slice(&child, 0, 100)?.events;
        equal(&format!("the first {length} events"), &found[..length.min(found.len())], &events(BROKEN_OFF)[..length])?;
        equal("what waking it would close", inspect(&child)?.recovery.closers, [])?;
        let ends_turn = found.last().is_some_and(|last| last.type_ == "turn/end");
        holds("its turn has an end, if it has a beginning", length == 0 || ends_turn)?;
        holds("no turn is closed that never began", length > 0 || found.is_empty())?;
    }
    let closed = [events(BROKEN_OFF), its_closers()].concat();
    equal("the whole of it", slice(&format!("y{}", BROKEN_OFF.len()), 0, 100)?.events, closed)
}

fn names_parent() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    let header = fork("x", Some(4), "y")?;
    equal("its parent", header.parent_session.as_deref(), Some("x"))?;
    equal("how much it took over", header.seed_length, Some(4))?;
    equal("its header, as it is stored", &sessions::get_session("y").must("asking")?, &header)?;
    let grandchild = fork("y", Some(2), "z")?;
    equal("the parent of a fork's fork", grandchild.parent_session.as_deref(), Some("y"))?;
    equal("how much that took over", grandchild.seed_length, Some(2))
}

fn inherits_cwd() -> Outcome {
    let parent = NewSession { cwd: Some("/somewhere".into()), ..new("x") };
    sessions::create(&parent).must("creating")?;
    sessions::flush("x").must("storing")?;
    equal("where the fork was created", fork("x", None, "y")?.cwd.as_deref(), Some("/somewhere"))?;
    let child = NewSession { cwd: Some("/elsewhere".into()), ..new("z") };
    let told = sessions::fork("x", None, &child).must("forking")?;
    equal("where the other was created", told.cwd.as_deref(), Some("/elsewhere"))
}

fn too_long() -> Outcome {
    put_log("x", WHOLE)?;
    leaves_all(|| {
        fails!("forking at 4 of 3", sessions::fork("x", Some(4), &new("y")), Error::Refused(_))?;
        fails!("forking at 2^64 - 1", sessions::fork("x", Some(u64::MAX), &new("y")), Error::Refused(_))
    })
}

fn never_replaces() -> Outcome {
    put_log("x", WHOLE)?;
    put_log("y", BROKEN_OFF)?;
    create("z")?;
    leaves_all(|| {
        fails!("forking onto another", sessions::fork("x", None, &new("y")), Error::AlreadyExists(_))?;
        fails!("forking onto itself", sessions::fork("x", None, &new("x")), Error::AlreadyExists(_))?;
        fails!("forking onto what was created", sessions::fork("x", None, &new("z")), Error::AlreadyExists(_))
    })
}

fn leaves_parent() -> Outcome {
    let log = put_log("x", BROKEN_OFF)?;
    store::acquire("x").must("acquiring")?;
    let before = stat("x")?;
    fork("x", None, "y")?;
    log_is("x", log)?;
    equal("what is known of the parent", stat("x")?, before)?;
    crate::storage::append("x", "more")
}

fn damaged() -> Outcome {
    for (n, rest) in
        ["{\"ty".to_string(), line(9, "a", "{}"), "\0\n".to_string() + &line(3, "a", "{}")].iter().enumerate()
    {
        let (id, child) = (format!("x{n}"), format!("y{n}"));
        put(&id, log(&id, WHOLE) + rest)?;
        fork(&id, None, &child)?;
        equal("its events", slice(&child, 0, 100)?.events, events(WHOLE))?;
        holds("it is sound", inspect(&child)?.recovery.damage.is_none())?;
        log_is(&id, log(&id, WHOLE) + rest)?;
    }
    Ok(())
}

fn lives_on() -> Outcome {
    put_log("x", WHOLE)?;
    fork("x", None, "y")?;
    holds("nobody holds it", !stat("y")?.held)?;
    sessions::delete("x").must("deleting the parent")?;
    equal("its events", slice("y", 0, 100)?.events, events(WHOLE))?;
    sessions::append("y", &[event(3, "a", "{}")]).must("appending to it")
}

fn absent() -> Outcome {
    fails!("forking", sessions::fork("x", None, &new("y")), Error::NotFound(_))?;
    equal("all that is stored", everything()?, [])
}
