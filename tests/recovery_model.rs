//! Recovery, held against a model of its rules that is written to be obviously right.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use session_host::Engine;
use session_tests::model::assert_agreement;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new().expect("the component compiles"));

const HEADER: &str = r#"{"type":"session","version":0,"id":"s","createdAt":7}"#;

/// Pieces that a log or its damage is made of: records without their `seq`, and lines that are none.
const EVENTS: &[(&str, &str)] = &[
    ("turn/start", r#"{"turn":1}"#),
    ("turn/start", r#"{"turn":{"a":[1]},"turn":1e400}"#),
    ("turn/end", r#"{"turn":1}"#),
    ("step/start", r#"{"turn":1,"step":2}"#),
    ("step/start", "null"),
    ("step/end", "{}"),
    ("user/message", r#"{"content":"é\ud83d"}"#),
    (
        "assistant/message",
        r#"{"content":[{"type":"tool-call","id":"a"},{"type":"text"},{"type":"tool-call","id":"b"}]}"#,
    ),
    (
        "assistant/message",
        r#"{"content":[{"type":"tool-call","id":"\u0061"},{"id":"\udc00","type":"tool\u002dcall"}]}"#,
    ),
    ("assistant/message", r#"{"content":"a","content":[7,{"type":"tool-call","id":7}]}"#),
    ("tool/call", r#"{"callId":"a"}"#),
    ("tool/call", r#"{"callId":7,"callId":"\udc00"}"#),
    ("tool/result", r#"{"callId":"\u0061"}"#),
    ("tool/result", r#"{"callId":"b","callId":null}"#),
    ("assistant/chunk", "[]"),
];
const ODD_LINES: &[&str] = &[
    "",
    "null",
    "[]",
    "{}",
    "{\"type\":\"a\",\"seq\":1,\"time\":1,\"data\":1",
    "\u{feff}{}",
    "{\"type\":\"a\",\"seq\":\"1\",\"time\":1,\"data\":1}",
    "{\"type\":\"a\",\"seq\":1.0,\"time\":1,\"data\":1}",
    "{\"type\":\"a\",\"seq\":1,\"seq\":1,\"time\":1,\"data\":1}",
    "{\"type\":\"\\ud83d\",\"seq\":1,\"time\":1,\"data\":1}",
    "{\"type\":\"a\",\"seq\":9007199254740992,\"time\":1,\"data\":1}",
    "\0\0\0{\"type\":\"a\",\"seq\":9,\"time\":1,\"data\":1}",
];

/// Whole logs whose events come in any order.
fn log() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(select(EVENTS), 0..14).prop_map(|events| {
        let mut log = format!("{HEADER}\n");
        for (seq, (kind, data)) in events.iter().enumerate() {
            log += &format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{},\"data\":{data}}}\n", 100 - seq);
        }
        log.into_bytes()
    })
}

/// What happens to bytes: each change at a place of its own.
#[derive(Debug, Clone)]
enum Harm {
    Cut(Index),
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Line(Index, &'static str),
    Repeat(Index),
    Drop(Index),
    Nul(u8),
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        any::<Index>().prop_map(Harm::Cut),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Harm::Flip(at, byte)),
        (any::<Index>(), proptest::collection::vec(any::<u8>(), 1..4)).prop_map(|(at, bytes)| Harm::Insert(at, bytes)),
        (any::<Index>(), select(ODD_LINES)).prop_map(|(at, line)| Harm::Line(at, line)),
        any::<Index>().prop_map(Harm::Repeat),
        any::<Index>().prop_map(Harm::Drop),
        any::<u8>().prop_map(Harm::Nul),
    ]
}

fn harmed(mut log: Vec<u8>, harms: Vec<Harm>) -> Vec<u8> {
    for harm in harms {
        let mut lines: Vec<Vec<u8>> = log.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        match harm {
            Harm::Cut(at) => log.truncate(at.index(log.len() + 1)),
            Harm::Flip(at, byte) if !log.is_empty() => {
                let at = at.index(log.len());
                log[at] = byte;
            }
            Harm::Insert(at, bytes) => {
                let at = at.index(log.len() + 1);
                log.splice(at..at, bytes);
            }
            Harm::Nul(count) => log.extend(vec![0; count.into()]),
            Harm::Line(at, line) => {
                lines.insert(at.index(lines.len() + 1), format!("{line}\n").into_bytes());
                log = lines.concat();
            }
            Harm::Repeat(at) if !lines.is_empty() => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at].clone());
                log = lines.concat();
            }
            Harm::Drop(at) if !lines.is_empty() => {
                lines.remove(at.index(lines.len()));
                log = lines.concat();
            }
            Harm::Flip(..) | Harm::Repeat(_) | Harm::Drop(_) => {}
        }
    }
    log
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_whole_log_is_woken_as_the_rules_say(log in log()) {
        assert_agreement(&ENGINE, &log);
    }

    #[test]
    fn a_harmed_log_is_woken_or_refused_as_the_rules_say(log in log(), harms in proptest::collection::vec(harm(), 1..4)) {
        assert_agreement(&ENGINE, &harmed(log, harms));
    }
}

#[test]
fn every_cut_of_a_turn_is_woken_as_the_rules_say() {
    let mut log = format!("{HEADER}\n");
    for (seq, (kind, data)) in EVENTS.iter().enumerate() {
        log += &format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1,\"data\":{data}}}\n");
    }
    for end in 0..=log.len() {
        assert_agreement(&ENGINE, &log.as_bytes()[..end]);
    }
}

#[test]
fn each_odd_line_is_judged_as_the_rules_say_wherever_it_stands() {
    let event = |seq: u64| format!("{{\"type\":\"note\",\"seq\":{seq},\"time\":1,\"data\":{{}}}}\n");
    for odd in ODD_LINES {
        for log in [
            format!("{odd}\n{}", event(0)),
            format!("{HEADER}\n{odd}\n{}", event(0)),
            format!("{HEADER}\n{}{odd}", event(0)),
            format!("{HEADER}\n{}{odd}\n", event(0)),
        ] {
            assert_agreement(&ENGINE, log.as_bytes());
        }
    }
}

/// The component looks at many bytes at once, in other code than the native tests run.
#[test]
fn every_byte_is_judged_as_the_rules_say_wherever_it_stands_on_its_line() {
    for before in 0..=66 {
        // An empty line is no record, so each one behind it is judged and counted.
        let mut log = format!("{HEADER}\n\n").into_bytes();
        for byte in (0..=u8::MAX).filter(|byte| *byte != b'\n') {
            let unit = |place: usize| {
                let mut unit = b"\\u0000".to_vec();
                unit[place] = byte;
                unit
            };
            let texts = [vec![byte], vec![b'\\', byte], vec![b'\\', b'\\', byte], vec![0xc3, byte]];
            for text in texts.into_iter().chain((2..6).map(unit)) {
                log.extend(br#"{"type":"note","seq":0,"time":1763681581550,"data":{"text":""#);
                log.extend(vec![b'a'; before]);
                log.extend(text);
                log.extend(br#"","n":[1,2.5,true,null]}}"#);
                log.push(b'\n');
            }
        }
        assert_agreement(&ENGINE, &log);
    }
}

#[test]
fn what_fuzzing_starts_from_and_has_found_is_woken_as_the_rules_say() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let files = ["wake", "recovery"].map(|target| std::fs::read_dir(seeds.join(target)).unwrap());
    let files: Vec<_> = files.into_iter().flatten().map(|file| file.unwrap().path()).collect();
    assert!(files.len() > 20, "the seeds are not there");
    for file in files {
        assert_agreement(&ENGINE, &std::fs::read(file).unwrap());
    }
}
