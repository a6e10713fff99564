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
    for change in [
        "UPDATE sessions SET length = 5",
        "UPDATE sessions SET identity = 'another'",
        "DELETE FROM sessions",
        "DELETE FROM lines",
        "UPDATE lines SET bytes = substr(bytes, 1, 3)",
        "UPDATE lines SET at = 9",
    ] {
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
    assert!(text.contains("(`x`)") && text.contains("copy"), "{text}");
}

#[test]
fn whatever_page_is_damaged_it_is_told_and_what_else_can_be_read_is() {
    let fixture = fixture();
    let log = "one line of many\n".repeat(400);
    for id in ["a", "b", "c"] {
        publish(&fixture.store, id, &log);
    }
    let path = fixture.path();
    assert_eq!(fixture.store.check(), Ok(()));
    drop(fixture.store);
    let sound = std::fs::read(&path).unwrap();
    let (mut told, mut partly) = (0, 0);
    for page in 1..sound.len() / 4096 {
        let mut bytes = sound.clone();
        bytes[page * 4096..][..4096].fill(0);
        std::fs::write(&path, bytes).unwrap();
        let store = match Sqlite::open(&path) {
            Ok(store) => store,
            Err(error) => {
                assert!(error.is_damage(), "{page}: {error}");
                continue;
            }
        };
        let error = store.check().unwrap_err();
        assert!(error.is_damage() && error.to_string().contains("`x.db`"), "{page}: {error}");
        told += 1;
        let mut readable = 0;
        for id in ["a", "b", "c"] {
            match store.read(id, 0, u32::MAX) {
                Ok(read) => {
                    assert_eq!(read, log.as_bytes(), "{page}: {id}");
                    readable += 1;
                }
                Err(error) => assert!(error.is_damage() && error.to_string().contains(id), "{page}: {error}"),
            }
        }
        match store.list(crate::storage::Order::ById, None, 9) {
            Ok(list) => {
                let ids: Vec<_> = list.iter().filter_map(|log| log.id.as_deref()).collect();
                assert_eq!(ids, ["a", "b", "c"], "{page}");
                partly += u32::from((1..3).contains(&readable));
            }
            Err(error) => assert!(error.is_damage(), "{page}: {error}"),
        }
    }
    assert!(told > 10 && partly > 5, "{told}, {partly}");
}
