//! How a log goes, and what crashes have left of logs.

use super::super::explain::Explain;
use super::super::name::Name;
use super::super::{Result, StorageError};
use super::aside;
use super::disk::{Folder, missing_is};
use super::temp::Temp;

/// Removes a log, which the caller holds, and all that belongs to it.
pub(super) fn remove(folder: &impl Folder, name: &Name) -> Result<()> {
    let log = name.log();
    // What belongs to the log goes first, so that a crash can't leave it to another log of that name; and so that nothing
    // is left to fail once the log is gone.
    sweep_temp(folder, name)?;
    sweep(folder, name)?;
    folder.unlink(&log).explain("remove", &log)?;
    folder
        .sync()
        .map_err(|error| StorageError::OutcomeUnknown(format!("`{log}` was removed, perhaps not durably: {error}")))
}

/// Removes what was left of a log that does not exist.
pub(super) fn remove_leftovers(folder: &impl Folder, name: &Name) -> Result<()> {
    let mut found = false;
    for file in [name.log_temp(), name.checkpoint(), name.checkpoint_temp(), name.asides()] {
        found |= folder.exists(&file).explain("look at", &file)?;
    }
    if found {
        // Keeps everybody from making such a log meanwhile.
        let _temp = Temp::make(folder, name)?;
        let log = name.log();
        if folder.exists(&log).explain("look at", &log)? {
            return Err(StorageError::Busy(format!("`{log}` was created just now")));
        }
        sweep(folder, name)?;
    }
    // An earlier removal may have failed at just this.
    folder.sync().explain("sync the folder of", &name.log())
}

/// Removes an unfinished log of that name, durably, if there is one and nobody is at work on it. For the log's holder.
fn sweep_temp(folder: &impl Folder, name: &Name) -> Result<()> {
    let (log, temp) = (name.log(), name.log_temp());
    let Some(stat) = missing_is(folder.stat(&temp).map(Some), None).explain("look at", &temp)? else { return Ok(()) };
    // It may be a second name of the log itself, and so be locked by its holder.
    if folder.leads_to(&log, stat.identity).explain("look at", &log)? {
        missing_is(folder.unlink(&temp), ()).explain("remove", &temp)?;
    } else {
        match Temp::make(folder, name) {
            Ok(_) => {}
            Err(StorageError::Busy(_)) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    folder.sync().explain("sync the folder of", &log)
}

/// Refuses what can't be removed, or is not ours, while all is there still.
fn check(folder: &impl Folder, name: &Name) -> Result<()> {
    for file in [name.checkpoint(), name.checkpoint_temp()] {
        let found = missing_is(folder.stat(&file).map(Some), None).explain("look at", &file)?;
        if let Some(found) = found.filter(|found| found.kind.is_dir()) {
            found.regular().explain("remove", &file)?;
        }
    }
    aside::check_all(folder, name)
}

/// Removes the checkpoint and what was set aside, durably. For the holder of the log, or of the right to make it.
pub(super) fn sweep(folder: &impl Folder, name: &Name) -> Result<()> {
    check(folder, name)?;
    let mut found = aside::remove_all(folder, name)?;
    for file in [name.checkpoint(), name.checkpoint_temp()] {
        found |= missing_is(folder.unlink(&file).map(|()| true), false).explain("remove", &file)?;
    }
    if found { folder.sync().explain("sync the folder of", &name.log()) } else { Ok(()) }
}
