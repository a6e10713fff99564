use super::derive::{derive, message};
use super::*;

pub const CASES: &[Case] = &[
    ("recorded messages stand as they were recorded", recorded),
    ("paired results follow their calls at once, in the order of the calls", follow),
    ("a paired call without a result gets one that says so", lacking),
    ("a paired result without a call, or after the first, is left out", left_out),
    ("paired calls are matched within their own scope", own_scope),
];

const CALLS: &str = r#"[{"type":"tool-call","id":"a"},{"type":"tool-call","id":"b"}]"#;

fn calls() -> String {
    format!("{{\"content\":{CALLS}}}")
}

fn result(id: &str) -> String {
    format!(r#"{{"callId":"{id}","content":[{{"type":"text","text":"of {id}"}}]}}"#)
}

fn result_message(source: u64, id: &str) -> Message {
    let block = format!(
        r#"[{{"type":"tool-result","toolCallId":"{id}","content":[{{"type":"text","text":"of {id}"}}],"isError":false}}]"#
    );
    message(Role::User, source, &block)
}

fn out_of_order() -> Outcome {
    let (calls, a, b) = (calls(), result("a"), result("b"));
    put_log(
        "x",
        &[
            ("turn/start", "{}"),
            ("assistant/message", &calls),
            ("tool/result", &b),
            ("user/message", r#"{"content":[]}"#),
            ("tool/result", &a),
        ],
    )?;
    Ok(())
}

fn recorded() -> Outcome {
    out_of_order()?;
    let expected = [
        message(Role::Assistant, 1, CALLS),
        result_message(2, "b"),
        message(Role::User, 3, "[]"),
        result_message(4, "a"),
    ];
    equal("the messages", derive("x", Pairing::Recorded)?, expected)
}

fn follow() -> Outcome {
    out_of_order()?;
    let expected = [
        message(Role::Assistant, 1, CALLS),
        result_message(4, "a"),
        result_message(2, "b"),
        message(Role::User, 3, "[]"),
    ];
    equal("the messages", derive("x", Pairing::Paired)?, expected)
}

fn lacking() -> Outcome {
    put_log("x", BROKEN_OFF)?;
    let found = derive("x", Pairing::Paired)?;
    let roles: Vec<_> = found.iter().map(|message| message.role).collect();
    equal("who speaks", roles, [Role::User, Role::Assistant, Role::User, Role::User, Role::User])?;
    for (message, (id, text)) in
        found[3..].iter().zip([("b", "Its outcome is unknown"), ("c", "safe to call it again")])
    {
        let says = |part: &str| {
            let what = format!("the result of {id:?} holds {part:?}: {}", message.content);
            crate::check::holds(&what, message.content.contains(part))
        };
        says(&format!(r#""toolCallId":"{id}""#))?;
        says(text)?;
        says(r#""isError":true"#)?;
    }
    Ok(())
}

fn left_out() -> Outcome {
    let (calls, a, b, other) = (calls(), result("a"), result("b"), result("of no call"));
    put_log(
        "x",
        &[
            ("tool/result", &a),
            ("turn/start", "{}"),
            ("assistant/message", &calls),
            ("tool/result", &a),
            ("tool/result", &b),
            ("tool/result", &a),
            ("tool/result", &other),
        ],
    )?;
    let expected = [message(Role::Assistant, 2, CALLS), result_message(3, "a"), result_message(4, "b")];
    equal("the messages", derive("x", Pairing::Paired)?, expected)?;
    crate::check::count("the messages as recorded", &derive("x", Pairing::Recorded)?, 6)
}

fn own_scope() -> Outcome {
    let (calls, a, b) = (calls(), result("a"), result("b"));
    let turn = [
        ("turn/start", "{}"),
        ("assistant/message", calls.as_str()),
        ("tool/result", a.as_str()),
        ("tool/result", b.as_str()),
        ("turn/end", "{}"),
    ];
    put_log("x", &[turn, turn].concat())?;
    let of = |start: u64| {
        [message(Role::Assistant, start + 1, CALLS), result_message(start + 2, "a"), result_message(start + 3, "b")]
    };
    equal("the messages", derive("x", Pairing::Paired)?, [of(0), of(5)].concat())
}
