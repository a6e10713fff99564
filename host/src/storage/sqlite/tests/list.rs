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
        "FROM sessions WHERE modified = 5 AND id > 'a' ORDER BY id",
        "FROM sessions WHERE modified < 5 ORDER BY modified DESC, id",
        "FROM lines WHERE session = 1 AND at < 9 AND at >= 2 ORDER BY at",
    ];
    for query in queries {
        let plan = format!("EXPLAIN QUERY PLAN SELECT * {query} LIMIT 2");
        let plan: String = database.query_row(&plan, (), |row| row.get("detail")).unwrap();
        assert!(plan.starts_with("SEARCH") && plan.contains("USING INDEX"), "{query}: {plan}");
    }
}

#[test]
fn a_row_that_can_be_no_log_is_one_item_and_hides_no_other() {
    for damage in
        ["id = ''", "id = CAST(x'ff00' AS TEXT)", "id = CAST(x'62ff' AS TEXT)", "length = -1", "modified = -7"]
    {
        let fixture = fixture();
        for id in ["a", "b", "c"] {
            publish(&fixture.store, id, "one\n");
        }
        fixture.sql(&format!("UPDATE sessions SET {damage} WHERE number = 2"));
        for (order, max) in [(Order::ById, 1), (Order::ById, 9), (Order::Recent, 1), (Order::Recent, 9)] {
            let list = all(&fixture.store, order, max);
            let (bad, sound): (Vec<_>, Vec<_>) = list.iter().partition(|log| log.id.is_none());
            assert_eq!(sound.len(), 2, "{damage}: {list:?}");
            assert_eq!(bad.len(), 1, "{damage}: {list:?}");
            assert!(bad[0].name == "row 2 of the table `sessions`" && bad[0].length > 0, "{list:?}");
        }
    }
}
