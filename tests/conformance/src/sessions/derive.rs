use super::*;
use crate::bindings::agent::session::messages;
use crate::check::fails;

pub const CASES: &[Case] = &[
    ("messages are derived from what was said and answered, and from nothing else", what_was_said),
    ("messages keep their content to the byte", content_kept),
    ("messages of context and steering stand between tags", tags),
    ("messages that a summary stands for are replaced by it", summary),
    ("messages of the first events alone are derived, if that is asked for", prefix),
    ("messages come in pages, never less than one while there are some", pages),
    ("messages of a session that is not there are not found", absent),
];

pub fn derive(id: &str, pairing: Pairing) -> Outcome<Vec<Message>> {
    let options = DeriveOptions { length: None, pairing, start: 0, max_bytes: u32::MAX };
    let page = messages::derive_messages(id, options).must("deriving messages")?;
    equal("the next page", page.next, None)?;
    Ok(page.messages)
}

pub fn message(role: Role, source: u64, content: &str) -> Message {
    Message { role, content: content.into(), source }
}

fn what_was_said() -> Outcome {
    put_log(
        "x",
        &[
            ("turn/start", "{}"),
            ("user/message", r#"{"content":"Hello."}"#),
            ("assistant/chunk", r#"{"content":"He"}"#),
            ("assistant/message", r#"{"content":[]}"#),
            ("assistant/message", r#"{"content":[{"type":"tool-call","id":"a"}]}"#),
            ("tool/call", r#"{"callId":"a","content":"no message"}"#),
            ("tool/result", r#"{"callId":"a","content":"fine"}"#),
            ("user/message", r#"{"content":7}"#),
            ("of nobody's", r#"{"content":"Hello."}"#),
            ("turn/end", "{}"),
        ],
    )?;
    let expected = [
        message(Role::User, 1, r#"[{"type":"text","text":"Hello."}]"#),
        message(Role::Assistant, 4, r#"[{"type":"tool-call","id":"a"}]"#),
        message(
            Role::User,
            6,
            r#"[{"type":"tool-result","toolCallId":"a","content":[{"type":"text","text":"fine"}],"isError":false}]"#,
        ),
    ];
    for pairing in [Pairing::Recorded, Pairing::Paired] {
        equal("the messages", derive("x", pairing)?, &expected[..])?;
    }
    Ok(())
}

fn content_kept() -> Outcome {
    let content =
        "[ {\"type\":\"text\",\"text\":\"\\ud83d\u{2028}\\u0041\"},{\"f\":1.0,\"i\":2512292042121000001,\"f\":2} ]";
    put_log("x", &[("user/message", &format!("{{\"more\":1,\"content\":{content}}}"))])?;
    equal("the messages", derive("x", Pairing::Paired)?, [message(Role::User, 0, content)])
}

fn tags() -> Outcome {
    put_log(
        "x",
        &[
            ("context/message", r#"{"source":"notes","content":"Mind."}"#),
            ("steering/message", r#"{"source":{"kind":"person"},"content":[{"type":"image"}]}"#),
        ],
    )?;
    let expected = [
        message(
            Role::User,
            0,
            r#"[{"type":"text","text":"<context source=\"notes\">"},{"type":"text","text":"Mind."},{"type":"text","text":"</context>"}]"#,
        ),
        message(
            Role::User,
            1,
            r#"[{"type":"text","text":"<steering source=\"person\">"},{"type":"image"},{"type":"text","text":"</steering>"}]"#,
        ),
    ];
    equal("the messages", derive("x", Pairing::Paired)?, expected)
}

/// Five things that a person said.
const SAID: &[(&str, &str)] = &[
    ("user/message", r#"{"content":"0"}"#),
    ("user/message", r#"{"content":"1"}"#),
    ("user/message", r#"{"content":"2"}"#),
    ("user/message", r#"{"content":"3"}"#),
    ("user/message", r#"{"content":"4"}"#),
];

fn said(place: u64) -> Message {
    message(Role::User, place, &format!(r#"[{{"type":"text","text":"{place}"}}]"#))
}

fn summary() -> Outcome {
    let short = ("compact/summary", r#"{"summary":"short","shadowedRange":{"start":1,"end":3}}"#);
    put_log("x", &[SAID, &[short]].concat())?;
    let short = message(Role::User, 5, r#"[{"type":"text","text":"short"}]"#);
    equal("the messages", derive("x", Pairing::Paired)?, [said(0), short, said(4)])
}

fn prefix() -> Outcome {
    put_log("x", SAID)?;
    for length in 0..=5u64 {
        let options = DeriveOptions { length: Some(length), pairing: Pairing::Paired, start: 0, max_bytes: u32::MAX };
        let page = messages::derive_messages("x", options).must("deriving messages")?;
        equal(&format!("those of {length} events"), page.messages, (0..length).map(said).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn pages() -> Outcome {
    put_log("x", SAID)?;
    for max_bytes in [0, 1, 70, 1000] {
        let (mut found, mut start) = (Vec::new(), Some(0));
        while let Some(next) = start {
            let options = DeriveOptions { length: None, pairing: Pairing::Paired, start: next, max_bytes };
            let page = messages::derive_messages("x", options).must("deriving messages")?;
            if max_bytes < 2 {
                equal("how many come where none fits", page.messages.len(), 1usize)?;
            }
            found.extend(page.messages);
            start = page.next;
            crate::check::holds("the pages come to an end", found.len() < 100)?;
        }
        equal(&format!("all of them, by pages of {max_bytes} bytes"), found, (0..5).map(said).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn absent() -> Outcome {
    let options = DeriveOptions { length: None, pairing: Pairing::Paired, start: 0, max_bytes: 100 };
    fails!("deriving", messages::derive_messages("x", options), Error::NotFound(_))?;
    equal("all that is stored", everything()?, [])
}
