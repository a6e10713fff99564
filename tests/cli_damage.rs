//! Damaged logs: told apart, told where, and never written behind.

use std::io::Write;

use session_tests::command::{Driver, Root, event, header, interrupted_turn, turn};

#[test]
fn nothing_is_appended_behind_a_torn_tail() {
    let root = Root::new();
    root.put("x", turn(0) + "{\"type\":\"user/mess");
    let before = root.read("x");
    for said in [
        root.feed(&["append", "x"], turn(3)).failed(5),
        root.run(&["emit", "x", "note", "{}"]).failed(5),
        root.run(&["handoff", "x"]).failed(5),
    ] {
        assert!(said.contains("torn tail") && said.contains("wake x"), "{said}");
    }
    assert_eq!(root.read("x"), before);
}

#[test]
fn the_told_command_does_what_it_says() {
    let root = Root::new();
    root.put("x", turn(0) + "{\"type\":\"user/mess");
    let said = root.run(&["emit", "x", "note", "{}"]).failed(5);
    let command = said.split('`').nth(1).unwrap();
    let shell = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
    assert!(shell.status.success(), "{command}: {shell:?}");
    root.run(&["emit", "x", "note", "{}"]).done();
}

#[test]
fn a_whole_last_record_counts_without_its_line_feed() {
    let root = Root::new();
    root.put("x", turn(0).trim_end());
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
    root.feed(&["append", "x"], turn(3)).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn what_precedes_damage_can_be_read_and_forked() {
    let root = Root::new();
    let mut log = turn(0).into_bytes();
    log.extend_from_slice(&[0; 300]);
    log.extend_from_slice(turn(3).as_bytes());
    root.put("x", &log);
    root.feed(&["append", "x"], turn(3)).failed(5);
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
    assert_eq!(root.run(&["messages", "x", "--json"]).json_lines().len(), 1);
    root.run(&["fork", "x", "y"]).done();
    assert_eq!(root.run(&["show", "y", "--json"]).done(), turn(0));
}

#[test]
fn inspect_tells_damage_and_writes_nothing() {
    for (tail, kind, records) in [
        ("{\"ty".to_owned(), "torn", 0),
        ("\0".repeat(300), "torn", 0),
        ("{\"ty\n\n".to_owned() + &event(3, "note", "{}"), "malformed", 1),
        (event(5, "note", "{}"), "gap", 1),
        (event(2, "note", "{}") + &event(3, "note", "{}"), "repeated", 2),
    ] {
        let root = Root::new();
        root.put("x", turn(0) + &tail);
        let before = root.read("x");
        let damage = root.run(&["inspect", "x", "--json"]).json()["recovery"]["damage"].clone();
        assert_eq!((damage["kind"].as_str(), damage["records"].as_u64()), (Some(kind), Some(records)), "{tail}");
        assert_eq!(damage["expected"], 3);
        assert_eq!(damage["offset"], before.len() - tail.len());
        assert_eq!(root.read("x"), before);
    }
}

#[test]
fn verify_tells_damage_by_its_exit_code() {
    let root = Root::new();
    root.put("x", turn(0));
    assert_eq!(root.run(&["verify", "x", "--json"]).json()["recovery"]["damage"], serde_json::Value::Null);
    root.put("x", turn(0) + "nonsense\n" + &turn(3));
    let told = root.run(&["verify", "x"]).ended(5);
    assert!(told.contains("offset"), "{told}");
}

#[test]
fn verify_all_has_a_line_for_each_session() {
    let root = Root::new();
    root.put("a", turn(0));
    root.put("b", turn(0));
    let told = root.run(&["verify", "--all"]).done();
    assert_eq!(told.lines().filter(|line| line.starts_with("sound")).count(), 2, "{told}");
    root.put("c", turn(0) + "nonsense\n" + &turn(3));
    root.put_bytes("d", [0; 4096]);
    let told = root.run(&["verify", "--all"]).ended(5);
    assert_eq!(told.lines().count(), 4, "{told}");
    assert!(told.lines().any(|line| line.starts_with("damaged") && line.contains(" c ")), "{told}");
    let lines = root.run(&["verify", "--all", "--json"]).ended(5);
    let sound = |id: &str| {
        lines.lines().any(|line| line.contains(&format!("\"id\":\"{id}\"")) && line.contains("\"sound\":true"))
    };
    assert_eq!((sound("a"), sound("b"), sound("c"), sound("d")), (true, true, false, false), "{lines}");
}

#[test]
fn verify_all_ends_with_damage_rather_than_with_an_unknown_version() {
    let root = Root::new();
    root.put("a", turn(0));
    root.put_bytes("b", header("b").replace("\"version\":0", "\"version\":9"));
    root.run(&["verify", "--all"]).ended(1);
    root.put("c", turn(0) + "nonsense\n" + &turn(3));
    root.run(&["verify", "--all"]).ended(5);
}

#[test]
fn inspect_tells_that_waking_would_refuse() {
    let root = Root::new();
    for (tail, refuses) in
        [("{\"ty".to_owned(), false), (event(9, "note", "{}"), true), ("x\n".to_owned() + &turn(5), true)]
    {
        root.put("x", interrupted_turn() + &tail);
        let told = root.run(&["inspect", "x"]).done();
        assert!(told.contains("to close"), "{told}");
        assert_eq!(told.contains("waking refuses this unless told --set-aside"), refuses, "{told}");
        assert_eq!(root.run(&["wake", "x"]).code, Some(if refuses { 5 } else { 0 }));
    }
}

#[test]
fn another_version_is_no_damage() {
    for version in [1, 99] {
        let root = Root::new();
        root.put_bytes("x", header("x").replace("\"version\":0", &format!("\"version\":{version}")) + &turn(0));
        let said = root.run(&["show", "x"]).failed(1);
        assert!(said.contains(&format!("version {version}")), "{said}");
        root.feed(&["append", "x"], turn(3)).failed(1);
    }
}

#[test]
fn a_byte_order_mark_is_named() {
    let root = Root::new();
    root.put_bytes("x", format!("\u{feff}{}{}", header("x"), turn(0)));
    let answer = root.run(&["show", "x"]);
    let said = answer.failed(5);
    assert!(said.contains("byte-order mark") && !said.contains("delete"), "{said}");
}

#[test]
fn readers_warn_once_of_the_damage_that_they_stop_at() {
    for (tail, kind) in [("{\"ty".to_owned(), "a torn tail"), ("nonsense\n".to_owned() + &turn(3), "no record")] {
        let root = Root::new();
        root.put("x", turn(0) + &tail);
        let offset = root.read("x").len() - tail.len();
        for args in [
            &["show", "x"][..],
            &["show", "x", "--json"],
            &["show", "x", "--max", "1"],
            &["messages", "x"],
            &["messages", "x", "--json"],
            &["check", "x"],
            &["fork", "x", "y"],
        ] {
            let answer = root.run(args);
            let err = answer.err.clone();
            assert!(!answer.done().contains("damage"), "{args:?}");
            assert_eq!(err.lines().count(), 1, "{args:?}: {err}");
            for words in ["warning: session x is damaged after 3 events", kind, &format!("byte {offset})"), "verify x`"]
            {
                assert!(err.contains(words), "{args:?}: {words}: {err}");
            }
        }
        root.run(&["has", "x"]).done();
        // All that was asked for is there.
        assert_eq!(root.run(&["fork", "x", "z", "--length", "3"]).err, "");
    }
}

#[test]
fn a_sound_log_is_not_warned_of() {
    let root = Root::new();
    root.put("x", turn(0));
    for args in [&["show", "x"][..], &["messages", "x"], &["check", "x"], &["fork", "x", "y"]] {
        assert_eq!(root.run(args).err, "", "{args:?}");
    }
}

#[test]
fn a_torn_tail_holds_no_record_and_that_is_said() {
    let root = Root::new();
    root.put("x", turn(0) + "{\"ty");
    let told = root.run(&["verify", "x"]).ended(5);
    assert!(told.contains("4 bytes, no whole record follows"), "{told}");
}

#[test]
fn a_broken_header_is_told_with_what_a_sound_one_looks_like() {
    let root = Root::new();
    root.put("good", "");
    for bytes in [String::new(), "\0".repeat(100), r#"{"type":"session","version":0}"#.to_owned() + "\n" + &turn(0)] {
        root.put_bytes("x", &bytes);
        for args in [&["wake", "x"][..], &["verify", "x"], &["show", "x"], &["fork", "x", "y"]] {
            let said = root.run(args).failed(5);
            assert!(!said.contains("delete"), "{said}");
            let like = &said[said.find(r#"{"type":"session","version":0,"id":"x","createdAt":"#).expect(&said)..];
            // Whoever does as told can read the session again.
            let rest = bytes.split_once('\n').map_or("", |(_, rest)| rest);
            root.put_bytes("x", like.to_owned() + rest);
            assert_eq!(root.run(&["show", "x", "--json"]).done(), rest);
            root.put_bytes("x", &bytes);
        }
    }
}

#[test]
fn a_log_under_another_name_gets_its_own_back() {
    let root = Root::new();
    root.put_bytes("x", header("Fix login") + &turn(0));
    let said = root.run(&["wake", "x"]).failed(5);
    let command = said.split('`').nth(1).unwrap();
    assert!(command.starts_with("mv ") && !said.contains("delete"), "{said}");
    let shell = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
    assert!(shell.status.success(), "{command}: {shell:?}");
    assert_eq!(root.run(&["show", "Fix login", "--json"]).done(), turn(0));
}

#[test]
fn a_copied_log_is_told_from_one_under_another_name() {
    let root = Root::new();
    root.put("original", turn(0));
    root.put_bytes("x", root.read("original"));
    let said = root.run(&["verify", "x"]).failed(5);
    assert!(said.contains("fork original ") && !said.contains("mv "), "{said}");
}

#[test]
fn a_write_under_way_is_no_damage() {
    let root = Root::new();
    root.put("x", turn(0));
    let holder = Driver::of(&root, &["x"]);
    holder.send(event(3, "note", "{}"));
    holder.wait_for(3);
    std::fs::File::options().append(true).open(root.log("x")).unwrap().write_all(b"{\"ty").unwrap();
    assert_eq!(root.run(&["show", "x"]).err, "");
    holder.kill();
    assert!(root.run(&["show", "x"]).err.contains("damaged after 4 events"));
}
