use super::*;

/// Ends of lines in every place: none, several at once, at the beginning, at the end.
const PIECES: [&[u8]; 8] = [b"one\n", b"two\nthr", b"ee", b"\n\n", b"", b"\nfour\0\xff\n", b"five", b"\n"];

fn published(pieces: &[&[u8]]) -> (Fixture, Vec<u8>) {
    let fixture = fixture();
    let mut at = fixture.store.publish("x", &[]).unwrap().length;
    for piece in pieces {
        fixture.store.append("x", at, piece).unwrap();
        at += piece.len() as u64;
    }
    (fixture, pieces.concat())
}

fn all(store: &dyn Storage, id: &str) -> Vec<u8> {
    store.read(id, 0, u32::MAX).unwrap()
}

#[test]
fn every_window_of_a_log_reads_back_as_it_was_written() {
    let (fixture, bytes) = published(&PIECES);
    assert_eq!(fixture.store.stat("x").unwrap().length, bytes.len() as u64);
    for from in 0..=bytes.len() + 1 {
        for max in 0..=bytes.len() + 1 {
            let expected = &bytes[from.min(bytes.len())..(from + max).min(bytes.len())];
            assert_eq!(fixture.store.read("x", from as u64, max as u32).unwrap(), expected, "{max} from {from}");
        }
    }
    assert_eq!(fixture.store.read("x", u64::MAX, u32::MAX).unwrap(), b"");
}

#[test]
fn a_row_is_a_line() {
    let (fixture, _) = published(&[b"one\ntwo\n", b"three\n", b"to"]);
    assert_eq!(fixture.rows("x"), ["one\n", "two\n", "three\n", "to"]);
    // The rest of a line is a row of its own: nothing is ever written a second time.
    fixture.store.append("x", 16, b"rn\nfour\n").unwrap();
    assert_eq!(fixture.rows("x"), ["one\n", "two\n", "three\n", "to", "rn\n", "four\n"]);
}

#[test]
fn a_line_that_is_longer_than_what_is_asked_for_is_read_in_pieces() {
    let line: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).map(|byte| byte | 0x10).collect();
    let (fixture, bytes) = published(&[b"one\n", &line, b"\nthree\n"]);
    let windows = (0..bytes.len()).step_by(65_537).map(|at| fixture.store.read("x", at as u64, 65_537).unwrap());
    assert!(windows.collect::<Vec<_>>().concat() == bytes);
}

#[test]
fn every_stretch_of_a_log_can_be_copied() {
    let (fixture, bytes) = published(&PIECES);
    for from in 0..=bytes.len() {
        for to in from..=bytes.len() {
            let copy = Part::Copy { id: "x", at: from as u64, length: (to - from) as u64 };
            let info = fixture.store.publish("y", &[Part::Content(b"head\n"), copy, Part::Content(b"tail")]).unwrap();
            let expected = [b"head\n", &bytes[from..to], b"tail"].concat();
            assert_eq!(info.length, expected.len() as u64);
            assert_eq!(all(&fixture.store, "y"), expected);
            fixture.store.remove("y").unwrap();
        }
    }
}

#[test]
fn a_stretch_that_is_not_there_makes_no_log() {
    let (fixture, bytes) = published(&PIECES);
    let end = bytes.len() as u64;
    for (at, length) in [(0, end + 1), (end, 1), (end + 1, 0), (1, u64::MAX), (u64::MAX, 1)] {
        let text = assert_failed(fixture.store.publish("y", &[Part::Copy { id: "x", at, length }]));
        assert!(text.contains("`x`") && text.contains(&end.to_string()), "{text}");
    }
    let missing = Part::Copy { id: "missing", at: 0, length: 0 };
    assert_eq!(fixture.store.publish("y", &[Part::Content(b"one\n"), missing]), Err(StorageError::NotFound));
    assert_eq!(fixture.store.stat("y"), Err(StorageError::NotFound));
}

#[test]
fn a_log_can_be_cut_anywhere_and_what_is_cut_off_is_kept() {
    let bytes = PIECES.concat();
    for at in 0..bytes.len() {
        let (fixture, bytes) = published(&PIECES);
        let (kept, cut) = bytes.split_at(at);
        let aside = fixture.store.set_aside("x", at as u64).unwrap();
        assert_eq!(aside.length, cut.len() as u64);
        assert_eq!(all(&fixture.store, "x"), kept);
        assert_eq!(fixture.store.asides("x").unwrap(), std::slice::from_ref(&aside));
        for from in 0..=cut.len() {
            let rest = &cut[from..];
            assert_eq!(fixture.store.read_aside("x", &aside.name, from as u64, u32::MAX).unwrap(), rest);
            let few = fixture.store.read_aside("x", &aside.name, from as u64, 2).unwrap();
            assert_eq!(few, rest[..rest.len().min(2)]);
        }
        fixture.store.append("x", at as u64, b"more\n").unwrap();
        assert_eq!(all(&fixture.store, "x"), [kept, b"more\n"].concat());
    }
}

#[test]
fn the_same_bytes_set_aside_again_are_kept_once_and_others_beside_them() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let set_aside = |bytes: &[u8]| {
        fixture.store.append("x", 4, bytes).unwrap();
        fixture.store.set_aside("x", 4).unwrap()
    };
    let first = set_aside(b"torn");
    assert_eq!(first.name, "4.00cc10cc5ab0a89f");
    assert_eq!(set_aside(b"torn"), first);
    let other = set_aside(b"tor");
    let mut both = vec![first, other];
    both.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(fixture.store.asides("x").unwrap(), both);
    let text = assert_moved(fixture.store.set_aside("x", 4));
    assert!(text.contains("4 bytes"), "{text}");
}

#[test]
fn an_append_elsewhere_than_at_the_end_is_refused() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    for at in [0, 3, 5, u64::MAX] {
        fixture.store.acquire("x").unwrap();
        let text = assert_moved(fixture.store.append("x", at, b"two\n"));
        assert!(text.contains("`x`") && text.contains("4 bytes"), "{text}");
        assert_moved(fixture.store.append("x", 4, b"two\n"));
    }
    assert_eq!(all(&fixture.store, "x"), b"one\n");
}

#[test]
fn a_log_that_is_removed_takes_everything_with_it() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    fixture.store.set_aside("x", 4).unwrap();
    fixture.store.save_checkpoint("x", b"note").unwrap();
    assert_eq!(fixture.store.load_checkpoint("x").unwrap(), b"note");
    let first = fixture.store.stat("x").unwrap();
    publish(&fixture.store, "y", "one\n");
    fixture.store.remove("x").unwrap();
    fixture.store.remove("x").unwrap();
    assert_eq!(fixture.store.stat("x"), Err(StorageError::NotFound));
    let again = publish(&fixture.store, "x", "one\n");
    assert_ne!(again.identity, first.identity);
    assert_eq!(fixture.store.asides("x").unwrap(), []);
    assert_eq!(fixture.store.load_checkpoint("x").unwrap(), b"");
    assert_eq!(all(&fixture.store, "y"), b"one\n");
}

#[test]
fn a_log_of_that_name_is_never_replaced() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    for store in [&fixture.store, &fixture.other()] {
        assert_eq!(store.publish("x", &[Part::Content(b"other\n")]), Err(StorageError::AlreadyExists));
    }
    assert_eq!(all(&fixture.store, "x"), b"one\n");
    fixture.store.append("x", 4, b"still held\n").unwrap();
}

#[test]
fn names_that_can_not_be_are_refused_before_anything_is_made() {
    let fixture = fixture();
    for id in ["", "a\0b", &"é".repeat(128), &"É".repeat(80)] {
        assert!(matches!(fixture.store.publish(id, &[]), Err(StorageError::InvalidId(_))), "{id:?}");
        assert!(matches!(fixture.store.stat(id), Err(StorageError::InvalidId(_))), "{id:?}");
    }
    assert!(names(fixture.folder.path()).is_empty());
}
