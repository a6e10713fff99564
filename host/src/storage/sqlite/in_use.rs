//! The databases that this process has open: each once, whoever opens it.
//!
//! All connections of a process to one database share its locks and its `-shm`, and SQLite knows the database for that by its
//! inode. Where the files beside it are others now, one connection that was open before is enough, and each new one works in
//! the new `-wal` by the old `-shm`: over what other processes have written there. So all of the old ones are closed before
//! there is a new one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};

use super::super::Result;
use super::super::lock::lock;
use super::files::{Files, Identity};
use super::open::Open;

static PLACES: Mutex<BTreeMap<Identity, Arc<Place>>> = Mutex::new(BTreeMap::new());

/// Where the users of one file meet.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// What is open, or just being closed by its last user.
    open: Mutex<Option<Weak<Open>>>,
    closed: Condvar,
}

impl Place {
    fn of(database: Identity) -> Arc<Self> {
        let mut places = lock(&PLACES);
        places.retain(|_, place| Arc::strong_count(place) > 1);
        places.entry(database).or_default().clone()
    }

    /// Says that a database is closed.
    pub(super) fn leave(&self, closed: *const Open) {
        let mut open = lock(&self.open);
        if open.as_ref().is_some_and(|open| open.as_ptr() == closed) {
            *open = None;
            self.closed.notify_all();
        }
    }
}

/// Opens the database that was found there, unless it is open; none if there are no tables in it.
pub(super) fn open(path: &Path, found: &Files) -> Result<Option<Arc<Open>>> {
    let place = Place::of(found.database);
    // Dropped after the lock: who is the last to drop it takes the lock.
    let mut known;
    let mut open = lock(&place.open);
    while let Some(entry) = &*open {
        known = entry.upgrade();
        match &known {
            None => open = place.closed.wait(open).unwrap_or_else(PoisonError::into_inner),
            // What was found may have been closed and opened again by now.
            Some(same) if same.is_open_on(Files::of(path)?.as_ref()) && same.is_current()? => return Ok(known),
            Some(old) => {
                old.shut();
                *open = None;
            }
        }
    }
    let opened = Open::at(path, found, Arc::clone(&place))?.map(Arc::new);
    *open = opened.as_ref().filter(|opened| opened.shared).map(Arc::downgrade);
    Ok(opened)
}
