//! How a log comes into being: whole and durable, or not at all.

use crate::claim::Claim;
use crate::error::{Answer, Error, Explain, missing_is};
use crate::folder::{File, Folder, HERE, Stat};
use crate::name::Name;
use crate::remove::sweep;
use crate::storage::{Part, StorageError, Stretch};
use crate::store::names;
use crate::wasi::filesystem::types::{DescriptorFlags, ErrorCode};

/// Makes a log, and holds it.
pub fn publish(folder: &Folder, name: &Name, parts: &[Part]) -> Answer<(Claim, Stat)> {
    let (log, temp) = (name.log(), name.log_temp());
    if folder.exists(&log).explain("look at", &log)? {
        return Err(StorageError::AlreadyExists);
    }
    // What a crash has left.
    missing_is(folder.unlink(&temp), ()).explain("remove", &temp)?;
    let file = folder.create(&temp).explain("create", &temp)?;
    let made = write(folder, &file, &log, parts).and_then(|stat| {
        sweep(folder, name)?;
        link(folder, &temp, &log, &file)?;
        Ok(stat)
    });
    // The new name is there or not, and that is what counts; should the old one stay, it is removed like any leftover.
    drop(folder.unlink(&temp));
    let stat = made?;
    if let Err(error) = folder.sync(HERE) {
        folder.unlink(&log).map_err(|undo| {
            StorageError::OutcomeUnknown(format!(
                "`{log}` is there, perhaps not durably ({error}), and could not be removed: {undo}"
            ))
        })?;
        return Err(error).explain("make durable the name of", &log);
    }
    Ok((Claim::over(log, file, stat.length), stat))
}

/// Writes the parts, durably.
fn write(folder: &Folder, file: &File, log: &str, parts: &[Part]) -> Answer<Stat> {
    let mut length = 0;
    for part in parts {
        match part {
            Part::Content(content) => {
                file.write(length, content).explain("write", log)?;
                length += content.len() as u64;
            }
            Part::Copy(stretch) => {
                copy(folder, stretch, file, length)?;
                length += stretch.length;
            }
        }
    }
    file.sync().explain("sync", log)?;
    file.stat().explain("look at", log)
}

fn copy(folder: &Folder, stretch: &Stretch, to: &File, at: u64) -> Answer {
    let source = names(&stretch.id)?.log();
    let (from, stat) = folder.open(&source, DescriptorFlags::READ).explain("open", &source)?;
    let Some(end) = stretch.at.checked_add(stretch.length).filter(|&end| end <= stat.length) else {
        let (has, begin, length) = (stat.length, stretch.at, stretch.length);
        return Err(StorageError::Failed(format!("`{source}` has {has} bytes, so not {length} from byte {begin} on")));
    };
    let written = from.each_window(stretch.at..end, |place, window| to.write(at + (place - stretch.at), window));
    written.explain("copy from", &source)
}

/// Gives the finished file its name, if nothing has it.
fn link(folder: &Folder, temp: &str, log: &str, file: &File) -> Answer {
    match folder.link(temp, log) {
        Err(Error::Code(ErrorCode::Exist)) => return Err(StorageError::AlreadyExists),
        linked => linked.explain("create", log)?,
    }
    // Without a lock somebody else may have made a file of their own under that temporary name; it is theirs then.
    match folder.leads_to(log, file).explain("look at", log)? {
        true => Ok(()),
        false => Err(StorageError::Busy(format!("`{log}` was created by somebody else just now"))),
    }
}
