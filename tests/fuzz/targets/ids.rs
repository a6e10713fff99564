//! Ids: each is refused, or is one file of its own in the root that gives the same id back.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use session_host::{JsonlFolder, Order, Part, Storage, StorageError};

/// Beside the root lies what nobody may touch.
static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = tempfile::tempdir().expect("there is room for temporary files").keep();
    std::fs::create_dir(place.join("root")).expect("a folder can be made");
    place
});

fuzz_target!(|ids: (String, String)| {
    let folder = JsonlFolder::open(PLACE.join("root")).expect("the root opens");
    let parts = [Part::Content(b"x")];
    let mut stored = Vec::new();
    for id in [&ids.0, &ids.1] {
        match folder.publish(id, &parts) {
            Ok(info) => {
                assert_eq!(info.id.as_ref(), Some(id));
                assert!(info.name.len() <= 255 && info.name.is_ascii(), "{info:?}");
                assert_eq!(info.name, info.name.to_ascii_lowercase());
                stored.push(id.clone());
            }
            Err(StorageError::AlreadyExists) => assert_eq!(ids.0, ids.1),
            Err(StorageError::InvalidId(_)) => {
                assert!(id.is_empty() || id.contains('\0') || id.len() > 79, "{id:?} can be encoded and was refused");
            }
            Err(other) => panic!("{id:?}: {other}"),
        }
    }
    let listed = folder.list(Order::ById, None, 10).expect("the root can be listed");
    let listed: Vec<_> = listed.into_iter().map(|info| info.id.expect("each name encodes an id")).collect();
    let mut expected = stored.clone();
    expected.sort();
    assert_eq!(listed, expected);
    for id in &stored {
        folder.remove(id).expect("what was stored can be removed");
    }
    let left: Vec<_> = std::fs::read_dir(PLACE.join("root")).expect("the root is there").collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(std::fs::read_dir(&*PLACE).expect("it is there").count(), 1, "something lies beside the root");
});
