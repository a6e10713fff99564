use proptest::prelude::*;

use super::*;

fn record(line: &str) -> Result<Record<'_>, Reason> {
    decode_record(line.as_bytes())
}

#[test]
fn members_are_read_in_any_order_and_with_white_space() {
    let line = "\t{ \"data\" : { \"a\" : 1.0 } ,\"time\":5, \"x\":[] ,\"seq\":3,\"type\":\"a\\/b\" } \r";
    let expected = Record { seq: 3, time: 5, kind: "a/b".into(), data: "{ \"a\" : 1.0 }" };
    assert_eq!(record(line), Ok(expected));
}

#[test]
fn lines_that_are_no_records_say_why() {
    let cases = [
        ("null", "is no JSON object"),
        ("7", "is no JSON object"),
        ("[]", "is no JSON object"),
        ("", "is no JSON at its byte 0"),
        ("{}", "has no `seq`"),
        (r#"{"type":"a","seq":"1","time":1,"data":1}"#, "`seq` that is no whole number"),
        (r#"{"type":"a","seq":1,"seq":1,"time":1,"data":1}"#, "has `seq` twice"),
        (r#"{"type":"a","seq":1,"\u0073eq":1,"time":1,"data":1}"#, "has `seq` twice"),
        (r#"{"type":"a","seq":1,"time":-1,"data":1}"#, "`time` that is no whole number"),
        (r#"{"type":"a","seq":1,"time":1.5,"data":1}"#, "`time` that is no whole number"),
        (r#"{"type":"a","seq":9007199254740992,"time":1,"data":1}"#, "`seq` that is no whole number"),
        (r#"{"type":"a","seq":1,"time":1}"#, "has no `data`"),
        (r#"{"type":"a","seq":1,"time":1,"data":1,"data":1}"#, "has `data` twice"),
        (r#"{"type":7,"seq":1,"time":1,"data":1}"#, "has a `type` that is no text"),
        (r#"{"type":"\ud83d","seq":1,"time":1,"data":1}"#, "has a `type` that is no text"),
        (r#"{"type":"a","seq":1,"time":1,"data":1}{"#, "is no JSON at its byte 38"),
        (r#"{"type":"user/mess"#, "is no JSON"),
    ];
    for (line, why) in cases {
        let reason = record(line).expect_err(line);
        assert!(reason.contains(why), "{line}: {reason}");
    }
    assert_eq!(decode_record(b"{\"type\":\"\xff\"}").unwrap_err(), "is no UTF-8 at its byte 9");
}

#[test]
fn data_is_kept_byte_for_byte() {
    for data in [
        r#"{"t":"\ud83d"}"#,
        r#"{"id":2512292042121000001,"f":1.0,"e":1e400}"#,
        r#"{"b":1,"a":2}"#,
        r#"{"a":1,"a":2}"#,
        "{\"t\":\"\u{2028}\u{2029}\u{85}\"}",
        " \"x\" ".trim(),
        "[1,  2]",
    ] {
        let event = Event { seq: 1, time: 2, type_: "a".into(), data: data.into() };
        let mut line = String::new();
        assert_eq!(write_event(&mut line, &event), Ok(()));
        assert_eq!(line, format!("{{\"type\":\"a\",\"seq\":1,\"time\":2,\"data\":{data}}}\n"));
        assert_eq!(record(line.trim_end()).map(|record| record.to_event()), Ok(event));
    }
}

#[test]
fn events_that_cannot_be_stored_say_why() {
    let event = |kind: &str, time, data: String| Event { seq: 1, time, type_: kind.into(), data };
    let cases = [
        (event("session", 1, "{}".into()), "the header's"),
        (event("a", MAX_NUMBER + 1, "{}".into()), "2^53 - 1"),
        (event("a", 1, "{\n}".into()), "line break"),
        (event("a", 1, "{\r}".into()), "line break"),
        (event("a", 1, "{".into()), "the event's `data` is no JSON at its byte 1"),
        (event("a", 1, String::new()), "the event's `data` is no JSON"),
        (event("a", 1, "1 2".into()), "the event's `data` is no JSON"),
        (event("a", 1, "[".repeat(128) + &"]".repeat(128)), "nested deeper"),
    ];
    for (event, why) in cases {
        let mut out = String::from("kept");
        let reason = write_event(&mut out, &event).expect_err(why);
        assert!(reason.contains(why), "{reason}");
        assert_eq!(out, "kept");
    }
}

#[test]
fn nesting_is_stored_up_to_the_limit_and_read_back() {
    let data = "[".repeat(127) + &"]".repeat(127);
    let mut line = String::new();
    write_event(&mut line, &Event { seq: 0, time: 0, type_: "a".into(), data: data.clone() }).unwrap();
    assert_eq!(record(line.trim_end()).unwrap().data, data);
    assert!(serde_json::from_str::<serde_json::Value>(&data).is_ok(), "hosts can read it too");
    let deeper = line.replace(&data, &format!("[{data}]"));
    assert!(record(deeper.trim_end()).unwrap_err().contains("nested deeper"));
}

#[test]
fn a_line_may_have_16_mib_and_not_a_byte_more() {
    let envelope = "{\"type\":\"a\",\"seq\":0,\"time\":0,\"data\":\"\"}".len();
    let event = |length| Event { seq: 0, time: 0, type_: "a".into(), data: format!("\"{}\"", "x".repeat(length)) };
    let mut line = String::new();
    assert_eq!(write_event(&mut line, &event(MAX_LINE - envelope)), Ok(()));
    assert_eq!(line.len(), MAX_LINE + 1);
    assert!(record(line.trim_end()).is_ok());
    assert!(write_event(&mut line, &event(MAX_LINE - envelope + 1)).unwrap_err().contains("16 MiB"));
    assert!(record(&line.trim_end().replace("xxx", "xxxx")[..]).is_err());
}

fn header(line: &str) -> Result<SessionHeader, NoHeader> {
    decode_header(line.as_bytes())
}

#[test]
fn a_header_is_written_in_one_order_and_read_in_any() {
    let whole = SessionHeader {
        version: 0,
        id: "a\"b".into(),
        created_at: 7,
        cwd: Some("/w".into()),
        parent_session: Some("p".into()),
        seed_length: Some(12),
    };
    let line =
        r#"{"type":"session","version":0,"id":"a\"b","createdAt":7,"cwd":"/w","parentSession":"p","seedLength":12}"#;
    assert_eq!(encode_header(&whole), format!("{line}\n"));
    assert_eq!(header(line).as_ref(), Ok(&whole));
    let shuffled = r#"{"x":1,"seedLength":12,"cwd":"/w","id":"a\u0022b","parentSession":"p","createdAt":7,"version":0,"type":"session"}"#;
    assert_eq!(header(shuffled), Ok(whole));
    let bare = header(r#"{"type":"session","version":0,"id":"a","createdAt":7,"cwd":null}"#).unwrap();
    assert_eq!(encode_header(&bare), "{\"type\":\"session\",\"version\":0,\"id\":\"a\",\"createdAt\":7}\n");
}

#[test]
fn the_version_is_judged_before_the_rest_of_the_header() {
    assert_eq!(header(r#"{"type":"session","version":1}"#), Err(NoHeader::Version(1)));
    assert_eq!(header(r#"{"type":"session","version":99,"id":7}"#), Err(NoHeader::Version(99)));
    assert_eq!(header(r#"{"type":"session","version":99999999999}"#), Err(NoHeader::Version(99_999_999_999)));
}

#[test]
fn first_lines_that_are_no_header_say_why() {
    let cases = [
        ("\u{feff}{\"type\":\"session\",\"version\":0}", "byte-order mark (EF BB BF)"),
        ("", "is no JSON"),
        (r#"{"type":"turn/start","seq":0,"time":0,"data":{}}"#, "is no header"),
        (r#"{"type":"session","id":"a","createdAt":1}"#, "has no `version`"),
        (r#"{"type":"session","version":0,"createdAt":1}"#, "has no `id`"),
        (r#"{"type":"session","version":0,"version":1,"id":"a","createdAt":1}"#, "has `version` twice"),
        (r#"{"type":"session","version":0,"id":"a","createdAt":1,"cwd":7}"#, "has a `cwd` that is no text"),
        (r#"{"type":"session","version":0,"id":"a","createdAt":1,"seedLength":-1}"#, "has a `seedLength`"),
    ];
    for (line, why) in cases {
        match header(line) {
            Err(NoHeader::Malformed(reason)) => assert!(reason.contains(why), "{line}: {reason}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    let long = format!(r#"{{"type":"session","version":0,"id":"a","createdAt":1,"cwd":"{}"}}"#, "x".repeat(MAX_HEADER));
    assert!(matches!(header(&long), Err(NoHeader::Malformed(reason)) if reason.contains("64 KiB")));
}

proptest! {
    #[test]
    fn whatever_is_written_is_read_back_and_is_json(seq in 0..=MAX_NUMBER, time in 0..=MAX_NUMBER, kind in any::<String>(), text in any::<String>()) {
        prop_assume!(kind != HEADER_TYPE);
        let data = serde_json::to_string(&text).unwrap();
        let event = Event { seq, time, type_: kind, data };
        let mut line = String::new();
        prop_assert_eq!(write_event(&mut line, &event), Ok(()));
        prop_assert!(!line.trim_end_matches('\n').contains('\n'));
        prop_assert_eq!(record(&line[..line.len() - 1]).map(|record| record.to_event()), Ok(event));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
    }

    #[test]
    fn no_bytes_panic_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = (decode_record(&bytes), decode_header(&bytes));
    }
}

/// Lines as they are written, and what is nearly one.
fn nearly_written() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof!["[a-z/]{0,70}", "\\PC{0,8}", Just("a\\u0062".into()), Just("a\\x".into())];
    let number = prop_oneof![
        "[0-9]{1,17}",
        Just("01".into()),
        Just("9007199254740992".into()),
        Just("-1".into()),
        Just(String::new())
    ];
    let data = prop_oneof![
        "\\PC{0,90}".prop_map(|text| serde_json::json!({ "text": text, "n": [1, 2.5, null] }).to_string()),
        "\"[a-zé\\\\\"]{0,140}\"",
        Just(" 1".into()),
        Just("1 ".into()),
        Just("[1,]".into()),
    ];
    let line = (kind, number.clone(), number, data).prop_map(|(kind, seq, time, data)| {
        format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{time},\"data\":{data}}}").into_bytes()
    });
    (line, any::<prop::sample::Index>(), prop::option::weighted(0.5, any::<u8>())).prop_map(|(mut line, at, byte)| {
        let at = at.index(line.len());
        if let Some(byte) = byte {
            line[at] = byte;
        }
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn a_line_read_in_one_pass_is_what_it_is_member_by_member(line in nearly_written()) {
        if let Some(record) = written::read(&line) {
            prop_assert_eq!(Ok(record), decode_any_record(&line), "{}", line.escape_ascii());
        }
    }

    #[test]
    fn what_is_written_is_read_in_one_pass(kind in "[a-z/]{0,70}", seq in 0..=MAX_NUMBER, time in 0..=MAX_NUMBER, text in any::<String>()) {
        let event = Event { seq, time, type_: kind, data: serde_json::json!({ "text": text }).to_string() };
        let mut line = String::new();
        encode_record(&mut line, &Record::from(&event));
        prop_assert_eq!(written::read(line.trim_end_matches('\n').as_bytes()), Some(Record::from(&event)));
    }
}
