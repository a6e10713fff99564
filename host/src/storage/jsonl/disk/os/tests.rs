use std::fs;

use super::super::{WINDOW, explain_link};
use super::*;

fn folder() -> (tempfile::TempDir, OsFolder) {
    let place = tempfile::tempdir().unwrap();
    let dir = Dir::open_ambient_dir(place.path(), cap_std::ambient_authority()).unwrap();
    (place, OsFolder::reopen(&dir).unwrap())
}

#[test]
fn a_file_gets_a_new_name_but_never_one_that_is_taken() {
    for rename in [OsFolder::rename_new, OsFolder::link_new] {
        let (place, folder) = folder();
        fs::write(place.path().join("a"), "a").unwrap();
        rename(&folder, "a", "b").unwrap();
        assert!(!place.path().join("a").exists());
        fs::write(place.path().join("c"), "c").unwrap();
        assert_eq!(rename(&folder, "c", "b").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(place.path().join("b")).unwrap(), b"a");
        assert_eq!(fs::read(place.path().join("c")).unwrap(), b"c");
    }
}

#[test]
fn what_opens_appends_only_if_it_is_to() {
    let (place, folder) = folder();
    fs::write(place.path().join("x"), "one\n").unwrap();
    let (file, _) = folder.open("x", Access::Overwrite).unwrap();
    file.overwrite(0, b"ONE").unwrap();
    let (file, stat) = folder.open("x", Access::Append).unwrap();
    file.append(b"two\n").unwrap();
    assert_eq!(stat.length, 4);
    assert_eq!(fs::read(place.path().join("x")).unwrap(), b"ONE\ntwo\n");
}

#[test]
fn a_stretch_comes_in_windows_and_must_be_there() {
    let (place, folder) = folder();
    let content: Vec<u8> = (0..600_000u32).flat_map(u32::to_le_bytes).collect();
    fs::write(place.path().join("x"), &content).unwrap();
    let (file, stat) = folder.open("x", Access::Read).unwrap();
    let windows: Vec<_> = file.windows(1..stat.length).map(Result::unwrap).collect();
    assert!(windows.iter().all(|window| window.len() as u64 <= WINDOW));
    assert!(windows.concat() == content[1..]);
    let beyond: Vec<_> = file.windows(0..stat.length + 1).collect();
    assert_eq!(beyond.last().unwrap().as_ref().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    assert_eq!(file.windows(5..5).count(), 0);
}

#[test]
fn only_a_file_system_without_hard_links_is_called_unfit() {
    for errno in [Errno::PERM, Errno::NOSYS, Errno::OPNOTSUPP] {
        assert!(explain_link(errno.into()).to_string().contains("keep the store elsewhere"), "{errno}");
    }
    for errno in [Errno::NOSPC, Errno::DQUOT, Errno::ROFS, Errno::ACCESS, Errno::MLINK, Errno::IO, Errno::EXIST] {
        assert_eq!(Errno::from_io_error(&explain_link(errno.into())), Some(errno));
    }
}
