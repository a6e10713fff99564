//! Who writes which log: a locked file for each, in a folder beside the database.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{process, thread};

use rustix::fs::OFlags;

use super::super::explain::Explain;
use super::super::name::Name;
use super::super::{Result, StorageError};
use super::fail::{beside, name};

/// The lock of whoever makes the database; no id is encoded so.
const MAKING: &str = "~make";
/// For how long a reader may keep a writer waiting. Ours need an instant, unless they are stopped in the midst of it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The folder of the locks. It holds nothing that is kept.
#[derive(Debug)]
pub(super) struct Locks(PathBuf);

impl Locks {
    pub(super) fn of(database: &Path) -> Self {
        Self(beside(database, ".claims"))
    }

    /// Becomes the writer of a log, or says who is.
    pub(super) fn take(&self, log: &Name) -> Result<Lock> {
        let path = self.0.join(log.encoded());
        loop {
            let file = self.open(&path).explain("open", &self.told(&path))?;
            if !try_lock(&file).explain("lock", &self.told(&path))? {
                return Err(StorageError::Busy(format!("`{}`{}", log.encoded(), holder(&file))));
            }
            let lock = Lock { path: path.clone(), file };
            // Before this writer got the lock, the one before it may have removed the file.
            if lock.is_current().explain("look at", &self.told(&path))? {
                lock.sign();
                return Ok(lock);
            }
        }
    }

    /// Whether some writer holds the log. Takes a shared lock for an instant; writers know it by that.
    pub(super) fn is_held(&self, log: &Name) -> bool {
        let Ok(file) = options().read(true).open(self.0.join(log.encoded())) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// Waits to be the one who makes the database.
    pub(super) fn making(&self) -> Result<Lock> {
        let path = self.0.join(MAKING);
        loop {
            let file = self.open(&path).explain("open", &self.told(&path))?;
            file.lock().explain("lock", &self.told(&path))?;
            let lock = Lock { path: path.clone(), file };
            if lock.is_current().explain("look at", &self.told(&path))? {
                return Ok(lock);
            }
        }
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        loop {
            match options().read(true).write(true).create(true).mode(0o600).open(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    match DirBuilder::new().mode(0o700).create(&self.0) {
                        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                        _ => {}
                    }
                }
                opened => return opened,
            }
        }
    }

    fn told(&self, path: &Path) -> String {
        format!("{}/{}", name(&self.0), name(path))
    }
}

/// A lock, for as long as this value or its process lives.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    fn is_current(&self) -> io::Result<bool> {
        match fs::symlink_metadata(&self.path) {
            Ok(at_path) => self.file.metadata().map(|own| (own.dev(), own.ino()) == (at_path.dev(), at_path.ino())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Leaves word of who has it, for those who come too late. A disk that is full for that is no reason to be refused.
    fn sign(&self) {
        let _ = self.file.set_len(0).and_then(|()| (&self.file).write_all(process::id().to_string().as_bytes()));
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is nobody's lock, and the next writer takes it.
        let _ = fs::remove_file(&self.path);
        // At once, even if a child process that is just being started still holds the descriptor.
        let _ = self.file.unlock();
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    options
}

/// Takes the lock, unless a writer has it. One that can be shared is no writer's: somebody asks just now whether the log is
/// held, and is waited for.
fn try_lock(file: &File) -> io::Result<bool> {
    let patient_until = Instant::now() + PATIENCE;
    loop {
        if is_free(file.try_lock())? {
            return Ok(true);
        }
        if !is_free(file.try_lock_shared())? || Instant::now() > patient_until {
            return Ok(false);
        }
        file.unlock()?;
        thread::sleep(Duration::from_micros(50));
    }
}

fn is_free(locked: Result<(), TryLockError>) -> io::Result<bool> {
    match locked {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Who holds a lock, as far as it is told.
fn holder(mut file: &File) -> String {
    let mut pid = String::new();
    match file.read_to_string(&mut pid).map(|_| pid.parse::<u32>()) {
        Ok(Ok(pid)) if pid == process::id() => " (this process)".into(),
        Ok(Ok(pid)) => format!(" (process {pid})"),
        _ => String::new(),
    }
}
