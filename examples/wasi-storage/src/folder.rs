//! Every operation on files that this store makes: each on one name in the one folder, or on one open file. No link is followed.

use std::ops::Range;

use crate::error::{Error, Io};
use crate::wasi::filesystem::preopens::get_directories;
use crate::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue, OpenFlags, PathFlags,
};
use crate::wasi::io::streams::OutputStream;

/// How much is held in memory while bytes go from one file to another.
const WINDOW: u64 = 1 << 20;
/// No write to a stream may be longer. (A descriptor takes more at once, but some hosts then break down where the disk is full.)
const STREAM_WRITE_MAX: usize = 4096;

/// The folder that holds the logs: the first one that the host has preopened.
pub struct Folder(Descriptor);

/// What is known of a file without reading it.
pub struct Stat {
    pub kind: DescriptorType,
    pub length: u64,
    /// Milliseconds since the Unix epoch.
    pub modified: u64,
    /// Tells the file from others. WASI does not say when a file was made, so one that is made in the place of another may get
    /// the same.
    pub identity: u64,
}

impl Stat {
    fn of(stat: DescriptorStat, hash: MetadataHashValue) -> Self {
        let modified = stat.data_modification_timestamp.map_or(0, crate::milliseconds);
        // The upper half is where hosts put the time of the last change.
        Self { kind: stat.type_, length: stat.size, modified, identity: hash.lower }
    }

    /// Refuses all but regular files.
    pub fn regular(self) -> Io<Self> {
        self.must_be(DescriptorType::RegularFile, "a regular file")
    }

    /// Refuses all but folders.
    pub fn folder(self) -> Io<Self> {
        self.must_be(DescriptorType::Directory, "a folder")
    }

    fn must_be(self, kind: DescriptorType, wanted: &str) -> Io<Self> {
        let what = match self.kind {
            found if found == kind => return Ok(self),
            DescriptorType::SymbolicLink => "a symbolic link",
            DescriptorType::Directory => "a folder",
            DescriptorType::RegularFile => "a file",
            _ => "no file but a pipe, a socket or a device",
        };
        Err(Error::Told(format!("it is {what}, and must be {wanted}; move it away")))
    }
}

impl Folder {
    /// Takes the first folder that is preopened; none if there is none.
    pub fn preopened() -> Option<Self> {
        Some(Self(get_directories().into_iter().next()?.0))
    }

    pub fn stat(&self, name: &str) -> Io<Stat> {
        Ok(Stat::of(self.0.stat_at(PathFlags::empty(), name)?, self.hash(name)?))
    }

    pub fn length(&self, name: &str) -> Io<u64> {
        Ok(self.0.stat_at(PathFlags::empty(), name)?.size)
    }

    pub fn exists(&self, name: &str) -> Io<bool> {
        crate::error::missing_is(self.stat(name).map(|_| true), false)
    }

    fn hash(&self, name: &str) -> Io<MetadataHashValue> {
        Ok(self.0.metadata_hash_at(PathFlags::empty(), name)?)
    }

    /// Whether that name leads to this file.
    pub fn leads_to(&self, name: &str, file: &File) -> Io<bool> {
        let (named, open) = match self.hash(name) {
            Err(Error::Code(ErrorCode::NoEntry)) => return Ok(false),
            named => (named?, file.0.metadata_hash()?),
        };
        Ok((named.lower, named.upper) == (open.lower, open.upper))
    }

    /// Opens a regular file that exists. Nothing else is opened: a pipe would make this wait.
    pub fn open(&self, name: &str, access: DescriptorFlags) -> Io<(File, Stat)> {
        let stat = self.stat(name)?.regular()?;
        Ok((File(self.0.open_at(PathFlags::empty(), name, OpenFlags::empty(), access)?), stat))
    }

    /// Makes a file that did not exist.
    pub fn create(&self, name: &str) -> Io<File> {
        let (new, access) = (OpenFlags::CREATE | OpenFlags::EXCLUSIVE, DescriptorFlags::READ | DescriptorFlags::WRITE);
        Ok(File(self.0.open_at(PathFlags::empty(), name, new, access)?))
    }

    /// Gives a file a second name, unless that is taken.
    pub fn link(&self, from: &str, to: &str) -> Io {
        self.0.link_at(PathFlags::empty(), from, &self.0, to).map_err(|code| match code {
            ErrorCode::Unsupported | ErrorCode::NotPermitted => Error::Told(format!(
                "this file system makes no hard links ({}), and they are needed; keep the store elsewhere",
                Error::Code(code)
            )),
            code => Error::Code(code),
        })
    }

    /// Puts a file in the place of another.
    pub fn rename(&self, from: &str, to: &str) -> Io {
        Ok(self.0.rename_at(from, &self.0, to)?)
    }

    pub fn unlink(&self, name: &str) -> Io {
        Ok(self.0.unlink_file_at(name)?)
    }

    /// Makes a folder in this one, if it is missing.
    pub fn make_folder(&self, name: &str) -> Io {
        match self.0.create_directory_at(name) {
            Err(ErrorCode::Exist) => self.stat(name)?.folder().map(drop),
            made => Ok(made?),
        }
    }

    pub fn remove_folder(&self, name: &str) -> Io {
        Ok(self.0.remove_directory_at(name)?)
    }

    /// The names in this folder, or in one that is in it. A name that is no Unicode text can't be told, and is passed over.
    pub fn names(&self, folder: &str) -> Io<Vec<String>> {
        let entries = self.reopen(folder)?.read_directory()?;
        let mut names = Vec::new();
        loop {
            match entries.read_directory_entry() {
                Ok(Some(entry)) => names.push(entry.name),
                Ok(None) => return Ok(names),
                // The second is gone by now.
                Err(ErrorCode::IllegalByteSequence | ErrorCode::NoEntry) => {}
                Err(code) => return Err(code.into()),
            }
        }
    }

    /// Makes the names in this folder durable, or in one that is in it.
    pub fn sync(&self, folder: &str) -> Io {
        Ok(self.reopen(folder)?.sync()?)
    }

    /// Some hosts list and sync only what was opened in a folder that is preopened, not that itself.
    fn reopen(&self, folder: &str) -> Io<Descriptor> {
        Ok(self.0.open_at(PathFlags::empty(), folder, OpenFlags::DIRECTORY, DescriptorFlags::READ)?)
    }
}

/// The folder of the logs itself, where one within it could be named.
pub const HERE: &str = ".";

/// An open regular file.
pub struct File(Descriptor);

impl File {
    pub fn length(&self) -> Io<u64> {
        Ok(self.0.stat()?.size)
    }

    pub fn stat(&self) -> Io<Stat> {
        Ok(Stat::of(self.0.stat()?, self.0.metadata_hash()?))
    }

    /// The bytes from `at`, at most `max` of them; fewer only if the file ends.
    pub fn read(&self, at: u64, max: u64) -> Io<Vec<u8>> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < max {
            let (more, _) = self.0.read(max - bytes.len() as u64, at + bytes.len() as u64)?;
            match more {
                more if more.is_empty() => break,
                more if bytes.is_empty() => bytes = more,
                more => bytes.extend_from_slice(&more),
            }
        }
        Ok(bytes)
    }

    /// Reads from a file that is known to have this length: nothing is asked for that is not there.
    pub fn read_within(&self, length: u64, at: u64, max: u32) -> Io<Vec<u8>> {
        self.read(at, length.saturating_sub(at).min(max.into()))
    }

    /// Hands over a stretch of the file, piece by piece. It is an error if the file ends before the stretch does.
    pub fn each_window(&self, stretch: Range<u64>, mut take: impl FnMut(u64, &[u8]) -> Io) -> Io {
        let mut at = stretch.start;
        while at < stretch.end {
            let window = self.read(at, WINDOW.min(stretch.end - at))?;
            if window.is_empty() {
                return Err(Error::Told(format!("it ends at byte {at}, before byte {}", stretch.end)));
            }
            take(at, &window)?;
            at += window.len() as u64;
        }
        Ok(())
    }

    /// Writes at the end, wherever that is by now: never over what somebody else has written meanwhile. After an error some of
    /// the bytes may be there.
    pub fn append(&self, bytes: &[u8]) -> Io {
        pour(bytes, &self.0.append_via_stream()?)
    }

    /// Writes at a place.
    pub fn write(&self, at: u64, bytes: &[u8]) -> Io {
        pour(bytes, &self.0.write_via_stream(at)?)
    }

    pub fn truncate(&self, length: u64) -> Io {
        Ok(self.0.set_size(length)?)
    }

    /// Makes a new file durable.
    pub fn sync(&self) -> Io {
        Ok(self.0.sync()?)
    }

    /// Makes content and length durable.
    pub fn sync_data(&self) -> Io {
        Ok(self.0.sync_data()?)
    }
}

fn pour(bytes: &[u8], stream: &OutputStream) -> Io {
    for piece in bytes.chunks(STREAM_WRITE_MAX) {
        stream.blocking_write_and_flush(piece)?;
    }
    Ok(())
}
