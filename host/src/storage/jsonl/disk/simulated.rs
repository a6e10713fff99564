//! A disk in memory that loses power: what was written lives at once, and is durable only once it was synced.
//!
//! It is as bad as real ones are allowed to be. What was not synced may be kept, dropped, torn, reordered or zeros;
//! names of a folder that was not synced come and go one by one; a sync that fails takes the bytes for clean, so that
//! they read well and are gone later. Everything follows from one seed.

mod fault;
mod image;
mod random;
mod tree;

use std::ffi::OsString;
use std::fmt;
use std::fs::TryLockError;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use fault::{Fault, Stage};
pub use image::{Cut, Image};
pub use random::Random;

use super::{Access, File, Folder, Stat};
use fault::Faults;
use tree::{ROOT, Tree};

/// The disk, and a hand on it for the one who plays with it.
#[derive(Clone)]
pub struct Disk(Arc<Mutex<State>>);

struct State {
    tree: Tree,
    /// Which handles lock which file, and whether they share it.
    locks: Vec<Lock>,
    /// How many locks were asked for in vain.
    refusals: u64,
    handles: u64,
    faults: Faults,
    /// The disk before each change, while they are recorded.
    cuts: Vec<Tree>,
    random: Random,
    /// Can rename without replacing; else hard links have to do.
    renames: bool,
}

struct Lock {
    file: u64,
    handle: u64,
    shared: bool,
}

impl Disk {
    /// An empty one.
    pub fn new(seed: u64) -> Self {
        Self::with(Tree::new(), seed)
    }

    /// What a machine finds after it was started again.
    pub fn restarted(image: &Image, seed: u64) -> Self {
        Self::with(image.tree(), seed)
    }

    fn with(tree: Tree, seed: u64) -> Self {
        let random = Random::new(seed);
        let faults = Faults::default();
        Self(Arc::new(Mutex::new(State {
            tree,
            locks: Vec::new(),
            refusals: 0,
            handles: 0,
            faults,
            cuts: Vec::new(),
            random,
            renames: true,
        })))
    }

    /// Makes it a disk that can't rename without replacing.
    pub fn without_rename(self) -> Self {
        self.state().renames = false;
        self
    }

    /// Its one folder.
    pub fn folder(&self) -> SimulatedFolder {
        SimulatedFolder { disk: self.clone(), node: ROOT }
    }

    /// How many changes were made, or begun.
    pub fn changes(&self) -> usize {
        self.state().cuts.len()
    }

    /// How often somebody asked for a lock in vain.
    pub fn refusals(&self) -> u64 {
        self.state().refusals
    }

    /// How many operations could have failed so far.
    pub fn operations(&self) -> u64 {
        self.state().faults.operations()
    }

    /// From here on the operations fail that the fault names.
    pub fn fail(&self, fault: Fault) {
        self.state().faults.plan(fault);
    }

    /// Whether any operation failed.
    pub fn has_failed(&self) -> bool {
        self.state().faults.struck()
    }

    /// The disk works again.
    pub fn repair(&self) {
        self.state().faults.repair();
    }

    /// The disk as it was before each change, and as it is.
    pub fn history(&self) -> Vec<Cut> {
        let state = self.state();
        state.cuts.iter().chain([&state.tree]).map(|tree| Cut::of(tree.clone())).collect()
    }

    /// Another disk: this one after a loss of power that kept nothing but what was synced.
    pub fn after_cut(&self) -> Self {
        Self::restarted(&Cut::of(self.state().tree.clone()).synced(), 0)
    }

    /// The disk as it is, for a machine that goes on: nothing is lost.
    pub fn as_it_is(&self) -> Image {
        Image::live(&self.state().tree)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An operation that changes nothing.
    fn look<T>(&self, act: impl FnOnce(&Tree) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.state();
        match state.faults.step(false) {
            Some(failure) => Err(failure.error()),
            None => act(&state.tree),
        }
    }

    /// An operation that changes the disk. Power may be cut before it, and it may fail.
    fn change<T>(&self, act: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        self.change_or(act, |_, _| {})
    }

    /// The same, with what happens where it fails.
    fn change_or<T>(
        &self,
        act: impl FnOnce(&mut State) -> io::Result<T>,
        failed: impl FnOnce(&mut State, Stage),
    ) -> io::Result<T> {
        let mut state = self.state();
        let before = state.tree.clone();
        state.cuts.push(before);
        state.tree.tick();
        match state.faults.step(true) {
            None => act(&mut state),
            Some(failure) => {
                failed(&mut state, failure.stage);
                Err(failure.error())
            }
        }
    }

    fn file(&self, node: u64) -> SimulatedFile {
        let mut state = self.state();
        state.handles += 1;
        SimulatedFile { disk: self.clone(), node, handle: state.handles }
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

/// A folder on such a disk.
#[derive(Debug)]
pub struct SimulatedFolder {
    disk: Disk,
    node: u64,
}

fn text(name: &Path) -> &str {
    name.to_str().expect("names on this disk are text")
}

impl Folder for SimulatedFolder {
    type File = SimulatedFile;

    fn open(&self, name: impl AsRef<Path>, _access: Access) -> io::Result<(SimulatedFile, Stat)> {
        let (node, stat) = self.disk.look(|tree| {
            let node = tree.find(self.node, text(name.as_ref()))?;
            Ok((node, tree.stat(node).regular()?))
        })?;
        Ok((self.disk.file(node), stat))
    }

    fn create(&self, name: &str) -> io::Result<SimulatedFile> {
        let node = self.disk.change(|state| state.tree.create(self.node, name))?;
        Ok(self.disk.file(node))
    }

    fn stat(&self, name: impl AsRef<Path>) -> io::Result<Stat> {
        self.disk.look(|tree| Ok(tree.stat(tree.find(self.node, text(name.as_ref()))?)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.change(|state| state.tree.rename(self.node, from, to))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        if !self.disk.state().renames {
            return self.link_new(from, to);
        }
        self.disk.change(|state| match state.tree.find(self.node, to) {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => state.tree.rename(self.node, from, to),
        })
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.change(|state| state.tree.link(self.node, from, to))
    }

    fn unlink(&self, name: impl AsRef<Path>) -> io::Result<()> {
        self.disk.change(|state| state.tree.unlink(self.node, text(name.as_ref())))
    }

    fn make_folder(&self, name: &str) -> io::Result<Self> {
        match self.disk.change(|state| state.tree.make_folder(self.node, name)) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => self.open_folder(name),
        }
    }

    fn open_folder(&self, name: &str) -> io::Result<Self> {
        let node = self.disk.look(|tree| {
            let node = tree.find(self.node, name)?;
            if tree.stat(node).kind.is_dir() { Ok(node) } else { Err(ErrorKind::NotADirectory.into()) }
        })?;
        Ok(Self { disk: self.disk.clone(), node })
    }

    fn remove_folder(&self, name: &str) -> io::Result<()> {
        self.disk.change(|state| state.tree.remove_folder(self.node, name))
    }

    fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
        let names = self.disk.look(|tree| Ok(tree.names(self.node)))?;
        Ok(names.into_iter().map(|name| Ok(name.into())))
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.change_or(
            |state| {
                state.tree.sync_names(self.node);
                Ok(())
            },
            |state, stage| {
                if stage == Stage::HalfWay {
                    state.tree.sync_some_names(self.node, &mut state.random);
                }
            },
        )
    }
}

/// A file on such a disk. Its lock ends with it.
#[derive(Debug)]
pub struct SimulatedFile {
    disk: Disk,
    node: u64,
    handle: u64,
}

impl SimulatedFile {
    fn write(&self, at: impl Fn(&Tree) -> u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.change_or(
            |state| {
                let at = at(&state.tree);
                state.tree.write(self.node, at, bytes);
                Ok(())
            },
            |state, stage| {
                if stage == Stage::HalfWay {
                    let (at, written) = (at(&state.tree), state.random.below(bytes.len() as u64 + 1));
                    state.tree.write(self.node, at, &bytes[..written as usize]);
                }
            },
        )
    }

    fn lock(&self, shared: bool) -> Result<(), TryLockError> {
        let mut state = self.disk.state();
        let against = |lock: &&Lock| lock.file == self.node && lock.handle != self.handle && !(shared && lock.shared);
        if state.locks.iter().any(|lock| against(&lock)) {
            state.refusals += 1;
            return Err(TryLockError::WouldBlock);
        }
        state.locks.retain(|lock| lock.handle != self.handle);
        state.locks.push(Lock { file: self.node, handle: self.handle, shared });
        Ok(())
    }
}

impl Drop for SimulatedFile {
    fn drop(&mut self) {
        self.unlock();
    }
}

impl File for SimulatedFile {
    fn stat(&self) -> io::Result<Stat> {
        self.disk.look(|tree| Ok(tree.stat(self.node)))
    }

    fn read(&self, at: u64, max: u64) -> io::Result<Vec<u8>> {
        self.disk.look(|tree| Ok(tree.read(self.node, at, max)))
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        self.write(|tree| tree.stat(self.node).length, bytes)
    }

    fn overwrite(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.write(|_| at, bytes)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.disk.change(|state| {
            state.tree.cut(self.node, length);
            Ok(())
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn sync_data(&self) -> io::Result<()> {
        self.disk.change_or(
            |state| {
                state.tree.sync(self.node);
                Ok(())
            },
            |state, stage| {
                let forgets = state.faults.forgets();
                state.tree.lose(self.node, stage, forgets, &mut state.random);
            },
        )
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        self.lock(false)
    }

    fn try_lock_shared(&self) -> Result<(), TryLockError> {
        self.lock(true)
    }

    fn unlock(&self) {
        self.disk.state().locks.retain(|lock| lock.handle != self.handle);
    }
}

#[cfg(test)]
mod tests;
