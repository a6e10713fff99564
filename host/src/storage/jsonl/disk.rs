//! Every operation on files that this store makes: each on one name in one folder, or on one open file. All that the
//! rest of the store knows of a file system stands here; the tests put one in its place that loses power.

mod os;
#[cfg(test)]
pub mod simulated;

use std::ffi::OsString;
use std::fmt;
use std::fs::TryLockError;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;

use rustix::io::Errno;

pub use os::OsFolder;

/// How much is held in memory while bytes go from one file to another.
const WINDOW: u64 = 1 << 20;

/// What an open file is for.
#[derive(Debug, Clone, Copy)]
pub enum Access {
    Read,
    /// Reading, and writing at the end alone.
    Append,
    /// Reading, and writing at a place. On Linux a file opened for appending writes at its end whatever place is named.
    Overwrite,
}

/// An open folder.
pub trait Folder: fmt::Debug + Send + Sync + Sized + 'static {
    /// What opening a file in it gives.
    type File: File;

    /// Opens a regular file that exists. Nothing else can be opened, and nothing makes this wait.
    fn open(&self, name: impl AsRef<Path>, access: Access) -> io::Result<(Self::File, Stat)>;

    /// Makes a file that did not exist, for its owner alone, to be appended to.
    fn create(&self, name: &str) -> io::Result<Self::File>;

    fn stat(&self, name: impl AsRef<Path>) -> io::Result<Stat>;

    /// Puts a file in the place of another.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Renames a file unless the new name is taken: then it is [`ErrorKind::AlreadyExists`].
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()>;

    /// Gives a file a second name, unless that is taken.
    fn link(&self, from: &str, to: &str) -> io::Result<()>;

    fn unlink(&self, name: impl AsRef<Path>) -> io::Result<()>;

    /// The folder of that name, made for its owner alone if it is missing.
    fn make_folder(&self, name: &str) -> io::Result<Self>;

    fn open_folder(&self, name: &str) -> io::Result<Self>;

    fn remove_folder(&self, name: &str) -> io::Result<()>;

    fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>>>;

    /// Makes the names in this folder durable.
    fn sync(&self) -> io::Result<()>;

    /// [`rename_new`](Self::rename_new) for file systems that can't rename so.
    fn link_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.link(from, to).map_err(explain_link)?;
        // The new name is there, and that is what counts; should the old one stay, it is swept like any leftover.
        let _ = self.unlink(from);
        Ok(())
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        missing_is(self.stat(name).map(|_| true), false)
    }

    /// Whether that name leads to this file, which must be open.
    fn leads_to(&self, name: &str, file: Identity) -> io::Result<bool> {
        missing_is(self.stat(name).map(|stat| stat.identity.is(file)), false)
    }

    /// Whether a file of that name is locked by a writer. Takes a shared lock for an instant; writers know it by that.
    fn is_locked(&self, name: impl AsRef<Path>) -> bool {
        let Ok((file, _)) = self.open(name, Access::Read) else { return false };
        match file.try_lock_shared() {
            Ok(()) => {
                file.unlock();
                false
            }
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(_)) => false,
        }
    }
}

/// Says what follows where a file system knows no hard links; every other error speaks for itself.
fn explain_link(error: io::Error) -> io::Error {
    // Kernels answer so, and no file of ours can be refused so for another reason.
    if error.kind() == ErrorKind::Unsupported || Errno::from_io_error(&error) == Some(Errno::PERM) {
        return io::Error::other(format!(
            "this file system can neither rename without replacing nor make hard links ({error}), \
             and one of them is needed; keep the store elsewhere"
        ));
    }
    error
}

/// Answers `otherwise` where there is nothing of that name.
pub(super) fn missing_is<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(otherwise),
        other => other,
    }
}

/// An open regular file.
pub trait File: fmt::Debug + Send + Sync {
    fn stat(&self) -> io::Result<Stat>;

    /// The bytes from `at`, at most `max` of them; fewer only if the file ends.
    fn read(&self, at: u64, max: u64) -> io::Result<Vec<u8>>;

    /// Writes at the end. After an error some of the bytes may be there.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;

    /// For a file opened to [`Overwrite`](Access::Overwrite).
    fn overwrite(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    fn truncate(&self, length: u64) -> io::Result<()>;

    /// Makes a new file durable.
    fn sync(&self) -> io::Result<()>;

    /// Makes content and length durable.
    fn sync_data(&self) -> io::Result<()>;

    /// Takes the lock that makes one writer, or says that somebody has it.
    fn try_lock(&self) -> Result<(), TryLockError>;

    /// Takes a lock that many can have, or says that somebody has the other.
    fn try_lock_shared(&self) -> Result<(), TryLockError>;

    /// Gives the lock back at once, even if a child process that is just being started still holds the descriptor.
    fn unlock(&self);

    /// Reads from a file that is known to have this length: nothing is set aside in memory for what is not there.
    fn read_within(&self, length: u64, at: u64, max: u32) -> io::Result<Vec<u8>> {
        self.read(at, length.saturating_sub(at).min(max.into()))
    }

    /// A stretch of the file, piece by piece. It is an error if the file ends before the stretch does.
    fn windows(&self, stretch: Range<u64>) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        let mut at = stretch.start;
        std::iter::from_fn(move || {
            let wanted = stretch.end.saturating_sub(at).min(WINDOW);
            if wanted == 0 {
                return None;
            }
            let window = self.read(at, wanted).and_then(|bytes| match bytes.len() as u64 == wanted {
                true => Ok(bytes),
                false => Err(io::Error::new(
                    ErrorKind::UnexpectedEof,
                    format!("it ends at byte {}, before byte {}", at + bytes.len() as u64, stretch.end),
                )),
            });
            at = if window.is_ok() { at + wanted } else { stretch.end };
            Some(window)
        })
    }
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy)]
pub struct Stat {
    pub(super) identity: Identity,
    pub(super) kind: cap_std::fs::FileType,
    pub(super) length: u64,
    /// Milliseconds since the Unix epoch.
    pub(super) modified: u64,
}

impl Stat {
    /// Refuses all but regular files.
    pub(super) fn regular(self) -> io::Result<Self> {
        self.must(self.kind.is_file(), "a regular file")
    }

    /// Refuses all but folders.
    pub(super) fn folder(self) -> io::Result<Self> {
        self.must(self.kind.is_dir(), "a folder")
    }

    fn must(self, be: bool, wanted: &str) -> io::Result<Self> {
        let kind = self.kind;
        let what = match kind {
            _ if be => return Ok(self),
            _ if kind.is_symlink() => "a symbolic link",
            _ if kind.is_dir() => "a folder",
            _ if kind.is_file() => "a file",
            _ => "no file but a pipe, a socket or a device",
        };
        Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {what}, and must be {wanted}; move it away")))
    }
}

/// Tells a file from every other, one that had its name before it among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    pub(super) device: u64,
    pub(super) inode: u64,
    /// Nanoseconds since the Unix epoch; 0 where the file system does not tell. Numbers of inodes are used again.
    born: u128,
}

impl Identity {
    /// The same, while one of the two is open: so long its number is not used again.
    pub(super) fn is(self, other: Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}-{:x}", self.device, self.inode, self.born)
    }
}
