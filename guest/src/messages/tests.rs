use super::*;
use crate::log;
use crate::types::{Pairing, Role};

/// The messages of a log with these events: who, what, and from where.
fn derive(pairing: Pairing, events: &[(&str, &str)]) -> Vec<(Role, String, u64)> {
    let header = String::from("{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":7}\n");
    let mut content = header;
    let read = |content: &str| log::read(content.as_bytes(), content.len() as u64, None).unwrap();
    let mut grown = Plan::new(content.as_bytes(), &read(&content).0, None, pairing).unwrap();
    for (seq, (kind, data)) in (0..).zip(events) {
        content += &format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1,\"data\":{data}}}\n");
        grown = grown.go_on(content.as_bytes(), &read(&content).0).unwrap().unwrap();
    }
    let (sound, damage) = read(&content);
    assert_eq!(damage, None);
    let content = content.as_bytes();
    let plan = Plan::new(content, &sound, None, pairing).unwrap();
    let whole = plan.page(content, 0, u32::MAX).unwrap().messages;
    assert_eq!(grown.page(content, 0, u32::MAX).unwrap().messages, whole, "planned event by event");
    // However the pages are cut, they hold the same messages.
    for max_bytes in [0, 100] {
        let (mut paged, mut next) = (Vec::new(), Some(0));
        while let Some(start) = next {
            let page = plan.page(content, start, max_bytes).unwrap();
            paged.extend(page.messages);
            next = page.next;
        }
        assert_eq!(paged, whole);
    }
    whole.into_iter().map(|message| (message.role, message.content, message.source)).collect()
}

fn paired(events: &[(&str, &str)]) -> Vec<(Role, String, u64)> {
    derive(Pairing::Paired, events)
}

fn recorded(events: &[(&str, &str)]) -> Vec<(Role, String, u64)> {
    derive(Pairing::Recorded, events)
}

fn result(id: &str, text: &str, is_error: &str) -> String {
    format!(
        r#"[{{"type":"tool-result","toolCallId":"{id}","content":[{{"type":"text","text":"{text}"}}],"isError":{is_error}}}]"#
    )
}

fn sources(messages: &[(Role, String, u64)]) -> Vec<u64> {
    messages.iter().map(|(_, _, source)| *source).collect()
}

const NOT_STARTED: &str =
    "The turn was interrupted before this tool call was started. It did nothing; it is safe to call it again.";
const UNKNOWN: &str = "The turn was interrupted while this tool call ran. Its outcome is unknown; verify what it did before calling it again.";

#[test]
fn content_passes_through_byte_for_byte() {
    let content = r#"[ {"type":"text","text":"\ud83d","n":2512292042121000001, "n":1.0} ]"#;
    let data = format!("{{\"content\":1,\"content\":{content}}}");
    for (kind, role) in [("user/message", Role::User), ("assistant/message", Role::Assistant)] {
        assert_eq!(recorded(&[(kind, &data)]), [(role, content.to_string(), 0)]);
    }
}

#[test]
fn text_becomes_a_block_and_other_content_nothing() {
    let block = "[{\"type\":\"text\",\"text\":\"h\\u00e9\"}]".to_string();
    assert_eq!(recorded(&[("user/message", "{\"content\":\"h\\u00e9\"}")]), [(Role::User, block, 0)]);
    for data in ["{\"content\":{}}", "{\"content\":7}", "{\"content\":null}", "{}", "7", "[]", "\"x\""] {
        for kind in [
            "user/message",
            "assistant/message",
            "tool/result",
            "context/message",
            "steering/message",
            "compact/summary",
        ] {
            assert_eq!(paired(&[(kind, data)]), [], "{kind} {data}");
        }
    }
}

#[test]
fn an_assistant_that_says_nothing_derives_nothing() {
    for content in ["[]", "[ ]", "\"\""] {
        assert_eq!(paired(&[("assistant/message", &format!("{{\"content\":{content}}}"))]), []);
    }
}

#[test]
fn context_and_steering_stand_in_a_tag_that_names_their_source() {
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let cases = [
        (
            "context/message",
            r#"{"content":"x","source":"a<\"b\">&"}"#,
            vec![text(r#"<context source=\"a&lt;&quot;b&quot;&gt;&amp;\">"#), text("x"), text("</context>")],
        ),
        (
            "steering/message",
            r#"{"content":[{"type":"image"} ],"source":{"kind":"user"}}"#,
            vec![text(r#"<steering source=\"user\">"#), r#"{"type":"image"}"#.into(), text("</steering>")],
        ),
        ("context/message", r#"{"content":[]}"#, vec![text("<context>"), text("</context>")]),
    ];
    for (kind, data, blocks) in cases {
        assert_eq!(recorded(&[(kind, data)]), [(Role::User, format!("[{}]", blocks.join(",")), 0)]);
    }
}

#[test]
fn recorded_results_stand_where_they_were_recorded() {
    let events = [
        ("assistant/message", r#"{"content":[{"type":"tool-call","id":"a"}]}"#),
        ("user/message", r#"{"content":"meanwhile"}"#),
        ("tool/result", r#"{"callId":"a","content":"ok","isError":true}"#),
        ("tool/result", r#"{"callId":"b","content":"ok"}"#),
        ("tool/result", r#"{"content":"of no call"}"#),
    ];
    let messages = recorded(&events);
    assert_eq!(sources(&messages), [0, 1, 2, 3]);
    assert_eq!(messages[2].1, result("a", "ok", "true"));
    assert_eq!(messages[3].1, result("b", "ok", "false"));
}

#[test]
fn paired_results_follow_their_call_at_once_in_block_order() {
    let events = [
        ("turn/start", "{}"),
        (
            "assistant/message",
            r#"{"content":[{"type":"tool-call","id":"a"},{"type":"tool-call","id":"b"},{"type":"tool-call","id":"c"},{"type":"tool-call","id":"d"}]}"#,
        ),
        ("tool/call", r#"{"callId":"c"}"#),
        ("user/message", r#"{"content":"meanwhile"}"#),
        ("tool/result", r#"{"callId":"b","content":"B"}"#),
        ("tool/result", r#"{"callId":"\u0061","content":"A"}"#),
        ("tool/result", r#"{"callId":"a","content":"again"}"#),
        ("tool/result", r#"{"callId":"stray","content":"no call"}"#),
        ("turn/end", "{}"),
    ];
    let messages = paired(&events);
    assert_eq!(sources(&messages), [1, 5, 4, 1, 1, 3]);
    let contents: Vec<&str> = messages[1..5].iter().map(|(_, content, _)| content.as_str()).collect();
    assert_eq!(
        contents,
        [
            result("\\u0061", "A", "false"),
            result("b", "B", "false"),
            result("c", UNKNOWN, "true"),
            result("d", NOT_STARTED, "true")
        ]
    );
}

#[test]
fn calls_are_matched_inside_their_own_scope() {
    let call = ("assistant/message", r#"{"content":[{"type":"tool-call","id":"a"}]}"#);
    let answer = ("tool/result", r#"{"callId":"a","content":"late"}"#);
    for boundary in ["turn/start", "turn/end", "step/end"] {
        let messages = paired(&[call, (boundary, "{}"), answer]);
        assert_eq!(sources(&messages), [0, 0], "{boundary}");
        assert!(messages[1].1.contains(NOT_STARTED));
        let messages = paired(&[call, answer, (boundary, "{}"), call, answer]);
        assert_eq!(sources(&messages), [0, 1, 3, 4], "ids are used again after {boundary}");
    }
    assert_eq!(sources(&paired(&[call, ("step/start", "{}"), answer])), [0, 2]);
}

#[test]
fn an_id_called_twice_is_answered_once_a_message() {
    let twice = ("assistant/message", r#"{"content":[{"type":"tool-call","id":"a"},{"type":"tool-call","id":"a"}]}"#);
    let answer = ("tool/result", r#"{"callId":"a","content":"ok"}"#);
    assert_eq!(sources(&paired(&[twice, answer, answer])), [0, 1]);
    assert_eq!(sources(&paired(&[twice, answer, twice, answer])), [0, 1, 2, 3]);
    assert_eq!(sources(&paired(&[twice, answer, twice])), [0, 1, 2, 2]);
}

const SAID: (&str, &str) = ("user/message", r#"{"content":"x"}"#);

#[test]
fn a_summary_stands_where_what_it_replaces_began() {
    let summary = ("compact/summary", r#"{"summary":"short","shadowedRange":{"start":1,"end":2}}"#);
    let messages = recorded(&[SAID, SAID, SAID, SAID, summary, SAID]);
    assert_eq!(sources(&messages), [0, 4, 3, 5]);
    assert_eq!(messages[1], (Role::User, "[{\"type\":\"text\",\"text\":\"short\"}]".into(), 4));
}

#[test]
fn a_summary_of_summaries_replaces_them_by_their_place() {
    let over = |start, end| format!(r#"{{"summary":"s","shadowedRange":{{"start":{start},"end":{end}}}}}"#);
    let (first, second, beside) = (over(0, 1), over(0, 3), over(1, 3));
    let with = |last: &str| {
        sources(&recorded(&[SAID, SAID, ("compact/summary", &first), SAID, ("compact/summary", last), SAID]))
    };
    assert_eq!(with(&second), [4, 5]);
    assert_eq!(with(&beside), [2, 4, 5], "the first stands at 0, outside");
}

#[test]
fn a_range_that_reaches_past_its_summary_replaces_only_what_was_there() {
    let far = ("compact/summary", r#"{"summary":"s","shadowedRange":{"start":0,"end":99}}"#);
    assert_eq!(sources(&recorded(&[SAID, SAID, far, SAID])), [2, 3]);
}

#[test]
fn a_summary_without_a_sound_range_derives_nothing() {
    for range in [
        "",
        r#","shadowedRange":{"start":0}"#,
        r#","shadowedRange":{"start":2,"end":1}"#,
        r#","shadowedRange":{"start":-1,"end":1}"#,
        r#","shadowedRange":{"start":5,"end":9}"#,
    ] {
        let data = format!("{{\"summary\":\"s\"{range}}}");
        assert_eq!(sources(&recorded(&[SAID, ("compact/summary", &data)])), [0], "{range}");
    }
}

#[test]
fn paired_results_go_with_their_call_into_a_summary() {
    let call = ("assistant/message", r#"{"content":[{"type":"tool-call","id":"a"},{"type":"tool-call","id":"b"}]}"#);
    let answer = ("tool/result", r#"{"callId":"a","content":"ok"}"#);
    let over_call = ("compact/summary", r#"{"summary":"s","shadowedRange":{"start":0,"end":0}}"#);
    let over_answer = ("compact/summary", r#"{"summary":"s","shadowedRange":{"start":1,"end":1}}"#);
    assert_eq!(sources(&paired(&[call, answer, over_call])), [2]);
    assert_eq!(sources(&paired(&[call, over_call, answer])), [1], "also where the result came later");
    assert_eq!(sources(&paired(&[call, answer, over_answer])), [0, 1, 0, 2]);
    assert_eq!(sources(&recorded(&[call, answer, over_call])), [2, 1]);
}

#[test]
fn everything_else_derives_nothing() {
    let others = [
        "assistant/chunk",
        "turn/start",
        "step/start",
        "step/end",
        "turn/end",
        "tool/call",
        "request/model-change",
        "x",
    ];
    for kind in others {
        assert_eq!(paired(&[(kind, r#"{"content":"x","callId":"a"}"#)]), [], "{kind}");
    }
}

#[test]
fn a_type_written_with_escapes_is_the_same_type() {
    assert_eq!(sources(&recorded(&[(r"user\/message", r#"{"content":"x"}"#)])), [0]);
}
