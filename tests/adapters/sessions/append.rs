use super::*;
use crate::altered::altered;

/// The events get the places that are free.
fn renumber(call: &mut Call<'_>) -> Result<Answer> {
    let id = call.id();
    if let Ok(Some(mut state)) = call.ask("inspect", &[id])? {
        let &mut Val::U64(length) = member(&mut state, "length") else { panic!("the length is a number") };
        for (seq, event) in (length..).zip(items(&mut call.params[1])) {
            *member(event, "seq") = Val::U64(seq);
        }
    }
    call.go()
}

pub const WRONG: &[Altered] = &[
    altered("times are not kept", &["appending writes the events as lines, in order"], "append", |call| {
        items(&mut call.params[1]).iter_mut().for_each(|event| *member(event, "time") = Val::U64(0));
        call.go()
    }),
    altered(
        "events are numbered anew",
        &[
            "appending what does not continue the log is refused, and the expected place is told",
            "appending to a log that another has grown goes on behind it",
        ],
        "append",
        renumber,
    ),
    altered("events are appended one by one", &["appending is all or none"], "append", |call| {
        let id = call.id();
        for event in items(&mut call.params[1]).clone() {
            let answer = call.ask("append", &[id.clone(), Val::List(vec![event])])?;
            if answer.is_err() {
                return Ok(answer);
            }
        }
        Ok(Ok(None))
    }),
    altered(
        "what can't be stored is passed over",
        &[
            "appending data that is not JSON on one line is refused",
            "appending data that is nested too deep is refused",
            "appending is all or none",
        ],
        "append",
        |call| instead_of(call, "rejected", |_| Ok(Ok(None))),
    ),
    altered("data lose their white space", &["appending keeps data to the byte"], "append", |call| {
        for event in items(&mut call.params[1]) {
            let data = string(member(event, "data"));
            *data = data.replace(' ', "");
        }
        call.go()
    }),
    altered(
        "appending makes what is not there",
        &["appending to a session that is not there is not found, and makes none"],
        "append",
        |call| {
            instead_of(call, "not-found", |call| {
                let id = call.id();
                first(call, "create", &[new_session(id)])
            })
        },
    ),
    altered("appending to what is held is lost", &["appending to what another holds is busy"], "append", |call| {
        instead_of(call, "busy", |_| Ok(Ok(None)))
    }),
    altered("appending claims nothing", &["appending claims the session, until it is released"], "append", |call| {
        let id = call.id();
        then(call, "release", &[id])
    }),
    altered(
        "appending closes what is open",
        &["appending goes on in an open turn and closes none"],
        "append",
        |call| {
            let id = call.id();
            let _ = call.ask("wake", &[id, options("close", "refuse")])?;
            renumber(call)
        },
    ),
    altered(
        "places are counted from one",
        &["an event that is emitted gets the next place and the present time"],
        "emit-event",
        |call| {
            change(call, |seq| {
                if let Val::U64(seq) = seq {
                    *seq += 1;
                }
            })
        },
    ),
    altered(
        "what can't be emitted becomes null",
        &["emitting what can't be stored is refused, and no place is used up"],
        "emit-event",
        |call| {
            instead_of(call, "rejected", |call| {
                call.params[2] = text("null");
                call.go()
            })
        },
    ),
    altered("a flush lets go", &["a flush of what is not held claims it, and changes nothing"], "flush", |call| {
        let id = call.id();
        then(call, "release", &[id])
    }),
];
