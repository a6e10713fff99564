//! JSON objects out of a log, read member by member, so that an odd one spoils none of the others: a string may be no
//! Unicode text (`"\ud83d"`), a number may fit no type (`1e400`), and a member may stand there twice.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The members as they are written; of doubled ones the last.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub struct Object<'a>(#[serde(borrow)] HashMap<Name, &'a RawValue>);

impl<'a> Object<'a> {
    /// None if it is something else.
    pub fn read(json: &'a str) -> Option<Self> {
        // Said at once: a message may hold millions of blocks that are none.
        if !json.trim_start().starts_with('{') {
            return None;
        }
        serde_json::from_str(json).ok()
    }

    /// A member that is there and not `null`.
    pub fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.0.get(name).copied().filter(|value| value.get() != "null")
    }

    /// The [`text`] of a member.
    pub fn text(&self, name: &str) -> Option<String> {
        self.raw(name).map(text)
    }

    /// What a member says that is a string; ids are.
    pub fn string(&self, name: &str) -> Option<String> {
        self.raw(name).filter(|value| value.get().starts_with('"')).map(text)
    }

    /// Whether a member is `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.raw(name).is_some_and(|value| value.get() == "true")
    }

    /// A member that is an object too.
    pub fn object(&self, name: &str) -> Option<Object<'a>> {
        Object::read(self.raw(name)?.get())
    }
}

/// The members of an object as they are written, names too, in their order and doubled ones as well.
///
/// # Errors
/// If it is no JSON, or no object.
pub fn members(json: &str) -> serde_json::Result<Vec<(&RawValue, &RawValue)>> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let members = reader.deserialize_any(Members)?;
    reader.end()?;
    Ok(members)
}

struct Members;

impl<'a> Visitor<'a> for Members {
    type Value = Vec<(&'a RawValue, &'a RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

/// What a string says. All else is given as it is written, also a string that is no Unicode text.
pub fn text(json: &RawValue) -> String {
    serde_json::from_str(json.get()).unwrap_or_else(|_| json.get().to_owned())
}

/// The name of a member, which is a string like any other.
#[derive(PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "Box<RawValue>")]
struct Name(String);

impl From<Box<RawValue>> for Name {
    fn from(json: Box<RawValue>) -> Self {
        Self(text(&json))
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}
