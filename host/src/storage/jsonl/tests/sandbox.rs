use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, mknodat};

use super::*;
use crate::storage::Order;

const NASTY: [&str; 17] = [
    "../x",
    "/etc/x",
    "..\\x",
    "a/b",
    ".",
    "..",
    "C:x",
    "~",
    "CON",
    "con",
    "nul.txt",
    "a.",
    "a ",
    "link/",
    "x/../../y",
    "~tmp.x",
    "\n",
];

#[test]
fn no_id_leads_out_of_the_folder_and_no_two_share_a_file() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    fs::create_dir(&root).unwrap();
    let store = JsonlFolder::open(&root).unwrap();
    for id in NASTY {
        let log = publish(&store, id, &format!("{id}|torn"));
        store.save_checkpoint(id, id.as_bytes()).unwrap();
        store.set_aside(id, log.length - 4).unwrap();
    }
    for id in NASTY {
        assert_eq!(store.read(id, 0, 99).unwrap(), format!("{id}|").as_bytes());
        assert_eq!(store.load_checkpoint(id).unwrap(), id.as_bytes());
        assert_eq!(store.asides(id).unwrap().len(), 1);
    }
    assert_eq!(store.list(Order::ById, None, 99).unwrap().len(), NASTY.len());
    assert_eq!(names(place.path()), ["root"]);
    assert!(names(&root).iter().all(|name| name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/')));
    for id in NASTY {
        store.remove(id).unwrap();
    }
    assert!(names(&root).is_empty());
}

#[test]
fn an_id_that_can_be_no_name_is_refused_by_every_call() {
    let fixture = fixture();
    for id in ["", "a\0b", &"a".repeat(256), &"語".repeat(100)] {
        let store = &fixture.store;
        let is_invalid =
            |result: Result<()>| assert!(matches!(result, Err(StorageError::InvalidId(_))), "{id}: {result:?}");
        is_invalid(store.acquire(id).map(drop));
        is_invalid(store.publish(id, &[]).map(drop));
        is_invalid(store.publish("x", &[Part::Copy { id, at: 0, length: 0 }]).map(drop));
        is_invalid(store.stat(id).map(drop));
        is_invalid(store.read(id, 0, 1).map(drop));
        is_invalid(store.asides(id).map(drop));
        is_invalid(store.read_aside(id, "", 0, 1).map(drop));
        is_invalid(store.remove(id));
        is_invalid(store.load_checkpoint(id).map(drop));
        store.release(id);
    }
    assert!(fixture.names().is_empty());
}

/// Every call on a log that is no regular file is refused, says what it is, and leaves it alone.
#[track_caller]
fn is_refused(fixture: &Fixture, id: &str, what: &str) {
    let store = &fixture.store;
    let says = |result: Result<()>| {
        let text = assert_failed(result);
        assert!(text.contains(what) && text.contains(&format!("`{id}.jsonl`")), "{text}");
    };
    says(store.acquire(id).map(drop));
    says(store.stat(id).map(drop));
    says(store.read(id, 0, 9).map(drop));
    says(store.publish("new", &[Part::Copy { id, at: 0, length: 1 }]).map(drop));
    says(store.remove(id));
    assert_eq!(fixture.names(), [format!("{id}.jsonl")]);
}

#[test]
fn a_link_is_refused_wherever_it_leads() {
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret");
    fs::write(&secret, "secret\n").unwrap();
    for target in [secret.as_path(), elsewhere.path(), "x.jsonl".as_ref(), "nowhere".as_ref()] {
        let fixture = fixture();
        symlink(target, fixture.path("x.jsonl")).unwrap();
        is_refused(&fixture, "x", "a symbolic link");
    }
    assert_eq!(fs::read(&secret).unwrap(), b"secret\n");
    assert_eq!(names(elsewhere.path()), ["secret"]);
}

#[test]
fn a_folder_is_refused() {
    let fixture = fixture();
    fs::create_dir(fixture.path("x.jsonl")).unwrap();
    is_refused(&fixture, "x", "a folder");
}

#[test]
fn a_pipe_or_a_socket_is_refused_and_makes_nobody_wait() {
    for kind in [FileType::Fifo, FileType::Socket] {
        let fixture = fixture();
        mknodat(CWD, fixture.path("x.jsonl"), kind, 0o600.into(), 0).unwrap();
        is_refused(&fixture, "x", "no file");
    }
}

#[test]
fn links_in_the_place_of_unfinished_work_are_not_followed() {
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret");
    fs::write(&secret, "secret\n").unwrap();
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    fixture.store.set_aside("x", 4).unwrap();
    for name in ["~tmp.x.ckpt", "x.ckpt", "x.aside/~tmp", "~tmp.y.jsonl"] {
        symlink(&secret, fixture.path(name)).unwrap();
    }
    fixture.store.save_checkpoint("x", b"note").unwrap();
    fixture.store.append("x", 4, b"torn").unwrap();
    fixture.store.set_aside("x", 4).unwrap();
    assert_failed(fixture.store.publish("y", &[Part::Content(b"one\n")]));
    fixture.store.remove("x").unwrap();
    assert_eq!(fs::read(&secret).unwrap(), b"secret\n");
    assert_eq!(fixture.names(), ["~tmp.y.jsonl"]);
}
