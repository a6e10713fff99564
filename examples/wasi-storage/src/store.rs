//! What each call does: which log it is about, and who may call it.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::claim::Claim;
use crate::error::{Answer, Explain};
use crate::folder::{File, Folder, Stat};
use crate::list;
use crate::name::{self, Name};
use crate::storage::{Aside, LogInfo, Order, Part, Place, StorageError};
use crate::wasi::filesystem::types::{DescriptorFlags, DescriptorType};
use crate::{aside, checkpoint, publish, remove};

/// The length that is told of what is listed and can't be opened. Nobody reads what is empty; whoever reads this learns why it
/// can't be.
const UNKNOWN_LENGTH: u64 = 1;
/// How many removed logs are kept open.
const REMOVED_MAX: usize = 64;

/// The logs in the preopened folder, and those of them that this instance holds.
#[derive(Default)]
pub struct Store {
    folder: Option<Rc<Folder>>,
    claims: HashMap<String, Claim>,
    /// Claims that were let go while the last sync had failed: who holds such a log next has to write its bytes again.
    unsynced: HashMap<String, Claim>,
    /// While a removed log is open, no new one can be taken for it: its number in the file system is not used again.
    removed: VecDeque<File>,
}

/// The names of the files of a log.
pub fn names(id: &str) -> Answer<Name> {
    Name::of(id).map_err(StorageError::InvalidId)
}

fn info(id: Option<String>, name: String, stat: &Stat, held: bool) -> LogInfo {
    LogInfo { id, name, length: stat.length, modified: stat.modified, identity: format!("{:x}", stat.identity), held }
}

impl Store {
    fn folder(&mut self) -> Answer<Rc<Folder>> {
        if self.folder.is_none() {
            self.folder = Folder::preopened().map(Rc::new);
        }
        let none = || StorageError::Failed("the host has preopened no folder; give it the one for the sessions".into());
        self.folder.clone().ok_or_else(none)
    }

    /// Does something that is for the log's holder alone.
    fn as_holder<T>(&mut self, id: &str, act: impl FnOnce(&Folder, &mut Claim) -> Answer<T>) -> Answer<T> {
        let folder = self.folder()?;
        match self.claims.get_mut(id) {
            Some(claim) => act(&folder, claim),
            None => Err(StorageError::Moved(format!("`{id}` is not held; it must be acquired first"))),
        }
    }

    pub fn acquire(&mut self, id: &str) -> Answer<LogInfo> {
        let log = names(id)?.log();
        let folder = self.folder()?;
        let held = |stat| info(Some(id.into()), log.clone(), &stat, true);
        if let Some(claim) = self.claims.get_mut(id) {
            match claim.renew(&folder) {
                // The claim is on a file that is the log no more; the log must be claimed like any other.
                Err(StorageError::Moved(_) | StorageError::NotFound) => drop(self.claims.remove(id)),
                renewed => return renewed.map(held),
            }
        }
        let goes_on = match self.unsynced.get(id) {
            Some(claim) => claim.is_current(&folder)?,
            None => false,
        };
        let mut claim = match self.unsynced.remove(id).filter(|_| goes_on) {
            Some(claim) => claim,
            None => Claim::take(&folder, log.clone())?,
        };
        match claim.renew(&folder) {
            Ok(stat) => {
                self.claims.insert(id.into(), claim);
                Ok(held(stat))
            }
            Err(error) => {
                self.let_go(id, claim);
                Err(error)
            }
        }
    }

    pub fn release(&mut self, id: &str) {
        if let Some(claim) = self.claims.remove(id) {
            self.let_go(id, claim);
        }
    }

    fn let_go(&mut self, id: &str, claim: Claim) {
        if claim.is_unsynced() {
            self.unsynced.insert(id.into(), claim);
        }
    }

    pub fn publish(&mut self, id: &str, parts: &[Part]) -> Answer<LogInfo> {
        let name = names(id)?;
        let (claim, stat) = publish::publish(&*self.folder()?, &name, parts)?;
        self.claims.insert(id.into(), claim);
        Ok(info(Some(id.into()), name.log(), &stat, true))
    }

    pub fn append(&mut self, id: &str, at: u64, content: &[u8]) -> Answer {
        self.as_holder(id, |folder, claim| claim.append(folder, at, content))
    }

    pub fn sync(&mut self, id: &str) -> Answer {
        self.as_holder(id, |folder, claim| claim.sync(folder))
    }

    pub fn stat(&mut self, id: &str) -> Answer<LogInfo> {
        let log = names(id)?.log();
        let stat = self.folder()?.stat(&log).and_then(Stat::regular).explain("look at", &log)?;
        Ok(info(Some(id.into()), log, &stat, self.claims.contains_key(id)))
    }

    pub fn read(&mut self, id: &str, at: u64, max: u32) -> Answer<Vec<u8>> {
        let log = names(id)?.log();
        let (file, stat) = self.folder()?.open(&log, DescriptorFlags::READ).explain("open", &log)?;
        file.read_within(stat.length, at, max).explain("read", &log)
    }

    pub fn set_aside(&mut self, id: &str, at: u64) -> Answer<Aside> {
        let name = names(id)?;
        self.as_holder(id, |folder, claim| aside::set_aside(folder, &name, claim, at))
    }

    pub fn asides(&mut self, id: &str) -> Answer<Vec<Aside>> {
        aside::list(&*self.folder()?, &names(id)?)
    }

    pub fn read_aside(&mut self, id: &str, piece: &str, at: u64, max: u32) -> Answer<Vec<u8>> {
        aside::read(&*self.folder()?, &names(id)?, piece, at, max)
    }

    pub fn list(&mut self, order: Order, after: Option<&Place>, max: u32) -> Answer<Vec<LogInfo>> {
        let page = list::page(&*self.folder()?, order, after, max as usize).explain("list", "the folder of logs")?;
        let page = page.into_iter().map(|(name, stat)| {
            let id = name::id_of_log(&name);
            let held = id.as_ref().is_some_and(|id| self.claims.contains_key(id));
            match stat {
                Some(stat) if stat.kind == DescriptorType::RegularFile => info(id, name, &stat, held),
                Some(stat) => info(id, name, &Stat { length: UNKNOWN_LENGTH, ..stat }, false),
                None => {
                    let (length, identity) = (UNKNOWN_LENGTH, String::new());
                    LogInfo { id, name, length, modified: 0, identity, held: false }
                }
            }
        });
        Ok(page.collect())
    }

    pub fn remove(&mut self, id: &str) -> Answer {
        let name = names(id)?;
        let folder = self.folder()?;
        let own = match self.claims.get(id) {
            Some(claim) => claim.is_current(&folder)?,
            None => false,
        };
        let claim = match own {
            true => None,
            false => match Claim::take(&folder, name.log()) {
                Ok(claim) => Some(claim),
                Err(StorageError::NotFound) => {
                    self.claims.remove(id);
                    return remove::remove_leftovers(&folder, &name);
                }
                Err(error) => return Err(error),
            },
        };
        remove::remove(&folder, &name)?;
        self.unsynced.remove(id);
        let held = self.claims.remove(id);
        self.removed.extend(claim.or(held).map(Claim::into_file));
        if self.removed.len() > REMOVED_MAX {
            self.removed.pop_front();
        }
        Ok(())
    }

    pub fn save_checkpoint(&mut self, id: &str, content: &[u8]) -> Answer {
        let name = names(id)?;
        self.as_holder(id, |folder, claim| {
            claim.look(folder)?;
            checkpoint::save(folder, &name, content)
        })
    }

    pub fn load_checkpoint(&mut self, id: &str) -> Answer<Vec<u8>> {
        let name = names(id)?;
        Ok(checkpoint::load(&*self.folder()?, &name))
    }
}
