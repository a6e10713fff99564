//! The vocabulary of the package `agent:session`, as Rust types.
//!
//! Each is the twin of a type in `wit/types.wit`, and crosses into the component as it stands.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::error::Error;

/// One thing that happened in a session.
///
/// ```
/// # use session_host::Event;
/// let event = Event { seq: 0, time: 1763681581550, kind: "turn/start".into(), data: r#"{"turn":1}"#.into() };
/// #[derive(serde::Deserialize)]
/// struct TurnStart { turn: u64 }
/// assert_eq!(event.parse::<TurnStart>()?.turn, 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Event {
    /// Position in the log. The first event is 0 and there are no holes. At most 2^53 - 1.
    pub seq: u64,
    /// Milliseconds since the Unix epoch. A note, never an order. At most 2^53 - 1.
    pub time: u64,
    /// For example `turn/start` or `tool/result`. Unknown types are kept and carried.
    #[component(name = "type")]
    pub kind: String,
    /// JSON text on one line, kept byte for byte.
    pub data: String,
}

impl Event {
    /// The event's data as a value of yours.
    ///
    /// # Errors
    /// If the data has another shape. Numbers keep only the precision of the type that you ask for.
    pub fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(&self.data)
    }
}

/// What storage knows of a session beside its events: the first line of its log. Fixed once the session is created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ComponentType, Lift, Lower)]
#[serde(rename_all = "camelCase")]
#[component(record)]
pub struct SessionHeader {
    /// On-disk format version. A log of any other version is refused.
    pub version: u32,
    /// The session's name.
    pub id: String,
    /// Milliseconds since the Unix epoch.
    #[component(name = "created-at")]
    pub created_at: u64,
    /// Working directory that the session was created in. Make it absolute: it is kept, and compared, as it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The session that this one was forked from.
    #[component(name = "parent-session")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_session: Option<String>,
    /// How many leading events were copied from the parent.
    #[component(name = "seed-length")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_length: Option<u64>,
}

/// A session to be created. Only the id is needed.
///
/// ```
/// # use session_host::NewSession;
/// let session = NewSession::new("fix-login").cwd("/work");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct NewSession {
    /// Any text of 1 to 255 bytes without U+0000. Every store takes up to 80 bytes; some refuse more.
    pub id: String,
    /// Working directory; see [`SessionHeader`].
    pub cwd: Option<String>,
    /// The session that this one goes on from.
    #[component(name = "parent-session")]
    pub parent_session: Option<String>,
    /// Milliseconds since the Unix epoch; now, if none.
    #[component(name = "created-at")]
    pub created_at: Option<u64>,
}

impl NewSession {
    /// A session with this id and nothing else.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), cwd: None, parent_session: None, created_at: None }
    }

    /// Records the working directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Records the session that this one goes on from.
    #[must_use]
    pub fn parent(mut self, parent: impl Into<String>) -> Self {
        self.parent_session = Some(parent.into());
        self
    }
}

impl From<&str> for NewSession {
    fn from(id: &str) -> Self {
        Self::new(id)
    }
}

impl From<String> for NewSession {
    fn from(id: String) -> Self {
        Self::new(id)
    }
}

/// Who speaks in a [`Message`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ComponentType, Lift, Lower)]
#[serde(rename_all = "lowercase")]
#[component(enum)]
#[repr(u8)]
pub enum Role {
    /// Instructions.
    #[component(name = "system")]
    System,
    /// The person, and what tools answered.
    #[component(name = "user")]
    User,
    /// The model.
    #[component(name = "assistant")]
    Assistant,
}

/// One message of the conversation, as a model is to see it.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// JSON array of content blocks.
    pub content: String,
    /// The `seq` of the event that the message comes from.
    pub source: u64,
}

/// How tool results stand in derived messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Pairing {
    /// Every tool call is followed at once by exactly its results: what providers demand.
    #[default]
    #[component(name = "paired")]
    Paired,
    /// In log order, exactly as recorded.
    #[component(name = "recorded")]
    Recorded,
}

/// What is wrong with a stored log, at the first line that is not the sound next record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ComponentType, Lift, Lower)]
#[serde(rename_all = "lowercase")]
#[component(enum)]
#[repr(u8)]
pub enum DamageKind {
    /// Nothing from there to the end is a record: the trace of a crash.
    #[component(name = "torn")]
    Torn,
    /// That line is no record, and records stand behind it.
    #[component(name = "malformed")]
    Malformed,
    /// A record whose `seq` skips ahead.
    #[component(name = "gap")]
    Gap,
    /// A record whose `seq` was used already: the trace of a second writer.
    #[component(name = "repeated")]
    Repeated,
}

/// Where a stored log stops being sound, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Damage {
    /// What kind of damage.
    pub kind: DamageKind,
    /// The `seq` that a sound record would have carried there; so also the number of sound events before it.
    pub expected: u64,
    /// Byte offset of that line.
    pub offset: u64,
    /// Bytes from there to the end of the log.
    pub length: u64,
    /// Whole records among those bytes.
    pub records: u64,
    /// For people: what was read there, and why it is no sound next record.
    pub detail: String,
}

/// What waking a session mends, or would mend.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Recovery {
    /// What was wrong with the log.
    pub damage: Option<Damage>,
    /// Name of the place where storage keeps the bytes that were cut. Nothing is thrown away.
    #[component(name = "kept-at")]
    pub kept_at: Option<String>,
    /// The events that close an interrupted turn, in log order.
    pub closers: Vec<Event>,
}

/// What `wake` does with a turn that the log leaves open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum OpenTurn {
    /// The harness that opened it is gone: close it as interrupted.
    #[default]
    #[component(name = "close")]
    Close,
    /// It goes on: leave it open.
    #[component(name = "keep")]
    Keep,
}

/// What `wake` does where records stand behind damage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum OnDamage {
    /// Answer [`Error::Corrupt`](crate::Error::Corrupt) and change nothing.
    #[default]
    #[component(name = "refuse")]
    Refuse,
    /// Set those records aside too. They are kept, but they leave the log.
    #[component(name = "set-aside")]
    SetAside,
}

/// How to wake. The default closes an open turn and refuses damage with records behind it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct WakeOptions {
    /// What becomes of an open turn.
    #[component(name = "open-turn")]
    pub open_turn: OpenTurn,
    /// What becomes of records behind damage.
    #[component(name = "on-damage")]
    pub on_damage: OnDamage,
}

/// Where a session stands.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct SessionState {
    /// The first line of the log.
    pub header: SessionHeader,
    /// Number of events, so also the next `seq`.
    pub length: u64,
    /// Changes whenever the log does, and not otherwise.
    pub revision: String,
    /// Some writer holds the session; then `recovery` is what waking would do if that writer were gone.
    pub held: bool,
    /// A turn is open at the end of the sound part, or was left open by waking.
    #[component(name = "turn-open")]
    pub turn_open: bool,
    /// The last `session/boundary` event, if any.
    pub boundary: Option<Event>,
    /// What waking mended, or would mend.
    pub recovery: Recovery,
    /// Places where bytes cut from this log are kept.
    pub asides: Vec<String>,
}

/// A whole session.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Loaded {
    /// Where it stands.
    pub state: SessionState,
    /// Every event.
    pub events: Vec<Event>,
}

/// Some events, and where to go on.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Slice {
    /// In log order.
    pub events: Vec<Event>,
    /// The `seq` to ask for next.
    pub next: u64,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Listed {
    /// The first line of the log.
    pub header: SessionHeader,
    /// Length of the log in bytes.
    pub bytes: u64,
    /// When it last grew, in milliseconds since the Unix epoch.
    pub modified: u64,
    /// Some writer holds it.
    pub held: bool,
}

/// A stored session that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// How the log is called where it is stored.
    pub name: String,
    /// None if that name is the encoding of no id.
    pub id: Option<String>,
    /// Why.
    pub reason: Error,
}

/// What a list holds: nothing that is stored is passed over in silence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListItem {
    /// A session.
    Session(Listed),
    /// Something stored as a session that is none, or none that can be read.
    Unreadable(Unreadable),
}

/// A page of the stored sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// May be fewer than asked for, even where more follow.
    pub items: Vec<ListItem>,
    /// Hand this back as [`ListOptions::cursor`] to go on; none at the end.
    pub next: Option<String>,
}

/// In which order sessions are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum ListOrder {
    /// By the bytes of the id.
    #[default]
    #[component(name = "by-id")]
    ById,
    /// Last grown first.
    #[component(name = "recent")]
    Recent,
}

/// Which sessions to list.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct ListOptions {
    /// In which order.
    pub order: ListOrder,
    /// Only those created in this working directory.
    pub cwd: Option<String>,
    /// Only those forked from this session.
    #[component(name = "parent-session")]
    pub parent_session: Option<String>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// At most so many.
    pub limit: u32,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self { order: ListOrder::default(), cwd: None, parent_session: None, cursor: None, limit: 50 }
    }
}

/// How to derive messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct DeriveOptions {
    /// Derive from the first `length` events only.
    pub length: Option<u64>,
    /// How tool results stand.
    pub pairing: Pairing,
    /// Index of the first message wanted.
    pub start: u64,
    /// How many bytes of content at most, but never less than one message.
    #[component(name = "max-bytes")]
    pub max_bytes: u32,
}

/// Some messages, and where to go on.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct MessagePage {
    /// In the order of the conversation.
    pub messages: Vec<Message>,
    /// Index of the next message; none at the end.
    pub next: Option<u64>,
}
