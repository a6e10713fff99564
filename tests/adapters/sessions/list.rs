use super::*;
use crate::altered::altered;

pub const WRONG: &[Altered] = &[
    altered(
        "a list goes backwards",
        &["a list holds every stored session and none that is only created"],
        "list",
        |call| change(call, |page| items(member(page, "items")).reverse()),
    ),
    altered(
        "a list tells of no holders",
        &["a list tells each session's header, size and whether it is held"],
        "list",
        |call| {
            change(call, |page| {
                for item in items(member(page, "items")) {
                    if let Val::Variant(kind, Some(session)) = item
                        && kind == "session"
                    {
                        *member(session, "held") = Val::Bool(false);
                    }
                }
            })
        },
    ),
    altered("a list has one page", &["a list goes on by its cursor, in pages of any size"], "list", |call| {
        change(call, |page| *member(page, "next") = NONE)
    }),
    altered(
        "a list is of all folders",
        &["a list shows the sessions of one folder, or of one parent"],
        "list",
        |call| {
            *member(&mut call.params[0], "cwd") = NONE;
            call.go()
        },
    ),
    altered(
        "a list passes over what is unreadable",
        &["a list shows what is unreadable, and why, among the others"],
        "list",
        |call| {
            change(call, |page| {
                items(member(page, "items")).retain(|item| matches!(item, Val::Variant(kind, _) if kind == "session"));
            })
        },
    ),
    altered("a list goes by id", &["a list of recent sessions begins with the one that grew last"], "list", |call| {
        *member(&mut call.params[0], "order") = Val::Enum("by-id".into());
        call.go()
    }),
    altered(
        "a list begins anew by a foreign cursor",
        &["a list refuses a cursor that none has answered", "a list refuses a cursor of the other order"],
        "list",
        |call| {
            instead_of(call, "refused", |call| {
                *member(&mut call.params[0], "cursor") = NONE;
                call.go()
            })
        },
    ),
];
