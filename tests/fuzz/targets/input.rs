//! The events that `session append` reads: pieces of any size give the same lines, and what is stored is what came.
#![no_main]

#[path = "../../../host/src/bin/session/commands/append/input.rs"]
#[allow(dead_code)]
mod source;

use std::io::{self, Read};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use session_host::{Engine, Error, Memory, Sessions};
use session_tests::model::{self, Record};

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new().expect("the component compiles"));

/// Gives its bytes in pieces.
struct Pieces {
    bytes: Vec<u8>,
    size: usize,
}

impl Read for Pieces {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.size.min(self.bytes.len()).min(into.len());
        into[..length].copy_from_slice(&self.bytes[..length]);
        self.bytes.drain(..length);
        Ok(length)
    }
}

// Compiled before the time runs: with the fuzzer's counters in it, that takes as long as a short run lasts.
fuzz_target!(init: drop(LazyLock::force(&ENGINE).clone()), |input: (u8, Vec<u8>)| {
    let (size, bytes) = input;
    let mut source = source::Input::new(Pieces { bytes: bytes.clone(), size: usize::from(size) + 1 });
    let mut came = Vec::new();
    loop {
        let (lines, next) = source.take(true).expect("no line is too long");
        came.extend_from_slice(lines);
        if next == source::Next::End {
            break;
        }
        assert!(lines.is_empty() || lines.ends_with(b"\n"), "a line was cut");
    }
    assert_eq!(came, bytes);

    let Ok(text) = String::from_utf8(bytes) else { return };
    let sessions = Sessions::new(&ENGINE, Memory::new());
    sessions.create("s").expect("it is new");
    let expected: Vec<Option<Record>> =
        text.split_inclusive('\n').map(|line| model::record(line.trim_end_matches('\n').as_bytes())).collect();
    match sessions.append_lines("s", &text) {
        Ok(count) => {
            assert_eq!(count, expected.len() as u64);
            for (seq, record) in expected.iter().enumerate() {
                assert_eq!(record.as_ref().map(|record| record.seq), Some(seq as u64));
            }
            let stored: String = sessions.lines("s", 0).map(|lines| lines.expect("they are read")).collect();
            let missing = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            assert_eq!(stored, text + missing);
        }
        Err(Error::Rejected { index, .. }) => {
            let line = &expected[index as usize];
            assert!(line.as_ref().is_none_or(|record| record.kind == "session"), "{line:?} was rejected");
            assert!(!sessions.has("s").expect("it can be asked"));
        }
        Err(Error::Sequence { expected: next, actual }) => {
            let seqs: Vec<_> = expected.iter().flatten().map(|record| record.seq).collect();
            assert!(next != actual && seqs.contains(&actual), "{next} {actual} {seqs:?}");
            assert!(!sessions.has("s").expect("it can be asked"));
        }
        Err(other) => panic!("{other}"),
    }
});
