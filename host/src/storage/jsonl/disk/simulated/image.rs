//! What a machine may find on its disk after the power was cut.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::random::Random;
use super::tree::{Change, FileNode, FolderNode, Names, Node, ROOT, Tree, put};

/// Sizes of the pieces that a disk writes whole. The small ones stand for large ones that a line straddles.
const SECTORS: [usize; 5] = [1, 8, 64, 512, 4096];
/// Unsynced bytes of one file up to which it is torn at every byte; beyond, at places drawn by lot.
const TORN_EVERYWHERE: usize = 2048;

/// A disk without power: files and folders as they are found.
#[derive(Debug, Clone)]
pub struct Image {
    /// How it came about.
    pub how: String,
    root: Folder,
}

#[derive(Debug, Clone, Default, Hash)]
struct Folder {
    files: BTreeMap<String, Arc<Vec<u8>>>,
    folders: BTreeMap<String, Folder>,
}

/// Which of its names a folder is found with.
type Look = fn(&FolderNode) -> Names;

/// The moment in which power is cut.
pub struct Cut(Tree);

impl Image {
    /// What a killed process leaves: the machine goes on.
    pub(super) fn live(tree: &Tree) -> Self {
        Self::found(tree, "the process was killed".into(), |folder| folder.live.clone(), |_, file| file.live.clone())
    }

    fn found(
        tree: &Tree,
        how: String,
        mut names: impl FnMut(&FolderNode) -> Names,
        mut content: impl FnMut(u64, &FileNode) -> Vec<u8>,
    ) -> Self {
        // A file with two names has the same content under both.
        let mut known = BTreeMap::new();
        let mut content =
            |node, file: &FileNode| known.entry(node).or_insert_with(|| Arc::new(content(node, file))).clone();
        let root = Folder::found(tree, ROOT, &mut names, &mut content);
        Self { how, root }
    }

    /// The names in it; those in a folder follow the folder's.
    pub fn names(&self) -> Vec<String> {
        let within =
            |(name, folder): (&String, &Folder)| folder.files.keys().map(|file| format!("{name}/{file}")).collect();
        let folders = self.root.folders.iter().flat_map(|entry| -> Vec<String> { within(entry) });
        self.root.files.keys().chain(self.root.folders.keys()).cloned().chain(folders).collect()
    }

    /// Equal for images that a machine can't tell apart.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.root.hash(&mut hasher);
        hasher.finish()
    }

    /// A disk on which all this is durable.
    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        self.root.build(&mut tree, ROOT);
        tree
    }
}

impl Folder {
    fn found(
        tree: &Tree,
        node: u64,
        names: &mut impl FnMut(&FolderNode) -> Names,
        content: &mut impl FnMut(u64, &FileNode) -> Arc<Vec<u8>>,
    ) -> Self {
        let mut found = Self::default();
        for (name, node) in names(tree.folder(node)) {
            match &*tree.nodes[&node] {
                Node::File(file) => drop(found.files.insert(name, content(node, file))),
                Node::Folder(_) => drop(found.folders.insert(name, Self::found(tree, node, names, content))),
            }
        }
        found
    }

    fn build(&self, tree: &mut Tree, at: u64) {
        const FRESH: &str = "a fresh folder has no such name";
        for (name, content) in &self.files {
            let node = tree.create(at, name).expect(FRESH);
            tree.write(node, 0, content);
            tree.sync(node);
        }
        for (name, folder) in &self.folders {
            let node = tree.make_folder(at, name).expect(FRESH);
            folder.build(tree, node);
        }
        tree.sync_names(at);
    }
}

impl Cut {
    pub(super) fn of(tree: Tree) -> Self {
        Self(tree)
    }

    /// Only the process is gone.
    pub fn alive(&self) -> Image {
        Image::live(&self.0)
    }

    /// Nothing unsynced was kept.
    pub fn synced(&self) -> Image {
        let names = |folder: &FolderNode| folder.durable.clone();
        Image::found(&self.0, "only what was synced".into(), names, |_, file| file.durable.clone())
    }

    /// The plain cases, all of them: everything kept or dropped, each name alone, each file torn at each byte.
    pub fn plain(&self) -> Vec<Image> {
        let image = |how: &str, names: Look, content: fn(u64, &FileNode) -> Vec<u8>| {
            Image::found(&self.0, how.into(), names, content)
        };
        let (old, new): (Look, Look) = (|folder| folder.durable.clone(), |folder| folder.live.clone());
        let mut images = vec![
            self.synced(),
            image("every change", new, |_, file| file.ordered(file.unsynced.len(), 0)),
            image("the names, and no bytes", new, |_, file| file.durable.clone()),
            image("the names, and zeros", new, |_, file| file.zeros()),
            image("the bytes, and no names", old, |_, file| file.ordered(file.unsynced.len(), 0)),
            image("zeros, and no names", old, |_, file| file.zeros()),
        ];
        self.each_name_alone(&mut images);
        self.each_file_torn(&mut images);
        images
    }

    fn each_name_alone(&self, images: &mut Vec<Image>) {
        let changes = self.0.nodes.values().map(|node| match &**node {
            Node::Folder(folder) => folder.unsynced.len(),
            Node::File(_) => 0,
        });
        for place in 0..changes.max().unwrap_or(0) {
            for keeps in [true, false] {
                let names = |folder: &FolderNode| folder.chosen(|index| (index == place) == keeps);
                let how = if keeps { "change of names" } else { "no change of names but" };
                images.push(Image::found(&self.0, format!("{how} {place}, all bytes"), names, |_, file| {
                    file.ordered(file.unsynced.len(), 0)
                }));
                images.push(Image::found(&self.0, format!("{how} {place}, no bytes"), names, |_, file| {
                    file.durable.clone()
                }));
            }
        }
    }

    fn each_file_torn(&self, images: &mut Vec<Image>) {
        for (torn, node) in &self.0.nodes {
            let Node::File(file) = &**node else { continue };
            for (place, bytes) in file.tears() {
                let content = |node: u64, file: &FileNode| match node == *torn {
                    true => file.ordered(place, bytes),
                    false => file.ordered(file.unsynced.len(), 0),
                };
                let how = format!("file {torn} torn in its change {place} after {bytes} bytes");
                images.push(Image::found(&self.0, how, |folder| folder.live.clone(), content));
            }
        }
    }

    /// Any of the changes, in any order, in pieces, or as zeros: what the seed says.
    pub fn scattered(&self, mut random: Random) -> Image {
        let mut names = random.clone();
        random.number();
        Image::found(
            &self.0,
            "changes drawn by lot".into(),
            |folder| folder.chosen(|_| names.coin()),
            |_, file| file.scattered(&mut random),
        )
    }
}

impl FolderNode {
    fn chosen(&self, mut keeps: impl FnMut(usize) -> bool) -> Names {
        let mut names = self.durable.clone();
        for (_, change) in self.unsynced.iter().enumerate().filter(|(index, _)| keeps(*index)) {
            change.apply(&mut names);
        }
        names
    }
}

impl FileNode {
    /// The first changes whole, and so many bytes of the next.
    fn ordered(&self, whole: usize, bytes: usize) -> Vec<u8> {
        let mut content = self.durable.clone();
        self.unsynced[..whole].iter().for_each(|change| change.apply(&mut content));
        if let Some(Change::Write { at, bytes: written }) = self.unsynced.get(whole) {
            put(&mut content, *at as usize, &written[..bytes]);
        }
        content
    }

    /// The length, without the bytes. Where bytes are written over, the old ones stay.
    pub(super) fn zeros(&self) -> Vec<u8> {
        let mut content = self.durable.clone();
        for change in &self.unsynced {
            match change {
                Change::Write { at, bytes } => content.resize(content.len().max(*at as usize + bytes.len()), 0),
                cut @ Change::Cut { .. } => cut.apply(&mut content),
            }
        }
        content
    }

    /// Where it can be torn: in which change, after how many of its bytes.
    fn tears(&self) -> impl Iterator<Item = (usize, usize)> {
        let total: usize = self.unsynced.iter().map(|change| change.bytes().len()).sum();
        let step = total / TORN_EVERYWHERE + 1;
        let tears = self.unsynced.iter().enumerate();
        tears.flat_map(move |(place, change)| (0..change.bytes().len()).step_by(step).map(move |bytes| (place, bytes)))
    }

    /// Sector by sector, each of the changes or not.
    pub(super) fn scattered(&self, random: &mut Random) -> Vec<u8> {
        let sector = random.pick(&SECTORS);
        // How much is kept: hardly anything, half, nearly all.
        let kept = random.pick(&[0, 1, 4, 7, 8]);
        let mut content = self.durable.clone();
        for change in &self.unsynced {
            match change {
                Change::Write { at, bytes } => {
                    let longer = random.coin();
                    for (index, piece) in bytes.chunks(sector).enumerate() {
                        let at = *at as usize + index * sector;
                        if random.below(8) < kept {
                            put(&mut content, at, piece);
                        } else if longer && content.len() < at + piece.len() {
                            content.resize(at + piece.len(), 0);
                        }
                    }
                }
                cut @ Change::Cut { .. } if random.coin() => cut.apply(&mut content),
                Change::Cut { .. } => {}
            }
        }
        content
    }
}

impl Change {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Write { bytes, .. } => bytes,
            Self::Cut { .. } => &[],
        }
    }
}
