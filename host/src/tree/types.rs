use serde::Serialize;
use serde::de::DeserializeOwned;
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Address, NewUsage};

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ComponentType, Lift, Lower)]
#[serde(rename_all = "snake_case")]
#[component(enum)]
#[repr(u8)]
pub enum EntryType {
    /// A message of the conversation: payload `{"message":{…}}`.
    #[component(name = "message")]
    Message,
    /// What stands for all entries before it: payload `{"summary":"…","retainedTail":[…],"tokensBefore":0,…}`.
    #[component(name = "compaction")]
    Compaction,
    /// What happened on a branch that was left: payload `{"fromId":"…" or null,"summary":"…",…}`.
    #[component(name = "branch-summary")]
    BranchSummary,
    /// Anything of the application's: payload `{}` or `{"data":…}`. It has a custom type.
    #[component(name = "custom")]
    Custom,
}

/// An entry without its payload.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct EntryStructure {
    /// Its name.
    pub id: String,
    /// The entry that it follows; none for a root.
    pub parent: Option<String>,
    /// Position among all writes of the session, of every kind. The first is 1; they rise and may leave holes.
    pub number: u64,
    /// When it was committed, in milliseconds since the Unix epoch.
    pub timestamp: u64,
    /// What it is.
    #[component(name = "type")]
    pub kind: EntryType,
    /// What the application calls it.
    #[component(name = "custom-type")]
    pub custom_type: Option<String>,
}

/// An entry.
///
/// ```
/// # use serde_json::json;
/// # use session_host::tree::{NewEntry, Write};
/// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
/// # sessions.create("fix-login")?;
/// # let entry = NewEntry::message("a", &json!({ "role": "user", "content": "The login fails." }))?;
/// # sessions.tree("fix-login").commit(&[Write::entry(entry)])?;
/// #[derive(serde::Deserialize)]
/// struct Payload { message: Message }
/// #[derive(serde::Deserialize)]
/// struct Message { content: String }
///
/// for entry in sessions.tree("fix-login").get_entries(["a"]) {
///     println!("{}", entry?.parse::<Payload>()?.message.content);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Entry {
    /// All but its payload.
    pub structure: EntryStructure,
    /// JSON object with the members of its type, byte for byte.
    pub payload: String,
}

impl Entry {
    /// The payload as a value of yours.
    ///
    /// # Errors
    /// If the payload has another shape. Numbers keep only the precision of the type that you ask for.
    pub fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(&self.payload)
    }
}

/// What a provider charged for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ComponentType, Lift, Lower)]
#[serde(rename_all = "camelCase")]
#[component(record)]
pub struct Cost {
    /// Of what went in.
    pub input: f64,
    /// Of what came out.
    pub output: f64,
    /// Of what was read from its cache.
    #[component(name = "cache-read")]
    pub cache_read: f64,
    /// Of what was written to its cache.
    #[component(name = "cache-write")]
    pub cache_write: f64,
    /// Of all.
    pub total: f64,
}

/// A sum over rows of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ComponentType, Lift, Lower)]
#[serde(rename_all = "camelCase")]
#[component(record)]
pub struct UsageSum {
    /// Tokens that went in.
    pub input: f64,
    /// Tokens that came out.
    pub output: f64,
    /// Tokens that were read from the provider's cache.
    #[component(name = "cache-read")]
    pub cache_read: f64,
    /// Tokens that were written to it.
    #[component(name = "cache-write")]
    pub cache_write: f64,
    /// Those of them that are kept for an hour; none if no row says.
    #[component(name = "cache-write-one-hour")]
    #[serde(rename = "cacheWrite1h", skip_serializing_if = "Option::is_none")]
    pub cache_write_one_hour: Option<f64>,
    /// Tokens of reasoning; none if no row says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<f64>,
    /// All tokens.
    #[component(name = "total-tokens")]
    pub total_tokens: f64,
    /// What it cost.
    pub cost: Cost,
}

/// Totals.
#[derive(Debug, Clone, Copy, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Stats {
    /// Entries of the type [`Message`](EntryType::Message).
    #[component(name = "message-count")]
    pub message_count: u64,
    /// The ledger's sum.
    pub usage: UsageSum,
}

/// What was committed.
#[derive(Debug, Clone, Copy, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Committed {
    /// The number of the first write; the others follow without a hole. Of no writes: the number that the next will have.
    pub first: u64,
    /// When, in milliseconds since the Unix epoch.
    pub timestamp: u64,
    /// Totals right after it.
    pub stats: Stats,
}

/// A `tree/commit` event that breaks a rule. It changed nothing, and all that came after stands without it.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct RefusedCommit {
    /// Its place in the log.
    pub event: u64,
    /// For people: why.
    pub reason: String,
}

/// Where a tree stands.
#[derive(Debug, Clone, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct TreeState {
    /// What the session is called.
    pub name: Option<String>,
    /// The number that the next write will have.
    pub next: u64,
    /// Totals.
    pub stats: Stats,
    /// Entries of every type.
    #[component(name = "entry-count")]
    pub entry_count: u64,
    /// Rows of the ledger.
    #[component(name = "usage-count")]
    pub usage_count: u64,
    /// Commits of the log that break a rule, the first hundred of them.
    pub refused: Vec<RefusedCommit>,
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct UsageRow {
    /// Position among all writes of the session, of every kind.
    pub number: u64,
    /// What was written.
    pub row: NewUsage,
}

/// A value as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct StoredValue {
    /// Where.
    pub address: Address,
    /// What, as JSON.
    pub value: String,
    /// The number of the write that set it last.
    pub number: u64,
}

impl StoredValue {
    /// The value as one of yours.
    ///
    /// # Errors
    /// If the value has another shape.
    pub fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(&self.value)
    }
}

/// An element of a list.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct ListElement {
    /// The number of the write that added it.
    pub number: u64,
    /// What was added, as JSON.
    pub value: String,
}

/// A named tip.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// The entry that it stands at; none before the first.
    pub tip: Option<String>,
}

/// A label of an entry.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Label {
    /// Which entry.
    pub entry: String,
    /// What it is called.
    pub text: String,
}

/// A message of a branch's context.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct ContextMessage {
    /// The entry that it comes from.
    pub entry: String,
    /// JSON object: the message as it was recorded, or `{"role":"compactionSummary",…}` or `{"role":"branchSummary",…}`.
    pub message: String,
}
