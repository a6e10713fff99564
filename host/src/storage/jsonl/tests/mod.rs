mod append;
mod aside;
mod checkpoint;
pub(in crate::storage) mod claims;
mod full;
pub(in crate::storage) mod limits;
mod list;
mod names;
mod nth;
mod open;
mod publish;
mod remove;
pub(in crate::storage) mod rights;
mod sandbox;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::JsonlFolder;
use crate::storage::{LogInfo, Part, Result, Storage, StorageError};

/// A store in a folder of its own.
struct Fixture {
    store: JsonlFolder,
    folder: TempDir,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    Fixture { store: JsonlFolder::open(folder.path()).unwrap(), folder }
}

impl Fixture {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What stands in the folder, sorted.
    fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }

    /// What another program would see.
    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Another holder, as another process would be.
    fn other(&self) -> JsonlFolder {
        JsonlFolder::open(self.folder.path()).unwrap()
    }
}

pub(in crate::storage) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(in crate::storage) fn mode(path: impl AsRef<Path>) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

pub(in crate::storage) fn set_mode(path: impl AsRef<Path>, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

pub(in crate::storage) fn publish(store: &dyn Storage, id: &str, content: &str) -> LogInfo {
    store.publish(id, &[Part::Content(content.as_bytes())]).unwrap()
}

fn add_foreign(path: impl AsRef<Path>, bytes: &str) {
    use std::io::Write;
    fs::OpenOptions::new().append(true).open(path).unwrap().write_all(bytes.as_bytes()).unwrap();
}

#[track_caller]
pub(in crate::storage) fn assert_busy<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(StorageError::Busy(text)) => text,
        other => panic!("not busy but {other:?}"),
    }
}

#[track_caller]
pub(in crate::storage) fn assert_moved<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(StorageError::Moved(text)) => text,
        other => panic!("not moved but {other:?}"),
    }
}

#[track_caller]
pub(in crate::storage) fn assert_denied<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(StorageError::AccessDenied(text)) => text,
        other => panic!("not denied but {other:?}"),
    }
}

#[track_caller]
pub(in crate::storage) fn assert_failed<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(StorageError::Failed(text)) => text,
        other => panic!("not failed but {other:?}"),
    }
}

const CHILD: &str = "SESSION_TEST_CHILD";

/// The name by which the test binary knows the test that this stands in.
macro_rules! this_test {
    () => {{
        fn here() {}
        let path = std::any::type_name_of_val(&here).strip_suffix("::here").unwrap();
        path.split_once("::").unwrap().1
    }};
}
pub(in crate::storage) use this_test;

/// In the child process: the folder to work in.
pub(in crate::storage) fn child_folder() -> Option<PathBuf> {
    std::env::var_os(CHILD).map(PathBuf::from)
}

/// Runs one test of this binary again, in a process of its own that is to work in `folder`.
pub(in crate::storage) fn child(test: &str, folder: &Path) -> Command {
    as_child(Command::new("/proc/self/exe"), test, folder)
}

/// The same with limits and such, which a line of shell sets.
pub(in crate::storage) fn child_after(shell: &str, test: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    through_shell(&mut command, shell);
    as_child(command, test, folder)
}

/// Lets the shell do something and then become this binary.
fn through_shell(sh: &mut Command, shell: &str) {
    sh.args(["-c", &format!("{shell} && exec \"$0\" \"$@\"")]).arg(std::env::current_exe().unwrap());
}

fn as_child(mut command: Command, test: &str, folder: &Path) -> Command {
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, folder);
    command
}

#[track_caller]
pub(in crate::storage) fn run(mut command: Command) {
    let output = command.output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the child process failed:\n{text}{errors}");
    assert!(text.contains("1 passed"), "the child process ran no test:\n{text}{errors}");
}
