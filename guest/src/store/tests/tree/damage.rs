//! Trees of logs that were cut off, damaged or changed behind everybody's back.

use super::*;

#[test]
fn every_prefix_of_a_log_gives_the_tree_of_its_whole_commits() {
    let (disk, mut sessions) = stored();
    let mut trees = vec![everything(&mut sessions, "s")];
    let mut ends = vec![HEADER.len()];
    for writes in [
        vec![user("a", None), set("n", "k", "1"), usage("u", 1)],
        vec![unset("n", "k"), push("n", "l", "1")],
        vec![user("é\u{10000}", Some("a")), set("m", "k", "\"\\n\"")],
    ] {
        commit(&mut sessions, &writes);
        trees.push(everything(&mut sessions, "s"));
        ends.push(disk.bytes("s").len());
    }
    let log = disk.bytes("s");
    for length in HEADER.len()..=log.len() {
        let cut = Disk::default();
        cut.put("s", &log[..length]);
        let mut sessions = cut.sessions();
        // A last line counts without its LF too.
        let whole = ends.iter().rposition(|end| *end <= length + 1).unwrap();
        assert_eq!(everything(&mut sessions, "s"), trees[whole], "cut at {length}");
        let torn = ends.iter().all(|end| *end != length && *end != length + 1);
        let committed = sessions.commit("s", &[user("next", None)], PLAIN);
        if torn {
            assert!(matches!(committed, Err(TreeError::Session(Error::NeedsWake(_)))), "cut at {length}");
            sessions.wake("s", CLOSE).unwrap();
            commit(&mut sessions, &[user("next", None)]);
        }
        let after = everything(&mut sessions, "s");
        assert_eq!(after.0.next, trees[whole].0.next + 1);
        assert_eq!(after, everything(&mut cut.sessions(), "s"), "cut at {length}");
    }
}

#[test]
fn a_damaged_log_has_the_tree_of_what_precedes_the_damage() {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("a", None)]);
    let before = everything(&mut sessions, "s");
    commit(&mut sessions, &[user("b", Some("a"))]);
    commit(&mut sessions, &[user("c", Some("b"))]);
    let middle = HEADER.len() + disk.text("s").lines().nth(1).unwrap().len() + 1;
    disk.kill_holders();
    disk.tamper("s", |bytes| bytes[middle] = b'x');
    let mut sessions = disk.sessions();
    assert_eq!(everything(&mut sessions, "s"), before);
    let refused = sessions.commit("s", &[user("d", None)], PLAIN);
    assert!(matches!(refused, Err(TreeError::Session(Error::Corrupt(_)))));
}

#[test]
fn a_log_that_another_has_written_on_or_made_anew_is_read_again() {
    let (disk, mut reader) = stored();
    let mut writer = disk.sessions();
    commit(&mut writer, &[user("a", None)]);
    assert_eq!(everything(&mut reader, "s"), everything(&mut writer, "s"));
    commit(&mut writer, &[user("b", Some("a")), set("n", "k", "1")]);
    assert_eq!(everything(&mut reader, "s"), everything(&mut writer, "s"));
    writer.delete("s").unwrap();
    disk.put("s", HEADER);
    assert_eq!(reader.get_tree("s").unwrap().entry_count, 0);
}

#[test]
fn a_payload_that_has_changed_under_a_reader_is_never_taken_for_the_one_that_was_read() {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("a", None), set("n", "k", "1"), user("b", Some("a"))]);
    sessions.get_tree("s").unwrap();
    let log = disk.text("s");
    for changed in [log.replace("\"id\":\"a\"", "\"id\":\"z\""), log.replace("\"key\"", "key\"\"")] {
        disk.tamper("s", |bytes| *bytes = changed.clone().into_bytes());
        let page = sessions.get_entries("s", &["a".into()]);
        let values = sessions.get_values("s", &[address("n", "k")]);
        assert!(page.is_err() || values.is_err() || page.unwrap().entries.is_empty());
        disk.tamper("s", |bytes| *bytes = log.clone().into_bytes());
    }
}

#[test]
fn a_tree_goes_on_behind_a_last_line_that_lacked_its_lf() {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("a", None)]);
    let log = disk.text("s");
    let disk = Disk::default();
    disk.put("s", log.trim_end());
    let mut sessions = disk.sessions();
    assert_eq!(sessions.get_tree("s").unwrap().entry_count, 1);
    sessions.emit("s", "other".into(), "1".into()).unwrap();
    commit(&mut sessions, &[user("b", Some("a"))]);
    let page = sessions.scan_branch("s", &branch("b", Direction::OldestFirst)).unwrap();
    assert!(page.entries.iter().all(|entry| entry.payload.contains(&entry.structure.id)));
    assert_eq!(everything(&mut sessions, "s"), everything(&mut disk.sessions(), "s"));
}

#[test]
fn commits_stand_beside_turns_and_survive_a_wake_that_closes_one() {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("a", None)]);
    sessions.emit("s", "turn/start".into(), "{}".into()).unwrap();
    commit(&mut sessions, &[user("b", Some("a"))]);
    let before = everything(&mut sessions, "s");
    disk.kill_holders();
    let mut sessions = disk.sessions();
    assert_eq!(everything(&mut sessions, "s"), before);
    assert_eq!(sessions.wake("s", CLOSE).unwrap().recovery.closers.len(), 1);
    assert_eq!(everything(&mut sessions, "s"), before);
    commit(&mut sessions, &[user("c", Some("b"))]);
    assert_eq!(everything(&mut sessions, "s"), everything(&mut disk.sessions(), "s"));
}
