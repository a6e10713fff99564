use session_host::StorageError;

use crate::twist::{Twist, Wrong, wrong};

/// A log is called otherwise than it was told to be.
fn called(name: fn(&str) -> String) -> Twist {
    Twist::default().publish(move |store, id, parts| store.publish(&name(id), parts))
}

pub const WRONG: &[Wrong] = &[
    wrong("folds case", &["ids that differ in case alone are different logs"], || called(str::to_lowercase)),
    wrong("normalises", &["ids that look alike and differ in their code points are different logs"], || {
        called(|id| id.replace("e\u{301}", "\u{e9}"))
    }),
    wrong("takes a path for its last part", &["ids that are paths are names and lead nowhere"], || {
        called(|id| id.rsplit('/').next().unwrap_or_default().to_string())
    }),
    wrong("drops dots and spaces from the end", &["ids that systems reserve are names like any other"], || {
        called(|id| id.trim_end_matches(['.', ' ']).to_string())
    }),
    wrong("decodes ids", &["ids that look like escapes or encodings are different logs"], || {
        called(|id| id.replace("~41", "A"))
    }),
    wrong(
        "drops control characters",
        &["ids with white space, control characters and emoji are kept to the byte"],
        || called(|id| id.replace(char::is_control, "")),
    ),
    wrong("takes sixty bytes", &["ids of 80 bytes are taken, of whatever characters"], || {
        Twist::default().publish(|store, id, parts| match id.len() {
            ..=60 => store.publish(id, parts),
            _ => Err(StorageError::InvalidId("it is too long".into())),
        })
    }),
    wrong("cuts long ids", &["ids of up to 255 bytes are taken, or refused as invalid"], || {
        called(|id| id[..id.floor_char_boundary(200)].to_string())
    }),
    wrong("keeps no pieces under an empty id", &["ids that are empty, too long or hold U+0000 are invalid"], || {
        Twist::default().asides(|store, id| if id.is_empty() { Ok(Vec::new()) } else { store.asides(id) })
    }),
    wrong("gives an empty id a name", &["ids that are empty, too long or hold U+0000 are invalid"], || {
        called(|id| if id.is_empty() { "unnamed".into() } else { id.to_string() })
    }),
];
