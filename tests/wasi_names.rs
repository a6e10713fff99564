//! The WASI storage calls a log what the Rust host calls it: `docs/format.md`, written down twice.

#[path = "../examples/wasi-storage/src/name.rs"]
#[expect(dead_code, reason = "only the logs' names are public in both")]
mod name;

use name::Name;
use proptest::prelude::*;
use session_host::{JsonlFolder, StorageError};

/// What both say of an id.
fn both(id: &str) -> (Result<String, String>, Result<String, String>) {
    let host = JsonlFolder::file_name(id).map_err(|error| match error {
        StorageError::InvalidId(why) => why,
        error => panic!("{error}"),
    });
    (Name::of(id).map(|name| name.log()), host)
}

#[test]
fn awkward_ids_have_the_same_names_in_both() {
    let long = ["a".repeat(240), "a".repeat(241), "A".repeat(80), "A".repeat(81), "x".repeat(256)];
    let odd = [
        "",
        "a",
        "Fix login",
        ".",
        "..",
        ".a",
        "a.",
        "a.b",
        "con",
        "con.x",
        "com1",
        "com",
        "comx",
        "lpt0.y",
        "nul",
        "CON",
        "aux.",
        "~41",
        "~tmp.x",
        "a/b",
        "a\\b",
        "a\0b",
        "é",
        "日本",
        "🙂",
        "\u{feff}a",
        "x.jsonl",
        "x.aside",
    ];
    for id in odd.into_iter().chain(long.iter().map(String::as_str)) {
        let (wasi, host) = both(id);
        assert_eq!(wasi, host, "{id:?}");
    }
}

proptest! {
    #[test]
    fn any_id_has_the_same_name_in_both(id in "(com|lpt|con|nul)?[0-9a-cA-C.~_ é/-]{0,90}|\\PC{0,60}") {
        let (wasi, host) = both(&id);
        prop_assert_eq!(&wasi, &host);
        if let Ok(log) = wasi {
            prop_assert!(name::is_log(&log));
            prop_assert_eq!(name::id_of_log(&log), Some(id));
        }
    }

    #[test]
    fn a_file_is_the_log_of_an_id_only_under_the_name_that_the_host_gives_it(file in "(~[0-9a-gA-F]{2}|[a-cA.~_-]|é){0,12}(\\.jsonl)?") {
        if let Some(id) = name::id_of_log(&file) {
            prop_assert_eq!(JsonlFolder::file_name(&id).ok(), Some(file));
        }
    }
}
