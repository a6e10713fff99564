use super::*;

const HEADER: &str = r#"{"type":"session","version":0,"id":"x","createdAt":1}"#;
const EVENTS: [&str; 2] = [
    r#"{"type":"turn/start","seq":0,"time":5,"data":{"b":1,"a":2,"a":3,"n":2512292042121000001,"f":1.0}}"#,
    r#"{"type":"note","seq":1,"time":6,"data":"\ud83d"}"#,
];

#[test]
fn events_can_be_asked_for_with_sql() {
    let fixture = fixture();
    let lines = format!("{HEADER}\n{}\n{}\n", EVENTS[0], EVENTS[1]);
    publish(&fixture.store, "x", &(lines + "\n7\n[]\nno json\n{\"type\":\"to"));
    publish(&fixture.store, "y", EVENTS[0]);
    let database = Connection::open(fixture.path()).unwrap();
    let mut select = database.prepare("SELECT seq, type, time, data FROM events WHERE session_id = 'x'").unwrap();
    let rows = select.query_map((), |row| {
        Ok((row.get::<_, u64>(0)?, row.get::<_, String>(1)?, row.get::<_, u64>(2)?, row.get::<_, String>(3)?))
    });
    let rows: Vec<_> = rows.unwrap().map(Result::unwrap).collect();
    assert_eq!(
        rows,
        [
            (0, "turn/start".into(), 5, r#"{"b":1,"a":2,"a":3,"n":2512292042121000001,"f":1.0}"#.into()),
            (1, "note".into(), 6, r#""\ud83d""#.into()),
        ]
    );
}

#[test]
fn a_log_that_another_program_changes_while_it_is_held_is_noticed() {
    for change in ["UPDATE sessions SET length = 3", "UPDATE sessions SET identity = 'another'", "DELETE FROM sessions"]
    {
        let fixture = fixture();
        publish(&fixture.store, "x", "one\n");
        fixture.sql(change);
        for _ in 0..2 {
            assert_moved(fixture.store.append("x", 4, b"two\n"));
        }
        assert_moved(fixture.store.sync("x"));
    }
}

#[test]
fn a_log_is_read_up_to_a_row_that_is_gone_and_what_is_missing_is_named() {
    let log = b"one\ntwo\nthree\n";
    for (gone, told) in [(0, "bytes 0 to 4"), (4, "bytes 4 to 8"), (8, "bytes 8 to 14")] {
        let fixture = fixture();
        publish(&fixture.store, "x", "one\ntwo\nthree\n");
        fixture.sql(&format!("DELETE FROM lines WHERE at = {gone}"));
        if gone > 0 {
            assert_eq!(fixture.store.read("x", 0, 99).unwrap(), log[..gone]);
        }
        let text = assert_failed(fixture.store.read("x", gone as u64, 99));
        assert!(text.contains(told) && text.contains("`lines`") && text.contains("number 1"), "{text}");
        assert_failed(fixture.store.set_aside("x", 0));
    }
}

#[test]
fn a_log_that_does_not_end_where_its_rows_do_is_not_given_to_a_writer() {
    for damage in
        ["UPDATE sessions SET length = 4", "UPDATE sessions SET length = 99", "DELETE FROM lines WHERE at = 8"]
    {
        let fixture = fixture();
        publish(&fixture.store, "x", "one\ntwo\nthree\n");
        let rows = |fixture: &Fixture| fixture.rows("x");
        fixture.sql(damage);
        let before = rows(&fixture);
        for _ in 0..2 {
            let text = assert_failed(fixture.store.acquire("x"));
            assert!(text.contains("`lines`") && text.contains("number 1"), "{text}");
            fixture.store.release("x");
        }
        assert_moved(fixture.store.set_aside("x", 0));
        assert_eq!(rows(&fixture), before);
    }
}

#[test]
fn numbers_that_no_log_can_have_are_told_and_harm_nobody() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    publish(&fixture.store, "y", "one\n");
    fixture.sql("UPDATE sessions SET length = 9223372036854775807 WHERE id = 'x'");
    assert_failed(fixture.store.read("x", 4, 99));
    assert_failed(fixture.store.read("x", u64::MAX - 1, 99).and_then(|_| fixture.store.read("x", 4, 99)));
    fixture.sql("UPDATE sessions SET length = -1 WHERE id = 'x'");
    assert_failed(fixture.store.stat("x"));
    fixture.sql("UPDATE lines SET at = -5 WHERE session = (SELECT number FROM sessions WHERE id = 'y')");
    assert_failed(fixture.store.read("y", 0, 99));
}

#[test]
fn a_damaged_database_is_told() {
    let fixture = fixture();
    publish(&fixture.store, "x", &"one\n".repeat(9_999));
    let path = fixture.path();
    drop(fixture.store);
    let mut bytes = std::fs::read(&path).unwrap();
    // All pages behind the table of tables.
    let from = bytes.len().min(8 * 4096);
    bytes[from..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let text = assert_failed(Sqlite::open(&path).and_then(|store| store.read("x", 0, u32::MAX)));
    assert!(text.contains("x.db") && text.contains("malformed"), "{text}");
}
