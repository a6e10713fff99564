//! `session export --to pi`: what a file can't hold is told, and the rest can be read back.

use std::fs;

use serde_json::{Value, json};
use session_tests::command::{Answer, Root};

/// A commit of these writes, as a line of a log.
fn commit(seq: usize, first: usize, writes: &[&str]) -> String {
    let writes = writes.join(",");
    format!(
        r#"{{"type":"tree/commit","seq":{seq},"time":1,"data":{{"firstSeq":{first},"timestamp":1,"writes":[{writes}]}}}}"#
    ) + "\n"
}

fn custom(id: &str, parent: Option<&str>, payload: &str) -> String {
    let parent = json!(parent);
    format!(
        r#"{{"kind":"entry","id":"{id}","parentId":{parent},"type":"custom","customType":"t","payload":{payload}}}"#
    )
}

fn export(root: &Root, id: &str) -> Answer {
    root.run(&["export", "--to", "pi", id])
}

/// The entries of what is exported, once it is imported again.
fn read_back(exported: &str) -> Vec<Value> {
    let root = Root::new();
    let told = root.feed(&["import", "--from", "pi", "-", "--json"], exported).json();
    assert_eq!(
        ["skipped", "changed", "context"].map(|what| told[what]["count"].clone()),
        [json!(0), json!(0), json!(0)],
        "{told}"
    );
    let entries = root.run(&["tree", "x", "--json"]).json_lines();
    entries.into_iter().rev().collect()
}

#[test]
fn a_member_that_is_called_like_one_of_the_entry_itself_is_left_out_and_told() {
    let root = Root::new();
    let odd = r#"{"id":"other","type":"message","parentId":"zz","kind":"usage","seq":7,"timestamp":8,"customType":"u","data":1}"#;
    root.put(
        "x",
        commit(0, 1, &[&custom("a", None, odd)]) + &commit(1, 2, &[&custom("b", Some("a"), r#"{"data":2}"#)]),
    );
    let answer = export(&root, "x");
    let names = "`kind`, `id`, `parentId`, `type`, `customType`, `seq`, `timestamp`";
    assert!(answer.err.contains(&format!("entry a: left out of its payload: {names}")), "{answer}");
    assert_eq!(answer.err.lines().count(), 1, "{answer}");
    let entries = read_back(&answer.done());
    assert_eq!((&entries[0]["id"], &entries[0]["payload"]), (&json!("a"), &json!({ "data": 1 })));
    assert_eq!((&entries[1]["parent"], &entries[1]["payload"]), (&json!("a"), &json!({ "data": 2 })));
}

#[test]
fn of_many_entries_of_which_something_is_left_out_the_first_are_told() {
    let root = Root::new();
    let commits = (0..23).map(|n| commit(n, n + 1, &[&custom(&n.to_string(), None, r#"{"seq":1}"#)]));
    root.put("x", commits.collect::<String>());
    let answer = export(&root, "x");
    assert_eq!(answer.err.lines().count(), 21);
    assert!(answer.err.contains("of 3 more entries"), "{answer}");
}

#[test]
fn names_of_members_are_written_and_read_back_as_they_are() {
    let root = Root::new();
    let payload = r#"{"\ud800":1,"\u0064ata":2,"\"\\ud800\"":3}"#;
    root.put("x", commit(0, 1, &[&custom("a", None, payload)]));
    let exported = export(&root, "x").done();
    assert!(exported.contains(payload.trim_matches(['{', '}'])), "{exported}");
    let other = Root::new();
    other.feed(&["import", "--from", "pi", "-"], &exported).done();
    assert_eq!(export(&other, "x").done(), exported);
}

#[test]
fn a_session_without_a_tree_is_told_to_have_none() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    let answer = export(&root, "x");
    assert!(answer.err.contains("session x holds no tree"), "{answer}");
    assert_eq!(answer.done().lines().count(), 1);
}

#[test]
fn damage_that_a_checkpoint_hides_is_told_and_what_precedes_it_exported() {
    let root = Root::new();
    let text = "z".repeat(60_000);
    let commits = (0..100).map(|n| {
        let parent = (n > 0).then(|| (n - 1).to_string());
        commit(n, n + 1, &[&custom(&n.to_string(), parent.as_deref(), &format!(r#"{{"data":"{text}"}}"#))])
    });
    root.put("x", commits.collect::<String>());
    root.run(&["wake", "x"]).done();
    let (log, checkpoint) = (root.read("x"), root.path().join("x.ckpt"));
    assert!(checkpoint.exists());
    let log = String::from_utf8(log).unwrap().replacen(r#""id":"3","#, r#""id""3", "#, 1);
    fs::write(root.log("x"), log).unwrap();
    let out = root.path().join("out");
    for args in [&[][..], &["--output", out.to_str().unwrap()]] {
        let answer = root.run(&[&["export", "--to", "pi", "x"], args].concat());
        assert!(answer.err.contains("session x is damaged after 3 events"), "{answer}");
        answer.done();
    }
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 4);
}
