//! How a log comes into being: whole and durable, or not at all.

use std::io::ErrorKind;
use std::sync::Arc;

use super::super::explain::Explain;
use super::super::name::Name;
use super::super::{Part, Result, StorageError};
use super::claim::Claim;
use super::disk::{Access, File, Folder, Stat};
use super::remove::sweep;
use super::root::Root;
use super::temp::Temp;

pub(super) fn publish<F: Folder>(root: &Arc<Root<F>>, name: &Name, parts: &[Part<'_>]) -> Result<(Claim<F>, Stat)> {
    let folder = &root.folder;
    let log = name.log();
    let refuse_if_there = || match folder.exists(&log).explain("look at", &log)? {
        true => Err(StorageError::AlreadyExists),
        false => Ok(()),
    };

    refuse_if_there()?;
    let temp = Temp::make(folder, name)?;
    // Nobody else can make it from here on; but somebody may have, just before.
    refuse_if_there()?;
    for part in parts {
        write(root, temp.file(), &log, part)?;
    }
    temp.file().sync().explain("sync", &log)?;
    let stat = temp.file().stat().explain("look at", &log)?;
    sweep(folder, name)?;

    let file = match temp.rename(&log) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(StorageError::AlreadyExists),
        renamed => renamed.explain("create", &log)?,
    };
    let claim = Claim::over(root, log.clone(), file, stat);
    if let Err(error) = folder.sync() {
        // The claim is held to the end of this, so nobody has built upon it.
        folder.unlink(&log).map_err(|undo| {
            StorageError::OutcomeUnknown(format!(
                "`{log}` is there, perhaps not durably ({error}), and could not be removed: {undo}"
            ))
        })?;
        return Err(error).explain("make durable the name of", &log);
    }
    Ok((claim, stat))
}

fn write(root: &Root<impl Folder>, file: &impl File, log: &str, part: &Part<'_>) -> Result<()> {
    match *part {
        Part::Content(content) => file.append(content).explain("write", log),
        Part::Copy { id, at, length } => {
            let source = Name::of(id)?.log();
            let (from, stat) = root.folder.open(&source, Access::Read).explain("open", &source)?;
            let Some(end) = at.checked_add(length).filter(|&end| end <= stat.length) else {
                let has = stat.length;
                return Err(StorageError::Failed(format!(
                    "`{source}` has {has} bytes, so not {length} from byte {at} on"
                )));
            };
            for window in from.windows(at..end) {
                file.append(&window.explain("copy from", &source)?).explain("write", log)?;
            }
            Ok(())
        }
    }
}
