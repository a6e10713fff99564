use super::*;
use crate::types::{ListItem, ListOptions, ListOrder};

fn options(limit: u32) -> ListOptions {
    ListOptions { order: ListOrder::ById, cwd: None, parent_session: None, cursor: None, limit }
}

fn names(items: &[ListItem]) -> Vec<String> {
    let name = |item: &ListItem| match item {
        ListItem::Session(listed) => listed.header.id.clone(),
        ListItem::Unreadable(unreadable) => format!("!{}", unreadable.name),
    };
    items.iter().map(name).collect()
}

fn all_pages(disk: &Disk, mut options: ListOptions) -> Vec<String> {
    let mut sessions = disk.sessions();
    let mut all = Vec::new();
    loop {
        let page = sessions.list(&options).unwrap();
        assert!(page.items.len() <= options.limit as usize);
        all.extend(names(&page.items));
        match page.next {
            Some(next) => options.cursor = Some(next),
            None => return all,
        }
    }
}

fn header_of(id: &str, more: &str) -> String {
    format!("{{\"type\":\"session\",\"version\":0,\"id\":\"{id}\",\"createdAt\":7{more}}}\n")
}

#[test]
fn good_sessions_are_listed_and_bad_ones_reported() {
    let disk = Disk::default();
    disk.put("a", header_of("a", ""));
    disk.put("b", "");
    disk.put("c", header_of("other", ""));
    disk.put("d", header_of("d", "").replace(":0,", ":9,"));
    disk.put("?", "foreign text");
    disk.put("z", header_of("z", ""));
    let page = disk.sessions().list(&options(50)).unwrap();
    assert_eq!(names(&page.items), ["!?.jsonl", "a", "!b.jsonl", "!c.jsonl", "!d.jsonl", "z"]);
    let reasons = page.items.iter().filter_map(|item| match item {
        ListItem::Unreadable(unreadable) => Some(&unreadable.reason),
        ListItem::Session(_) => None,
    });
    assert!(matches!(
        reasons.collect::<Vec<_>>()[..],
        [Error::InvalidId(_), Error::Corrupt(_), Error::Corrupt(_), Error::UnsupportedVersion(9)]
    ));
    assert_eq!(disk.writes(), 0);
}

#[test]
fn pages_follow_one_another_without_leaving_anything_out() {
    let disk = Disk::default();
    let ids: Vec<String> = (100..400).map(|id| id.to_string()).collect();
    for id in &ids {
        let cwd = if id.ends_with('7') { ",\"cwd\":\"/w\"" } else { "" };
        disk.put(id, header_of(id, cwd));
    }
    for limit in [1, 7, 50, 300, 1000] {
        assert_eq!(all_pages(&disk, options(limit)), ids);
        let recent = ListOptions { order: ListOrder::Recent, ..options(limit) };
        assert_eq!(all_pages(&disk, recent), ids.iter().rev().cloned().collect::<Vec<_>>());
        let filtered = ListOptions { cwd: Some("/w".into()), ..options(limit) };
        let sevens: Vec<_> = ids.iter().filter(|id| id.ends_with('7')).cloned().collect();
        assert_eq!(all_pages(&disk, filtered), sevens);
    }
}

#[test]
fn a_cursor_holds_while_sessions_come_and_go() {
    let disk = Disk::default();
    for id in ["a", "b", "c", "d"] {
        disk.put(id, header_of(id, ""));
    }
    let mut sessions = disk.sessions();
    let first = sessions.list(&options(2)).unwrap();
    assert_eq!(names(&first.items), ["a", "b"]);
    sessions.delete("b").unwrap();
    disk.put("bb", header_of("bb", ""));
    disk.put("aa", header_of("aa", ""));
    let second = sessions.list(&ListOptions { cursor: first.next, ..options(9) }).unwrap();
    assert_eq!(names(&second.items), ["bb", "c", "d"]);
}

#[test]
fn a_cursor_of_nobodys_is_refused() {
    let mut sessions = Disk::default().sessions();
    for cursor in ["", "x", "x:y", "recent:1", "recent:x:y"] {
        for order in [ListOrder::ById, ListOrder::Recent] {
            let options = ListOptions { cursor: Some(cursor.into()), order, ..options(9) };
            assert!(matches!(sessions.list(&options), Err(Error::Refused(_))));
        }
    }
}

#[test]
fn a_cursor_of_the_other_order_is_refused() {
    let disk = Disk::default();
    for id in ["a", "b"] {
        disk.put(id, header_of(id, ""));
    }
    let mut sessions = disk.sessions();
    for (order, other) in [(ListOrder::ById, ListOrder::Recent), (ListOrder::Recent, ListOrder::ById)] {
        let cursor = sessions.list(&ListOptions { order, ..options(1) }).unwrap().next;
        assert!(cursor.is_some());
        let answer = sessions.list(&ListOptions { order: other, cursor, ..options(1) });
        assert!(matches!(answer, Err(Error::Refused(_))), "{answer:?}");
    }
}

#[test]
fn a_page_reads_a_header_of_each_log_and_no_more() {
    let disk = Disk::default();
    disk.put("big", header_of("big", "") + &line(0, "a", "1").repeat(100_000));
    disk.put("bad", "x".repeat(1 << 20));
    disk.sessions().list(&options(9)).unwrap();
    let read = disk.bytes_read();
    assert!(read < 200 << 10, "{read} bytes read");
}
