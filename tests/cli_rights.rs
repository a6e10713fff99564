//! Rights and read-only places, told apart. As root every file can be read, so these tests drop root's rights first.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use session_tests::command::{Answer, Root, answer, turn};

const NOBODY: u32 = 65534;

/// Somebody without special rights, with a root of sessions and a copy of the command.
struct Somebody {
    root: Root,
    uid: Option<u32>,
    binary: PathBuf,
}

impl Somebody {
    fn with_sessions(ids: &[&str]) -> Self {
        let root = Root::new();
        let binary = root.path().join("session");
        // Copied by another process: a file that this one had open to write could not be run while a test beside it forks.
        let original = root.command(["--version"]).get_program().to_owned();
        assert!(Command::new("cp").arg(original).arg(&binary).status().unwrap().success());
        for id in ids {
            root.put(id, turn(0));
        }
        let uid = rootly(root.path()).then_some(NOBODY);
        if let Some(uid) = uid {
            let entries = fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().path());
            entries.chain([root.path().to_owned()]).for_each(|path| chown(path, Some(uid), Some(uid)).unwrap());
        }
        Self { root, uid, binary }
    }

    fn run(&self, args: &[&str]) -> Answer {
        let mut command = Command::new(&self.binary);
        command.env("XDG_CACHE_HOME", self.root.path().join("cache")).stdin(Stdio::null());
        let elsewhere = args.contains(&"--root");
        command.args((!elsewhere).then(|| format!("--root={}", self.root.path().display()))).args(args);
        self.uid.map(|uid| command.uid(uid).gid(uid));
        answer(&mut command)
    }

    fn allow(&self, path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
}

impl Drop for Somebody {
    fn drop(&mut self) {
        self.allow(self.root.path(), 0o700);
    }
}

/// Whether we are root: what we make is then root's.
fn rootly(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).unwrap().uid() == 0
}

#[test]
fn a_folder_without_the_right_to_write_can_be_read() {
    let somebody = Somebody::with_sessions(&["x"]);
    somebody.run(&["has", "x"]).done();
    somebody.allow(somebody.root.path(), 0o555);
    assert_eq!(somebody.run(&["show", "x", "--json"]).done(), turn(0));
    assert_eq!(somebody.run(&["list", "--json"]).json_lines().len(), 1);
    somebody.run(&["messages", "x"]).done();
    let said = somebody.run(&["create", "y"]).failed(7);
    assert!(!said.contains("read-only"), "{said}");
}

#[test]
fn a_file_without_rights_is_listed_and_denied() {
    let somebody = Somebody::with_sessions(&["x", "y"]);
    somebody.allow(&somebody.root.log("x"), 0o000);
    let items = somebody.run(&["list", "--json"]).json_lines();
    assert_eq!(items.len(), 2, "{items:?}");
    assert!(items.iter().any(|item| item.get("reason").is_some()), "{items:?}");
    for args in [&["show", "x"][..], &["wake", "x"], &["emit", "x", "note", "{}"]] {
        somebody.run(args).failed(7);
    }
    somebody.run(&["wake", "y"]).done();
    somebody.run(&["verify", "--all"]).ended(7);
}

#[test]
fn a_file_without_the_right_to_write_can_be_read() {
    let somebody = Somebody::with_sessions(&["x"]);
    somebody.allow(&somebody.root.log("x"), 0o400);
    assert_eq!(somebody.run(&["show", "x", "--json"]).done(), turn(0));
    somebody.run(&["emit", "x", "note", "{}"]).failed(7);
    somebody.run(&["wake", "x"]).failed(7);
}

#[test]
fn a_folder_that_may_not_be_made_is_told_as_such() {
    let somebody = Somebody::with_sessions(&[]);
    somebody.allow(somebody.root.path(), 0o555);
    let below = somebody.root.path().join("below");
    let said = somebody.run(&["--root", below.to_str().unwrap(), "create", "x"]).failed(7);
    assert!(said.contains("can't create the folder") && said.contains("the rights do not reach"), "{said}");
}
