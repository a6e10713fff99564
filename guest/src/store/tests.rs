//! Whole sessions over storage in memory.

mod checkpoints;
mod conversation;
mod damage;
mod disk;
mod failing;
mod interrupted;
mod listing;
mod reading;
mod tree;
mod writing;

use disk::Disk;

use super::Store;
use crate::bindings::agent::session::storage::StorageError;
use crate::types::{Error, Event, NewSession, OnDamage, OpenTurn, SessionState, WakeOptions};

type Sessions = Store<disk::Holder>;

const CLOSE: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
const KEEP: WakeOptions = WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::Refuse };
const SET_ASIDE: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::SetAside };

const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":7}\n";

/// A record as a line.
fn line(seq: u64, kind: &str, data: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{},\"data\":{data}}}\n", 100 + seq)
}

/// The log of session `s` with these events.
fn log_of(events: &[(&str, &str)]) -> String {
    (0..).zip(events).fold(HEADER.to_string(), |log, (seq, (kind, data))| log + &line(seq, kind, data))
}

fn new(id: &str) -> NewSession {
    NewSession { id: id.into(), cwd: None, parent_session: None, created_at: Some(7) }
}

fn event(seq: u64, kind: &str, data: &str) -> Event {
    Event { seq, time: 100 + seq, type_: kind.into(), data: data.into() }
}

/// Types and data of events, easy to compare.
fn told(events: &[Event]) -> Vec<(&str, &str)> {
    events.iter().map(|event| (event.type_.as_str(), event.data.as_str())).collect()
}

fn all_events(sessions: &mut Sessions, id: &str) -> Vec<Event> {
    sessions.get_events(id, 0, u32::MAX, &[]).unwrap().events
}
