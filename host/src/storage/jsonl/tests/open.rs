use std::fs;
use std::os::unix::fs::symlink;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::*;

#[test]
fn a_missing_folder_is_made_with_all_above_it() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a/b/c");
    publish(&JsonlFolder::open(&path).unwrap(), "x", "one\n");
    assert_eq!(names(&path), ["x.jsonl"]);
    for folder in ["a", "a/b", "a/b/c"] {
        assert_eq!(mode(place.path().join(folder)), 0o700, "{folder}");
    }
}

#[test]
fn files_are_0600_and_folders_0700_whatever_the_umask() {
    if let Some(folder) = child_folder() {
        let root = folder.join("new/root");
        let store = JsonlFolder::open(&root).unwrap();
        let log = publish(&store, "x", "one\ntw");
        store.save_checkpoint("x", b"note").unwrap();
        let aside = store.set_aside("x", log.length - 2).unwrap();
        for file in ["x.jsonl".into(), "x.ckpt".into(), format!("x.aside/{}", aside.name)] {
            assert_eq!(mode(root.join(&file)), 0o600, "{file}");
        }
        for path in [folder.join("new"), root.clone(), root.join("x.aside")] {
            assert_eq!(mode(&path), 0o700, "{path:?}");
        }
        return;
    }
    for umask in ["000", "022", "077", "777"] {
        let folder = tempfile::tempdir().unwrap();
        run(child_after(&format!("umask {umask}"), this_test!(), folder.path()));
    }
}

#[test]
fn a_folder_that_is_there_keeps_its_rights() {
    let place = tempfile::tempdir().unwrap();
    set_mode(place.path(), 0o755);
    JsonlFolder::open(place.path()).unwrap();
    assert_eq!(mode(place.path()), 0o755);
}

#[test]
fn the_folder_may_be_a_link() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("real")).unwrap();
    symlink("real", place.path().join("link")).unwrap();
    publish(&JsonlFolder::open(place.path().join("link")).unwrap(), "x", "one\n");
    assert_eq!(names(&place.path().join("real")), ["x.jsonl"]);
}

#[test]
fn the_folder_is_opened_once() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("here");
    let store = JsonlFolder::open(&path).unwrap();
    fs::rename(&path, place.path().join("there")).unwrap();
    fs::create_dir(&path).unwrap();
    publish(&store, "x", "one\n");
    assert_eq!(names(&place.path().join("there")), ["x.jsonl"]);
    assert!(names(&path).is_empty());
}

#[test]
fn a_relative_path_does() {
    if let Some(folder) = child_folder() {
        std::env::set_current_dir(&folder).unwrap();
        publish(&JsonlFolder::open("root").unwrap(), "x", "one\n");
        assert_eq!(names(&folder.join("root")), ["x.jsonl"]);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(child(this_test!(), folder.path()));
}

#[test]
fn a_file_or_a_link_to_nowhere_in_its_place_is_an_error_that_names_it() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "").unwrap();
    symlink("nowhere", place.path().join("link")).unwrap();
    for name in ["", "file", "link", "file/below", "link/below"] {
        let path = if name.is_empty() { PathBuf::new() } else { place.path().join(name) };
        let text = assert_failed(JsonlFolder::open(path));
        assert!(text.contains(name), "{text}");
    }
    assert_eq!(names(place.path()), ["file", "link"]);
}

#[test]
fn an_open_folder_does_too() {
    let place = tempfile::tempdir().unwrap();
    let dir = Dir::open_ambient_dir(place.path(), ambient_authority()).unwrap();
    let store = JsonlFolder::from_dir(dir).unwrap();
    publish(&store, "x", "one\n");
    assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
    assert_eq!(names(place.path()), ["x.jsonl"]);
}

#[test]
fn a_path_that_is_too_long_is_no_fault_of_an_id() {
    let place = tempfile::tempdir().unwrap();
    let text = assert_failed(JsonlFolder::open(place.path().join("a".repeat(300))));
    assert!(text.contains("can't open the folder `/") && text.contains("too long"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_not_said_to_be_gone() {
    let text = assert_failed(JsonlFolder::open("/proc/self").unwrap().publish("x", &[]));
    assert!(text.contains("none in which files can be made"), "{text}");
}
