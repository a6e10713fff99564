use super::*;
use crate::altered::altered;

const DERIVE: &str = "derive-messages";

fn messages(call: &mut Call<'_>, alter: impl FnOnce(&mut Vec<Val>)) -> Result<Answer> {
    change(call, |page| alter(items(member(page, "messages"))))
}

pub const WRONG: &[Altered] = &[
    altered(
        "the assistant is not heard",
        &["messages are derived from what was said and answered, and from nothing else"],
        DERIVE,
        |call| {
            messages(call, |all| all.retain_mut(|message| *member(message, "role") != Val::Enum("assistant".into())))
        },
    ),
    altered("content loses its white space", &["messages keep their content to the byte"], DERIVE, |call| {
        messages(call, |all| {
            for message in all {
                let content = string(member(message, "content"));
                *content = content.replace(' ', "");
            }
        })
    }),
    altered("tags are called otherwise", &["messages of context and steering stand between tags"], DERIVE, |call| {
        messages(call, |all| {
            for message in all {
                let content = string(member(message, "content"));
                *content = content.replace("<context", "<note");
            }
        })
    }),
    altered("summaries are left out", &["messages that a summary stands for are replaced by it"], DERIVE, |call| {
        messages(call, |all| all.retain_mut(|message| *member(message, "source") != Val::U64(5)))
    }),
    altered(
        "all events are derived from",
        &["messages of the first events alone are derived, if that is asked for"],
        DERIVE,
        |call| {
            *member(&mut call.params[1], "length") = NONE;
            call.go()
        },
    ),
    altered(
        "there is one page",
        &["messages come in pages, never less than one while there are some"],
        DERIVE,
        |call| change(call, |page| *member(page, "next") = NONE),
    ),
    altered("no session has no messages", &["messages of a session that is not there are not found"], DERIVE, |call| {
        instead_of(call, "not-found", |_| {
            yes(Val::Record(vec![("messages".into(), Val::List(Vec::new())), ("next".into(), NONE)]))
        })
    }),
    altered("all is paired", &["recorded messages stand as they were recorded"], DERIVE, |call| {
        *member(&mut call.params[1], "pairing") = Val::Enum("paired".into());
        call.go()
    }),
    altered(
        "nothing is paired",
        &[
            "paired results follow their calls at once, in the order of the calls",
            "a paired call without a result gets one that says so",
            "a paired result without a call, or after the first, is left out",
        ],
        DERIVE,
        |call| {
            *member(&mut call.params[1], "pairing") = Val::Enum("recorded".into());
            call.go()
        },
    ),
    altered("an id is answered once a log", &["paired calls are matched within their own scope"], DERIVE, |call| {
        messages(call, |all| {
            let mut seen = Vec::new();
            all.retain_mut(|message| {
                let content = string(member(message, "content")).clone();
                let again = seen.contains(&content);
                seen.push(content);
                !again
            });
        })
    }),
];
