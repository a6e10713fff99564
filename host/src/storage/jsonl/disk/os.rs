//! The files of the operating system.
//!
//! cap-std opens, so that no name leads out of the folder; links are never followed. What is bound to an operating
//! system stands in this module and in `root`.

use std::ffi::OsString;
use std::fs::{Permissions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::time::UNIX_EPOCH;

use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, Metadata, MetadataExt, OpenOptions, OpenOptionsExt};
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::{Errno, retry_on_intr};

use super::{Access, File, Folder, Identity, Stat};

/// An open folder.
#[derive(Debug)]
pub struct OsFolder(Dir);

impl OsFolder {
    /// The same folder, opened so that it can be listed and synced.
    pub(in super::super) fn reopen(dir: &Dir) -> io::Result<Self> {
        Ok(Self(Dir::from_std_file(dir.open(".")?.into_std())))
    }
}

impl Folder for OsFolder {
    type File = OsFile;

    fn open(&self, name: impl AsRef<Path>, access: Access) -> io::Result<(OsFile, Stat)> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
        match access {
            Access::Read => {}
            Access::Append => drop(options.append(true)),
            Access::Overwrite => drop(options.write(true)),
        }
        let file = match self.0.open_with(&name, &options) {
            Ok(file) => OsFile(file.into_std()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
            // The kernel says "too many links" or "no such device"; people want to know what stands there.
            Err(error) => return Err(self.stat(name).and_then(Stat::regular).err().unwrap_or(error)),
        };
        let stat = file.stat()?.regular()?;
        Ok((file, stat))
    }

    fn create(&self, name: &str) -> io::Result<OsFile> {
        let file = self.0.open_with(name, OpenOptions::new().read(true).append(true).create_new(true).mode(0o600))?;
        let file = OsFile(file.into_std());
        // The umask may have taken more than it should.
        let permissions = Permissions::from_mode(0o600);
        file.0.set_permissions(permissions).inspect_err(|_| drop(self.unlink(name)))?;
        Ok(file)
    }

    fn stat(&self, name: impl AsRef<Path>) -> io::Result<Stat> {
        self.0.symlink_metadata(name).map(|metadata| Stat::of(&metadata))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, &self.0, to)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        match rustix::fs::renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => self.link_new(from, to),
            done => Ok(done?),
        }
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.hard_link(from, &self.0, to)
    }

    fn unlink(&self, name: impl AsRef<Path>) -> io::Result<()> {
        self.0.remove_file(name)
    }

    fn make_folder(&self, name: &str) -> io::Result<Self> {
        match self.0.create_dir_with(name, DirBuilder::new().mode(0o700)) {
            Ok(()) => rustix::fs::chmodat(&self.0, name, Mode::RWXU, AtFlags::empty())?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        self.open_folder(name)
    }

    fn open_folder(&self, name: &str) -> io::Result<Self> {
        let flags = OFlags::NOFOLLOW | OFlags::DIRECTORY;
        let folder = self.0.open_with(name, OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()));
        // The kernel says "not a directory" of a link too; people want to know what stands there.
        let folder = folder.map_err(|error| self.stat(name).and_then(Stat::folder).err().unwrap_or(error))?;
        Ok(Self(Dir::from_std_file(folder.into_std())))
    }

    fn remove_folder(&self, name: &str) -> io::Result<()> {
        self.0.remove_dir(name)
    }

    fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
        Ok(self.0.entries()?.map(|entry| Ok(entry?.file_name())))
    }

    fn sync(&self) -> io::Result<()> {
        Ok(retry_on_intr(|| rustix::fs::fsync(&self.0))?)
    }
}

/// An open regular file.
#[derive(Debug)]
pub struct OsFile(std::fs::File);

impl File for OsFile {
    fn stat(&self) -> io::Result<Stat> {
        Metadata::from_file(&self.0).map(|metadata| Stat::of(&metadata))
    }

    fn read(&self, at: u64, max: u64) -> io::Result<Vec<u8>> {
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

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.0).write_all(bytes)
    }

    fn overwrite(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, at)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }

    fn try_lock_shared(&self) -> Result<(), TryLockError> {
        self.0.try_lock_shared()
    }

    fn unlock(&self) {
        let _ = self.0.unlock();
    }
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
}

#[cfg(test)]
mod tests;
