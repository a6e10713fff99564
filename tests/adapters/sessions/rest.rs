use super::*;
use crate::altered::altered;

pub const WRONG: &[Altered] = &[
    altered(
        "deleting does nothing",
        &[
            "deleting removes the session and all that belongs to it",
            "deleting what is held lets it go, and it can be created anew",
        ],
        "delete",
        |_| Ok(Ok(None)),
    ),
    altered(
        "what is not there can't be deleted",
        &["deleting a session that is not there is no error"],
        "delete",
        |call| {
            if is_stored(call)? { call.go() } else { no("not-found") }
        },
    ),
    altered(
        "deleting what is held says yes",
        &["deleting what another holds is busy, and leaves it"],
        "delete",
        |call| instead_of(call, "busy", |_| Ok(Ok(None))),
    ),
    altered(
        "deleting is for what is stored",
        &["deleting a session that was created and not stored forgets it"],
        "delete",
        |call| if is_stored(call)? { call.go() } else { Ok(Ok(None)) },
    ),
    altered(
        "releasing does nothing",
        &["releasing lets another write, and what is not held is no error"],
        "release",
        |_| Ok(Ok(None)),
    ),
    altered("a hand-off holds on", &["a hand-off records a boundary and lets the session go"], "hand-off", |call| {
        let id = call.id();
        then(call, "wake", &[id, options("keep", "refuse")])
    }),
    altered(
        "a hand-off ends the turn",
        &["a hand-off closes no turn, and the next writer goes on in it"],
        "hand-off",
        |call| {
            let id = call.id();
            first(call, "wake", &[id, options("close", "refuse")])
        },
    ),
    altered(
        "a hand-off records anything",
        &["a hand-off whose data is not JSON is refused, and records nothing"],
        "hand-off",
        |call| {
            instead_of(call, "rejected", |call| {
                call.params[1] = text("null");
                call.go()
            })
        },
    ),
    altered("boundaries are not told", &["the last boundary is told by whoever looks"], "inspect", |call| {
        change(call, |state| *member(state, "boundary") = NONE)
    }),
    altered("a hand-off of what is held says yes", &["a hand-off of what another holds is busy"], "hand-off", |call| {
        instead_of(call, "busy", |_| yes(Val::U64(0)))
    }),
];
