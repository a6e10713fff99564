//! Logs as files in one folder: the store that is used unless you say otherwise.

mod aside;
mod checkpoint;
mod claim;
mod disk;
mod list;
mod publish;
mod remove;
mod root;
mod temp;
#[cfg(test)]
pub(super) mod tests;
#[cfg(test)]
mod torture;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use self::claim::Claim;
use self::disk::{Access, File, Folder, OsFolder, Stat};
use self::root::Root;
use super::explain::Explain;
use super::lock::lock;
use super::name::{self, Name};
use super::{Aside, LogInfo, Order, Part, Place, Result, Storage, StorageError};

/// A folder that holds each log as a file of JSON lines, `<encoded id>.jsonl`.
///
/// Files are for their owner alone. Nothing outside the folder is ever touched, whatever an id looks like: it is encoded
/// so that no two ids share a file on any file system, and an encoding of more than 240 bytes is
/// [`InvalidId`](StorageError::InvalidId). Links are refused, but for the folder itself.
///
/// A claim is an advisory lock (`flock`) on the log, so it works over all processes of one machine and ends with the
/// process that holds it. A folder that can't be written to can still be read.
///
/// ```
/// use session_host::storage::{JsonlFolder, Part, Storage};
///
/// # let temporary = tempfile::tempdir()?;
/// # let home = temporary.path();
/// let store = JsonlFolder::open(home.join("sessions"))?;
/// let log = store.publish("fix-login", &[Part::Content(b"one line\n")])?;
/// store.append("fix-login", log.length, b"and another\n")?;
/// store.sync("fix-login")?;
/// assert_eq!(store.read("fix-login", 9, 1024)?, b"and another\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonlFolder<F: Folder = OsFolder> {
    root: Arc<Root<F>>,
    claims: Mutex<HashMap<String, Held<F>>>,
}

/// The length that is told of what is listed and can't be opened. Nobody reads what is empty; whoever reads this learns why
/// it can't be.
const UNKNOWN_LENGTH: u64 = 1;

/// A claim that several threads may ask for.
type Held<F> = Arc<Mutex<Claim<F>>>;

impl JsonlFolder {
    /// Opens a folder, and makes it if it is missing. It is opened once: what becomes of the path later does not matter.
    ///
    /// # Errors
    /// If there is something else, or the rights do not reach.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let opened = Root::open(path).explain("open the folder", &path.display().to_string());
        opened.map(Self::on).map_err(|error| match error {
            StorageError::NotFound => {
                StorageError::Failed(format!("can't open the folder `{}`: it does not exist", path.display()))
            }
            StorageError::InvalidId(_) => {
                StorageError::Failed(format!("can't open the folder `{}`: its name is too long", path.display()))
            }
            error => error,
        })
    }

    /// Works in a folder that is open already. This takes no authority but that.
    ///
    /// ```
    /// use cap_std::{ambient_authority, fs::Dir};
    /// use session_host::storage::{JsonlFolder, Storage};
    ///
    /// # let temporary = tempfile::tempdir()?;
    /// # let path = temporary.path();
    /// let store = JsonlFolder::from_dir(Dir::open_ambient_dir(path, ambient_authority())?)?;
    /// assert!(store.stat("fix-login").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the folder can't be read.
    pub fn from_dir(dir: cap_std::fs::Dir) -> Result<Self> {
        Root::from_dir(&dir).map(Self::on).explain("open the folder", ".")
    }

    /// The name of the file in the folder that is the log of this session.
    ///
    /// ```
    /// assert_eq!(session_host::JsonlFolder::file_name("Fix login")?, "~46ix~20login.jsonl");
    /// # Ok::<(), session_host::StorageError>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidId`](StorageError::InvalidId).
    pub fn file_name(id: &str) -> Result<String> {
        Name::of(id).map(|name| name.log())
    }
}

impl<F: Folder> JsonlFolder<F> {
    fn on(root: Root<F>) -> Self {
        Self { root: Arc::new(root), claims: Mutex::default() }
    }

    fn claim(&self, id: &str) -> Option<Held<F>> {
        lock(&self.claims).get(id).cloned()
    }

    fn hold(&self, id: &str, claim: Claim<F>) {
        let replaced = lock(&self.claims).insert(id.to_owned(), Arc::new(Mutex::new(claim)));
        drop(replaced);
    }

    /// Does something that is for the log's holder alone. The map of claims is free meanwhile: logs do not wait for one
    /// another.
    fn as_holder<T>(&self, id: &str, act: impl FnOnce(&mut Claim<F>) -> Result<T>) -> Result<T> {
        let Some(claim) = self.claim(id) else {
            return Err(StorageError::Moved(format!("`{id}` is not held; it must be acquired first")));
        };
        let mut claim = lock(&claim);
        act(&mut claim)
    }

    fn is_held(&self, id: Option<&str>, file: impl AsRef<Path>) -> bool {
        id.is_some_and(|id| lock(&self.claims).contains_key(id)) || self.root.folder.is_locked(file)
    }
}

fn info(id: Option<String>, name: String, stat: Stat, held: bool) -> LogInfo {
    let identity = stat.identity.to_string();
    LogInfo { id, name, length: stat.length, modified: stat.modified, identity, held }
}

impl<F: Folder> Storage for JsonlFolder<F> {
    fn acquire(&self, id: &str) -> Result<LogInfo> {
        let log = Name::of(id)?.log();
        let held = |stat| info(Some(id.to_owned()), log.clone(), stat, true);
        if let Some(claim) = self.claim(id) {
            match lock(&claim).renew() {
                // The claim is on a file that is the log no more; the log must be claimed like any other.
                Err(StorageError::Moved(_) | StorageError::NotFound) => {}
                renewed => return renewed.map(held),
            }
        }
        self.release(id);
        let mut claim = Claim::take(&self.root, log.clone())?;
        let stat = claim.renew()?;
        self.hold(id, claim);
        Ok(held(stat))
    }

    fn release(&self, id: &str) {
        let claim = lock(&self.claims).remove(id);
        drop(claim);
    }

    fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo> {
        let name = Name::of(id)?;
        let (claim, stat) = publish::publish(&self.root, &name, parts)?;
        self.hold(id, claim);
        Ok(info(Some(id.to_owned()), name.log(), stat, true))
    }

    fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()> {
        self.as_holder(id, |claim| claim.append(at, content))
    }

    fn sync(&self, id: &str) -> Result<()> {
        self.as_holder(id, Claim::sync)
    }

    fn stat(&self, id: &str) -> Result<LogInfo> {
        let log = Name::of(id)?.log();
        let stat = self.root.folder.stat(&log).and_then(Stat::regular).explain("look at", &log)?;
        let held = self.is_held(Some(id), &log);
        Ok(info(Some(id.to_owned()), log, stat, held))
    }

    fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        let log = Name::of(id)?.log();
        let (file, stat) = self.root.folder.open(&log, Access::Read).explain("open", &log)?;
        file.read_within(stat.length, at, max).explain("read", &log)
    }

    fn set_aside(&self, id: &str, at: u64) -> Result<Aside> {
        let name = Name::of(id)?;
        self.as_holder(id, |claim| aside::set_aside(&self.root.folder, &name, claim, at))
    }

    fn asides(&self, id: &str) -> Result<Vec<Aside>> {
        aside::list(&self.root.folder, &Name::of(id)?)
    }

    fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        aside::read(&self.root.folder, &Name::of(id)?, name, at, max)
    }

    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>> {
        let page = list::page(&self.root.folder, order, after, max as usize).explain("list", "the folder of logs")?;
        let page = page.into_iter().map(|entry| {
            let name = entry.name().into_owned();
            let id = name::id_of_log(&name);
            match entry.stat {
                Some(stat) if stat.kind.is_file() => {
                    let held = self.is_held(id.as_deref(), &entry.file);
                    info(id, name, stat, held)
                }
                Some(stat) => info(id, name, Stat { length: UNKNOWN_LENGTH, ..stat }, false),
                None => {
                    let (length, identity) = (UNKNOWN_LENGTH, String::new());
                    LogInfo { id, name, length, modified: 0, identity, held: false }
                }
            }
        });
        Ok(page.collect())
    }

    fn remove(&self, id: &str) -> Result<()> {
        let name = Name::of(id)?;
        let folder = &self.root.folder;
        let own = match self.claim(id) {
            Some(claim) => lock(&claim).is_current()?,
            None => false,
        };
        let claim = match own {
            true => None,
            false => match Claim::take(&self.root, name.log()) {
                Ok(claim) => Some(claim),
                Err(StorageError::NotFound) => {
                    self.release(id);
                    return remove::remove_leftovers(folder, &name);
                }
                Err(error) => return Err(error),
            },
        };
        remove::remove(folder, &name)?;
        self.release(id);
        drop(claim);
        Ok(())
    }

    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()> {
        let name = Name::of(id)?;
        self.as_holder(id, |claim| {
            claim.look()?;
            checkpoint::save(&self.root.folder, &name, content)
        })
    }

    fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>> {
        Ok(checkpoint::load(&self.root.folder, &Name::of(id)?))
    }

    fn sibling(&self) -> Result<Arc<dyn Storage>> {
        Ok(Arc::new(Self { root: self.root.clone(), claims: Mutex::default() }))
    }
}
