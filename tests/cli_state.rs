//! `inspect`: where a session stands.

use serde_json::{Value, json};
use session_tests::command::{Root, event, interrupted_turn, turn};

#[test]
fn the_answer_has_every_member() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let before = root.read("x");
    let state = root.run(&["inspect", "x", "--json"]).json();
    assert_eq!(state["header"], json!({ "version": 0, "id": "x", "createdAt": 1_763_681_581_550_u64 }));
    assert_eq!((state["length"].as_u64(), state["held"].as_bool()), (Some(5), Some(false)));
    assert!(state["revision"].is_string());
    assert_eq!((&state["boundary"], &state["asides"]), (&Value::Null, &json!([])));
    assert_eq!((&state["recovery"]["damage"], &state["recovery"]["keptAt"]), (&Value::Null, &Value::Null));
    assert_eq!(state["recovery"]["closers"].as_array().unwrap().len(), 4);
    assert_eq!(root.read("x"), before, "nothing is written");
}

#[test]
fn people_are_told_what_waking_would_do() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let told = root.run(&["inspect", "x"]).done();
    for words in ["session", "events    5", "damage    none", "to close", "TOOL_OUTCOME_UNKNOWN"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn the_last_boundary_is_told() {
    let root = Root::new();
    root.put("x", turn(0) + &event(3, "session/boundary", r#"{"note":"go on"}"#) + &turn(4));
    let state = root.run(&["inspect", "x", "--json"]).json();
    assert_eq!(
        (state["boundary"]["seq"].as_u64(), state["boundary"]["data"]["note"].as_str()),
        (Some(3), Some("go on"))
    );
}

#[test]
fn the_revision_changes_with_the_log() {
    let root = Root::new();
    root.put("x", turn(0));
    let revision = |root: &Root| root.run(&["inspect", "x", "--json"]).json()["revision"].clone();
    let first = revision(&root);
    assert_eq!(revision(&root), first);
    root.run(&["emit", "x", "note", "{}"]).done();
    assert_ne!(revision(&root), first);
}
