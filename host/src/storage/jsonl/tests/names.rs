use proptest::prelude::*;

use crate::storage::StorageError;
use crate::storage::name::{Name, id_of_log};

fn log(id: &str) -> String {
    Name::of(id).unwrap().log()
}

#[track_caller]
fn assert_invalid(id: &str) {
    assert!(matches!(Name::of(id), Err(StorageError::InvalidId(_))), "{id:?}");
}

#[test]
fn plain_ids_are_their_own_names() {
    assert_eq!(log("fix-login_2"), "fix-login_2.jsonl");
    assert_eq!(log("a.b..c"), "a.b..c.jsonl");
}

#[test]
fn all_else_is_escaped() {
    for (id, name) in [
        ("../x", "~2e.~2fx.jsonl"),
        ("/etc/x", "~2fetc~2fx.jsonl"),
        ("..\\x", "~2e.~5cx.jsonl"),
        ("a/b", "a~2fb.jsonl"),
        (".", "~2e.jsonl"),
        ("..", "~2e~2e.jsonl"),
        ("a.", "a~2e.jsonl"),
        ("a ", "a~20.jsonl"),
        ("C:x", "~43~3ax.jsonl"),
        ("~", "~7e.jsonl"),
        ("Straße", "~53tra~c3~9fe.jsonl"),
    ] {
        assert_eq!(log(id), name);
        assert_eq!(id_of_log(name).as_deref(), Some(id));
    }
}

#[test]
fn names_of_devices_are_escaped_whatever_follows_the_first_dot() {
    for (id, name) in [
        ("con", "~63on.jsonl"),
        ("CON", "~43~4f~4e.jsonl"),
        ("nul.txt", "~6eul.txt.jsonl"),
        ("com1", "~63om1.jsonl"),
        ("lpt9.a.b", "~6cpt9.a.b.jsonl"),
        ("com10", "com10.jsonl"),
        ("console", "console.jsonl"),
        ("a.con", "a.con.jsonl"),
    ] {
        assert_eq!(log(id), name);
        assert_eq!(id_of_log(name).as_deref(), Some(id));
    }
}

#[test]
fn an_id_has_1_to_255_bytes_and_no_nul() {
    assert_invalid("");
    assert_invalid("a\0b");
    assert_invalid(&"a".repeat(256));
}

#[test]
fn a_name_has_at_most_240_bytes() {
    assert_eq!(log(&"a".repeat(240)).len(), 246);
    assert_invalid(&"a".repeat(241));
    assert_invalid(&"a".repeat(255));
    assert_eq!(log(&"A".repeat(80)).len(), 246);
    assert_invalid(&"A".repeat(81));
    assert_invalid(&"語".repeat(100));
}

#[test]
fn every_name_of_a_longest_id_fits_into_255_bytes() {
    let name = Name::of(&"a".repeat(240)).unwrap();
    for file in [name.log(), name.log_temp(), name.checkpoint(), name.checkpoint_temp(), name.asides()] {
        assert!(file.len() <= 255, "{file}");
    }
}

#[test]
fn a_name_that_is_not_exactly_what_an_id_encodes_to_means_no_id() {
    for name in [
        "A.jsonl",
        "a",
        "a.json",
        ".jsonl",
        "~.jsonl",
        "~2.jsonl",
        "~2E.jsonl",
        "~61.jsonl",
        ".a.jsonl",
        "a..jsonl",
        "con.jsonl",
        "~ff.jsonl",
        "~00.jsonl",
        "~tmp.a.jsonl",
        "a b.jsonl",
        "é.jsonl",
    ] {
        assert_eq!(id_of_log(name), None, "{name}");
    }
}

/// Ids of all kinds, many of them nasty.
fn ids() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::string::string_regex("[^\u{0}]{1,60}").unwrap(),
        proptest::string::string_regex("[a-cA-C0-2~._/ -]{1,12}").unwrap(),
        proptest::string::string_regex("(con|nul|com1|CON|Nul)[.~a-b]{0,3}").unwrap(),
    ]
}

proptest! {
    #[test]
    fn decoding_gives_back_the_id(id in ids()) {
        if let Ok(name) = Name::of(&id) {
            prop_assert_eq!(id_of_log(&name.log()), Some(id));
        }
    }

    #[test]
    fn a_name_is_lower_case_ascii_that_leads_nowhere_else(id in ids()) {
        if let Ok(name) = Name::of(&id) {
            let name = name.log();
            let allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'~');
            prop_assert!(name.bytes().all(allowed));
            prop_assert!(!name.starts_with('.') && !name.starts_with("~tmp."));
            prop_assert!(!name.strip_suffix(".jsonl").unwrap().ends_with('.'));
        }
    }

    /// All names being lower-case ASCII, two that differ differ on every disk.
    #[test]
    fn two_ids_never_share_a_name(a in ids(), b in ids()) {
        if let (Ok(x), Ok(y)) = (Name::of(&a), Name::of(&b)) {
            prop_assert_eq!(a == b, x.log() == y.log());
        }
    }

    #[test]
    fn what_decodes_is_what_that_id_encodes_to(stem in "[a-z0-9~._A-F-]{0,16}") {
        let file = format!("{stem}.jsonl");
        if let Some(id) = id_of_log(&file) {
            prop_assert_eq!(Name::of(&id).unwrap().log(), file);
        }
    }
}
