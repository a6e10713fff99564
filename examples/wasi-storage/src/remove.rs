//! How a log goes, and what crashes have left of logs.

use crate::aside;
use crate::error::{Answer, Explain, missing_is};
use crate::folder::{Folder, HERE};
use crate::name::Name;
use crate::storage::StorageError;

/// Removes a log and all that belongs to it.
pub fn remove(folder: &Folder, name: &Name) -> Answer {
    let log = name.log();
    // What belongs to the log goes first, so that a crash can't leave it to another log of that name; and so that nothing is left
    // to fail once the log is gone.
    remove_leftovers(folder, name)?;
    folder.unlink(&log).explain("remove", &log)?;
    folder
        .sync(HERE)
        .map_err(|error| StorageError::OutcomeUnknown(format!("`{log}` was removed, perhaps not durably: {error}")))
}

/// Removes what belongs to a log, or was left of one that does not exist, durably.
pub fn remove_leftovers(folder: &Folder, name: &Name) -> Answer {
    let temp = name.log_temp();
    missing_is(folder.unlink(&temp), ()).explain("remove", &temp)?;
    sweep(folder, name)?;
    // An earlier removal may have failed at just this.
    folder.sync(HERE).explain("sync the folder of", &name.log())
}

/// Removes the checkpoint and what was set aside, durably.
pub fn sweep(folder: &Folder, name: &Name) -> Answer {
    let notes = [name.checkpoint(), name.checkpoint_temp()];
    // What can't be removed, or is not ours, is refused while all is there still.
    for file in &notes {
        let found = missing_is(folder.stat(file).and_then(|stat| stat.regular()).map(drop), ());
        found.explain("remove", file)?;
    }
    aside::check_all(folder, name)?;

    let mut found = aside::remove_all(folder, name)?;
    for file in &notes {
        found |= missing_is(folder.unlink(file).map(|()| true), false).explain("remove", file)?;
    }
    if found { folder.sync(HERE).explain("sync the folder of", &name.log()) } else { Ok(()) }
}
