use super::*;
use crate::check::{count, fails, holds};

pub const CASES: &[Case] = &[
    ("a list holds every stored session and none that is only created", stored_alone),
    ("a list tells each session's header, size and whether it is held", tells),
    ("a list goes on by its cursor, in pages of any size", pages),
    ("a list shows the sessions of one folder, or of one parent", filters),
    ("a list shows what is unreadable, and why, among the others", unreadable),
    ("a list of recent sessions begins with the one that grew last", recent),
    ("a list refuses a cursor that none has answered", foreign_cursor),
    ("a list refuses a cursor of the other order", cursor_of_the_other_order),
];

fn options() -> ListOptions {
    ListOptions { order: ListOrder::ById, cwd: None, parent_session: None, cursor: None, limit: 100 }
}

fn list(options: &ListOptions) -> Outcome<ListPage> {
    sessions::list(options).must("listing")
}

fn id(item: &ListItem) -> &str {
    match item {
        ListItem::Session(session) => &session.header.id,
        ListItem::Unreadable(log) => log.id.as_deref().unwrap_or_default(),
    }
}

fn ids(items: &[ListItem]) -> Vec<&str> {
    items.iter().map(id).collect()
}

/// All pages together.
fn all(mut options: ListOptions) -> Outcome<Vec<ListItem>> {
    let mut all = Vec::new();
    loop {
        let page = list(&options)?;
        holds("no page holds more than was asked for", page.items.len() <= options.limit as usize)?;
        all.extend(page.items);
        options.cursor = page.next;
        if options.cursor.is_none() {
            return Ok(all);
        }
        holds("the pages come to an end", all.len() < 1000)?;
    }
}

fn stored_alone() -> Outcome {
    for id in ["b", "a", "C", "a/b"] {
        put_log(id, WHOLE)?;
    }
    create("created")?;
    let page = list(&options())?;
    equal("the sessions", ids(&page.items), ["C", "a", "a/b", "b"])?;
    equal("the next page", page.next, None::<String>)
}

fn tells() -> Outcome {
    create("x")?;
    sessions::append("x", &events(WHOLE)).must("appending")?;
    put_log("y", &[])?;
    let items = list(&options())?.items;
    let mut expected = Vec::new();
    for id in ["x", "y"] {
        let (header, log) = (sessions::get_session(id).must("asking for the header")?, stat(id)?);
        let (bytes, modified) = (log.length, log.modified);
        expected.push(ListItem::Session(Listed { header, bytes, modified, held: id == "x" }));
    }
    equal("the list", items, expected)
}

fn pages() -> Outcome {
    for n in 0..11 {
        put_log(&format!("x{n}"), WHOLE)?;
    }
    for order in [ListOrder::ById, ListOrder::Recent] {
        let whole = list(&ListOptions { order, ..options() })?.items;
        count("the sessions in the list", &ids(&whole), 11)?;
        for limit in [1, 2, 5, 10, 11, 12] {
            let found = all(ListOptions { order, limit, ..options() })?;
            equal(&format!("all of them, by pages of {limit}"), ids(&found), ids(&whole))?;
        }
    }
    Ok(())
}

fn filters() -> Outcome {
    for (id, cwd) in [("a", "/one"), ("b", "/two"), ("c", "/one")] {
        sessions::create(&NewSession { cwd: Some(cwd.into()), ..new(id) }).must("creating")?;
        sessions::flush(id).must("storing")?;
    }
    sessions::fork("a", None, &new("d")).must("forking")?;
    sessions::fork("b", None, &new("e")).must("forking")?;
    let (one, a) = (Some("/one".to_string()), Some("a".to_string()));
    let of = |cwd: &Option<String>, parent_session: &Option<String>| ListOptions {
        cwd: cwd.clone(),
        parent_session: parent_session.clone(),
        ..options()
    };
    equal("those of the folder", ids(&list(&of(&one, &None))?.items), ["a", "c", "d"])?;
    equal("those of the parent", ids(&list(&of(&None, &a))?.items), ["d"])?;
    equal(
        "those of the folder, page by page",
        ids(&all(ListOptions { limit: 1, ..of(&one, &None) })?),
        ["a", "c", "d"],
    )?;
    equal("those of no folder", ids(&list(&of(&Some("/".into()), &None))?.items), [""; 0])
}

fn unreadable() -> Outcome {
    put_log("a", WHOLE)?;
    put("b", "")?;
    put("c", "{\"type\":\"session\",\"version\":7}\n")?;
    put("d", log("somebody else", WHOLE))?;
    put_log("e", WHOLE)?;
    let page = leaves_all(|| list(&options()))?;
    equal("all of them", ids(&page.items), ["a", "b", "c", "d", "e"])?;
    for item in &page.items {
        match item {
            ListItem::Session(session) => holds("the readable ones are sessions", "ae".contains(&session.header.id))?,
            ListItem::Unreadable(Unreadable { id: Some(id), reason: Error::UnsupportedVersion(7), .. })
                if id == "c" => {}
            ListItem::Unreadable(Unreadable { id: Some(id), reason: Error::Corrupt(_), .. })
                if id == "b" || id == "d" => {}
            other => return Err(format!("an item: expected a session or why it is none, found {other:?}")),
        }
    }
    let filtered = list(&ListOptions { cwd: Some("/".into()), ..options() })?;
    equal("what nobody knows the folder of", ids(&filtered.items), ["b", "c", "d"])
}

fn recent() -> Outcome {
    for id in ["a", "b", "c"] {
        put_log(id, WHOLE)?;
    }
    for id in ["b", "c", "a"] {
        let latest = stat("a")?.modified.max(stat("b")?.modified).max(stat("c")?.modified);
        for _ in 0..crate::storage::PATIENCE {
            if stat(id)?.modified > latest {
                break;
            }
            sessions::emit_event(id, "a", "{}").must("emitting")?;
        }
        let page = list(&ListOptions { order: ListOrder::Recent, limit: 1, ..options() })?;
        equal("the session that grew last", ids(&page.items), [id])?;
    }
    Ok(())
}

fn foreign_cursor() -> Outcome {
    put_log("a", WHOLE)?;
    let options = ListOptions { cursor: Some("no cursor at all".into()), ..options() };
    fails!("listing", sessions::list(&options), Error::Refused(_))
}

fn cursor_of_the_other_order() -> Outcome {
    put_log("a", WHOLE)?;
    put_log("b", WHOLE)?;
    for (order, other) in [(ListOrder::ById, ListOrder::Recent), (ListOrder::Recent, ListOrder::ById)] {
        let first = list(&ListOptions { order, limit: 1, ..options() })?;
        let cursor = first.next.ok_or("a page of one of two sessions: expected a cursor, found none")?;
        let options = ListOptions { order: other, cursor: Some(cursor), ..options() };
        fails!("listing", sessions::list(&options), Error::Refused(_))?;
    }
    Ok(())
}
