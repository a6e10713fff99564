use super::*;
use crate::altered::altered;

fn closers(state: &mut Val) -> &mut Vec<Val> {
    items(member(member(state, "recovery"), "closers"))
}

pub const WRONG: &[Altered] = &[
    altered("waking closes nothing", &["waking closes a turn that was broken off, call by call"], "wake", |call| {
        *member(&mut call.params[1], "open-turn") = Val::Enum("keep".into());
        call.go()
    }),
    altered(
        "waking is recorded",
        &["waking twice gives the same bytes", "waking a whole log changes nothing"],
        "wake",
        |call| {
            let id = call.id();
            then(call, "emit-event", &[id, text("woken"), text("{}")])
        },
    ),
    altered(
        "waking tells of an open turn always",
        &["waking closes a turn that was broken off, call by call"],
        "wake",
        |call| change(call, |state| *member(state, "turn-open") = Val::Bool(true)),
    ),
    altered("waking tells of no open turn", &["waking keeps a turn open if told to"], "wake", |call| {
        change(call, |state| *member(state, "turn-open") = Val::Bool(false))
    }),
    altered("waking always closes", &["waking keeps a turn open if told to"], "wake", |call| {
        *member(&mut call.params[1], "open-turn") = Val::Enum("close".into());
        call.go()
    }),
    altered(
        "waking tells of one closer more",
        &[
            "waking makes up no result where no call was made",
            "waking answers calls of the open scope alone",
            "waking twice gives the same bytes",
        ],
        "wake",
        |call| {
            change(call, |state| {
                let closers = closers(state);
                let event =
                    [("seq", Val::U64(0)), ("time", Val::U64(0)), ("type", text("tool/result")), ("data", text("{}"))];
                closers.push(Val::Record(event.map(|(name, value)| (name.into(), value)).to_vec()));
            })
        },
    ),
    altered(
        "numbers are written anew",
        &["waking copies turn and step as they were written, or leaves them out"],
        "wake",
        |call| {
            change(call, |state| {
                for closer in closers(state) {
                    let data = string(member(closer, "data"));
                    *data = data.replace("1.50e1", "15");
                }
            })
        },
    ),
    altered("waking claims nothing", &["waking claims the session"], "wake", |call| {
        let id = call.id();
        then(call, "release", &[id])
    }),
    altered(
        "waking what is held only looks",
        &["waking what another holds is busy, and changes nothing"],
        "wake",
        |call| {
            let id = call.id();
            instead_of(call, "busy", |call| call.ask("inspect", &[id]))
        },
    ),
    altered(
        "waking makes what is not there",
        &["waking a session that is not there is not found, and makes none"],
        "wake",
        |call| {
            let id = call.id();
            instead_of(call, "not-found", |call| first(call, "create", &[new_session(id)]))
        },
    ),
    altered("waking stores", &["waking a session that was created and not stored leaves it so"], "wake", |call| {
        let id = call.id();
        if !is_stored(call)? {
            let _ = call.ask("flush", &[id])?;
        }
        call.go()
    }),
    altered("loading loses the last event", &["loading wakes the session and gives all of it"], "load", |call| {
        change(call, |loaded| drop(items(member(loaded, "events")).pop()))
    }),
];
