use super::*;
use crate::altered::altered;

pub const WRONG: &[Altered] = &[
    altered(
        "creating stores at once",
        &["creating stores nothing", "creating makes a session that can be looked at before it is stored"],
        "create",
        |call| {
            let id = member(&mut call.params[0], "id").clone();
            then(call, "flush", &[id])
        },
    ),
    altered("creating forgets the folder", &["creating answers the header that it was given"], "create", |call| {
        *member(&mut call.params[0], "cwd") = NONE;
        call.go()
    }),
    altered(
        "what is only created is not there",
        &["creating makes a session that can be looked at before it is stored"],
        "get-session",
        |call| if is_stored(call)? { call.go() } else { no("not-found") },
    ),
    altered(
        "creating what is there gives it",
        &["creating what is created or stored already is refused"],
        "create",
        |call| {
            let id = member(&mut call.params[0], "id").clone();
            instead_of(call, "already-exists", |call| call.ask("get-session", &[id]))
        },
    ),
    altered("an invalid id is only absent", &["creating under an id that is none is refused"], "has", |call| {
        instead_of(call, "invalid-id", |_| yes(Val::Bool(false)))
    }),
    altered("a time is cut to size", &["creating with a time that no log can hold is refused"], "create", |call| {
        instead_of(call, "refused", |call| {
            *member(&mut call.params[0], "created-at") = NONE;
            call.go()
        })
    }),
    altered(
        "the first events are lost",
        &["the first events bring the log into being, with its header"],
        "append",
        |call| {
            let id = call.id();
            if is_stored(call)? { call.go() } else { call.ask("flush", &[id]) }
        },
    ),
    altered(
        "a flush of no events does nothing",
        &["a flush brings a session without events into being"],
        "flush",
        |call| {
            if is_stored(call)? { call.go() } else { Ok(Ok(None)) }
        },
    ),
    altered(
        "what is only created is never forgotten",
        &["a session that was created and released before it was stored is forgotten"],
        "release",
        |call| if is_stored(call)? { call.go() } else { Ok(Ok(None)) },
    ),
    altered(
        "whoever comes second goes on with the log of the first",
        &["whoever created a session that another stored first appends nothing to it"],
        "append",
        |call| {
            instead_of(call, "already-exists", |call| {
                let id = call.id();
                let _ = call.ask("release", &[id])?;
                *member(&mut items(&mut call.params[1])[0], "seq") = Val::U64(3);
                call.go()
            })
        },
    ),
];
