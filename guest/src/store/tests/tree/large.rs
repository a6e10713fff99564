//! Trees that are larger than the memory for them.

use super::*;

const LONG: usize = 600 << 10;

#[test]
fn a_tree_that_would_not_fit_is_too_large_to_be_written_and_to_be_read() {
    let (disk, mut sessions) = stored();
    let key = "k".repeat(LONG);
    commit(&mut sessions, &[set("n", &key, "1")]);
    let log = disk.bytes("s");
    let more = sessions.commit("s", &[set("m", &key, "1")], PLAIN);
    assert!(matches!(more, Err(TreeError::Session(Error::TooLarge(_)))));
    assert_eq!(disk.bytes("s"), log);
    commit(&mut sessions, &[unset("n", &key)]);
    commit(&mut sessions, &[set("m", "k", "1")]);
    assert_eq!(value(&mut sessions, "s", "m", "k"), Some((3, "1".into())), "what is deleted takes no memory");

    let long = format!(
        "{{\"firstSeq\":1,\"timestamp\":5,\"writes\":[{{\"kind\":\"value\",\"op\":\"set\",\"namespace\":\"n\",\"key\":\"{key}\",\"value\":1}}]}}"
    );
    let other = long.replacen("\"namespace\":\"n\"", "\"namespace\":\"m\"", 1).replacen(":1,", ":2,", 1);
    disk.put("t", log_of(&[("tree/commit", &long), ("tree/commit", &other)]).replacen("\"s\"", "\"t\"", 1));
    let read = sessions.get_tree("t");
    assert!(matches!(read, Err(TreeError::Session(Error::TooLarge(_)))));
}

#[test]
fn large_trees_that_are_not_in_use_make_room_and_are_read_again_when_they_are_wanted() {
    let (disk, mut sessions) = stored();
    disk.put("t", HEADER.replacen("\"s\"", "\"t\"", 1));
    commit(&mut sessions, &[set("n", &"k".repeat(LONG), "1")]);
    sessions.get_tree("s").unwrap();
    disk.bytes_read();
    sessions.get_tree("s").unwrap();
    assert_eq!(disk.bytes_read(), 0);
    sessions.get_tree("t").unwrap();
    assert_eq!(sessions.get_tree("s").unwrap().next, 2);
    assert!(disk.bytes_read() > LONG as u64);
}
