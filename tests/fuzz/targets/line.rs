//! The codec of one line: what is a record, and what is written is read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_guest::line::{Record, decode_header, decode_record, encode_record, write_event};
use session_tests::model;

fuzz_target!(|bytes: &[u8]| {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    assert_eq!(decode_header(line).is_ok(), model::header(line).is_ok());

    let read = decode_record(line);
    let expected = model::record(line);
    assert_eq!(read.is_ok(), expected.is_some(), "{read:?}");
    let (Ok(record), Some(expected)) = (read, expected) else { return };
    let event = record.to_event();
    assert_eq!(
        (event.seq, event.time, &*event.type_, &*event.data),
        (expected.seq, expected.time, &*expected.kind, &*expected.data)
    );

    let mut written = String::new();
    encode_record(&mut written, &record);
    let again = decode_record(written.trim_end_matches('\n').as_bytes());
    // What was read may hold white space that, without its line, no event may bring: a CR.
    assert_eq!(again, Ok(Record { kind: record.kind.clone(), ..record }));

    let mut appended = String::new();
    if write_event(&mut appended, &event).is_ok() {
        assert_eq!(appended, written);
    } else {
        assert!(appended.is_empty());
        assert!(event.type_ == "session" || event.data.contains('\r'), "{event:?} was read and can't be written");
    }
});
