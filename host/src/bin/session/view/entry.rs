//! One entry of a tree, told in a few words.

use anstyle::Style;
use session_host::tree::EntryType;

use super::content::{Content, call, words};
use super::object::Object;
use crate::output::{BOLD, CYAN, DIM, GREEN, MAGENTA, YELLOW, width};

/// Longer ids are shown by their ends: many begin with the time.
const LONGEST_ID: usize = 12;
/// So much of them.
const END: usize = 8;
/// So many of the branches that stand at one entry are named.
const MOST_BRANCHES: usize = 2;

/// Who speaks in it, or what it is; how that is coloured; and what it says.
pub fn describe(kind: EntryType, custom_type: Option<&str>, payload: &str) -> (String, Style, String) {
    let payload = Object::read(payload).unwrap_or_default();
    let summary = || payload.text("summary").unwrap_or_default();
    match kind {
        EntryType::Message => message(&payload.object("message").unwrap_or_default()),
        EntryType::Compaction => ("compaction".into(), MAGENTA, summary()),
        EntryType::BranchSummary => ("summary".into(), MAGENTA, summary()),
        EntryType::Custom => {
            let data = payload.raw("data").map_or_else(String::new, |data| data.get().to_owned());
            (custom_type.unwrap_or_default().to_owned(), DIM, data)
        }
    }
}

/// The same for a message alone.
pub fn message(message: &Object<'_>) -> (String, Style, String) {
    let role = message.text("role").unwrap_or_default();
    let style = match role.as_str() {
        "user" => GREEN,
        "assistant" => CYAN,
        "toolResult" | "bashExecution" => YELLOW,
        _ => MAGENTA,
    };
    let said = said(&role, message);
    (role, style, said)
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
    let room = width() / 4;
    let shown = branches.iter().take(MOST_BRANCHES);
    let mut names: Vec<_> = shown
        .map(|name| format!("{BOLD}{}{BOLD:#}", super::text::fit(&super::text::name(name), room.min(24))))
        .collect();
    names.extend(branches.len().checked_sub(MOST_BRANCHES + 1).map(|left| format!("+{}", left + 1)));
    let mut marks = String::new();
    if !names.is_empty() {
        marks += &format!(" ({})", names.join(", "));
    }
    if let Some(label) = label {
        marks += &format!(" {YELLOW}[{}]{YELLOW:#}", super::text::fit(label, room.min(40)));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: EntryType, payload: &str) -> String {
        let (who, _, said) = describe(kind, Some("note"), payload);
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

    #[test]
    fn of_many_branches_at_one_entry_two_are_named() {
        let names = ["a", "b", "c", "d"].map(String::from);
        let plain = |marks: String| console::strip_ansi_codes(&marks).into_owned();
        assert_eq!(plain(marks(&names, None)), " (a, b, +2)");
        assert_eq!(plain(marks(&names[..2], Some("asks"))), " (a, b) [asks]");
    }
}
