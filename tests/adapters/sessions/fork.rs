use super::*;
use crate::altered::altered;

fn child(call: &mut Call<'_>) -> Val {
    member(&mut call.params[2], "id").clone()
}

pub const WRONG: &[Altered] = &[
    altered(
        "a fork is recorded in it",
        &["a fork copies all lines to the byte, under a header of its own"],
        "fork",
        |call| {
            let id = child(call);
            let answer = then(call, "emit-event", &[id.clone(), text("forked"), text("{}")])?;
            let _ = call.ask("release", &[id])?;
            Ok(answer)
        },
    ),
    altered(
        "a fork takes all",
        &["a fork at a length has just so many events, and closes what the cut left open"],
        "fork",
        |call| {
            call.params[1] = NONE;
            call.go()
        },
    ),
    altered(
        "a fork forgets how much it took",
        &["a fork names its parent and how much it took over, without what was closed"],
        "fork",
        |call| change(call, |header| *member(header, "seed-length") = NONE),
    ),
    altered(
        "a fork has a folder of its own",
        &["a fork inherits where the parent was created, unless it is told otherwise"],
        "fork",
        |call| {
            *member(&mut call.params[2], "cwd") = some(text("/"));
            call.go()
        },
    ),
    altered("a fork takes as much as there is", &["a fork of more events than there are is refused"], "fork", |call| {
        instead_of(call, "refused", |call| {
            call.params[1] = NONE;
            call.go()
        })
    }),
    altered("a fork replaces", &["a fork never replaces a session"], "fork", |call| {
        let id = child(call);
        instead_of(call, "already-exists", |call| first(call, "delete", &[id]))
    }),
    altered(
        "a fork wakes its parent",
        &[
            "a fork leaves the parent as it was, also where another holds it",
            "a fork of a damaged session takes what precedes the damage",
        ],
        "fork",
        |call| {
            let id = call.id();
            first(call, "wake", &[id, options("close", "refuse")])
        },
    ),
    altered("a fork is held", &["a fork is held by nobody, and lives on without its parent"], "fork", |call| {
        let id = child(call);
        then(call, "wake", &[id, options("keep", "refuse")])
    }),
    altered(
        "a fork of nothing is empty",
        &["a fork of a session that is not there is not found, and makes none"],
        "fork",
        |call| {
            let id = child(call);
            instead_of(call, "not-found", |call| call.ask("create", &[new_session(id)]))
        },
    ),
];
