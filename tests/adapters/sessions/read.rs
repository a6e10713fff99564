use super::*;
use crate::altered::altered;

pub const WRONG: &[Altered] = &[
    altered(
        "slices begin one later",
        &["a slice holds the events of its places, and says where to go on"],
        "get-events",
        |call| {
            if let Val::U64(start) = &mut call.params[1] {
                *start = start.saturating_add(1);
            }
            call.go()
        },
    ),
    altered(
        "slices leave nothing out",
        &["a slice leaves out the types named, and still goes on behind them"],
        "get-events",
        |call| {
            call.params[3] = Val::List(Vec::new());
            call.go()
        },
    ),
    altered("slices end at the end", &["a slice from the end or behind it is empty"], "get-events", |call| {
        let answer = call.go()?;
        let empty = matches!(&answer, Ok(Some(slice)) if items(member(&mut slice.clone(), "events")).is_empty());
        if empty { no("refused") } else { Ok(answer) }
    }),
    altered("inspecting wakes", &["reading writes nothing"], "inspect", |call| {
        let id = call.id();
        let _ = call.ask("wake", &[id, options("close", "refuse")])?;
        call.go()
    }),
    altered("inspecting tells of no closers", &["inspecting tells what waking then does"], "inspect", |call| {
        change(call, |state| items(member(member(state, "recovery"), "closers")).clear())
    }),
    altered(
        "inspecting tells of no holder",
        &["inspecting tells whether some writer holds the session"],
        "inspect",
        |call| change(call, |state| *member(state, "held") = Val::Bool(false)),
    ),
    altered(
        "reading waits for the writer",
        &["reading goes on beside a writer, and sees what is appended"],
        "get-events",
        |call| {
            if call.storage().acquire(string(&mut call.id())).is_err() { no("busy") } else { call.go() }
        },
    ),
    altered(
        "the revision never changes",
        &["the revision changes when the log does, and not otherwise"],
        "inspect",
        |call| change(call, |state| *member(state, "revision") = text("1")),
    ),
    altered(
        "a header needs a sound log",
        &["the header of a session is read whatever the rest of its log is like"],
        "get-session",
        |call| {
            if is_damaged(call)? { no("storage") } else { call.go() }
        },
    ),
    altered("every session is there", &["reading a session that is not there is not found"], "has", |_| {
        yes(Val::Bool(true))
    }),
    altered("verifying tells another revision", &["verifying tells the same as inspecting"], "verify", |call| {
        change(call, |state| *member(state, "revision") = text("verified"))
    }),
    altered("checking always finds something", &["checking finds nothing wrong with a whole turn"], "check", |call| {
        change(call, |rules| items(rules).push(text("something")))
    }),
    altered("checking never finds anything", &["checking tells of every rule that is broken"], "check", |call| {
        change(call, |rules| items(rules).clear())
    }),
];
