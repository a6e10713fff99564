//! What sessions are kept in, as it is named on the command line.

use std::ffi::OsStr;
use std::fmt;
use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use clap::builder::{OsStringValueParser, TypedValueParser};
use session_host::{JsonlFolder, Memory, Sqlite, Storage, StorageError};

use crate::exit::{self, Exit, Failure};

/// A store that need not be there yet.
#[derive(Debug, Clone)]
pub enum Store {
    /// `jsonl:DIR`: a folder of JSON lines.
    Folder(PathBuf),
    /// `sqlite:FILE`: a database.
    Database(PathBuf),
    /// `memory:`, which is empty at first and gone in the end.
    Memory,
}

/// Reads a store for the parser of the command line.
pub fn parser() -> impl TypedValueParser<Value = Store> {
    OsStringValueParser::new().try_map(|typed| Store::parse(&typed).map_err(|wrong| format!("it {wrong}")))
}

impl Store {
    /// Reads its name.
    ///
    /// # Errors
    /// What is wrong with it, for a sentence that begins with what was read.
    pub fn parse(typed: &OsStr) -> Result<Self, &'static str> {
        let path = |bytes: &[u8]| match bytes.is_empty() {
            true => Err("names no place: say jsonl:DIR or sqlite:FILE"),
            false => Ok(PathBuf::from(OsStr::from_bytes(bytes))),
        };
        match typed.as_bytes() {
            [b'j', b's', b'o', b'n', b'l', b':', rest @ ..] => path(rest).map(Self::Folder),
            [b's', b'q', b'l', b'i', b't', b'e', b':', rest @ ..] => path(rest).map(Self::Database),
            b"memory:" => Ok(Self::Memory),
            _ => Err("names no store: say jsonl:DIR or sqlite:FILE"),
        }
    }

    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(root) => Some(root),
            _ => None,
        }
    }

    /// What is called so in sentences.
    pub fn place(&self) -> String {
        match self {
            Self::Folder(path) | Self::Database(path) => path.display().to_string(),
            Self::Memory => "memory".to_owned(),
        }
    }

    /// Opens it. One that is not there is as good as empty, and is not made.
    pub fn open(&self) -> Result<Arc<dyn Storage>> {
        match self {
            Self::Folder(root) if is_missing(root) => Ok(Arc::new(Memory::new())),
            Self::Folder(root) => Ok(Arc::new(JsonlFolder::open(root)?)),
            Self::Database(file) => Ok(Arc::new(Sqlite::open(file)?)),
            Self::Memory => Ok(Arc::new(Memory::new())),
        }
    }

    /// Looks for damage beneath the sessions, where the store can tell.
    pub fn check(&self) -> Result<(), StorageError> {
        match self {
            Self::Database(file) => Sqlite::open(file)?.check(),
            Self::Folder(_) | Self::Memory => Ok(()),
        }
    }

    /// The same, but what is not there is made, now or with its first session.
    pub fn open_or_new(&self) -> Result<Arc<dyn Storage>> {
        match self {
            Self::Folder(root) => {
                Ok(Arc::new(JsonlFolder::open(root).map_err(|error| why_not_made(root).unwrap_or(error.into()))?))
            }
            Self::Database(file) => {
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty() && is_missing(folder));
                folder.and_then(why_not_made).map_or_else(|| self.open(), Err)
            }
            Self::Memory => self.open(),
        }
    }
}

impl fmt::Display for Store {
    /// As it is typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(root) => write!(f, "jsonl:{}", root.display()),
            Self::Database(file) => write!(f, "sqlite:{}", file.display()),
            Self::Memory => f.write_str("memory:"),
        }
    }
}

fn is_missing(root: &Path) -> bool {
    matches!(root.try_exists(), Ok(false)) && !root.is_symlink()
}

/// Why there can be no such folder; none if it is there, or what is there is to blame.
fn why_not_made(root: &Path) -> Option<anyhow::Error> {
    if root.is_symlink() {
        return None;
    }
    let why = DirBuilder::new().recursive(true).mode(0o700).create(root).err()?;
    let sentence = format!("can't create the folder {}: {}", root.display(), exit::reason(&why));
    // A file system that makes no folders says that there is none.
    let exit = if why.kind() == ErrorKind::NotFound { Exit::NoRoom } else { Exit::from(&why) };
    Some(Failure::new(exit, sentence).into())
}
