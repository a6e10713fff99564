//! What sessions promise, over a store that is looked into from beside.

mod append;
mod create;
mod damage;
mod derive;
mod fork;
mod hand_over;
mod lines;
mod list;
mod pairing;
mod read;
mod rest;
mod wake;

use crate::Case;
use crate::bindings::agent::session::session_persistence as sessions;
use crate::bindings::agent::session::storage::{self as store, Order};
use crate::bindings::agent::session::types::*;
use crate::check::{Must, Outcome, equal};
use crate::storage::{bytes, log_is, put, stat};

pub const THEMES: &[&[Case]] = &[
    create::CASES,
    append::CASES,
    lines::CASES,
    wake::CASES,
    damage::CASES,
    read::CASES,
    rest::CASES,
    fork::CASES,
    list::CASES,
    hand_over::CASES,
    derive::CASES,
    pairing::CASES,
];

const CLOSE: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
const KEEP: WakeOptions = WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::Refuse };
const SET_ASIDE: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::SetAside };

fn new(id: &str) -> NewSession {
    NewSession { id: id.into(), cwd: None, parent_session: None, created_at: Some(1) }
}

fn create(id: &str) -> Outcome<SessionHeader> {
    sessions::create(&new(id)).must(&format!("creating {id:?}"))
}

/// The header line of a session that [`create`] made.
fn header(id: &str) -> String {
    format!("{{\"type\":\"session\",\"version\":0,\"id\":\"{id}\",\"createdAt\":1}}\n")
}

/// The event of that place; its time says which it is.
fn event(seq: u64, kind: &str, data: &str) -> Event {
    Event { seq, time: 100 + seq, type_: kind.into(), data: data.into() }
}

fn line_of(event: &Event) -> String {
    let Event { seq, time, type_, data } = event;
    format!("{{\"type\":\"{type_}\",\"seq\":{seq},\"time\":{time},\"data\":{data}}}\n")
}

fn line(seq: u64, kind: &str, data: &str) -> String {
    line_of(&event(seq, kind, data))
}

/// Events of these types and data, from 0 on.
fn events(of: &[(&str, &str)]) -> Vec<Event> {
    (0..).zip(of).map(|(seq, (kind, data))| event(seq, kind, data)).collect()
}

/// What a log with these events holds.
fn log(id: &str, of: &[(&str, &str)]) -> String {
    header(id) + &events(of).iter().map(line_of).collect::<String>()
}

/// Puts a log with these events into the store, held by nobody.
fn put_log(id: &str, of: &[(&str, &str)]) -> Outcome<String> {
    let log = log(id, of);
    put(id, &log)?;
    Ok(log)
}

fn wake(id: &str, options: WakeOptions) -> Outcome<SessionState> {
    sessions::wake(id, options).must(&format!("waking {id:?}"))
}

fn inspect(id: &str) -> Outcome<SessionState> {
    sessions::inspect(id).must(&format!("inspecting {id:?}"))
}

fn slice(id: &str, start: u64, max: u32) -> Outcome<Slice> {
    sessions::get_events(id, start, max, &[]).must(&format!("slicing {id:?}"))
}

/// All that there is in the store, with the bytes: what must not change when something is only read.
type Everything = Vec<(store::LogInfo, String, Vec<store::Aside>, Vec<u8>)>;

fn everything() -> Outcome<Everything> {
    let logs = store::list(Order::ById, None, u32::MAX).must("listing")?;
    let all = logs.into_iter().map(|log| {
        let id = log.id.clone().unwrap_or_default();
        let asides = store::asides(&id).must("listing the pieces")?;
        let checkpoint = store::load_checkpoint(&id).must("loading the checkpoint")?;
        Ok((log, bytes(&id)?.escape_ascii().to_string(), asides, checkpoint))
    });
    all.collect()
}

/// A call that fails and leaves everything as it was.
fn leaves_all<T>(act: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let before = everything()?;
    let answer = act()?;
    equal("all that is stored, before and after", everything()?, before)?;
    Ok(answer)
}

/// A turn that was broken off while a tool ran: `a` is answered, `b` was started, `c` was not.
const BROKEN_OFF: &[(&str, &str)] = &[
    ("turn/start", r#"{"turn":1}"#),
    ("step/start", r#"{"turn":1,"step":2}"#),
    ("user/message", r#"{"content":"Go on."}"#),
    (
        "assistant/message",
        r#"{"content":[{"type":"tool-call","id":"a"},{"type":"tool-call","id":"b"},{"type":"tool-call","id":"c"}]}"#,
    ),
    ("tool/call", r#"{"callId":"a"}"#),
    ("tool/result", r#"{"callId":"a","content":"fine"}"#),
    ("tool/call", r#"{"callId":"b"}"#),
];

/// What closes it.
const ITS_CLOSERS: &[(&str, &str)] = &[
    (
        "tool/result",
        r#"{"turn":1,"step":2,"callId":"b","content":[{"type":"text","text":"The turn was interrupted while this tool call ran. Its outcome is unknown; verify what it did before calling it again."}],"isError":true,"error":{"code":"TOOL_OUTCOME_UNKNOWN"}}"#,
    ),
    (
        "tool/result",
        r#"{"turn":1,"step":2,"callId":"c","content":[{"type":"text","text":"The turn was interrupted before this tool call was started. It did nothing; it is safe to call it again."}],"isError":true,"error":{"code":"TOOL_NOT_STARTED"}}"#,
    ),
    ("step/end", r#"{"turn":1,"step":2}"#),
    ("turn/end", r#"{"turn":1,"reason":{"kind":"interrupted"}}"#),
];

fn its_closers() -> Vec<Event> {
    let last = BROKEN_OFF.len() as u64;
    (last..)
        .zip(ITS_CLOSERS)
        .map(|(seq, (kind, data))| Event { seq, time: 100 + last - 1, type_: (*kind).into(), data: (*data).into() })
        .collect()
}

/// A turn that was brought to its end.
const WHOLE: &[(&str, &str)] = &[
    ("turn/start", r#"{"turn":1}"#),
    ("user/message", r#"{"content":"Hello."}"#),
    ("turn/end", r#"{"turn":1,"reason":{"kind":"done"}}"#),
];
