//! The files are those of the Rust host: each goes on where the other stopped.

use std::path::Path;

use session_host::{Engine, JsonlFolder, Pairing, Sessions};

use crate::support::Wasi;

fn rust(folder: &Path) -> Sessions {
    Sessions::new(&Engine::new().unwrap(), JsonlFolder::open(folder).unwrap())
}

/// Half a turn.
const EVENTS: [(&str, &str); 3] = [
    ("turn/start", r#"{"turn":1}"#),
    ("user/message", r#"{"content":"é \ud83d 1.0 9007199254740993"}"#),
    ("step/start", r#"{"turn":1,"step":1}"#),
];

fn log(folder: &Path, id: &str) -> Vec<u8> {
    std::fs::read(folder.join(JsonlFolder::file_name(id).unwrap())).unwrap()
}

/// Tears the log's end, as a killed writer does.
fn tear(folder: &Path, id: &str) {
    let torn = [&log(folder, id)[..], br#"{"type":"half"#].concat();
    std::fs::write(folder.join(JsonlFolder::file_name(id).unwrap()), torn).unwrap();
}

#[test]
fn a_session_written_under_wasi_is_woken_by_the_rust_host() {
    let folder = tempfile::tempdir().unwrap();
    let mut wasi = Wasi::open(folder.path());
    wasi.create("Fix login").unwrap();
    for (kind, data) in EVENTS {
        wasi.emit("Fix login", kind, data).unwrap();
    }
    let lines = wasi.lines("Fix login").unwrap();
    drop(wasi);
    tear(folder.path(), "Fix login");

    let sessions = rust(folder.path());
    let state = sessions.wake("Fix login", Default::default()).unwrap();
    assert_eq!((state.length, state.recovery.closers.len(), state.asides.len()), (5, 2, 1));
    assert!(sessions.get_lines("Fix login", 0, 1 << 20).unwrap().starts_with(&lines));
    let message = sessions.messages("Fix login", Pairing::Paired).next().unwrap().unwrap();
    assert!(message.content.contains(r"\ud83d 1.0 9007199254740993"), "{}", message.content);
}

#[test]
fn a_session_written_by_the_rust_host_is_woken_under_wasi() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = rust(folder.path());
    sessions.create("Fix login").unwrap();
    for (kind, data) in EVENTS {
        sessions.emit_json("Fix login", kind, data).unwrap();
    }
    drop(sessions);
    let before = log(folder.path(), "Fix login");
    tear(folder.path(), "Fix login");

    let mut wasi = Wasi::open(folder.path());
    let state = wasi.wake("Fix login").unwrap();
    assert_eq!((state.length, state.recovery.closers.len(), state.asides.len()), (5, 2, 1));
    assert!(log(folder.path(), "Fix login").starts_with(&before));
    wasi.emit("Fix login", "turn/start", r#"{"turn":2}"#).unwrap();
    wasi.flush("Fix login").unwrap();
    drop(wasi);

    // What was set aside is found where the Rust host looks for it.
    let sessions = rust(folder.path());
    let state = sessions.inspect("Fix login").unwrap();
    assert_eq!((state.length, state.turn_open, state.asides.len()), (6, true, 1));
    assert_eq!(sessions.verify("Fix login").unwrap().recovery.damage, None);
    assert_eq!(sessions.storage().read_aside("Fix login", &state.asides[0], 0, 99).unwrap(), br#"{"type":"half"#);
}
