use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;

fn serde_accepts(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

#[test]
fn accepts_and_refuses_just_what_serde_json_does() {
    let texts = [
        "null",
        "true",
        "false",
        "nul",
        "truee",
        "0",
        "-0",
        "-",
        "01",
        "1.",
        "1.5",
        ".5",
        "1e5",
        "1E+5",
        "1e-5",
        "1e",
        "1e400",
        "2512292042121000001",
        "\"\"",
        "\"a",
        "\"\\ud83d\"",
        "\"\\uD83D\\uDE00\"",
        "\"\\u12\"",
        "\"\\x\"",
        "\"\t\"",
        "\"\u{2028}\u{85}\"",
        "[]",
        "[ ]",
        "[1]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{}",
        "{ }",
        "{\"a\":1}",
        "{\"a\":1,}",
        "{\"a\"}",
        "{a:1}",
        "{1:2}",
        "{\"a\":1]",
        "{\"a\":1,\"a\":2}",
        "[[],[{}],{\"a\":[]}]",
        "",
        " ",
        " 1 ",
        "1 1",
        "\u{feff}1",
        "{\"a\":[1,{\"b\":null}],\"c\":\"d\"}",
        "[\"\\\"\"]",
        "\"\u{0}\"",
        "[1,[2,[3]],4]",
        "{\"a\":{\"b\":{}},\"c\":[]}",
    ];
    for text in texts {
        assert_eq!(check(text, 128).is_ok(), serde_accepts(text), "{text:?}");
    }
}

#[test]
fn nesting_is_allowed_up_to_the_depth_asked_for() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert_eq!(check(&nested(128), 128), Ok(()));
    assert_eq!(check(&nested(129), 128), Err(Fault::Depth));
    assert_eq!(check(&nested(3), 2), Err(Fault::Depth));
    assert_eq!(check(&"[".repeat(1_000_000), 128), Err(Fault::Depth));
    let objects = "{\"a\":".repeat(128) + "1" + &"}".repeat(128);
    assert_eq!(check(&objects, 128), Ok(()));
    assert_eq!(check(&objects, 127), Err(Fault::Depth));
}

#[test]
fn members_come_as_they_are_written() {
    let mut seen = Vec::new();
    let text = r#" { "a" : 1.0 , "b":[1, 2],"a":{"c":"}"}} "#;
    assert_eq!(members(text, 8, |key, value| seen.push((key.0, value))), Ok(true));
    assert_eq!(seen, [("a", "1.0"), ("b", "[1, 2]"), ("a", r#"{"c":"}"}"#)]);
}

#[test]
fn elements_come_as_they_are_written() {
    let mut seen = Vec::new();
    assert_eq!(elements("[ 1 ,{\"a\": [] },\"]\"]", 8, |value| seen.push(value)), Ok(true));
    assert_eq!(seen, ["1", "{\"a\": [] }", "\"]\""]);
    assert_eq!(elements("{}", 8, |_| panic!("an object has no elements")), Ok(false));
}

#[test]
fn of_doubled_members_the_last_counts() {
    assert_eq!(member(r#"{"a":1,"\u0061":2,"b":3}"#, "a"), Some("2"));
    assert_eq!(member("[1]", "a"), None);
}

#[test]
fn half_a_surrogate_pair_is_no_text_but_compares() {
    assert_eq!(text(r#""\ud83d\ude00""#).as_deref(), Some("😀"));
    assert_eq!(text(r#""\ud83d""#), None);
    assert_ne!(unescape(r"\ud83d"), unescape(r"\ud83e"));
    assert_eq!(unescape(r"\ud83d\n"), b"\xed\xa0\xbd\n");
}

#[test]
fn whole_numbers_are_digits_alone_and_end_at_two_to_the_53() {
    assert_eq!(whole_number("9007199254740991"), Some(9_007_199_254_740_991));
    for no_number in ["9007199254740992", "-1", "1.0", "1e3", "\"1\"", "", "null", "99999999999999999999"] {
        assert_eq!(whole_number(no_number), None, "{no_number}");
    }
}

proptest! {
    #[test]
    fn agrees_with_serde_json_on_texts_made_of_json_pieces(pieces in proptest::collection::vec(
        prop::sample::select(vec!["{", "}", "[", "]", ",", ":", "\"", "\\", "a", "\\u00e9", "1", "-", ".", "e", "null", "true", " ", "\"k\"", "é", "\u{1}"]), 0..24)) {
        let text: String = pieces.concat();
        prop_assert_eq!(check(&text, 128).is_ok(), serde_accepts(&text), "{:?}", text);
    }

    #[test]
    fn a_written_string_is_read_back(string in any::<String>()) {
        let mut out = String::new();
        write_string(&mut out, &string);
        let back = text(&out);
        prop_assert_eq!(back.as_deref(), Some(string.as_str()));
        prop_assert_eq!(serde_json::from_str::<String>(&out).ok(), Some(string));
    }
}
