//! Rows that another program has changed, or that are gone.

use super::*;

const LOG: &[u8] = b"one\ntwo\nthree\n";
/// What is taken for missing at the most.
const LONGEST_GAP: u64 = 64 << 20;

fn damaged(change: &str) -> Fixture {
    let fixture = fixture();
    publish(&fixture.store, "x", std::str::from_utf8(LOG).unwrap());
    fixture.store.release("x");
    fixture.sql(change);
    fixture
}

/// The log with NUL bytes from one place to another.
fn with_nuls(from: usize, to: usize) -> Vec<u8> {
    let mut log = LOG.to_vec();
    log[from..to].fill(0);
    log
}

#[test]
fn where_rows_are_gone_a_log_reads_as_nul_bytes() {
    for (change, nuls) in [
        ("DELETE FROM lines WHERE at = 0", (0, 4)),
        ("DELETE FROM lines WHERE at = 4", (4, 8)),
        ("DELETE FROM lines WHERE at = 8", (8, 14)),
        ("DELETE FROM lines WHERE at < 8", (0, 8)),
        ("DELETE FROM lines", (0, 14)),
        ("UPDATE lines SET bytes = x'' WHERE at = 4", (4, 8)),
        ("UPDATE lines SET bytes = substr(bytes, 1, 2) WHERE at = 4", (6, 8)),
        ("UPDATE lines SET at = -5 WHERE at = 4", (4, 8)),
    ] {
        let fixture = damaged(change);
        let expected = with_nuls(nuls.0, nuls.1);
        assert_eq!(fixture.store.stat("x").unwrap().length, 14);
        for from in 0..=14 {
            for max in 0..=15 {
                let read = fixture.store.read("x", from as u64, max as u32).unwrap();
                assert_eq!(read, expected[from..(from + max).min(14)], "{change}: {max} from {from}");
            }
        }
    }
}

#[test]
fn a_log_with_rows_that_are_gone_can_be_cut_there_and_goes_on() {
    for at in [0, 4, 8] {
        let fixture = damaged(&format!("DELETE FROM lines WHERE at = {at}"));
        let end = if at == 8 { 14 } else { at + 4 };
        let store = &fixture.store;
        assert_eq!(store.acquire("x").unwrap().length, 14);
        let aside = store.set_aside("x", at as u64).unwrap();
        let cut_off = store.read_aside("x", &aside.name, 0, 99).unwrap();
        assert_eq!(cut_off, with_nuls(at, end)[at..]);
        assert_eq!(aside.length, cut_off.len() as u64);
        store.append("x", at as u64, b"more\n").unwrap();
        store.sync("x").unwrap();
        assert_eq!(fixture.other().read("x", 0, 99).unwrap(), [&LOG[..at], b"more\n"].concat());
    }
}

#[test]
fn a_log_has_all_that_its_rows_have_whatever_its_length_says() {
    for length in [4, 5, 0, -1, i64::MIN] {
        let fixture = damaged(&format!("UPDATE sessions SET length = {length}"));
        let store = &fixture.store;
        assert_eq!(store.stat("x").unwrap().length, 14);
        assert_eq!(store.acquire("x").unwrap().length, 14);
        assert_eq!(store.read("x", 0, 99).unwrap(), LOG);
        store.append("x", 14, b"four\n").unwrap();
        store.sync("x").unwrap();
        let written: i64 = Connection::open(fixture.path())
            .unwrap()
            .query_row("SELECT length FROM sessions", (), |row| row.get(0))
            .unwrap();
        assert_eq!(written, 19);
    }
}

#[test]
fn a_log_that_should_be_longer_than_its_rows_ends_in_nul_bytes_and_can_be_cut() {
    for (length, expected) in [(15, 15), (99, 99), (i64::MAX, 14 + LONGEST_GAP)] {
        let fixture = damaged(&format!("UPDATE sessions SET length = {length}"));
        let store = &fixture.store;
        assert_eq!(store.acquire("x").unwrap().length, expected);
        let read = store.read("x", 0, 99).unwrap();
        assert!(read.starts_with(LOG) && read[14..].iter().all(|&byte| byte == 0));
        assert_eq!(read.len() as u64, expected.min(99));
        assert_eq!(store.set_aside("x", 14).unwrap().length, expected - 14);
        assert_eq!(fixture.other().stat("x").unwrap().length, 14);
        store.append("x", 14, b"four\n").unwrap();
    }
}

#[test]
fn a_stretch_too_long_to_be_missing_is_an_error_that_names_it_and_changes_nothing() {
    for at in ["1 << 60", "9223372036854775807"] {
        let fixture = damaged(&format!("UPDATE lines SET at = {at} WHERE at = 8"));
        assert_eq!(fixture.store.read("x", 0, 99).unwrap(), LOG[..8]);
        let text = assert_failed(fixture.store.read("x", 8, 99));
        assert!(text.contains("bytes 8 to") && text.contains("`lines`") && text.contains("`x`"), "{text}");
        fixture.store.acquire("x").unwrap();
        assert_failed(fixture.store.set_aside("x", 0));
        assert_eq!(fixture.rows("x").concat().as_bytes(), LOG);
        fixture.sql(text.split('`').find(|told| told.starts_with("UPDATE")).unwrap());
        assert_eq!(fixture.store.read("x", 0, 99).unwrap(), LOG);
    }
}

#[test]
fn rows_whose_session_is_lost_do_not_become_those_of_the_next() {
    for table in ["lines", "asides", "checkpoints"] {
        let fixture = damaged("");
        let store = &fixture.store;
        store.acquire("x").unwrap();
        store.save_checkpoint("x", b"note").unwrap();
        store.set_aside("x", 8).unwrap();
        fixture.sql("DELETE FROM sessions");
        for other in ["lines", "asides", "checkpoints"].iter().filter(|&&other| other != table) {
            fixture.sql(&format!("DELETE FROM {other}"));
        }
        publish(store, "y", "four\n");
        assert_eq!(store.read("y", 0, 99).unwrap(), b"four\n", "{table}");
        assert_eq!(store.asides("y").unwrap(), [], "{table}");
        assert_eq!(store.load_checkpoint("y").unwrap(), b"", "{table}");
        store.remove("y").unwrap();
        let count = format!("SELECT count(*) FROM {table} WHERE session = 1");
        let left: i64 = Connection::open(fixture.path()).unwrap().query_row(&count, (), |row| row.get(0)).unwrap();
        assert!(left > 0, "{table}");
    }
}

#[test]
fn a_number_that_leaves_no_room_for_more_is_passed_over() {
    let fixture = damaged("UPDATE lines SET session = 9223372036854775807 WHERE at = 8");
    publish(&fixture.store, "y", "four\n");
    assert_eq!(fixture.store.read("y", 0, 99).unwrap(), b"four\n");
}

#[test]
fn a_row_that_has_too_many_bytes_hides_no_other() {
    let bytes =
        ["CAST('one' || char(10) || 'two' || char(10) || 'three' || char(10) || 'four' AS BLOB)", "zeroblob(500)"];
    for (at, end) in [(0, 4), (4, 8)] {
        for (bytes, is_nul) in bytes.iter().zip([false, true]) {
            let fixture = damaged(&format!("UPDATE lines SET bytes = {bytes} WHERE at = {at}"));
            let mut expected = if is_nul { with_nuls(at, end) } else { LOG.to_vec() };
            if !is_nul && at == 4 {
                expected[4..8].copy_from_slice(b"one\n");
            }
            assert_eq!(fixture.store.stat("x").unwrap().length, 14);
            for from in 0..=14 {
                for max in 0..=15 {
                    let read = fixture.store.read("x", from as u64, max as u32).unwrap();
                    assert_eq!(read, expected[from..(from + max).min(14)], "{bytes} at {at}: {max} from {from}");
                }
            }
        }
    }
}

#[test]
fn a_log_is_cut_as_it_is_read_whatever_its_rows_have_and_goes_on() {
    for change in [
        "UPDATE lines SET bytes = zeroblob(500) WHERE at = 0",
        "UPDATE lines SET bytes = zeroblob(500) WHERE at = 4",
        "UPDATE lines SET bytes = CAST(bytes || bytes AS BLOB)",
        "UPDATE lines SET bytes = x'' WHERE at = 4",
        "UPDATE lines SET at = -5 WHERE at = 4",
        "DELETE FROM lines WHERE at = 4",
        "DELETE FROM lines WHERE at < 8",
        "UPDATE lines SET at = 9 WHERE at = 4",
    ] {
        for at in 0..14 {
            let fixture = damaged(change);
            let store = &fixture.store;
            store.acquire("x").unwrap();
            let before = store.read("x", 0, 99).unwrap();
            let aside = store.set_aside("x", at as u64).unwrap();
            assert_eq!(store.read_aside("x", &aside.name, 0, 99).unwrap(), before[at..], "{change}: {at}");
            assert_eq!(store.stat("x").unwrap().length, at as u64, "{change}: {at}");
            store.append("x", at as u64, b"more\n").unwrap();
            store.sync("x").unwrap();
            assert_eq!(
                fixture.other().read("x", 0, 99).unwrap(),
                [&before[..at], b"more\n"].concat(),
                "{change}: {at}"
            );
        }
    }
}
