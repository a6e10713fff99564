//! `session import` and `session export`: session files of pi become sessions with a tree, and sessions become such files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use session_tests::command::{Answer, Root, answer};

/// A file among those of `tests/pi`.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pi").join(name)
}

fn import(root: &Root, args: &[&str]) -> Answer {
    answer(root.command(["import", "--from", "pi"]).args(args).stdin(Stdio::null()))
}

fn import_file(root: &Root, name: &str) -> Value {
    import(root, &[file(name).to_str().unwrap(), "--json"]).json()
}

/// Imports what is handed over on standard input.
fn feed(root: &Root, lines: &str, args: &[&str]) -> Answer {
    root.feed(&[&["import", "--from", "pi", "-", "--json"], args].concat(), lines)
}

fn export(root: &Root, id: &str) -> String {
    root.run(&["export", "--to", "pi", id]).done()
}

const HEADER: &str = r#"{"v":4,"kind":"header","id":"x","storageVersion":1,"createdAt":7,"cwd":"/srv/project"}"#;

fn entry(seq: u64, id: &str, parent: Option<&str>) -> String {
    let message = json!({ "role": "user", "content": id });
    let entry = json!({ "kind": "entry", "id": id, "parentId": parent, "type": "message", "message": message, "seq": seq, "timestamp": seq });
    format!("{entry}\n")
}

/// The ids of the entries of a session, each with what it follows.
fn parents(root: &Root, id: &str) -> Vec<(String, Option<String>)> {
    let tree = root.run(&["tree", id, "--json"]).done();
    let lines = tree.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut parents: Vec<_> = lines
        .filter(|line| line["id"].is_string())
        .map(|line| (line["id"].as_str().unwrap().to_owned(), line["parent"].as_str().map(str::to_owned)))
        .collect();
    parents.reverse();
    parents
}

#[test]
fn a_file_of_every_version_becomes_what_stands_beside_it() {
    let root = Root::new();
    for (version, id) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
        let told = import_file(&root, &format!("v{version}.jsonl"));
        assert_eq!((&told["id"], &told["version"]), (&json!(id), &json!(version)));
        assert_eq!((&told["skipped"]["count"], &told["changed"]["count"]), (&json!(0), &json!(0)), "{told}");
        let expected = fs::read_to_string(file(&format!("v{version}.exported.jsonl"))).unwrap();
        assert_eq!(export(&root, id), expected, "version {version}");
    }
}

#[test]
fn what_was_exported_is_imported_as_the_same_tree() {
    let (root, other) = (Root::new(), Root::new());
    for (version, id) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
        import_file(&root, &format!("v{version}.jsonl"));
        let exported = export(&root, id);
        feed(&other, &exported, &[]).done();
        assert_eq!(export(&other, id), exported);
        for view in ["tree", "usage", "values"] {
            assert_eq!(other.run(&[view, id, "--json"]).done(), root.run(&[view, id, "--json"]).done(), "{view}");
        }
    }
}

#[test]
fn the_live_writes_of_version_4_come_back_byte_for_byte() {
    let root = Root::new();
    import_file(&root, "v4.jsonl");
    let content = fs::read_to_string(file("v4.jsonl")).unwrap();
    let mut written = Vec::new();
    for line in content.lines().skip(1) {
        match serde_json::from_str::<Vec<&RawValue>>(line) {
            Ok(writes) => written.extend(writes.into_iter().map(|write| write.get().to_owned())),
            Err(_) => written.push(line.to_owned()),
        }
    }
    // Overwritten, deleted, or deletes itself.
    let dead =
        [r#""seq":1,"#, r#""seq":3,"#, r#""seq":6,"#, r#""seq":7,"#, r#""seq":8,"#, r#""seq":16,"#, r#""seq":17,"#];
    written.retain(|write| !dead.iter().any(|seq| write.contains(seq)));
    let exported = export(&root, "four");
    assert_eq!(exported.lines().next(), content.lines().next());
    assert_eq!(exported.lines().skip(1).collect::<Vec<_>>(), written);
}

#[test]
fn lines_that_can_t_be_read_are_left_out_and_told_by_their_numbers() {
    let root = Root::new();
    let told = import_file(&root, "damaged.jsonl");
    let lines = |what: &str| -> Vec<Value> {
        told[what]["notes"].as_array().unwrap().iter().map(|note| note["line"].clone()).collect()
    };
    assert_eq!(lines("skipped"), [1, 4, 6, 8, 10, 11, 12, 14, 16].map(Value::from));
    assert_eq!(lines("changed"), [7, 17, 19, 18].map(Value::from));
    assert_eq!(lines("context"), [json!(15)], "what it kept is on another branch");
    assert_eq!((&told["entries"], &told["messages"]), (&json!(8), &json!(6)));
    let parents = parents(&root, "damaged");
    let parent = |id: &str| parents.iter().find(|(entry, _)| entry == id).unwrap().1.as_deref();
    assert_eq!(parent("d"), Some("b"), "what is left before the torn line");
    assert_eq!(parent("f"), Some("a"), "the parent of the line that is not known");
    assert_eq!(parent("h"), Some("f"));
    let exported = export(&root, "damaged");
    assert!(exported.contains(r#""retainedTail":[{"role":"user","content":"kept"}]"#));
    assert!(exported.contains(r#""id":"i","parentId":"h","type":"compaction","summary":"s","retainedTail":[]"#));
}

#[test]
fn people_are_told_of_what_is_left_out_too() {
    let root = Root::new();
    let answer = import(&root, &[file("damaged.jsonl").to_str().unwrap()]);
    assert!(answer.err.contains("line 6: left out: it is no JSON object"), "{answer}");
    assert!(
        answer.err.contains("line 7: changed: entry d followed c, which is not there; it follows b now"),
        "{answer}"
    );
    assert_eq!(answer.done(), "imported damaged  version 3, 8 entries, 6 messages\n");
}

#[test]
fn an_orphan_of_version_4_follows_what_is_left_of_its_branch() {
    let root = Root::new();
    let tip = |seq, to| {
        format!(r#"{{"kind":"value","op":"set","seq":{seq},"namespace":"pi.branch.tip","key":"main","value":"{to}"}}"#)
    };
    let lines = [
        HEADER.to_owned() + "\n",
        entry(1, "a", None),
        entry(2, "b", Some("a")),
        "{\"kind\":\"entry\",\"id\":\"c\",\"parentId\":\"b\",\"type\":\"mess\n".into(),
        entry(3, "w", Some("a")),
        // Nothing is lost with a blank line.
        "\n".into(),
        entry(4, "d", Some("c")),
        // Two writes of one number: the line can't be, but it says what stood there.
        entry(4, "e", Some("a")),
        entry(5, "f", Some("e")),
        tip(6, "e") + "\n",
    ];
    let told = feed(&root, &lines.concat(), &[]).json();
    assert_eq!((&told["skipped"]["count"], &told["changed"]["count"]), (&json!(3), &json!(3)), "{told}");
    let some = |id: &str| Some(id.to_owned());
    assert_eq!(
        parents(&root, "x"),
        [
            ("a".into(), None),
            ("b".into(), some("a")),
            ("w".into(), some("a")),
            ("d".into(), some("b")),
            ("f".into(), some("a"))
        ]
    );
    let values = root.run(&["values", "x", "--json"]).json();
    assert_eq!(values["value"], "a", "no branch stands at what is not there");
}

#[test]
fn entries_that_are_lost_and_name_each_other_lead_to_the_beginning() {
    let root = Root::new();
    let lines = [
        HEADER.to_owned() + "\n",
        entry(9, "z", None),
        entry(1, "a", Some("b")),
        entry(1, "b", Some("a")),
        entry(10, "c", Some("a")),
    ];
    feed(&root, &lines.concat(), &[]).done();
    assert_eq!(parents(&root, "x"), [("z".into(), None), ("c".into(), None)]);
}

#[test]
fn a_transaction_with_holes_in_its_numbers_keeps_them() {
    let root = Root::new();
    let line = format!("[{},{}]", entry(3, "a", None).trim(), entry(7, "b", Some("a")).trim());
    feed(&root, &format!("{HEADER}\n{line}\n"), &[]).done();
    let numbers = root.run(&["tree", "x", "--json"]).json_lines().into_iter().map(|line| line["number"].clone());
    assert_eq!(numbers.collect::<Vec<_>>(), [7, 3]);
}

#[test]
fn a_last_line_without_its_end_counts_if_it_is_whole() {
    let root = Root::new();
    let lines = [HEADER.to_owned() + "\n", entry(1, "a", None).trim().to_owned()].concat();
    assert_eq!(feed(&root, &lines, &[]).json()["entries"], 1);
}

#[test]
fn a_session_may_get_another_name() {
    let root = Root::new();
    let told = import(&root, &[file("v4.jsonl").to_str().unwrap(), "--id", "other name", "--json"]).json();
    assert_eq!(told["id"], "other name");
    assert!(export(&root, "other name").starts_with(r#"{"v":4,"kind":"header","id":"other name""#));
    let two = [file("v1.jsonl"), file("v2.jsonl")].map(|file| file.to_str().unwrap().to_owned());
    import(&root, &[&two[0], &two[1], "--id", "x"]).failed(2);
}

#[test]
fn a_session_that_is_there_is_left_alone() {
    let root = Root::new();
    import_file(&root, "v4.jsonl");
    let before = root.read("four");
    import(&root, &[file("v4.jsonl").to_str().unwrap()]).failed(6);
    assert_eq!(root.read("four"), before);
}

#[test]
fn what_is_no_file_of_pi_is_refused() {
    let root = Root::new();
    feed(&root, "", &[]).failed(6);
    feed(&root, "{\"a\":1}\n", &[]).failed(6);
    feed(&root, "no JSON at all\n", &[]).failed(6);
    feed(&root, "{\"type\":\"session\",\"version\":5,\"id\":\"x\"}\n", &[]).failed(1);
    feed(&root, &HEADER.replace(r#""storageVersion":1"#, r#""storageVersion":2"#), &[]).failed(1);
    feed(&root, &HEADER.replace(r#""id":"x""#, r#""id":"""#), &[]).failed(6);
    import(&root, &["there-is-none.jsonl"]).failed(3);
    assert_eq!(root.run(&["list"]).done(), "");
}

#[test]
fn what_stops_half_way_leaves_nothing() {
    let root = Root::new();
    // A file that can't be read on: it is a folder.
    import(&root, &[root.path().to_str().unwrap()]).failed(1);
    assert_eq!(root.run(&["list"]).done(), "");
}

#[test]
fn an_import_that_is_killed_leaves_no_session_of_that_name_and_can_be_done_again() {
    let root = Root::new();
    let mut child =
        root.command(["import", "--from", "pi", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = [HEADER.to_owned() + "\n", entry(1, "a", None)].concat();
    // More than is read at once, so that some of it has been imported when the rest is taken.
    for n in 0..4_000 {
        stdin
            .write_all(if n == 0 { lines.as_bytes() } else { b"                                             \n" })
            .unwrap();
    }
    stdin.write_all(&vec![b' '; 1 << 20]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    root.run(&["has", "x"]).ended(3);
    let list = root.run(&["list"]).done();
    assert!(list.contains("unfinished-import-"), "some of it was imported");
    assert!(list.contains("an import that is under way, or was stopped"), "{list}");
    assert_eq!(feed(&root, &lines, &[]).json()["entries"], 1);
    assert_eq!(root.run(&["list", "--json"]).done().lines().count(), 1, "and nothing unfinished is left");
}

#[test]
fn an_import_goes_to_any_store() {
    let root = Root::new();
    let on = |store: &str, args: &[&str]| {
        let mut command = session_tests::command::session();
        answer(command.current_dir(root.path()).args(["--store", store]).args(args).stdin(Stdio::null()))
    };
    let four = file("v4.jsonl");
    on("sqlite:x.db", &["import", "--from", "pi", four.to_str().unwrap()]).done();
    let expected = fs::read_to_string(file("v4.exported.jsonl")).unwrap();
    assert_eq!(on("sqlite:x.db", &["export", "--to", "pi", "four"]).done(), expected);
    on("memory:", &["import", "--from", "pi", four.to_str().unwrap()]).failed(2);
}

#[test]
fn a_file_is_written_whole_or_left_as_it_was() {
    let root = Root::new();
    import_file(&root, "v4.jsonl");
    let out = root.path().join("out");
    fs::write(&out, "as it was").unwrap();
    let out = out.to_str().unwrap();
    root.run(&["export", "--to", "pi", "none", "--output", out]).failed(3);
    assert_eq!(fs::read_to_string(out).unwrap(), "as it was");
    let told = root.run(&["export", "--to", "pi", "four", "--output", out, "--json"]).json();
    assert_eq!((&told["version"], &told["lines"]), (&json!(4), &json!(14)));
    let told = root.run(&["export", "--to", "pi", "four", "--output", out]).done();
    assert_eq!(told, format!("exported four to {out}: version 4, 14 lines\n"));
    assert_eq!(fs::read_to_string(out).unwrap(), fs::read_to_string(file("v4.exported.jsonl")).unwrap());
    root.run(&["export", "--to", "pi", "four", "--output", "/dev/null"]).failed(7);
}

#[test]
fn where_the_file_of_an_unknown_parent_was_is_carried_through() {
    let root = Root::new();
    let header = HEADER.replace(r#""cwd""#, r#""legacyParentSessionPath":"C:\\old.jsonl","cwd""#);
    feed(&root, &(header + "\n"), &[]).done();
    assert!(export(&root, "x").contains(r#""legacyParentSessionPath":"C:\\old.jsonl""#));
}

#[test]
fn no_session_is_imported_under_a_name_that_an_import_under_way_has() {
    let root = Root::new();
    let header = r#"{"type":"session","version":3,"id":"unfinished-import-2c26b46b68ffc68f","timestamp":"2026-10-01T00:00:00.000Z","cwd":"/"}"#;
    let answer = root.feed(&["import", "--from", "pi", "-"], header);
    assert!(answer.err.contains("--id"), "{answer}");
    answer.failed(6);
    root.feed(&["import", "--from", "pi", "-", "--id", "x"], header).done();
}
