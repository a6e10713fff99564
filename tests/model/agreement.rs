//! What the component makes of a log, held against the model.

use std::sync::Arc;

use session_host::{Damage, DamageKind, Engine, Error, Memory, OnDamage, Part, Sessions, Storage, WakeOptions};

use super::{Broken, Kind, Log, NoLog, Record, closers, read};

const ID: &str = "s";

/// Puts these bytes in place as the log of the session `s`, looks at it, wakes it, wakes it again.
///
/// # Panics
/// If the component and the model differ in what is sound, what is damaged, what closes the turn, or what is stored then.
pub fn assert_agreement(engine: &Engine, bytes: &[u8]) {
    let storage: Arc<dyn Storage> = Arc::new(Memory::new());
    storage.publish(ID, &[Part::Content(bytes)]).expect("the memory takes any log");
    storage.release(ID);
    let stored = || storage.read(ID, 0, u32::MAX).expect("the log is there");
    let sessions = || Sessions::builder(engine).open_shared(storage.sibling().expect("there is a sibling"));
    let (careful, set_aside) =
        (WakeOptions::default(), WakeOptions { on_damage: OnDamage::SetAside, ..WakeOptions::default() });

    let log = match read(bytes, ID) {
        Ok(log) => log,
        Err(reason) => {
            let refused = |error: &Error| match (error, reason) {
                (Error::UnsupportedVersion(told), NoLog::Version(version)) => *told == version,
                (Error::Corrupt(damage), NoLog::Broken(broken)) => is(damage, &broken),
                _ => false,
            };
            for answer in [sessions().inspect(ID), sessions().wake(ID, careful), sessions().wake(ID, set_aside)] {
                assert!(answer.as_ref().is_err_and(refused), "{answer:?}, but {reason:?}");
            }
            assert_eq!(stored(), bytes, "a log without a header was changed");
            return;
        }
    };

    let closing = closers(&log.events, log.header.created_at);
    let reader = sessions();
    let seen = reader.inspect(ID).expect("a log with a header can be looked at");
    assert_eq!(seen.length, log.events.len() as u64);
    assert_eq!(seen.header.id, log.header.id);
    assert!(agree(seen.recovery.damage.as_ref(), log.broken.as_ref()), "{seen:?}, but {:?}", log.broken);
    let events: Vec<_> = reader.events(ID, 0).map(|event| record(event.expect("a sound event is read"))).collect();
    assert_eq!(events, log.events);
    assert_eq!(stored(), bytes, "looking changed the log");

    let torn = log.broken.is_none_or(|broken| broken.kind == Kind::Torn);
    if !torn {
        let refused = sessions().wake(ID, careful);
        assert!(
            matches!(&refused, Err(Error::Corrupt(damage)) if agree(Some(damage), log.broken.as_ref())),
            "{refused:?}"
        );
        assert_eq!(stored(), bytes, "a refused wake changed the log");
    }

    let woken = sessions().wake(ID, if torn { careful } else { set_aside }).expect("a log with a header can be woken");
    assert!(agree(woken.recovery.damage.as_ref(), log.broken.as_ref()), "{woken:?}, but {:?}", log.broken);
    assert_eq!(woken.recovery.closers.into_iter().map(record).collect::<Vec<_>>(), closing);
    let mended = mended(&log, bytes, &closing);
    assert_eq!(String::from_utf8_lossy(&stored()), String::from_utf8_lossy(&mended));
    if log.broken.is_some() {
        let name = woken.recovery.kept_at.expect("what was cut off is kept");
        assert_eq!(storage.read_aside(ID, &name, 0, u32::MAX).expect("it can be read"), bytes[log.end..]);
    }

    let again = sessions().wake(ID, careful).expect("what was woken can be woken again");
    assert!(again.recovery.damage.is_none() && again.recovery.closers.is_empty(), "{again:?}");
    assert_eq!(stored(), mended, "a second wake changed the log");
}

/// The bytes that waking leaves.
fn mended(log: &Log, bytes: &[u8], closing: &[Record]) -> Vec<u8> {
    let mut mended = bytes[..log.end].to_vec();
    if !closing.is_empty() && !mended.ends_with(b"\n") {
        mended.push(b'\n');
    }
    for Record { kind, seq, time, data } in closing {
        let line = format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{time},\"data\":{data}}}\n");
        mended.extend_from_slice(line.as_bytes());
    }
    mended
}

fn record(event: session_host::Event) -> Record {
    Record { kind: event.kind, seq: event.seq, time: event.time, data: event.data }
}

fn agree(told: Option<&Damage>, broken: Option<&Broken>) -> bool {
    match (told, broken) {
        (Some(told), Some(broken)) => is(told, broken),
        (None, None) => true,
        _ => false,
    }
}

fn is(told: &Damage, broken: &Broken) -> bool {
    let kind = match told.kind {
        DamageKind::Torn => Kind::Torn,
        DamageKind::Malformed => Kind::Malformed,
        DamageKind::Gap => Kind::Gap,
        DamageKind::Repeated => Kind::Repeated,
    };
    let (offset, length) = (told.offset as usize, told.length as usize);
    Broken { kind, expected: told.expected, offset, length, records: told.records } == *broken
}
