//! JSON as it is written: members and elements as raw text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

type Raw = Box<RawValue>;

/// The members of an object, in order.
struct Members(Vec<(Raw, Raw)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

/// The values of all members of that name, as written; none if the text is no JSON object.
pub fn values(object: &str, name: &str) -> Option<Vec<String>> {
    let Members(members) = serde_json::from_str(object).ok()?;
    let named = members.into_iter().filter(|(key, _)| text(key.get()).as_deref() == Some(name));
    Some(named.map(|(_, value)| value.get().to_owned()).collect())
}

/// The last member of that name.
pub fn last(object: &str, name: &str) -> Option<String> {
    values(object, name)?.pop()
}

/// The elements of an array, as written.
pub fn elements(array: &str) -> Option<Vec<String>> {
    let elements: Vec<Raw> = serde_json::from_str(array).ok()?;
    Some(elements.iter().map(|element| element.get().to_owned()).collect())
}

/// What a JSON string says, if that is Unicode text.
pub fn text(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

/// What a JSON string says, in UTF-16, so that half a surrogate pair is something too.
pub fn meaning(value: &str) -> Option<Vec<u16>> {
    let mut rest = value.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut units = Vec::new();
    while let Some(character) = rest.next() {
        if character != '\\' {
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            continue;
        }
        units.push(match rest.next()? {
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                let digits: String = rest.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).ok()?
            }
            plain => u16::try_from(u32::from(plain)).ok()?,
        });
    }
    Some(units)
}

/// How deep arrays and objects nest in what is JSON.
pub fn depth(json: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let mut characters = json.chars();
    let mut in_string = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => drop(characters.next()),
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => open += 1,
            '}' | ']' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}
