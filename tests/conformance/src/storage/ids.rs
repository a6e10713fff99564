use super::{log_is, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Order, StorageError};
use crate::check::{Must, Outcome, count, equal, fails};

pub const CASES: &[Case] = &[
    ("ids that differ in case alone are different logs", case),
    ("ids that look alike and differ in their code points are different logs", normalisation),
    ("ids that are paths are names and lead nowhere", paths),
    ("ids that systems reserve are names like any other", reserved),
    ("ids that look like escapes or encodings are different logs", escapes),
    ("ids with white space, control characters and emoji are kept to the byte", odd_characters),
    ("ids of 80 bytes are taken, of whatever characters", eighty_bytes),
    ("ids of up to 255 bytes are taken, or refused as invalid", long),
    ("ids that are empty, too long or hold U+0000 are invalid", invalid),
];

/// Each of them is a log of its own, and is listed by just that id.
fn are_logs_of_their_own(ids: &[&str]) -> Outcome {
    for (n, id) in ids.iter().enumerate() {
        let info = publish(id, format!("{n}: {id}"))?;
        equal("the id that publishing answers", info.id.as_deref(), Some(*id))?;
        store::release(id);
    }
    let mut names = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        log_is(id, format!("{n}: {id}"))?;
        equal("the id that `stat` tells", stat(id)?.id.as_deref(), Some(*id))?;
        names.push(stat(id)?.name);
    }
    let listed = store::list(Order::ById, None, 1000).must("listing")?;
    let listed: Vec<_> = listed.iter().filter_map(|log| log.id.as_deref()).collect();
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    equal("the ids in the list", listed, sorted)?;
    names.sort_unstable();
    names.dedup();
    count("names of their own", &names, ids.len())
}

fn case() -> Outcome {
    are_logs_of_their_own(&["readme", "README", "Readme", "é", "É", "ß", "SS", "ss", "ı", "i", "I"])
}

fn normalisation() -> Outcome {
    are_logs_of_their_own(&[
        "\u{e9}", "e\u{301}", "\u{212b}", "\u{c5}", "A\u{30a}", "ﬁ", "fi", "K", "\u{212a}", "а", "a",
    ])
}

fn paths() -> Outcome {
    are_logs_of_their_own(&[
        ".",
        "..",
        "../x",
        "..\\x",
        "/etc/x",
        "a/b",
        "a\\b",
        "a//b",
        "./a",
        "a/.",
        "C:x",
        "\\\\host\\x",
        "~",
        "/",
        "a/",
    ])
}

fn reserved() -> Outcome {
    are_logs_of_their_own(&[
        "CON", "con", "nul", "nul.txt", "COM1", "lpt9.x", "a.", "a ", "a", " a", "a..", "x.jsonl", ".hidden", "x.tmp",
        "-rf", "x:y", "x*", "x?", "<x>", "x|y", "\"x\"", "CON.",
    ])
}

fn escapes() -> Outcome {
    are_logs_of_their_own(&[
        "A", "~41", "~~41", "%41", "%2541", "\\x41", "&#65;", "=41", "~tmp.x", "~tmp.", "x.aside", "x.ckpt", "x", "'",
        "''", "'; --", "%", "_", "x_y", "x%y", "null",
    ])
}

fn odd_characters() -> Outcome {
    are_logs_of_their_own(&[
        "a\nb",
        "a\rb",
        "a\tb",
        " ",
        "\u{7f}",
        "\u{1}",
        "\u{feff}a",
        "\u{200b}",
        "🙂",
        "👩‍🚀",
        "日本語",
        "\u{10ffff}",
        "a\u{2028}b",
        "\u{202e}abc",
    ])
}

fn eighty_bytes() -> Outcome {
    let ids = ["a".repeat(80), "A".repeat(80), "日".repeat(26), "🙂".repeat(20), "/".repeat(80), "~".repeat(80)];
    are_logs_of_their_own(&ids.each_ref().map(|id| id.as_str()))
}

fn long() -> Outcome {
    let ids = ["a".repeat(255), "a".repeat(254), "A".repeat(255), "日".repeat(85), format!("{}b", "a".repeat(254))];
    let mut taken = Vec::new();
    for id in &ids {
        match store::publish(id, &[super::content(id)]) {
            Ok(_) => taken.push(id.as_str()),
            refused => fails!(format!("publishing {id:?}"), refused, StorageError::InvalidId(_))?,
        }
    }
    for id in &taken {
        log_is(id, id)?;
    }
    let listed = store::list(Order::ById, None, 100).must("listing")?;
    taken.sort_unstable();
    equal("the ids in the list", listed.iter().filter_map(|log| log.id.as_deref()).collect::<Vec<_>>(), taken)
}

fn invalid() -> Outcome {
    put("a", "")?;
    for id in ["", "a\0b", "\0", &"x".repeat(256), &"日".repeat(86)] {
        let of = |what: &str| format!("{what} {id:?}");
        fails!(of("publishing"), store::publish(id, &[]), StorageError::InvalidId(_))?;
        fails!(of("acquiring"), store::acquire(id), StorageError::InvalidId(_))?;
        fails!(of("looking at"), store::stat(id), StorageError::InvalidId(_))?;
        fails!(of("reading"), store::read(id, 0, 1), StorageError::InvalidId(_))?;
        fails!(of("removing"), store::remove(id), StorageError::InvalidId(_))?;
        fails!(of("listing the pieces of"), store::asides(id), StorageError::InvalidId(_))?;
        fails!(of("reading a piece of"), store::read_aside(id, "0", 0, 1), StorageError::InvalidId(_))?;
        fails!(of("loading the checkpoint of"), store::load_checkpoint(id), StorageError::InvalidId(_))?;
        // Nothing can be held under such an id.
        let refused = store::append(id, 0, b"");
        fails!(of("appending to"), refused, StorageError::InvalidId(_) | StorageError::Moved(_))?;
        fails!(of("copying from"), store::publish("x", &[super::copy(id, 0, 0)]), StorageError::InvalidId(_))?;
    }
    let listed = store::list(Order::ById, None, 100).must("listing")?;
    count("the logs in the list", &listed, 1)
}
