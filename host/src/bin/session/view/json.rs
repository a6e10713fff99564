//! The answers of `--json`. Documented in `docs/command.md`; members are added, never changed.

use serde::Serialize;
use serde_json::value::RawValue;
use session_host::{Damage, Event, Message, Role, SessionHeader, SessionState};

/// An event; its members stand in the order of the log.
#[derive(Serialize)]
pub struct EventLine<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    seq: u64,
    time: u64,
    data: &'a RawValue,
}

impl<'a> EventLine<'a> {
    /// The event, its data byte for byte.
    pub fn of(event: &'a Event) -> serde_json::Result<Self> {
        Ok(Self { kind: &event.kind, seq: event.seq, time: event.time, data: serde_json::from_str(&event.data)? })
    }
}

/// A message.
#[derive(Serialize)]
pub struct MessageLine<'a> {
    role: Role,
    content: &'a RawValue,
    source: u64,
}

impl<'a> MessageLine<'a> {
    /// The message, its content byte for byte.
    pub fn of(message: &'a Message) -> serde_json::Result<Self> {
        Ok(Self { role: message.role, content: serde_json::from_str(&message.content)?, source: message.source })
    }
}

/// Where a session stands.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateLine<'a> {
    header: &'a SessionHeader,
    length: u64,
    revision: &'a str,
    held: bool,
    turn_open: bool,
    boundary: Option<EventLine<'a>>,
    recovery: RecoveryPart<'a>,
    asides: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecoveryPart<'a> {
    damage: Option<&'a Damage>,
    kept_at: Option<&'a str>,
    closers: Vec<EventLine<'a>>,
}

impl<'a> StateLine<'a> {
    /// All of it.
    pub fn of(state: &'a SessionState) -> serde_json::Result<Self> {
        Ok(Self {
            header: &state.header,
            length: state.length,
            revision: &state.revision,
            held: state.held,
            turn_open: state.turn_open,
            boundary: state.boundary.as_ref().map(EventLine::of).transpose()?,
            recovery: RecoveryPart {
                damage: state.recovery.damage.as_ref(),
                kept_at: state.recovery.kept_at.as_deref(),
                closers: state.recovery.closers.iter().map(EventLine::of).collect::<Result<_, _>>()?,
            },
            asides: &state.asides,
        })
    }
}
