//! Trees that are larger than the memory for them.

use super::*;

/// Values that take more than half of what the trees may have.
fn many(namespace: &str) -> Vec<Write> {
    (0..10).map(|key| set(namespace, &format!("{key}{}", "k".repeat(60_000)), "1")).collect()
}

/// What they look like in a log.
fn written(first: u64, namespace: &str) -> String {
    let write = |key: u64| {
        let key = format!("{key}{}", "k".repeat(60_000));
        format!(r#"{{"kind":"value","op":"set","namespace":"{namespace}","key":"{key}","value":1}}"#)
    };
    let writes: Vec<_> = (0..10).map(write).collect();
    format!(r#"{{"firstSeq":{first},"timestamp":5,"writes":[{}]}}"#, writes.join(","))
}

fn too_large<T>(answer: Result<T, TreeError>) -> String {
    match answer {
        Err(TreeError::Session(Error::TooLarge(text))) => text,
        _ => panic!("it is not too large"),
    }
}

#[test]
fn a_tree_that_would_not_fit_is_too_large_to_be_written() {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &many("n"));
    let log = disk.bytes("s");
    assert!(too_large(sessions.commit("s", &many("m"), PLAIN)).contains("forked from a branch"));
    assert_eq!(disk.bytes("s"), log);
    let unsets: Vec<_> = many("n")
        .into_iter()
        .map(|write| match write {
            Write::SetValue(NewValue { address, .. }) => Write::DeleteValue(address),
            other => other,
        })
        .collect();
    commit(&mut sessions, &unsets);
    commit(&mut sessions, &many("m"));
    assert_eq!(value(&mut sessions, "s", "n", "k"), None, "what is deleted takes no memory");
}

#[test]
fn a_tree_that_does_not_fit_is_told_from_which_event_on_and_a_fork_of_those_before_it_has_one() {
    let (disk, mut sessions) = stored();
    let log = log_of(&[("other", "1"), ("tree/commit", &written(1, "n")), ("tree/commit", &written(11, "m"))]);
    disk.put("t", log.replacen("\"s\"", "\"t\"", 1));
    assert!(too_large(sessions.get_tree("t")).contains("from event 2 on"));
    assert_eq!(sessions.inspect("t").unwrap().length, 3);
    sessions.fork("t", Some(2), new("u")).unwrap();
    assert_eq!(sessions.get_tree("u").unwrap().next, 11);
}

#[test]
fn a_commit_that_breaks_a_rule_or_sets_one_value_again_and_again_takes_no_room() {
    let (disk, mut sessions) = stored();
    let twice = r#"{"kind":"entry","id":"a","parentId":null,"type":"custom","customType":"c","payload":{}}"#;
    let broken = written(11, "m").replace("]}", &format!(",{twice},{twice}]}}"));
    let again = format!(r#"{{"kind":"value","op":"set","namespace":"m","key":"{}","value":1}}"#, "k".repeat(60_000));
    let again = format!(r#"{{"firstSeq":11,"timestamp":5,"writes":[{}]}}"#, vec![again; 10].join(","));
    let commits = [written(1, "n"), broken, again].map(|data| ("tree/commit", data));
    let log = log_of(&[("tree/commit", &commits[0].1), ("tree/commit", &commits[1].1), ("tree/commit", &commits[2].1)]);
    disk.put("t", log.replacen("\"s\"", "\"t\"", 1));
    let state = sessions.get_tree("t").unwrap();
    assert_eq!((state.refused.len(), state.refused[0].event, state.next), (1, 1, 21));
}

#[test]
fn trees_that_were_not_in_use_for_longest_make_room_and_are_read_again_when_they_are_wanted() {
    let (disk, mut sessions) = stored();
    disk.put("t", log_of(&[("tree/commit", &written(1, "n"))]).replacen("\"s\"", "\"t\"", 1));
    let small = log_of(&[("other", &format!("\"{}\"", "x".repeat(600_000)))]);
    disk.put("small", small.replacen("\"s\"", "\"small\"", 1));
    let read = |sessions: &mut Sessions, id: &str| {
        disk.bytes_read();
        sessions.get_tree(id).unwrap();
        disk.bytes_read() > 500_000
    };
    assert!(read(&mut sessions, "small") && read(&mut sessions, "t"));
    assert!(!read(&mut sessions, "t") && !read(&mut sessions, "small"), "both fit");
    commit(&mut sessions, &many("n"));
    assert!(!read(&mut sessions, "s") && !read(&mut sessions, "small"), "one is gone, and that is enough");
    assert!(read(&mut sessions, "t"));
}

#[test]
fn a_fork_that_would_not_fit_is_too_large_and_leaves_nothing() {
    let (_, mut sessions) = stored();
    // A state becomes another, so each is a piece of its own.
    let states = |from: u64, to| {
        (from..to).map(|key| set("pi.lane.state", &format!("{key}{}", "k".repeat(60_000)), "{}")).collect::<Vec<_>>()
    };
    commit(&mut sessions, &states(0, 4));
    sessions.fork_tree("s", &ForkScope::Tree, new("other")).unwrap();
    commit(&mut sessions, &states(4, 8));
    assert!(too_large(sessions.fork_tree("s", &ForkScope::Tree, new("child"))).contains("more pieces"));
    assert!(!sessions.has("child").unwrap());
}

#[test]
fn what_many_writes_of_one_commit_share_is_counted_once() {
    let (_, mut sessions) = stored();
    let key = "k".repeat(60_000);
    commit(&mut sessions, &(0..50).map(|_| set("n", &key, "1")).collect::<Vec<_>>());
    commit(&mut sessions, &(0..50).map(|_| push("n", &key, "1")).collect::<Vec<_>>());
    let entries: Vec<_> = (0..50).map(|number| custom(&number.to_string(), None, &key)).collect();
    commit(&mut sessions, &entries);
}
