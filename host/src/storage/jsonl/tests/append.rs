use std::fs;

use super::*;

#[test]
fn bytes_are_added_where_the_log_ends() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.store.append("x", 4, b"two\n").unwrap();
    fixture.store.append("x", 8, b"").unwrap();
    fixture.store.append("x", 8, b"three\n").unwrap();
    assert_eq!(fixture.bytes("x.jsonl"), b"one\ntwo\nthree\n");
    fixture.store.sync("x").unwrap();
}

#[test]
fn reading_gives_as_much_as_there_is() {
    let fixture = fixture();
    publish(&fixture.store, "x", "0123456789");
    assert_eq!(fixture.store.read("x", 0, u32::MAX).unwrap(), b"0123456789");
    assert_eq!(fixture.store.read("x", 3, 4).unwrap(), b"3456");
    assert_eq!(fixture.store.read("x", 8, 4).unwrap(), b"89");
    assert_eq!(fixture.store.read("x", 10, 4).unwrap(), b"");
    assert_eq!(fixture.store.read("x", u64::MAX, 4).unwrap(), b"");
    assert_eq!(fixture.store.read("x", 3, 0).unwrap(), b"");
}

#[test]
fn an_append_elsewhere_than_at_the_end_is_refused() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    for at in [0, 3, 5, u64::MAX] {
        fixture.store.acquire("x").unwrap();
        let text = assert_moved(fixture.store.append("x", at, b"two\n"));
        assert!(text.contains("`x.jsonl`") && text.contains("4 bytes"), "{text}");
    }
    assert_eq!(fixture.bytes("x.jsonl"), b"one\n");
}

/// Does something to the log of `x` while it is held. Every call of the holder is to be refused until it asks again.
#[track_caller]
fn is_refused_after(change: impl FnOnce(&Fixture)) -> Fixture {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    change(&fixture);
    let before = fs::read(fixture.path("x.jsonl")).ok();
    assert_moved(fixture.store.append("x", 4, b"two\n"));
    assert_moved(fixture.store.append("x", 4, b"two\n"));
    assert_moved(fixture.store.sync("x"));
    assert_moved(fixture.store.set_aside("x", 0));
    assert_moved(fixture.store.save_checkpoint("x", b"note"));
    assert_eq!(fs::read(fixture.path("x.jsonl")).ok(), before);
    fixture
}

#[test]
fn another_program_that_appends_is_noticed_and_loses_nothing() {
    let fixture = is_refused_after(|fixture| add_foreign(fixture.path("x.jsonl"), "theirs\n"));
    assert_eq!(fixture.store.acquire("x").unwrap().length, 11);
    fixture.store.append("x", 11, b"two\n").unwrap();
    fixture.store.sync("x").unwrap();
    assert_eq!(fixture.bytes("x.jsonl"), b"one\ntheirs\ntwo\n");
}

#[test]
fn another_program_that_cuts_the_log_is_noticed() {
    let fixture = is_refused_after(|fixture| fs::write(fixture.path("x.jsonl"), "o").unwrap());
    assert_eq!(fixture.store.acquire("x").unwrap().length, 1);
    fixture.store.append("x", 1, b"ne\n").unwrap();
    fixture.store.sync("x").unwrap();
}

#[test]
fn a_log_that_is_replaced_by_an_equal_one_is_noticed() {
    let fixture = is_refused_after(|fixture| {
        fs::write(fixture.path("new"), "one\n").unwrap();
        fs::rename(fixture.path("new"), fixture.path("x.jsonl")).unwrap();
    });
    fixture.store.acquire("x").unwrap();
    fixture.store.append("x", 4, b"two\n").unwrap();
    assert_eq!(fixture.bytes("x.jsonl"), b"one\ntwo\n");
    assert_busy(fixture.other().acquire("x"));
}

#[test]
fn a_log_that_is_removed_is_noticed_and_not_made_anew() {
    let fixture = is_refused_after(|fixture| fs::remove_file(fixture.path("x.jsonl")).unwrap());
    assert_eq!(fixture.store.acquire("x"), Err(StorageError::NotFound));
    assert!(fixture.names().is_empty());
    publish(&fixture.store, "x", "anew\n");
    fixture.store.append("x", 5, b"two\n").unwrap();
}

#[test]
fn a_sync_vouches_for_the_log_and_not_for_a_file_that_was_it() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.store.append("x", 4, b"two\n").unwrap();
    fs::remove_file(fixture.path("x.jsonl")).unwrap();
    assert_moved(fixture.store.sync("x"));

    publish(&fixture.store, "x", "one\n");
    fixture.store.append("x", 4, b"two\n").unwrap();
    fs::OpenOptions::new().write(true).open(fixture.path("x.jsonl")).unwrap().set_len(4).unwrap();
    assert_moved(fixture.store.sync("x"));
}

#[test]
fn logs_do_not_wait_for_one_another() {
    let fixture = fixture();
    let ids: Vec<_> = (0..8).map(|number| format!("log-{number}")).collect();
    std::thread::scope(|scope| {
        for id in &ids {
            let store = &fixture.store;
            scope.spawn(move || {
                let mut at = publish(store, id, "one\n").length;
                for _ in 0..100 {
                    store.append(id, at, b"more\n").unwrap();
                    store.sync(id).unwrap();
                    at += 5;
                }
            });
        }
    });
    for id in &ids {
        assert_eq!(fixture.store.stat(id).unwrap().length, 504);
    }
}
