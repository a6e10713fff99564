//! Files and folders, each as it lives and as it is durable, with the changes that lie between.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::super::{Identity, Stat};
use super::fault::Stage;
use super::random::Random;

/// The number of the folder that everything is in.
pub(super) const ROOT: u64 = 0;

/// A copy costs little: what both have in common is shared.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub nodes: BTreeMap<u64, Arc<Node>>,
    /// Goes on with every change.
    clock: u64,
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    File(FileNode),
    Folder(FolderNode),
}

#[derive(Debug, Clone, Default)]
pub(super) struct FileNode {
    pub live: Vec<u8>,
    pub durable: Vec<u8>,
    /// In the order in which they were made.
    pub unsynced: Vec<Change>,
    pub modified: u64,
}

#[derive(Debug, Clone)]
pub(super) enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Cut { length: u64 },
}

pub(super) type Names = BTreeMap<String, u64>;

#[derive(Debug, Clone, Default)]
pub(super) struct FolderNode {
    pub live: Names,
    pub durable: Names,
    pub unsynced: Vec<NameChange>,
}

#[derive(Debug, Clone)]
pub(super) enum NameChange {
    Add {
        name: String,
        node: u64,
    },
    Remove {
        name: String,
    },
    /// The new name and not the old one, or the other way round: never both, never neither.
    Rename {
        from: String,
        to: String,
        node: u64,
    },
}

impl Change {
    pub fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write { at, bytes } => put(content, *at as usize, bytes),
            Self::Cut { length } => content.resize(*length as usize, 0),
        }
    }
}

/// Writes at a place; what lies between it and the end is zeros.
pub(super) fn put(content: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    content[at..end].copy_from_slice(bytes);
}

impl NameChange {
    pub fn apply(&self, names: &mut Names) {
        match self {
            Self::Add { name, node } => drop(names.insert(name.clone(), *node)),
            Self::Remove { name } => drop(names.remove(name)),
            Self::Rename { from, to, node } => {
                names.remove(from);
                names.insert(to.clone(), *node);
            }
        }
    }
}

impl FileNode {
    fn change(&mut self, change: Change, now: u64) {
        change.apply(&mut self.live);
        self.unsynced.push(change);
        self.modified = now;
    }
}

impl FolderNode {
    fn change(&mut self, change: NameChange) {
        change.apply(&mut self.live);
        self.unsynced.push(change);
    }
}

impl Tree {
    pub fn new() -> Self {
        Self { nodes: [(ROOT, Arc::new(Node::Folder(FolderNode::default())))].into(), clock: 1_000_000 }
    }

    pub fn tick(&mut self) {
        self.clock += 1;
    }

    pub fn file(&self, node: u64) -> &FileNode {
        match &*self.nodes[&node] {
            Node::File(file) => file,
            Node::Folder(_) => panic!("node {node} is a folder"),
        }
    }

    fn file_mut(&mut self, node: u64) -> &mut FileNode {
        match self.nodes.get_mut(&node).map(Arc::make_mut) {
            Some(Node::File(file)) => file,
            _ => panic!("node {node} is no file"),
        }
    }

    pub fn folder(&self, node: u64) -> &FolderNode {
        match &*self.nodes[&node] {
            Node::Folder(folder) => folder,
            Node::File(_) => panic!("node {node} is a file"),
        }
    }

    fn folder_mut(&mut self, node: u64) -> &mut FolderNode {
        match self.nodes.get_mut(&node).map(Arc::make_mut) {
            Some(Node::Folder(folder)) => folder,
            _ => panic!("node {node} is no folder"),
        }
    }

    pub fn find(&self, folder: u64, name: &str) -> io::Result<u64> {
        self.folder(folder).live.get(name).copied().ok_or(ErrorKind::NotFound.into())
    }

    pub fn stat(&self, node: u64) -> Stat {
        let (kind, length, modified) = match &*self.nodes[&node] {
            Node::File(file) => (cap_std::fs::FileType::file(), file.live.len() as u64, file.modified),
            Node::Folder(_) => (cap_std::fs::FileType::dir(), 0, 0),
        };
        Stat { identity: Identity { device: 1, inode: node, born: node.into() }, kind, length, modified }
    }

    fn add(&mut self, folder: u64, name: &str, node: Node) -> io::Result<u64> {
        if self.find(folder, name).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let number = self.nodes.last_key_value().map_or(0, |(last, _)| last + 1);
        self.nodes.insert(number, Arc::new(node));
        self.folder_mut(folder).change(NameChange::Add { name: name.into(), node: number });
        Ok(number)
    }

    pub fn create(&mut self, folder: u64, name: &str) -> io::Result<u64> {
        let modified = self.clock;
        self.add(folder, name, Node::File(FileNode { modified, ..FileNode::default() }))
    }

    pub fn make_folder(&mut self, folder: u64, name: &str) -> io::Result<u64> {
        self.add(folder, name, Node::Folder(FolderNode::default()))
    }

    pub fn link(&mut self, folder: u64, from: &str, to: &str) -> io::Result<()> {
        let node = self.find(folder, from)?;
        if self.find(folder, to).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.folder_mut(folder).change(NameChange::Add { name: to.into(), node });
        Ok(())
    }

    pub fn rename(&mut self, folder: u64, from: &str, to: &str) -> io::Result<()> {
        let node = self.find(folder, from)?;
        self.folder_mut(folder).change(NameChange::Rename { from: from.into(), to: to.into(), node });
        Ok(())
    }

    pub fn unlink(&mut self, folder: u64, name: &str) -> io::Result<()> {
        if self.stat(self.find(folder, name)?).kind.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        self.folder_mut(folder).change(NameChange::Remove { name: name.into() });
        Ok(())
    }

    pub fn remove_folder(&mut self, folder: u64, name: &str) -> io::Result<()> {
        let node = self.find(folder, name)?;
        if !self.folder(node).live.is_empty() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        self.folder_mut(folder).change(NameChange::Remove { name: name.into() });
        Ok(())
    }

    pub fn names(&self, folder: u64) -> Vec<String> {
        self.folder(folder).live.keys().cloned().collect()
    }

    pub fn sync_names(&mut self, folder: u64) {
        let folder = self.folder_mut(folder);
        for change in std::mem::take(&mut folder.unsynced) {
            change.apply(&mut folder.durable);
        }
    }

    /// A sync that fails half-way. Names go through a journal: what it did not keep, the next sync keeps.
    pub fn sync_some_names(&mut self, folder: u64, random: &mut Random) {
        let folder = self.folder_mut(folder);
        let kept = random.below(folder.unsynced.len() as u64 + 1) as usize;
        for change in folder.unsynced.drain(..kept) {
            change.apply(&mut folder.durable);
        }
    }

    pub fn read(&self, node: u64, at: u64, max: u64) -> Vec<u8> {
        let content = &self.file(node).live;
        let start = (at as usize).min(content.len());
        content[start..(start + max as usize).min(content.len())].to_vec()
    }

    pub fn write(&mut self, node: u64, at: u64, bytes: &[u8]) {
        let now = self.clock;
        self.file_mut(node).change(Change::Write { at, bytes: bytes.to_vec() }, now);
    }

    pub fn cut(&mut self, node: u64, length: u64) {
        let now = self.clock;
        self.file_mut(node).change(Change::Cut { length }, now);
    }

    pub fn sync(&mut self, node: u64) {
        let file = self.file_mut(node);
        for change in std::mem::take(&mut file.unsynced) {
            change.apply(&mut file.durable);
        }
    }

    /// A sync that fails. Perhaps some of the bytes got to the disk; the others are taken for clean, and no later sync writes
    /// them. They read well as long as the machine runs, unless it forgets them at once.
    pub fn lose(&mut self, node: u64, stage: Stage, forgets: bool, random: &mut Random) {
        let file = self.file_mut(node);
        file.durable = if stage == Stage::HalfWay { file.scattered(random) } else { file.zeros() };
        file.unsynced.clear();
        if forgets {
            let length = file.live.len();
            file.live.clone_from(&file.durable);
            file.live.resize(length, 0);
        }
    }
}
