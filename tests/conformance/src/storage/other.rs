//! The other holder: sessions, which have claims of their own on the same place.

use crate::bindings::agent::session::session_persistence as sessions;
use crate::bindings::agent::session::types::{Error, NewSession, OnDamage, OpenTurn, WakeOptions};
use crate::check::{Must, Outcome, fails};

/// A log that the other holder makes and holds. Its bytes are this header.
pub fn makes(id: &str) -> Outcome<String> {
    let new = NewSession { id: id.into(), cwd: None, parent_session: None, created_at: Some(1) };
    sessions::create(&new).must(&format!("the other holder's creating {id:?}"))?;
    sessions::flush(id).must(&format!("the other holder's storing {id:?}"))?;
    Ok(header(id))
}

/// The header line of a log that the other holder can claim.
pub fn header(id: &str) -> String {
    format!("{{\"type\":\"session\",\"version\":0,\"id\":\"{id}\",\"createdAt\":1}}\n")
}

fn claim(id: &str) -> Result<(), Error> {
    sessions::wake(id, WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::Refuse }).map(drop)
}

/// The other holder claims a log that nobody holds.
pub fn claims(id: &str) -> Outcome {
    claim(id).must(&format!("the other holder's claiming {id:?}"))
}

/// The other holder tries to claim a log that is held.
pub fn is_kept_out(id: &str) -> Outcome {
    fails!(format!("the other holder's claiming {id:?}, which is held"), claim(id), Error::Busy(_))
}

/// The other holder lets go.
pub fn releases(id: &str) -> Outcome {
    sessions::release(id).must(&format!("the other holder's releasing {id:?}"))
}

/// The other holder goes on with a log of nothing but its header.
pub fn appends(id: &str) -> Outcome {
    let line = "{\"type\":\"a\",\"seq\":0,\"time\":1,\"data\":{}}\n";
    sessions::append_lines(id, line).must(&format!("the other holder's appending to {id:?}"))?;
    sessions::flush(id).must(&format!("the other holder's syncing {id:?}"))
}
