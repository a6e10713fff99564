//! `list`: everything that is there, the unreadable too.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use session_tests::command::{Root, turn};

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["id"].as_str()).collect()
}

#[test]
fn sessions_are_listed_by_id() {
    let root = Root::new();
    for id in ["b", "c", "a"] {
        root.put(id, turn(0));
    }
    let items = root.run(&["list", "--json"]).json_lines();
    assert_eq!(ids(&items), ["a", "b", "c"]);
    assert_eq!(items[0]["bytes"], root.read("a").len());
    assert_eq!(items[0]["held"], false);
    assert_eq!(items[0]["createdAt"], 1_763_681_581_550_u64);
    assert!(items[0]["modified"].is_u64());
    assert_eq!(root.run(&["list"]).done().lines().count(), 3);
}

#[test]
fn the_last_written_to_comes_first_if_told() {
    let root = Root::new();
    for (age, id) in ["b", "c", "a"].iter().enumerate() {
        root.put(id, turn(0));
        let when = SystemTime::now() - Duration::from_secs(60 * age as u64);
        File::options().append(true).open(root.log(id)).unwrap().set_modified(when).unwrap();
    }
    assert_eq!(ids(&root.run(&["list", "--recent", "--json"]).json_lines()), ["b", "c", "a"]);
}

#[test]
fn a_list_goes_on_where_it_stopped() {
    let root = Root::new();
    let all: Vec<String> = (0..7).map(|n| format!("s{n}")).collect();
    all.iter().for_each(|id| root.put(id, turn(0)));
    for order in [&[][..], &["--recent"]] {
        let (mut seen, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut args = vec!["list", "--json", "--limit", "3"];
            args.extend(order);
            let from = cursor.clone().unwrap_or_default();
            if cursor.is_some() {
                args.extend(["--cursor", &from]);
            }
            let items = root.run(&args).json_lines();
            seen.extend(ids(&items).into_iter().map(str::to_owned));
            match items.last().and_then(|item| item["next"].as_str()) {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
            assert!(ids(&items).len() == 3, "{items:?}");
        }
        seen.sort();
        assert_eq!(seen, all);
    }
}

#[test]
fn a_cursor_that_no_list_gave_is_refused() {
    let root = Root::new();
    root.put("a", turn(0));
    root.run(&["list", "--cursor", "nonsense"]).failed(6);
}

#[test]
fn people_are_told_how_to_go_on() {
    let root = Root::new();
    root.put("a", turn(0));
    root.put("b", turn(0));
    let told = root.run(&["list", "--limit", "1"]).done();
    assert!(told.lines().count() == 2 && told.contains("--cursor "), "{told}");
}

#[test]
fn sessions_of_one_folder_can_be_asked_for() {
    let root = Root::new();
    root.run(&["create", "a", "--cwd", "/here"]).done();
    root.run(&["create", "b", "--cwd", "/there"]).done();
    assert_eq!(ids(&root.run(&["list", "--json", "--cwd", "/there"]).json_lines()), ["b"]);
}

#[test]
fn what_can_not_be_read_is_listed_with_its_reason() {
    let root = Root::new();
    root.put("good", turn(0));
    root.put_bytes("empty", "");
    root.put_bytes("foreign", "just some text\n");
    root.put_bytes("nulls", [0; 4096]);
    fs::create_dir(root.log("folder")).unwrap();
    symlink("nowhere", root.log("dangling")).unwrap();
    let items = root.run(&["list", "--json"]).json_lines();
    assert_eq!(items.iter().filter(|item| item.get("bytes").is_some()).count(), 1, "{items:?}");
    for bad in ["empty", "foreign", "nulls", "folder", "dangling"] {
        let item = items.iter().find(|item| item["unreadable"].as_str().is_some_and(|name| name.contains(bad)));
        assert!(item.unwrap_or_else(|| panic!("{bad}: {items:?}"))["reason"].is_string());
    }
    let told = root.run(&["list"]).done();
    assert_eq!(told.lines().filter(|line| line.starts_with("unreadable")).count(), 5, "{told}");
    assert_eq!(root.read("foreign"), b"just some text\n");
}

#[test]
fn a_root_that_is_not_there_is_empty_and_stays_away() {
    let root = Root::new();
    let missing = root.path().join("missing");
    let run = |args: &[&str]| {
        let mut command = session_tests::command::session();
        session_tests::command::answer(
            command.arg("--root").arg(&missing).args(args).stdin(std::process::Stdio::null()),
        )
    };
    assert_eq!(run(&["list"]).done(), "");
    assert_eq!(run(&["list", "--json", "--recent"]).done(), "");
    assert_eq!(run(&["verify", "--all"]).done(), "");
    assert_eq!(run(&["has", "x"]).ended(3), "no\n");
    for command in ["show", "wake", "inspect", "append", "handoff", "aside", "messages", "follow"] {
        run(&[command, "x"]).failed(3);
    }
    run(&["delete", "x"]).done();
    run(&["fork", "x", "y"]).failed(3);
    run(&["emit", "x", "note", "{}"]).failed(3);
    assert!(!missing.exists());
    run(&["create", "x"]).done();
    assert!(missing.join("x.jsonl").exists());
}

#[test]
fn people_who_see_nothing_are_told_how_to_begin() {
    let root = Root::new();
    let missing = root.path().join("missing");
    for place in [root.path(), &missing] {
        for args in [&["list"][..], &["verify", "--all"]] {
            let run = |more: &[&str]| {
                let mut command = session_tests::command::session();
                command.arg("--root").arg(place).args(args).args(more).stdin(std::process::Stdio::null());
                session_tests::command::answer(&mut command)
            };
            let told = run(&[]);
            assert!(told.err.contains(place.to_str().unwrap()) && told.err.contains("create ID`"), "{told}");
            assert_eq!(told.done(), "");
            let json = run(&["--json"]);
            assert_eq!((json.err.as_str(), json.out.as_slice()), ("", &b""[..]));
        }
    }
    root.put("a", turn(0));
    assert_eq!(root.run(&["list"]).err, "");
    let told = root.run(&["list", "--cwd", "/nowhere"]);
    assert!(told.err.contains("/nowhere") && told.err.contains("list` shows"), "{told}");
    assert_eq!(told.done(), "");
    assert_eq!(root.run(&["list", "--cwd", "/nowhere", "--json"]).err, "");
}
