//! Every operation on files that this store makes: each on one name in one folder, or on one open file.
//!
//! cap-std opens, so that no name leads out of the folder; links are never followed. What is bound to an operating
//! system stands in this module and in `root`.

use std::ffi::OsString;
use std::fmt;
use std::fs::TryLockError;
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::time::UNIX_EPOCH;

use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, Metadata, MetadataExt, OpenOptions, OpenOptionsExt};
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::{Errno, retry_on_intr};

/// How much is held in memory while bytes go from one file to another.
const WINDOW: u64 = 1 << 20;

/// What an open file is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Access {
    Read,
    /// Reading, and writing at the end alone.
    Append,
    /// Reading, and writing at a place. On Linux a file opened for appending writes at its end whatever place is named.
    Overwrite,
}

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder(Dir);

impl Folder {
    /// The same folder, opened so that it can be listed and synced.
    pub(super) fn reopen(dir: &Dir) -> io::Result<Self> {
        Ok(Self(Dir::from_std_file(dir.open(".")?.into_std())))
    }

    /// Opens a regular file that exists. Nothing else can be opened, and nothing makes this wait.
    pub(super) fn open(&self, name: impl AsRef<Path>, access: Access) -> io::Result<(File, Stat)> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
        match access {
            Access::Read => {}
            Access::Append => drop(options.append(true)),
            Access::Overwrite => drop(options.write(true)),
        }
        let file = match self.0.open_with(&name, &options) {
            Ok(file) => File(file.into_std()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
            // The kernel says "too many links" or "no such device"; people want to know what stands there.
            Err(error) => return Err(self.stat(name).and_then(Stat::regular).err().unwrap_or(error)),
        };
        let stat = file.stat()?.regular()?;
        Ok((file, stat))
    }

    /// Makes a file that did not exist, for its owner alone, to be appended to.
    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        let file = self.0.open_with(name, OpenOptions::new().read(true).append(true).create_new(true).mode(0o600))?;
        let file = File(file.into_std());
        // The umask may have taken more than it should.
        let permissions = std::fs::Permissions::from_mode(0o600);
        file.0.set_permissions(permissions).inspect_err(|_| drop(self.unlink(name)))?;
        Ok(file)
    }

    pub(super) fn stat(&self, name: impl AsRef<Path>) -> io::Result<Stat> {
        self.0.symlink_metadata(name).map(|metadata| Stat::of(&metadata))
    }

    pub(super) fn exists(&self, name: &str) -> io::Result<bool> {
        missing_is(self.stat(name).map(|_| true), false)
    }

    /// Whether that name leads to this file, which must be open.
    pub(super) fn leads_to(&self, name: &str, file: Identity) -> io::Result<bool> {
        missing_is(self.stat(name).map(|stat| stat.identity.is(file)), false)
    }

    /// Whether a file of that name is locked. Takes a shared lock for an instant, so lockers try more than once.
    pub(super) fn is_locked(&self, name: impl AsRef<Path>) -> bool {
        let Ok((file, _)) = self.open(name, Access::Read) else { return false };
        match file.0.try_lock_shared() {
            Ok(()) => {
                file.unlock();
                false
            }
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(_)) => false,
        }
    }

    /// Puts a file in the place of another.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, &self.0, to)
    }

    /// Renames a file unless the new name is taken: then it is [`ErrorKind::AlreadyExists`].
    pub(super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        match rustix::fs::renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => self.link_new(from, to),
            done => Ok(done?),
        }
    }

    /// The same for file systems that can't rename so.
    fn link_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.hard_link(from, &self.0, to).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => error,
            _ => io::Error::other(format!(
                "this file system can neither rename without replacing nor make hard links ({error}), \
                 and one of them is needed; keep the store elsewhere"
            )),
        })?;
        // The new name is there, and that is what counts; should the old one stay, it is swept like any leftover.
        let _ = self.unlink(from);
        Ok(())
    }

    pub(super) fn unlink(&self, name: impl AsRef<Path>) -> io::Result<()> {
        self.0.remove_file(name)
    }

    /// The folder of that name, made for its owner alone if it is missing.
    pub(super) fn make_folder(&self, name: &str) -> io::Result<Self> {
        match self.0.create_dir_with(name, DirBuilder::new().mode(0o700)) {
            Ok(()) => rustix::fs::chmodat(&self.0, name, Mode::RWXU, AtFlags::empty())?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        self.open_folder(name)
    }

    pub(super) fn open_folder(&self, name: &str) -> io::Result<Self> {
        let flags = OFlags::NOFOLLOW | OFlags::DIRECTORY;
        let folder = self.0.open_with(name, OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()))?;
        Ok(Self(Dir::from_std_file(folder.into_std())))
    }

    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        self.0.remove_dir(name)
    }

    pub(super) fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>> + use<>> {
        Ok(self.0.entries()?.map(|entry| Ok(entry?.file_name())))
    }

    /// Makes the names in this folder durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(retry_on_intr(|| rustix::fs::fsync(&self.0))?)
    }
}

/// Answers `otherwise` where there is nothing of that name.
pub(super) fn missing_is<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(otherwise),
        other => other,
    }
}

/// An open regular file.
#[derive(Debug)]
pub(super) struct File(std::fs::File);

impl File {
    pub(super) fn stat(&self) -> io::Result<Stat> {
        Metadata::from_file(&self.0).map(|metadata| Stat::of(&metadata))
    }

    /// The bytes from `at`, at most `max` of them; fewer only if the file ends.
    pub(super) fn read(&self, at: u64, max: u64) -> io::Result<Vec<u8>> {
        let max = usize::try_from(max).map_err(|_| ErrorKind::OutOfMemory)?;
        let mut bytes = Vec::with_capacity(max);
        while bytes.len() < max {
            let place = at + bytes.len() as u64;
            let read = retry_on_intr(|| rustix::io::pread(&self.0, rustix::buffer::spare_capacity(&mut bytes), place))?;
            if read == 0 {
                break;
            }
        }
        bytes.truncate(max);
        Ok(bytes)
    }

    /// The same, of a file that is known to have this length: nothing is set aside in memory for what is not there.
    pub(super) fn read_within(&self, length: u64, at: u64, max: u32) -> io::Result<Vec<u8>> {
        self.read(at, length.saturating_sub(at).min(max.into()))
    }

    /// A stretch of the file, piece by piece. It is an error if the file ends before the stretch does.
    pub(super) fn windows(&self, stretch: Range<u64>) -> impl Iterator<Item = io::Result<Vec<u8>>> {
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

    /// Writes at the end. After an error some of the bytes may be there.
    pub(super) fn append(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.0).write_all(bytes)
    }

    /// For a file opened to [`Overwrite`](Access::Overwrite).
    pub(super) fn overwrite(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, at)
    }

    pub(super) fn truncate(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    /// Makes a new file durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    /// Makes content and length durable.
    pub(super) fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    /// Takes the lock that makes one writer, or says that somebody has it.
    pub(super) fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }

    /// Gives the lock back at once, even if a child process that is just being started still holds the descriptor.
    pub(super) fn unlock(&self) {
        let _ = self.0.unlock();
    }
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stat {
    pub(super) identity: Identity,
    pub(super) kind: cap_std::fs::FileType,
    pub(super) length: u64,
    /// Milliseconds since the Unix epoch.
    pub(super) modified: u64,
}

impl Stat {
    fn of(metadata: &Metadata) -> Self {
        let since_epoch = |time: io::Result<cap_std::time::SystemTime>| {
            time.ok().and_then(|time| time.into_std().duration_since(UNIX_EPOCH).ok())
        };
        Self {
            identity: Identity {
                device: metadata.dev(),
                inode: metadata.ino(),
                born: since_epoch(metadata.created()).map_or(0, |born| born.as_nanos()),
            },
            kind: metadata.file_type(),
            length: metadata.len(),
            modified: since_epoch(metadata.modified()).map_or(0, |modified| modified.as_millis() as u64),
        }
    }

    /// Refuses all but regular files.
    pub(super) fn regular(self) -> io::Result<Self> {
        let kind = self.kind;
        if kind.is_file() {
            return Ok(self);
        }
        let what = match kind {
            _ if kind.is_symlink() => "a symbolic link",
            _ if kind.is_dir() => "a folder",
            _ => "no file but a pipe, a socket or a device",
        };
        Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {what}, and must be a regular file; move it away")))
    }
}

/// Tells a file from every other, one that had its name before it among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
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

#[cfg(test)]
mod tests;
