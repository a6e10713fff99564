//! `session copy`: from one store to another, byte for byte.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;
use session_tests::command::{Answer, Driver, Root, answer, event, session, turn};

/// The command on another store in the same folder.
fn on(root: &Root, store: &str, args: &[&str]) -> Answer {
    let mut command = session();
    command.current_dir(root.path()).args(["--store", store]).args(args);
    answer(command.stdin(Stdio::null()))
}

/// Copies from the root, in its folder.
fn copy(root: &Root, args: &[&str]) -> Answer {
    answer(root.command(["copy", "--to"]).args(args).current_dir(root.path()).stdin(Stdio::null()))
}

fn read_back(root: &Root, store: &str, id: &str) -> Vec<u8> {
    copy_from(root, store, &["--to", "jsonl:back", id]).done();
    fs::read(root.path().join(format!("back/{id}.jsonl"))).unwrap()
}

fn copy_from(root: &Root, store: &str, args: &[&str]) -> Answer {
    on(root, store, &[&["copy"], args].concat())
}

#[test]
fn sessions_go_to_another_store_and_back_without_a_byte_changed() {
    let root = Root::new();
    let odd =
        "{\"time\":1, \"seq\":3,\"more\":[], \"type\":\"note\",\"data\":{\"a\":1,\"a\":1.0,\"t\":\"\\ud83d\"}}\r\n";
    root.put("x", turn(0) + odd);
    root.put("y", turn(0).trim_end());
    assert_eq!(copy(&root, &["sqlite:x.db", "x", "y"]).done().lines().count(), 2);
    for id in ["x", "y"] {
        assert_eq!(read_back(&root, "sqlite:x.db", id), root.read(id));
    }
    assert_eq!(on(&root, "sqlite:x.db", &["show", "x", "--json"]).done(), root.run(&["show", "x", "--json"]).done());
}

#[test]
fn what_was_set_aside_goes_with_it_under_its_names() {
    let root = Root::new();
    root.put("x", turn(0) + "torn");
    root.run(&["wake", "x"]).done();
    root.feed(&["append", "x"], turn(3)).done();
    let mut log = root.read("x");
    log.extend_from_slice(b"torn again");
    root.put_bytes("x", log);
    root.run(&["wake", "x"]).done();
    let asides = root.run(&["aside", "x", "--json"]).done();
    assert_eq!(asides.lines().count(), 2);

    assert_eq!(
        copy(&root, &["sqlite:x.db", "x", "--json"]).json(),
        json!({ "id": "x", "bytes": root.read("x").len(), "asides": 2, "damage": null, "reason": null })
    );
    assert_eq!(on(&root, "sqlite:x.db", &["aside", "x", "--json"]).done(), asides);
    for line in asides.lines() {
        let name = serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].as_str().unwrap().to_owned();
        let piece = root.run(&["aside", "x", &name]).done();
        assert_eq!(on(&root, "sqlite:x.db", &["aside", "x", &name]).done(), piece);
    }
    assert_eq!(read_back(&root, "sqlite:x.db", "x"), root.read("x"));
}

/// Where `x` was cut, and the bytes that were set aside there.
fn woken_after(root: &Root, tail: &str) -> usize {
    root.put("x", turn(0) + tail);
    let at = root.read("x").len() - tail.len();
    root.run(&["wake", "x", "--set-aside"]).done();
    root.feed(&["append", "x"], turn(3)).done();
    at
}

#[test]
fn whole_records_that_are_not_the_next_go_with_it() {
    for tail in [event(7, "note", "1"), event(1, "note", "1"), event(7, "note", "1") + &turn(3)] {
        let root = Root::new();
        woken_after(&root, &tail);
        let asides = root.run(&["aside", "x", "--json"]).done();
        assert_eq!(asides.lines().count(), 1);
        assert_eq!(copy(&root, &["sqlite:x.db", "x", "--json"]).json()["asides"], 1);
        assert_eq!(on(&root, "sqlite:x.db", &["aside", "x", "--json"]).done(), asides);
        assert_eq!(read_back(&root, "sqlite:x.db", "x"), root.read("x"));
    }
}

/// Puts a piece beside `x` that this store would not have set aside, as if it was cut off at its end.
fn put_aside(root: &Root, piece: &str) {
    let folder = root.path().join("x.aside");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(format!("{}.0123456789abcdef", root.read("x").len())), piece).unwrap();
}

#[test]
fn what_could_be_taken_for_events_meanwhile_is_not_copied() {
    let next = event(3, "note", "1");
    let next = next.trim_end();
    let twice = next.replace("\"seq\":3", "\"seq\":3,\"seq\":7");
    for piece in [format!("{next}\n"), next.to_owned(), format!("{next}torn"), twice] {
        let root = Root::new();
        root.put("x", turn(0));
        put_aside(&root, &piece);
        let said = copy(&root, &["sqlite:x.db", "x"]).failed(6);
        assert!(said.contains("--leave-asides") && said.contains("could take it for events"), "{piece}: {said}");
        on(&root, "sqlite:x.db", &["has", "x"]).ended(3);
    }
}

#[test]
fn what_was_set_aside_behind_the_present_end_is_not_copied() {
    let root = Root::new();
    woken_after(&root, "torn");
    root.put("x", "");
    let said = copy(&root, &["sqlite:x.db", "x"]).failed(6);
    assert!(said.contains("no longer reaches") && said.contains("--leave-asides"), "{said}");
}

#[test]
fn a_log_is_copied_without_what_was_set_aside_if_that_is_asked_for() {
    let root = Root::new();
    woken_after(&root, "torn");
    assert_eq!(copy(&root, &["sqlite:x.db", "x", "--leave-asides", "--json"]).json()["asides"], 0);
    assert_eq!(on(&root, "sqlite:x.db", &["aside", "x"]).done(), "");
    assert_eq!(read_back(&root, "sqlite:x.db", "x"), root.read("x"));
}

#[test]
fn records_behind_damage_that_were_set_aside_go_with_it() {
    let root = Root::new();
    woken_after(&root, &("nonsense\n".to_owned() + &turn(3)));
    let asides = root.run(&["aside", "x", "--json"]).done();
    copy(&root, &["sqlite:x.db", "x"]).done();
    assert_eq!(on(&root, "sqlite:x.db", &["aside", "x", "--json"]).done(), asides);
}

#[test]
fn a_copy_that_was_stopped_shows_no_event_that_is_not_there_and_is_known_for_one() {
    for tail in [
        event(3, "note", "{\"a\":[1]}").trim_end_matches("}\n"),
        &("nonsense\n".to_owned() + &event(3, "note", "1")),
        &event(7, "note", "1"),
    ] {
        let root = Root::new();
        let at = woken_after(&root, tail);
        let log = root.read("x");
        let stopped = Root::new();
        let there = format!("jsonl:{}", stopped.path().display());
        let parts = (1..=tail.len()).step_by(7).map(|end| [&log[..at], &tail.as_bytes()[..end]].concat());
        for part in parts.chain([log[..at].to_vec(), log.clone()]) {
            stopped.put_bytes("x", &part);
            let seen = stopped.run(&["show", "x", "--json"]).done();
            assert!(root.run(&["show", "x", "--json"]).done().starts_with(&seen), "{seen}");
            let said = copy(&root, &[&there, "x"]).failed(6);
            assert!(said.contains("as if a copy had been stopped") && said.contains("delete x"), "{said}");
        }
        stopped.run(&["delete", "x"]).done();
        copy(&root, &[&there, "x"]).done();
        assert!(copy(&root, &[&there, "x"]).failed(6).contains("already"));
    }
}

#[test]
fn damage_is_copied_as_it_is_and_told() {
    let root = Root::new();
    root.put("torn", turn(0) + "{\"type\":\"no");
    root.put("corrupt", turn(0) + "nonsense\n" + &event(3, "note", "1"));
    root.put_bytes("headless", "\0\0\0");
    root.put_bytes("empty", "");
    for id in ["torn", "corrupt", "headless", "empty"] {
        let answer = copy(&root, &["sqlite:x.db", id]);
        assert!(answer.err.starts_with("warning: ") && answer.err.contains(id), "{answer}");
        answer.done();
        assert_eq!(read_back(&root, "sqlite:x.db", id), root.read(id));
    }
    let damage = copy(&root, &["sqlite:y.db", "corrupt", "--json"]).json()["damage"].take();
    assert_eq!(damage["kind"], "malformed");
}

#[test]
fn a_log_of_many_windows_is_copied_whole() {
    let root = Root::new();
    let data = format!("\"{}\"", "é".repeat(500_000));
    root.put("x", (0..20).map(|seq| event(seq, "note", &data)).collect::<String>());
    copy(&root, &["sqlite:x.db", "x"]).done();
    assert!(read_back(&root, "sqlite:x.db", "x") == root.read("x"));
}

#[test]
fn nothing_is_ever_replaced() {
    let root = Root::new();
    root.put("x", turn(0));
    copy(&root, &["sqlite:x.db", "x"]).done();
    let said = copy(&root, &["sqlite:x.db", "x"]).failed(6);
    assert!(said.contains("x.db already"), "{said}");
    let itself = format!("jsonl:{}", root.path().display());
    copy(&root, &[&itself, "x"]).failed(6);
    // One that grew meanwhile has a copy that looks as if it had not been finished.
    root.feed(&["append", "x"], turn(3)).done();
    let said = copy(&root, &["sqlite:x.db", "x"]).failed(6);
    assert!(said.contains("--store sqlite:x.db delete x"), "{said}");
    assert_eq!(on(&root, "sqlite:x.db", &["show", "x", "--json"]).done(), turn(0));
}

#[test]
fn a_session_with_a_writer_is_not_copied() {
    let root = Root::new();
    let driver = Driver::of(&root, &["x", "--create"]);
    driver.send(turn(0));
    driver.wait_for(2);
    root.put("w", turn(0));
    let said = copy(&root, &["sqlite:x.db", "w", "x"]).failed(4);
    assert!(said.contains("session x"), "{said}");
    driver.end();
    copy(&root, &["sqlite:x.db", "x"]).done();
}

#[test]
fn it_stops_at_the_first_that_fails_and_those_before_it_are_there() {
    let root = Root::new();
    root.put("x", turn(0));
    root.put("z", turn(0));
    let answer = copy(&root, &["sqlite:x.db", "x", "missing", "z"]);
    assert!(String::from_utf8_lossy(&answer.out).contains("copied x"), "{answer}");
    assert!(answer.failed(3).contains("missing"));
    assert_eq!(on(&root, "sqlite:x.db", &["has", "x"]).done(), "yes\n");
    on(&root, "sqlite:x.db", &["has", "z"]).ended(3);
}

/// Copies four sessions, of which the second is damaged, and whatever else is named.
fn copy_many(root: &Root, more: &[&str], out: impl Into<Stdio>) -> Answer {
    for id in ["a", "b", "c", "d"] {
        root.put(id, turn(0) + if id == "b" { "torn" } else { "" });
    }
    let mut command = root.command([&["copy", "--to", "sqlite:x.db", "a", "b", "c", "d"], more].concat());
    let output = command.current_dir(root.path()).stdin(Stdio::null()).stdout(out).stderr(Stdio::piped()).spawn();
    output.unwrap().wait_with_output().unwrap().into()
}

fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().unwrap().1
}

fn all_are_there(root: &Root) {
    for id in ["a", "b", "c", "d"] {
        assert_eq!(read_back(root, "sqlite:x.db", id), root.read(id));
    }
}

#[test]
fn all_are_copied_also_if_nobody_reads_about_it() {
    for json in [&[][..], &["--json"]] {
        let root = Root::new();
        let answer = copy_many(&root, json, closed_pipe());
        assert_eq!(answer.code, Some(0), "{answer}");
        assert_eq!(answer.err.contains("session b is damaged"), json.is_empty(), "{answer}");
        all_are_there(&root);
    }
}

#[test]
fn a_closed_pipe_hides_no_session_that_is_missing() {
    let root = Root::new();
    let answer = copy_many(&root, &["missing", "--json"], closed_pipe());
    assert!(answer.failed(3).contains("missing"));
    all_are_there(&root);
}

#[cfg(target_os = "linux")]
#[test]
fn all_are_copied_also_if_that_can_not_be_told() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let root = Root::new();
    let said = copy_many(&root, &["--json"], full()).failed(7);
    assert!(said.contains("all is copied"), "{said}");
    all_are_there(&root);
    let root = Root::new();
    assert!(copy_many(&root, &["--json", "missing"], full()).failed(3).contains("missing"));
}

#[test]
fn a_copy_has_to_go_somewhere() {
    let root = Root::new();
    root.put("x", turn(0));
    copy(&root, &["memory:", "x"]).failed(2);
    copy(&root, &["nonsense", "x"]).failed(2);
    fs::write(root.path().join("file"), "").unwrap();
    let said = copy(&root, &["jsonl:file", "x"]).failed(1);
    assert!(said.contains("file"), "{said}");
    let said = copy(&root, &["sqlite:file/x.db", "x"]).failed(1);
    assert!(said.contains("file"), "{said}");
}

/// A command whose files can have no more than so many blocks, in the folder of the root.
fn with_files_up_to(blocks: u32, root: &Root, limited: &Command) -> Command {
    let script = format!("ulimit -f {blocks} && trap '' XFSZ && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(limited.get_program()).args(limited.get_args()).current_dir(root.path());
    for (name, value) in limited.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let root = Root::new();
    // More than is copied at once, so that it fails with a part of it there.
    let data = format!("\"{}\"", "x".repeat(1 << 20));
    root.put("x", (0..12).map(|seq| event(seq, "note", &data)).collect::<String>());
    let copy = root.command(["copy", "--to", "jsonl:to", "x"]);
    let said = answer(&mut with_files_up_to(20_000, &root, &copy)).failed(7);
    assert!(said.contains("can't copy session x"), "{said}");
    assert!(fs::read_dir(root.path().join("to")).unwrap().next().is_none());
}

#[test]
fn what_is_left_of_a_copy_because_there_is_no_room_to_remove_it_is_told() {
    let root = Root::new();
    let data = format!("\"{}\"", "x".repeat(1000));
    root.put("x", (0..20).map(|seq| event(seq, "note", &data)).collect::<String>() + &"no record\n".repeat(500));
    root.run(&["wake", "x", "--set-aside"]).done();
    let mut left = 0;
    for blocks in (100..320).step_by(6) {
        let copy = root.command(["copy", "--to", "sqlite:x.db", "x"]);
        let copied = answer(&mut with_files_up_to(blocks, &root, &copy));
        let is_there = on(&root, "sqlite:x.db", &["has", "x"]).code == Some(0);
        if copied.code == Some(0) {
            break;
        }
        let said = copied.failed(7);
        assert_eq!(said.contains("make room") && said.contains("--store sqlite:x.db delete x"), is_there, "{said}");
        left += u32::from(is_there);
        for name in ["x.db", "x.db-wal", "x.db-shm"] {
            drop(fs::remove_file(root.path().join(name)));
        }
    }
    assert!(left > 0);
}
