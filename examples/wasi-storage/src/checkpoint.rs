//! A note of the component's own beside a log. It may be lost at any time, so nothing here is synced.

use crate::error::{Answer, Explain, Io, missing_is};
use crate::folder::Folder;
use crate::name::Name;
use crate::wasi::filesystem::types::DescriptorFlags;

/// A larger file is no note of ours.
const LENGTH_MAX: u64 = 16 << 20;

/// Puts a note in the place of the last one.
pub fn save(folder: &Folder, name: &Name, content: &[u8]) -> Answer {
    let (temp, note) = (name.checkpoint_temp(), name.checkpoint());
    let write = || -> Io {
        missing_is(folder.unlink(&temp), ())?;
        folder.create(&temp)?.write(0, content)?;
        folder.rename(&temp, &note)
    };
    write().inspect_err(|_| drop(folder.unlink(&temp))).explain("save", &note)
}

/// The note, or nothing where there is none that can be read: it only saves time, so nobody is to be stopped by it.
pub fn load(folder: &Folder, name: &Name) -> Vec<u8> {
    let read = || -> Io<Vec<u8>> {
        let (file, stat) = folder.open(&name.checkpoint(), DescriptorFlags::READ)?;
        if stat.length > LENGTH_MAX { Ok(Vec::new()) } else { file.read(0, stat.length) }
    };
    read().unwrap_or_else(|_| Vec::new())
}
