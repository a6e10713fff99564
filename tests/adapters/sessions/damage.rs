use super::*;
use crate::altered::altered;

pub const WRONG: &[Altered] = &[
    altered(
        "waking tells not where it keeps what it cut",
        &[
            "a torn tail is told by its place, and waking keeps it aside",
            "a torn tail of zeros is one like any other",
            "a torn tail and an open turn are mended together",
        ],
        "wake",
        |call| change(call, |state| *member(member(state, "recovery"), "kept-at") = NONE),
    ),
    altered(
        "appending mends a torn tail",
        &["a torn tail needs a wake before anything is appended"],
        "append",
        |call| {
            let id = call.id();
            instead_of(call, "needs-wake", |call| first(call, "wake", &[id, options("keep", "refuse")]))
        },
    ),
    altered(
        "waking always sets damage aside",
        &[
            "a line that is no record before others is damage, and waking leaves it",
            "a gap in the sequence is damage, and is told as one",
            "a record whose place was used is damage, and is told as one",
            "a wake that fails lets the session go",
        ],
        "wake",
        |call| {
            *member(&mut call.params[1], "on-damage") = Val::Enum("set-aside".into());
            call.go()
        },
    ),
    altered(
        "all damage is of one kind",
        &[
            "a gap in the sequence is damage, and is told as one",
            "a record whose place was used is damage, and is told as one",
        ],
        "inspect",
        |call| {
            change(call, |state| {
                if let Val::Option(Some(damage)) = member(member(state, "recovery"), "damage") {
                    *member(damage, "kind") = Val::Enum("malformed".into());
                }
            })
        },
    ),
    altered("waking never sets damage aside", &["damage is set aside whole, if that is asked for"], "wake", |call| {
        *member(&mut call.params[1], "on-damage") = Val::Enum("refuse".into());
        call.go()
    }),
    altered(
        "appending passes over damage",
        &["damage refuses what is appended, and the session is let go"],
        "append",
        |call| instead_of(call, "corrupt", |_| Ok(Ok(None))),
    ),
    altered("a wake that fails holds on", &["a wake that fails lets the session go"], "wake", |call| {
        let answer = call.go()?;
        if answer.is_err() {
            call.storage().acquire(string(&mut call.id()))?;
        }
        Ok(answer)
    }),
    altered("a damaged log can't be read", &["damage hides nothing that precedes it"], "get-events", |call| {
        if is_damaged(call)? { no("storage") } else { call.go() }
    }),
    altered(
        "another version is damage",
        &["a log of another version is unsupported, and is left alone"],
        "wake",
        |call| instead_of(call, "unsupported-version", |_| no("storage")),
    ),
    altered(
        "a header that is wrong is some failure",
        &[
            "a log whose header names another id is damaged",
            "a log without a header is damaged, and nothing makes it up",
        ],
        "wake",
        |call| instead_of(call, "corrupt", |_| no("storage")),
    ),
];
