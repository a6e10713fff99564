use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::{DEEPEST, Reader};
use super::*;

/// The value that a scan passes over, which is at the beginning of the text.
fn passed(text: &[u8], depth: u32) -> Option<&str> {
    let mut marks = Marks::new();
    let mut scan = Scan::new(text, 0, &mut marks);
    scan.value(depth)?;
    scan.passed(0)
}

/// The value that is read byte by byte.
fn read(text: &[u8], depth: u32) -> Option<&str> {
    let sound = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(fault) => std::str::from_utf8(&text[..fault.valid_up_to()]).unwrap(),
    };
    Reader::new(sound, depth).plain_value().ok()
}

/// Pieces of strings, of all lengths and kinds, sound and not.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let odd: Vec<&[u8]> = vec![
        b"\\\"",
        b"\\\\",
        b"\\n",
        b"\\u00e9",
        b"\\ud83d",
        b"\\",
        b"\\x",
        b"\\u12g4",
        b"\"",
        b"\t",
        b"\0",
        b"\x7f",
        b"\x80",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xc0\x80",
        b"\xe2\x82",
        "é".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"{",
        b"}",
        b" ",
    ];
    prop_oneof![
        4 => (0_usize..80).prop_map(|length| vec![b'a'; length]),
        4 => select(odd).prop_map(<[u8]>::to_vec),
        1 => (0_usize..70).prop_map(|length| vec![b'\\'; length]),
    ]
}

fn string() -> impl Strategy<Value = Vec<u8>> {
    vec(piece(), 0..6).prop_map(|pieces| [b"\"", &*pieces.concat(), b"\""].concat())
}

/// Values, most of them sound but for their strings.
fn value() -> impl Strategy<Value = Vec<u8>> {
    let words = vec![
        "null",
        "true",
        "false",
        "0",
        "-0",
        "7",
        "1763681581550",
        "1.5",
        "1e5",
        "2E-7",
        "[]",
        "{}",
        "[ ]",
        "01",
        "-",
        "1.",
        "1e",
        "nul",
        "tru",
        "",
        " ",
        "\n1",
        "  1",
    ];
    let leaf = prop_oneof![3 => string(), 2 => select(words).prop_map(|word| word.as_bytes().to_vec())];
    let comma = || select(vec![",", ",", ",", ",", ",", ", ", ",  ", ",\n", ";", ""]);
    let colon = || select(vec![":", ":", ":", ":", ":", ": ", ":\t", " : ", ",", ""]);
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let array = (vec(inner.clone(), 0..5), comma(), select(vec!["]", "]", "]", " ]", "}", ",]", ""]));
        let object = (vec((string(), colon(), inner), 0..5), comma(), select(vec!["}", "}", "}", " }", "]", ",}", ""]));
        prop_oneof![
            array.prop_map(|(values, comma, end)| [b"[", &*values.join(comma.as_bytes()), end.as_bytes()].concat()),
            object.prop_map(|(members, comma, end)| {
                let members: Vec<_> = members
                    .into_iter()
                    .map(|(key, colon, value)| [key, colon.as_bytes().to_vec(), value].concat())
                    .collect();
                [b"{", &*members.join(comma.as_bytes()), end.as_bytes()].concat()
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_passed_over_is_what_is_read_byte_by_byte(text in value(), depth in select(vec![0, 1, 2, 4, DEEPEST])) {
        if let Some(passed) = passed(&text, depth) {
            prop_assert_eq!(Some(passed), read(&text, depth), "{}", text.escape_ascii());
        }
    }

    /// A text that is wrong in one block is asked again for what stands in it, by whoever reads its members one by one.
    #[test]
    fn strings_read_one_by_one_are_those_read_byte_by_byte(strings in vec(string(), 0..8)) {
        let text = [b"[", &*strings.join(&b','), b"]"].concat();
        let Ok(text) = std::str::from_utf8(&text) else { return Ok(()) };
        let mut one_by_one = Reader::new(text, 1);
        let read_all = one_by_one.elements(|reader| reader.string().map(drop)).is_ok();
        let strings_alone = Reader::new(text, 1).plain_value().is_ok_and(|value| value.len() == text.len());
        if read_all {
            prop_assert!(strings_alone, "{text}");
        }
    }

    #[test]
    fn a_changed_byte_is_noticed_as_it_is_byte_by_byte(text in value(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut text = text;
        if !text.is_empty() {
            let at = at.index(text.len());
            text[at] = byte;
        }
        if let Some(passed) = passed(&text, DEEPEST) {
            prop_assert_eq!(Some(passed), read(&text, DEEPEST), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn sound_json_without_white_space_is_passed_over(strings in vec(any::<String>(), 0..6), number in any::<i64>(), float in -1e300..1e300) {
        let json = serde_json::json!({ "a": strings, "b": number, "c": [float, null, true, false, {}, []], "d": { "e": strings } }).to_string();
        prop_assert_eq!(passed(json.as_bytes(), 3), Some(&*json));
        prop_assert_eq!(passed(json.as_bytes(), 2), None);
        let spaced = json.replace("\":", "\": ");
        prop_assert_eq!(passed(spaced.as_bytes(), 3), Some(&*spaced));
    }
}

#[test]
fn a_quote_is_found_wherever_it_stands_in_its_block() {
    for before in 0..200 {
        for run in 0..70 {
            for behind in [0, 1, 63, 64, 65, 130] {
                let text = format!("\"{}{}\"{}", "a".repeat(before), "\\".repeat(run), "b".repeat(behind));
                assert_eq!(passed(text.as_bytes(), 0), read(text.as_bytes(), 0), "{text}");
            }
        }
    }
}

#[test]
fn every_byte_is_judged_wherever_it_stands_in_its_block() {
    for before in 0..130 {
        for byte in 0..=u8::MAX {
            let unit = |place: usize| {
                let mut unit = b"\\u0000".to_vec();
                unit[place] = byte;
                unit
            };
            let texts = [vec![byte], vec![b'\\', byte], vec![0xc3, byte], vec![byte, 0xa9]];
            for text in texts.into_iter().chain((2..6).map(unit)) {
                let text = [b"\"", &*vec![b'a'; before], &text, b"bb\""].concat();
                assert_eq!(passed(&text, 0), read(&text, 0), "{}", text.escape_ascii());
            }
        }
    }
}

#[test]
fn a_block_that_is_refused_is_refused_each_time() {
    for before in 0..130 {
        let text = format!("\"{}\\x{}\\n\"", "a".repeat(before), "b".repeat(61));
        let mut marks = Marks::new();
        for _ in 0..3 {
            assert_eq!(Scan::new(text.as_bytes(), 0, &mut marks).value(0), None, "{text}");
        }
    }
}

#[test]
fn what_nests_deeper_than_a_word_has_bits_is_left_to_the_reader() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(passed(nested(63).as_bytes(), 128).is_some());
    assert!(passed(nested(64).as_bytes(), 128).is_none());
    assert!(passed(nested(5).as_bytes(), 4).is_none());
}

#[test]
fn whole_numbers_are_read_digit_by_digit_or_not_at_all() {
    for number in [
        0,
        1,
        9,
        10,
        12_345_678,
        99_999_999,
        100_000_000,
        1_763_681_581_550,
        9_007_199_254_740_991,
        9_999_999_999_999_999,
    ] {
        let text = format!("{number},\"time\":");
        let mut marks = Marks::new();
        let mut scan = Scan::new(text.as_bytes(), 0, &mut marks);
        assert_eq!((scan.whole_number(), scan.word(b",\"time\":")), (Some(number), Some(())), "{number}");
    }
    for text in ["", "x", "-1", "01", "00000000", "012345678", "1.0", "1e3", "99999999999999999", "/1", ":1", "\u{ff}"]
    {
        let text = format!("{text},\"time\":");
        let mut marks = Marks::new();
        let mut scan = Scan::new(text.as_bytes(), 0, &mut marks);
        let read = scan.whole_number().and_then(|_| scan.word(b",\"time\":"));
        assert_eq!(read, None, "{text}");
    }
}
