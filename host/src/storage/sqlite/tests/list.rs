use super::*;
use crate::storage::{LogInfo, Order, Place};

/// Every log, by pages of `max`.
fn all(store: &dyn Storage, order: Order, max: u32) -> Vec<LogInfo> {
    let mut list: Vec<LogInfo> = Vec::new();
    loop {
        let after = list.last().map(|log| Place { name: log.name.clone(), modified: log.modified });
        let page = store.list(order, after.as_ref(), max).unwrap();
        let at_end = page.len() < max as usize;
        list.extend(page);
        if at_end {
            return list;
        }
    }
}

fn ids(list: &[LogInfo]) -> Vec<&str> {
    list.iter().map(|log| log.id.as_deref().unwrap()).collect()
}

#[test]
fn by_id_goes_by_the_bytes_of_the_id() {
    let fixture = fixture();
    for id in ["b", "a", "B", "~", "é", "a/b", "a-b", "1"] {
        publish(&fixture.store, id, "");
    }
    for max in [1, 2, 3, 8, 100] {
        let list = all(&fixture.store, Order::ById, max);
        assert_eq!(ids(&list), ["1", "B", "a", "a-b", "a/b", "b", "~", "é"]);
    }
}

#[test]
fn recent_goes_by_time_and_then_by_id() {
    let fixture = fixture();
    for (id, seconds) in [("b", 5), ("a", 5), ("new", 9), ("old", 1), ("z", 5)] {
        publish(&fixture.store, id, "");
        fixture.sql(&format!("UPDATE sessions SET modified = {seconds} WHERE id = '{id}'"));
    }
    for max in [1, 2, 3, 100] {
        assert_eq!(ids(&all(&fixture.store, Order::Recent, max)), ["new", "a", "b", "z", "old"]);
    }
    let gone = Place { name: "y".into(), modified: 5 };
    assert_eq!(ids(&fixture.store.list(Order::Recent, Some(&gone), 9).unwrap()), ["z", "old"]);
    assert_eq!(ids(&fixture.store.list(Order::ById, Some(&gone), 9).unwrap()), ["z"]);
    assert!(fixture.store.list(Order::Recent, None, 0).unwrap().is_empty());
}

#[test]
fn an_entry_is_what_stat_says() {
    let fixture = fixture();
    publish(&fixture.store, "X/y", "one\n");
    publish(&fixture.other(), "z", "three\n");
    for order in [Order::ById, Order::Recent] {
        let mut list = fixture.store.list(order, None, 10).unwrap();
        list.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(list, ["X/y", "z"].map(|id| fixture.store.stat(id).unwrap()));
        assert_eq!(list.iter().map(|log| log.held).collect::<Vec<_>>(), [true, false]);
    }
}

#[test]
fn a_log_that_grows_or_is_cut_comes_first() {
    let fixture = fixture();
    for id in ["a", "b"] {
        publish(&fixture.store, id, "one\n");
        fixture.sql(&format!("UPDATE sessions SET modified = 5 WHERE id = '{id}'"));
    }
    fixture.store.append("b", 4, b"torn").unwrap();
    let grown = fixture.store.list(Order::Recent, None, 9).unwrap();
    assert_eq!(ids(&grown), ["b", "a"]);
    fixture.store.set_aside("b", 4).unwrap();
    assert!(fixture.store.stat("b").unwrap().modified > grown[0].modified);
}

#[test]
fn a_page_is_found_by_an_index_and_not_by_looking_at_all() {
    let fixture = fixture();
    publish(&fixture.store, "x", "");
    let database = Connection::open(fixture.path()).unwrap();
    let queries = [
        "FROM sessions WHERE id > 'a' ORDER BY id",
        "FROM sessions WHERE modified <= 5 ORDER BY modified DESC, id",
        "FROM lines WHERE session = 1 AND at >= 0 ORDER BY at DESC",
        "FROM lines WHERE session = 1 AND at < 9 AND at >= 2 ORDER BY at",
    ];
    for query in queries {
        let plan = format!("EXPLAIN QUERY PLAN SELECT * {query} LIMIT 2");
        let plan: String = database.query_row(&plan, (), |row| row.get("detail")).unwrap();
        assert!(plan.starts_with("SEARCH") && plan.contains("USING INDEX"), "{query}: {plan}");
    }
}

/// Makes the rows with these numbers such that their ids are none, each in its way.
fn spoil(fixture: &Fixture, numbers: impl IntoIterator<Item = usize>) {
    let ids =
        ["''", "CAST(x'00' AS TEXT)", "CAST(x'62ff' AS TEXT)", "CAST(zeroblob(300) AS TEXT)", "CAST(x'ff' AS TEXT)"];
    for (number, id) in numbers.into_iter().zip(ids) {
        fixture.sql(&format!("UPDATE sessions SET id = {id} WHERE number = {number}"));
    }
}

/// How the name of a row begins that has no id.
fn row(number: usize) -> String {
    format!("row {number} of the table `sessions`")
}

/// How a log is called, as far as it matters.
fn called(log: &LogInfo) -> String {
    match &log.id {
        Some(id) => id.clone(),
        None => log.name.split(',').next().unwrap().to_owned(),
    }
}

#[test]
fn rows_that_have_no_id_come_after_all_ids_by_their_names() {
    let fixture = fixture();
    // One is called as if it was such a row.
    let sound = ["a", "b", "c", "row 2 of the table `sessions`", "z"];
    for id in (0..12).map(|number| number.to_string()).chain(sound.map(str::to_owned)) {
        publish(&fixture.store, &id, "one\n");
    }
    spoil(&fixture, [2, 1, 10, 11, 12]);
    let expected = ["2", "3", "4", "5", "6", "7", "8"].into_iter().chain(sound).map(str::to_owned);
    let expected: Vec<_> = expected.chain([1, 10, 11, 12, 2].map(row)).collect();
    for max in [1, 2, 5, 12, 13, 99] {
        let list = all(&fixture.store, Order::ById, max);
        assert_eq!(list.iter().map(called).collect::<Vec<_>>(), expected, "{max}");
        assert!(list[12..].iter().all(|log| log.id.is_none() && log.length > 0), "{list:?}");
        assert_eq!(ids(&list[..12]), expected[..12]);
    }
}

#[test]
fn among_the_recent_rows_that_have_no_id_have_their_place_by_their_names() {
    let fixture = fixture();
    for id in ["a", "b", "z", "s", "new", "old", "older"] {
        publish(&fixture.store, id, "one\n");
    }
    fixture.sql("UPDATE sessions SET modified = 5; UPDATE sessions SET modified = 9 WHERE id = 'new'");
    fixture.sql("UPDATE sessions SET modified = -7 WHERE id IN ('old', 'older')");
    spoil(&fixture, [2, 1, 7]);
    let expected = ["new".to_owned(), row(1), row(2), "s".into(), "z".into(), "old".into(), row(7)];
    for max in [1, 2, 3, 99] {
        let list = all(&fixture.store, Order::Recent, max);
        assert_eq!(list.iter().map(called).collect::<Vec<_>>(), expected, "{max}");
    }
}

#[test]
fn a_log_with_an_id_keeps_its_place_whatever_else_its_row_says() {
    for damage in ["length = -1", "length = 99", "modified = -7", "identity = CAST(x'ff' AS TEXT)"] {
        let fixture = fixture();
        for id in ["a", "b", "c"] {
            publish(&fixture.store, id, "one\n");
            fixture.store.release(id);
        }
        fixture.sql(&format!("UPDATE sessions SET {damage} WHERE number = 2"));
        let list = all(&fixture.store, Order::ById, 2);
        assert_eq!(list, ["a", "b", "c"].map(|id| fixture.store.stat(id).unwrap()), "{damage}");
    }
}

#[test]
fn names_of_what_has_no_id_can_be_typed_and_are_no_ids() {
    let fixture = fixture();
    for id in ["a", "b"] {
        publish(&fixture.store, id, "one\n");
    }
    spoil(&fixture, [1]);
    fixture.sql("DELETE FROM sessions WHERE number = 2");
    let list = all(&fixture.store, Order::ById, 9);
    assert_eq!(list.len(), 2);
    for log in list {
        assert!(!log.name.contains('\0'));
        assert!(matches!(fixture.store.stat(&log.name), Err(StorageError::InvalidId(_))), "{}", log.name);
    }
}

#[test]
fn lines_whose_session_is_lost_are_listed_behind_all_others() {
    let fixture = fixture();
    for id in ["a", "b", "c", "d", "e"] {
        publish(&fixture.store, id, "one\n");
    }
    fixture.sql("UPDATE sessions SET modified = -7 WHERE number = 5");
    fixture.sql("DELETE FROM sessions WHERE number IN (2, 4)");
    let lost = |number| format!("rows of the table `lines` with session {number}");
    for order in [Order::ById, Order::Recent] {
        for max in [1, 2, 3, 99] {
            let list = all(&fixture.store, order, max);
            let mut names: Vec<_> = list.iter().map(called).collect();
            assert_eq!(names[3..], [lost(2), lost(4)], "{max}");
            names[..3].sort();
            assert_eq!(names[..3], ["a", "c", "e"]);
        }
    }
}
