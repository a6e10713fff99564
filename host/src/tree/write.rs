use serde::Serialize;
use wasmtime::component::{ComponentType, Lift, Lower};

use super::EntryType;

/// An entry to be written.
///
/// ```
/// # use serde_json::json;
/// # use session_host::tree::NewEntry;
/// let first = NewEntry::message("a", &json!({ "role": "user", "content": "The login fails." }))?;
/// let second = NewEntry::custom("b", "note", &json!({ "seen": true }))?.behind("a");
/// assert_eq!(second.payload, r#"{"data":{"seen":true}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct NewEntry {
    /// Its name. Entries and rows of usage share one space of names.
    pub id: String,
    /// The entry that it follows; none for a root.
    pub parent: Option<String>,
    /// What it is.
    #[component(name = "type")]
    pub kind: EntryType,
    /// What the application calls it.
    #[component(name = "custom-type")]
    pub custom_type: Option<String>,
    /// JSON object with the members of its type, kept byte for byte.
    pub payload: String,
}

impl NewEntry {
    /// A root with this payload, an object with the members of its type.
    ///
    /// # Errors
    /// If the payload can't be written as JSON.
    pub fn new(id: impl Into<String>, kind: EntryType, payload: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::json(id, kind, serde_json::to_string(payload)?))
    }

    /// The same with a payload that is JSON already, on one line, kept byte for byte.
    pub fn json(id: impl Into<String>, kind: EntryType, payload: impl Into<String>) -> Self {
        Self { id: id.into(), parent: None, kind, custom_type: None, payload: payload.into() }
    }

    /// A message of the conversation.
    ///
    /// # Errors
    /// If the message can't be written as JSON.
    pub fn message(id: impl Into<String>, message: &impl Serialize) -> serde_json::Result<Self> {
        #[derive(Serialize)]
        struct Payload<'a, T> {
            message: &'a T,
        }
        Self::new(id, EntryType::Message, &Payload { message })
    }

    /// Something of the application's.
    ///
    /// # Errors
    /// If the data can't be written as JSON.
    pub fn custom(
        id: impl Into<String>,
        custom_type: impl Into<String>,
        data: &impl Serialize,
    ) -> serde_json::Result<Self> {
        #[derive(Serialize)]
        struct Payload<'a, T> {
            data: &'a T,
        }
        Ok(Self::new(id, EntryType::Custom, &Payload { data })?.called(custom_type))
    }

    /// Puts it behind another entry.
    #[must_use]
    pub fn behind(mut self, parent: impl Into<String>) -> Self {
        self.parent = Some(parent.into());
        self
    }

    /// Says what the application calls it.
    #[must_use]
    pub fn called(mut self, custom_type: impl Into<String>) -> Self {
        self.custom_type = Some(custom_type.into());
        self
    }
}

/// A row of the ledger, to be written or as it was.
///
/// ```
/// # use serde_json::json;
/// # use session_host::tree::NewUsage;
/// let cost = json!({ "input": 0.1, "output": 0.2, "cacheRead": 0, "cacheWrite": 0, "total": 0.3 });
/// let usage = json!({ "input": 900, "output": 30, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 930, "cost": cost });
/// let row = NewUsage::new("u1", &usage)?.of("b");
/// assert!(!row.adjustment);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct NewUsage {
    /// Its name. Entries and rows of usage share one space of names.
    pub id: String,
    /// The entry that it was used for. It need not be there.
    pub entry: Option<String>,
    /// A correction by the caller in place of a provider's report.
    pub adjustment: bool,
    /// JSON object `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{…}}`, kept byte for byte.
    pub usage: String,
    /// Anything of the application's, as JSON.
    pub details: Option<String>,
}

impl NewUsage {
    /// What a provider reported.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    pub fn new(id: impl Into<String>, usage: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::json(id, serde_json::to_string(usage)?))
    }

    /// The same with usage that is JSON already, on one line, kept byte for byte.
    pub fn json(id: impl Into<String>, usage: impl Into<String>) -> Self {
        Self { id: id.into(), entry: None, adjustment: false, usage: usage.into(), details: None }
    }

    /// Says for which entry it was.
    #[must_use]
    pub fn of(mut self, entry: impl Into<String>) -> Self {
        self.entry = Some(entry.into());
        self
    }

    /// Says that it corrects what providers reported.
    #[must_use]
    pub fn adjustment(mut self) -> Self {
        self.adjustment = true;
        self
    }

    /// Adds what the application has to say of it, as JSON.
    #[must_use]
    pub fn details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }
}

/// Where a value or a list is kept. Values and lists are apart: one of each may have the same address.
///
/// ```
/// # use session_host::tree::Address;
/// assert_eq!(Address::from(("plan", "steps")), Address::new("plan", "steps"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Address {
    /// Whose it is; not empty, without U+0000. `pi` and all that begins with `pi.` is the tree's own.
    pub namespace: String,
    /// Which one; it may be empty; without U+0000.
    pub key: String,
}

impl Address {
    /// The address of this key.
    pub fn new(namespace: impl Into<String>, key: impl Into<String>) -> Self {
        Self { namespace: namespace.into(), key: key.into() }
    }
}

impl<N: Into<String>, K: Into<String>> From<(N, K)> for Address {
    fn from((namespace, key): (N, K)) -> Self {
        Self::new(namespace, key)
    }
}

/// A value to be kept.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct NewValue {
    /// Where.
    pub address: Address,
    /// What, as JSON.
    pub value: String,
}

/// One change of a tree.
///
/// ```
/// # use serde_json::json;
/// # use session_host::tree::{NewEntry, Write};
/// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
/// # sessions.create("fix-login")?;
/// let entry = NewEntry::message("a", &json!({ "role": "user", "content": "The login fails." }))?;
/// let committed = sessions.tree("fix-login").commit(&[
///     Write::entry(entry),
///     Write::set_value(("plan", "steps"), &["reproduce", "mend"])?,
///     Write::append_list(("plan", "done"), &"reproduce")?,
/// ])?;
/// assert_eq!(committed.stats.message_count, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub enum Write {
    /// Add an entry.
    #[component(name = "entry")]
    Entry(NewEntry),
    /// Add a row to the ledger.
    #[component(name = "usage")]
    Usage(NewUsage),
    /// Set a value, whether or not there was one.
    #[component(name = "set-value")]
    SetValue(NewValue),
    /// Delete a value. There need not be one.
    #[component(name = "delete-value")]
    DeleteValue(Address),
    /// Add an element to the end of a list.
    #[component(name = "append-list")]
    AppendList(NewValue),
    /// Delete a whole list. There need not be one.
    #[component(name = "delete-list")]
    DeleteList(Address),
}

impl Write {
    /// Adds an entry.
    pub fn entry(entry: NewEntry) -> Self {
        Self::Entry(entry)
    }

    /// Adds a row to the ledger.
    pub fn usage(row: NewUsage) -> Self {
        Self::Usage(row)
    }

    /// Sets a value.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    pub fn set_value(address: impl Into<Address>, value: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::set_value_json(address, serde_json::to_string(value)?))
    }

    /// The same with a value that is JSON already, on one line, kept byte for byte.
    pub fn set_value_json(address: impl Into<Address>, value: impl Into<String>) -> Self {
        Self::SetValue(NewValue { address: address.into(), value: value.into() })
    }

    /// Deletes a value.
    pub fn delete_value(address: impl Into<Address>) -> Self {
        Self::DeleteValue(address.into())
    }

    /// Adds an element to the end of a list.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    pub fn append_list(address: impl Into<Address>, element: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::append_list_json(address, serde_json::to_string(element)?))
    }

    /// The same with an element that is JSON already, on one line, kept byte for byte.
    pub fn append_list_json(address: impl Into<Address>, element: impl Into<String>) -> Self {
        Self::AppendList(NewValue { address: address.into(), value: element.into() })
    }

    /// Deletes a whole list.
    pub fn delete_list(address: impl Into<Address>) -> Self {
        Self::DeleteList(address.into())
    }
}

/// Numbers and time that are given to a commit, where they come from elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct CommitOptions {
    /// The number of the first write, not below the next one; the next one, if none. Without writes: the number that the
    /// next write will have.
    pub first: Option<u64>,
    /// When the entries came to be, in milliseconds since the Unix epoch; now, if none.
    pub timestamp: Option<u64>,
}
