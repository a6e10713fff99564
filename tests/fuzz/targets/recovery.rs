//! Recovery of any bytes, native, against the model: how far a log is sound, and what closes its turn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_guest::log;
use session_guest::types::{DamageKind, Error};
use session_tests::model::{self, Broken, Kind, NoLog};

fuzz_target!(|bytes: &[u8]| {
    let read = log::read(bytes, bytes.len() as u64, Some("s"));
    match (read, model::read(bytes, "s")) {
        (Err(Error::UnsupportedVersion(told)), Err(NoLog::Version(version))) => {
            assert_eq!(told, version);
        }
        (Err(Error::Corrupt(damage)), Err(NoLog::Broken(broken))) => assert_eq!(as_model(&damage), broken),
        (Ok((sound, damage)), Ok(expected)) => {
            assert_eq!((sound.end, sound.events), (expected.end as u64, expected.events.len() as u64));
            assert_eq!(damage.as_ref().map(as_model), expected.broken);
            let closers = sound.closers().expect("so few calls can be closed");
            let closing = model::closers(&expected.events, expected.header.created_at);
            let closers: Vec<_> =
                closers.iter().map(|closer| (closer.seq, closer.time, &*closer.type_, &*closer.data)).collect();
            let closing: Vec<_> =
                closing.iter().map(|closer| (closer.seq, closer.time, &*closer.kind, &*closer.data)).collect();
            assert_eq!(closers, closing);
        }
        (read, expected) => panic!("{:?}, but {expected:?}", read.map(|(sound, _)| sound.events)),
    }
});

fn as_model(damage: &session_guest::types::Damage) -> Broken {
    let kind = match damage.kind {
        DamageKind::Torn => Kind::Torn,
        DamageKind::Malformed => Kind::Malformed,
        DamageKind::Gap => Kind::Gap,
        DamageKind::Repeated => Kind::Repeated,
    };
    let (offset, length) = (damage.offset as usize, damage.length as usize);
    Broken { kind, expected: damage.expected, offset, length, records: damage.records }
}
