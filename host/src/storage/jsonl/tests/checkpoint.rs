use std::fs;

use super::*;

#[test]
fn the_note_last_saved_is_what_is_loaded() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    assert_eq!(fixture.store.load_checkpoint("x").unwrap(), b"");
    fixture.store.save_checkpoint("x", b"a long first note").unwrap();
    fixture.store.save_checkpoint("x", b"second").unwrap();
    assert_eq!(fixture.other().load_checkpoint("x").unwrap(), b"second");
    assert_eq!(fixture.names(), ["x.ckpt", "x.jsonl"]);
}

#[test]
fn what_a_crash_has_left_of_a_note_is_swept_away() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fs::write(fixture.path("~tmp.x.ckpt"), "half a n").unwrap();
    fixture.store.save_checkpoint("x", b"note").unwrap();
    assert_eq!(fixture.bytes("x.ckpt"), b"note");
    assert_eq!(fixture.names(), ["x.ckpt", "x.jsonl"]);
}

#[test]
fn what_is_no_note_stops_nobody() {
    let fixture = fixture();
    fs::create_dir(fixture.path("folder.ckpt")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", fixture.path("link.ckpt")).unwrap();
    fs::File::create(fixture.path("huge.ckpt")).unwrap().set_len(1 << 40).unwrap();
    for id in ["folder", "link", "huge", "missing"] {
        assert_eq!(fixture.store.load_checkpoint(id).unwrap(), b"", "{id}");
    }
}
