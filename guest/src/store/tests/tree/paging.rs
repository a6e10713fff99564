//! Answers hold as much as fits, and say when there is more.

use super::*;

const MIB: usize = 1 << 20;

fn long() -> String {
    format!("\"{}\"", "x".repeat(MIB))
}

#[test]
fn entries_come_in_pages_that_end_where_they_would_get_too_long() {
    let (_, mut sessions) = stored();
    let payload = format!("{{\"data\":{}}}", long());
    let mut parent = None;
    for id in ["a", "b", "c", "d", "e", "f"] {
        commit(&mut sessions, &[entry(id, parent, EntryType::Custom, Some("t"), &payload)]);
        parent = Some(id);
    }
    let mut scan = branch("f", Direction::NewestFirst);
    let page = sessions.scan_branch("s", &scan).unwrap();
    assert!(page.more && page.entries.iter().all(|entry| entry.payload == payload));
    assert_eq!(page.entries.len(), 3);
    scan.cursor = page.entries.last().map(|entry| entry.structure.number);
    let page = sessions.scan_branch("s", &scan).unwrap();
    assert_eq!((ids(page.clone()), page.more), (["c", "b", "a"].map(String::from).to_vec(), false));
    scan = BranchScan { limit: 2, cursor: None, ..scan };
    assert!(!sessions.scan_branch("s", &scan).unwrap().more, "the limit has cut it off, not its size");
    let asked = ["a", "b", "c", "d"].map(String::from);
    let page = sessions.get_entries("s", &asked).unwrap();
    assert_eq!((page.entries.len(), page.more), (3, true));
}

#[test]
fn one_item_that_is_too_long_for_any_page_is_a_page_of_its_own() {
    let (_, mut sessions) = stored();
    let longest = format!("\"{}\"", "y".repeat(5 * MIB));
    commit(&mut sessions, &[set("n", "a", &longest), push("n", "l", "1")]);
    commit(&mut sessions, &[set("n", "b", "1"), push("n", "l", &longest)]);
    let mut scan = ValueScan { namespace: "n".into(), prefix: String::new(), after: None, limit: 9 };
    let page = sessions.scan_values("s", &scan).unwrap();
    assert_eq!((page.values.len(), page.more), (1, true));
    assert_eq!(page.values[0].value, longest);
    scan.after = Some("a".into());
    let page = sessions.scan_values("s", &scan).unwrap();
    assert_eq!((page.values.len(), page.more), (1, false));
    let page = sessions.read_list("s", &address("n", "l"), OLDEST).unwrap();
    assert_eq!((page.elements.len(), page.more), (1, true));
    let page = sessions.read_list("s", &address("n", "l"), RangeScan { from: Some(3), ..OLDEST }).unwrap();
    assert_eq!((page.elements[0].value.len(), page.more), (longest.len(), false));
}

#[test]
fn payloads_far_apart_and_close_together_are_all_the_right_ones() {
    let (_, mut sessions) = stored();
    for number in 0..40 {
        commit(&mut sessions, &[set("n", &format!("k{number:02}"), &number.to_string())]);
        if number % 8 == 0 {
            commit(&mut sessions, &[set("m", "filler", &format!("\"{}\"", "x".repeat(100_000)))]);
        }
    }
    let asked: Vec<_> = (0..40).map(|number| address("n", &format!("k{:02}", number * 7 % 40))).collect();
    let values = sessions.get_values("s", &asked).unwrap().values;
    let values: Vec<_> = values.iter().map(|value| value.value.parse::<u32>().unwrap()).collect();
    assert_eq!(values, (0..40).map(|number| number * 7 % 40).collect::<Vec<_>>());
}
