//! One log in the hands of its writer.

use crate::error::{Answer, Error, Explain, Io, missing_is};
use crate::folder::{File, Folder, Stat};
use crate::storage::StorageError;
use crate::wasi::filesystem::types::DescriptorFlags;

/// An open log. WASI has no locks, so this keeps nobody else out; but what somebody else does is noticed.
///
/// While the claim is fit, the log's name leads to the open file, and that is as long as the extent says. Everything is refused
/// to a claim that is unfit.
pub struct Claim {
    name: String,
    file: File,
    extent: Extent,
    /// The last sync failed. The system may have dropped bytes that it can't be made to write by asking again.
    sync_failed: bool,
    /// Somebody else changed the log; says how.
    moved: Option<String>,
}

impl Claim {
    /// Becomes the writer of a log that exists. How far that reaches, [`renew`](Self::renew) says.
    pub fn take(folder: &Folder, name: String) -> Answer<Self> {
        let access = DescriptorFlags::READ | DescriptorFlags::WRITE;
        let (file, stat) = folder.open(&name, access).explain("open", &name)?;
        Ok(Self { extent: Extent::found(stat.length), ..Self::over(name, file, stat.length) })
    }

    /// A claim on a file that was made and synced just now.
    pub fn over(name: String, file: File, length: u64) -> Self {
        Self { name, file, extent: Extent::synced(length), sync_failed: false, moved: None }
    }

    /// The file, which is the writer's no more.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Whether bytes may be unsafe that were to be durable.
    pub fn is_unsynced(&self) -> bool {
        self.sync_failed
    }

    /// Whether the log's name still leads to the file that is held.
    pub fn is_current(&self, folder: &Folder) -> Answer<bool> {
        folder.leads_to(&self.name, &self.file).explain("look at", &self.name)
    }

    /// Makes a claim fit again and takes the log as it stands; [`StorageError::Moved`] if it is another one by now.
    pub fn renew(&mut self, folder: &Folder) -> Answer<Stat> {
        if !self.is_current(folder)? {
            return Err(self.move_away("it was removed or replaced"));
        }
        let stat = self.file.stat().explain("look at", &self.name)?;
        self.moved = None;
        self.extent.believe(stat.length);
        self.make_fit(folder)?;
        Ok(stat)
    }

    /// Adds bytes at the end, which must be `at`.
    pub fn append(&mut self, folder: &Folder, at: u64, content: &[u8]) -> Answer {
        self.make_fit(folder)?;
        if at != self.extent.length {
            let length = self.extent.length;
            return Err(self.move_away(&format!("it has {length} bytes where {at} were expected")));
        }
        self.expect(folder, at)?;
        if let Err(error) = self.file.append(content) {
            return self.roll_back(at, content).and(Err(error).explain("append to", &self.name));
        }
        self.extent.grow(content);
        self.expect(folder, self.extent.length).map_err(|error| match error {
            StorageError::Moved(_) => error,
            error => self.lose_sight(&format!("it was written at byte {at} and could not be looked at then: {error}")),
        })
    }

    /// Makes every byte of the log durable, also those that an earlier writer wrote.
    pub fn sync(&mut self, folder: &Folder) -> Answer {
        self.make_fit(folder)?;
        if let Err(error) = self.file.sync_data() {
            self.sync_failed = true;
            return Err(error).explain("sync", &self.name);
        }
        self.extent = Extent::synced(self.extent.length);
        // What was synced must be the log, and not a file that was it once.
        self.expect(folder, self.extent.length)
    }

    /// The log and its length, if this claim is fit.
    pub fn look(&mut self, folder: &Folder) -> Answer<(&File, u64)> {
        self.make_fit(folder)?;
        self.expect(folder, self.extent.length)?;
        Ok((&self.file, self.extent.length))
    }

    /// Drops all bytes from `at` on, durably.
    pub fn cut(&mut self, folder: &Folder, at: u64) -> Answer {
        self.look(folder)?;
        self.file.truncate(at).explain("cut", &self.name)?;
        self.extent.believe(at);
        self.sync(folder).map_err(|error| {
            StorageError::OutcomeUnknown(format!("`{}` was cut at byte {at}, perhaps not durably: {error}", self.name))
        })
    }

    fn make_fit(&mut self, folder: &Folder) -> Answer {
        match &self.moved {
            Some(how) => Err(StorageError::Moved(how.clone())),
            None if self.sync_failed => self.write_again(folder),
            None => Ok(()),
        }
    }

    /// Makes sure that the log's name still leads to this file, and that it has this length.
    fn expect(&mut self, folder: &Folder, length: u64) -> Answer {
        let found = match folder.leads_to(&self.name, &self.file) {
            // By its name too: some hosts answer that much faster.
            Ok(true) => missing_is(folder.length(&self.name).map(Some), None),
            other => other.map(|_| None),
        };
        match found.explain("look at", &self.name)? {
            None => Err(self.move_away("it was removed or replaced")),
            Some(found) if found != length => {
                Err(self.move_away(&format!("it has {found} bytes where {length} were expected")))
            }
            Some(_) => Ok(()),
        }
    }

    fn move_away(&mut self, how: &str) -> StorageError {
        let how = format!("`{}`: {how}", self.name);
        self.moved = Some(how.clone());
        StorageError::Moved(how)
    }

    /// Bytes may stand in the log that are not accounted for: all is refused until the log was looked at afresh.
    fn lose_sight(&mut self, why: &str) -> StorageError {
        let why = format!("`{}`: {why}", self.name);
        self.moved = Some(why.clone());
        StorageError::OutcomeUnknown(why)
    }

    /// After a failed write: cuts off what was written of it, unless somebody else's bytes stand there too.
    fn roll_back(&mut self, at: u64, content: &[u8]) -> Answer {
        let undo = || {
            let written = self.file.length()?.checked_sub(at).filter(|&written| written <= content.len() as u64);
            let Some(written) = written else { return Ok(false) };
            let ours = content.starts_with(&self.file.read(at, written)?);
            if ours && written > 0 {
                self.file.truncate(at)?;
            }
            Ok::<_, Error>(ours)
        };
        match undo() {
            Ok(true) => Ok(()),
            Ok(false) => {
                Err(self.lose_sight(&format!("writing at byte {at} failed, and somebody else wrote there too")))
            }
            Err(error) => Err(self.lose_sight(&format!("writing at byte {at} failed and can't be undone: {error}"))),
        }
    }

    /// After a failed sync: puts the same bytes in their place once more, so that there is something to sync.
    fn write_again(&mut self, folder: &Folder) -> Answer {
        self.expect(folder, self.extent.length)?;
        let found = self.overwrite().explain("write again what a failed sync left unsafe in", &self.name)?;
        let intact = found == self.extent.checksum();
        self.sync_failed = false;
        self.extent = Extent::synced(self.extent.length);
        if !intact {
            return Err(self.lose_sight("a failed sync lost bytes that were written before"));
        }
        self.expect(folder, self.extent.length)
    }

    /// Writes all that may be unsafe over itself, durably; answers the checksum of what this writer has added.
    fn overwrite(&self) -> Io<u32> {
        let Extent { synced, known, length, .. } = self.extent;
        self.file.each_window(synced..known, |at, window| self.file.write(at, window))?;
        let mut checksum = crc32fast::Hasher::new();
        self.file.each_window(known..length, |at, window| {
            checksum.update(window);
            self.file.write(at, window)
        })?;
        self.file.sync_data()?;
        Ok(checksum.finalize())
    }
}

/// How far a log reaches, and how far it is safe.
///
/// The bytes up to `synced` would survive a loss of power. Of those from `known` on, which this writer wrote, the checksum is
/// kept: where a sync fails, the system may forget them and read back something else.
struct Extent {
    synced: u64,
    known: u64,
    length: u64,
    checksum: crc32fast::Hasher,
}

impl Extent {
    /// Of a log whose earlier writers may have synced nothing.
    fn found(length: u64) -> Self {
        Self { synced: 0, ..Self::synced(length) }
    }

    fn synced(length: u64) -> Self {
        Self { synced: length, known: length, length, checksum: crc32fast::Hasher::new() }
    }

    fn grow(&mut self, content: &[u8]) {
        self.length += content.len() as u64;
        self.checksum.update(content);
    }

    /// Takes a length for true that this writer's own writing does not amount to.
    fn believe(&mut self, length: u64) {
        if length != self.length {
            *self = Self { synced: self.synced.min(length), ..Self::synced(length) };
        }
    }

    /// Of the bytes from `known` to the end.
    fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }
}
