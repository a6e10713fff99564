//! Lines of old files that are no entries any more: names, labels, and how the agent works.

use serde_json::value::RawValue;

use super::known::Change;
use super::limits;
use super::report::Notes;
use crate::view::members::{Members, object_of, quoted};

/// What such a line says.
pub enum Said {
    /// Something that counts for what follows it.
    Change(Change),
    /// What the session is called from now on; none if it has no name any more.
    Name(Option<String>),
    /// The label of an entry; none if it has no label any more.
    Label { target: String, label: Option<String> },
}

/// What a line of this kind says; none if it is of another kind. What can't be taken over changes nothing, and is told.
pub fn read(line: u64, kind: &str, members: &Members<'_>, notes: &mut Notes) -> Option<Said> {
    let mut note = |sentence: String| {
        notes.add(line, sentence);
        Said::Change(Change::Other)
    };
    Some(match kind {
        // Some set the models of several roles.
        "model_change" if members.string("role").is_some_and(|role| role != "default") => Said::Change(Change::Other),
        "model_change" => match model(members) {
            Some(model) if !limits::is_text(&model) => {
                note("the model is too long a name; it stays as it was".to_owned())
            }
            model => Said::Change(Change::Model(model)),
        },
        "thinking_level_change" => match members.value("thinkingLevel") {
            Some(level) if members.get("thinkingLevel").is_some() && !(is_string(level) && limits::is_text(level)) => {
                note("how much the model thinks is no text that can be taken over; it stays as it was".to_owned())
            }
            level => Said::Change(Change::Thinking(level.map(str::to_owned))),
        },
        "active_tools_change" => match members.value("activeToolNames") {
            Some(tools) if members.get("activeToolNames").is_some() && !is_list(tools) => {
                note("its tools are no list of names that can be taken over; they stay as they were".to_owned())
            }
            tools => Said::Change(Change::Tools(tools.map(str::to_owned))),
        },
        "session_info" | "title_change" => match text(members, if kind == "title_change" { "title" } else { "name" }) {
            Ok(name) => Said::Name(name),
            Err(reason) => note(format!("the session can't be called so, and keeps the name that it had: {reason}")),
        },
        "label" => {
            match (members.string("targetId").filter(|target| limits::is_name(target)), text(members, "label")) {
                (None, _) => note("it does not say which entry it labels; it labels none".to_owned()),
                (Some(target), Ok(label)) => Said::Label { target, label },
                (Some(target), Err(reason)) => {
                    let target = limits::quoted(&target);
                    note(format!("{target} can't be labelled so, and keeps the label that it had: {reason}"))
                }
            }
        }
        _ => return None,
    })
}

/// What a member says that is a text; none if that is nothing.
///
/// # Errors
/// If it is something else, or can't be taken over.
pub fn text(members: &Members<'_>, name: &str) -> Result<Option<String>, String> {
    match members.get(name) {
        None => Ok(None),
        Some(json) if !limits::is_text(json) => Err(format!("its `{name}` is longer than 1 MiB")),
        Some(_) => match members.string(name) {
            Some(text) => Ok(Some(text).filter(|text| !text.is_empty())),
            None => Err(format!("its `{name}` is no Unicode text")),
        },
    }
}

fn is_string(json: &str) -> bool {
    json.starts_with('"')
}

fn is_list(json: &str) -> bool {
    let names: Result<Vec<&RawValue>, _> = serde_json::from_str(json);
    limits::is_text(json) && names.is_ok_and(|names| names.iter().all(|name| is_string(name.get())))
}

/// The model that a line names as JSON, if it says both whose it is and what it is called.
fn model(members: &Members<'_>) -> Option<String> {
    // As they are written: they need be no Unicode text.
    let part = |name: &str| members.get(name).filter(|json| is_string(json)).map(str::to_owned);
    let (provider, id) = match (part("provider"), part("modelId")) {
        (Some(provider), Some(id)) => (provider, id),
        _ => {
            let model = members.string("model")?;
            let (provider, id) = model.split_once('/')?;
            (quoted(provider), quoted(id))
        }
    };
    Some(object_of([("provider", provider.as_str()), ("modelId", id.as_str())]))
}
