//! A line that is to be given its `seq` and `time`. Faults are told as the component tells those of whole lines.

use serde_json::value::RawValue;

use crate::view::object;

/// What such a line says, and nothing else may stand in it: it would be lost.
pub struct Unstamped<'a> {
    /// The event's type.
    pub kind: String,
    /// Its data, as written.
    pub data: &'a str,
}

impl<'a> Unstamped<'a> {
    /// What a line says, or why it can't be stamped.
    pub fn read(line: &'a str) -> Result<Self, String> {
        let (mut kind, mut data) = (None, None);
        for (name, value) in members(line)? {
            let name = object::text(name);
            let member = match name.as_str() {
                "type" => &mut kind,
                "data" => &mut data,
                "seq" | "time" => return Err(format!("has a `{name}` of its own, but --stamp gives it one")),
                _ => return Err(format!("has a member `{name}`, which --stamp would drop")),
            };
            if member.replace(value).is_some() {
                return Err(format!("has `{name}` twice"));
            }
        }
        let kind = serde_json::from_str(kind.ok_or("has no `type`")?.get());
        Ok(Self { kind: kind.map_err(|_| "has a `type` that is no text")?, data: data.ok_or("has no `data`")?.get() })
    }
}

/// The members of the object that a line is.
fn members(line: &str) -> Result<Vec<(&RawValue, &RawValue)>, String> {
    object::members(line).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => "is no JSON object".to_owned(),
        serde_json::error::Category::Eof => format!("is no JSON at its byte {}", line.len()),
        _ => format!("is no JSON at its byte {}", error.column().saturating_sub(1)),
    })
}
