//! One entry of a tree, told in a few words.

use anstyle::Style;
use session_host::tree::{Entry, EntryType};

use super::content::{Content, call, words};
use super::object::Object;
use crate::output::{BOLD, CYAN, DIM, GREEN, MAGENTA, YELLOW};

/// Longer ids are shown by their ends: many begin with the time.
const LONGEST_ID: usize = 12;
/// So much of them.
const END: usize = 8;

/// Who speaks in it, or what it is; how that is coloured; and what it says.
pub fn describe(entry: &Entry) -> (String, Style, String) {
    let payload = Object::read(&entry.payload).unwrap_or_default();
    let summary = || payload.text("summary").unwrap_or_default();
    match entry.structure.kind {
        EntryType::Message => {
            let message = payload.object("message").unwrap_or_default();
            let role = message.text("role").unwrap_or_default();
            let style = match role.as_str() {
                "user" => GREEN,
                "assistant" => CYAN,
                "toolResult" | "bashExecution" => YELLOW,
                _ => MAGENTA,
            };
            let said = said(&role, &message);
            (role, style, said)
        }
        EntryType::Compaction => ("compaction".into(), MAGENTA, summary()),
        EntryType::BranchSummary => ("summary".into(), MAGENTA, summary()),
        EntryType::Custom => {
            let data = payload.raw("data").map_or_else(String::new, |data| data.get().to_owned());
            (entry.structure.custom_type.clone().unwrap_or_default(), DIM, data)
        }
    }
}

fn said(role: &str, message: &Object<'_>) -> String {
    match role {
        "assistant" => {
            let words = words(message);
            let calls = message.raw("content").and_then(Content::read).map(|content| content.blocks_called("toolCall"));
            let calls = calls.into_iter().flatten().map(|block| {
                let name = block.members.text("name");
                format!("→ {}", call(name.as_deref().unwrap_or("?"), block.members.raw("arguments")))
            });
            let mut said: Vec<_> = Some(words).filter(|words| !words.is_empty()).into_iter().chain(calls).collect();
            said.extend(message.text("errorMessage"));
            said.join(" ")
        }
        "toolResult" => format!("← {}", words(message)),
        "bashExecution" => format!("$ {}", message.text("command").unwrap_or_default()),
        "branchSummary" | "compactionSummary" => message.text("summary").unwrap_or_default(),
        _ => words(message),
    }
}

/// An id in little room.
pub fn short_id(id: &str) -> String {
    let shown = super::text::line(id);
    let length = shown.chars().count();
    if length <= LONGEST_ID {
        return shown;
    }
    format!("…{}", shown.chars().skip(length - END).collect::<String>())
}

/// What stands beside an entry: the branches that stand at it, and its label.
pub fn marks(branches: &[String], label: Option<&str>) -> String {
    let names = branches.iter().map(|name| format!("{BOLD}{}{BOLD:#}", super::text::name(name)));
    let names = names.collect::<Vec<_>>().join(", ");
    let mut marks = String::new();
    if !names.is_empty() {
        marks += &format!(" ({names})");
    }
    if let Some(label) = label {
        marks += &format!(" {YELLOW}[{}]{YELLOW:#}", super::text::fit(label, 40));
    }
    marks
}

#[cfg(test)]
mod tests {
    use session_host::tree::EntryStructure;

    use super::*;

    fn told(kind: EntryType, payload: &str) -> String {
        let structure = EntryStructure {
            id: "a".into(),
            parent: None,
            number: 1,
            timestamp: 1,
            kind,
            custom_type: Some("note".into()),
        };
        let (who, _, said) = describe(&Entry { structure, payload: payload.into() });
        format!("{who}: {said}")
    }

    #[test]
    fn each_kind_of_entry_says_who_speaks_and_what() {
        let cases = [
            (EntryType::Message, r#"{"message":{"role":"user","content":"Hi."}}"#, "user: Hi."),
            (
                EntryType::Message,
                r#"{"message":{"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"toolCall","id":"1","name":"read","arguments":{"p":1}}]}}"#,
                r#"assistant: Let me see. → read({"p":1})"#,
            ),
            (
                EntryType::Message,
                r#"{"message":{"role":"toolResult","content":[{"type":"text","text":"done"}]}}"#,
                "toolResult: ← done",
            ),
            (EntryType::Message, r#"{"message":{"role":"bashExecution","command":"ls"}}"#, "bashExecution: $ ls"),
            (EntryType::Compaction, r#"{"summary":"So far."}"#, "compaction: So far."),
            (EntryType::Custom, r#"{"data":[1]}"#, "note: [1]"),
            (EntryType::Custom, "{}", "note: "),
        ];
        for (kind, payload, expected) in cases {
            assert_eq!(told(kind, payload), expected);
        }
    }

    #[test]
    fn a_long_id_is_shown_by_its_end() {
        assert_eq!(short_id("01234567-89ab-7cde-8f01-23456789abcd"), "…6789abcd");
        assert_eq!(short_id("a1b2c3d4"), "a1b2c3d4");
    }
}
