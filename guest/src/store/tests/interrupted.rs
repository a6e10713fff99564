use super::*;

const CALLS_A_B: &str = "{\"turn\":1,\"step\":1,\"content\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"tool-call\",\"id\":\"a\"},{\"id\":\"b\",\"type\":\"tool-call\"}]}";

fn wake(events: &[(&str, &str)]) -> (SessionState, String) {
    let disk = Disk::default();
    disk.put("s", log_of(events));
    let state = disk.sessions().wake("s", CLOSE).unwrap();
    (state, disk.text("s"))
}

fn codes(state: &SessionState) -> Vec<String> {
    let code = |event: &Event| {
        crate::json::member(&event.data, "error").map_or(event.type_.clone(), |error| {
            format!("{}: {error}", crate::json::member(&event.data, "callId").unwrap())
        })
    };
    state.recovery.closers.iter().map(code).collect()
}

#[test]
fn an_interrupted_turn_is_closed_byte_for_byte_as_documented() {
    let open = [
        ("turn/start", "{\"turn\":1}"),
        ("step/start", "{\"turn\":1,\"step\":2}"),
        ("user/message", "{\"content\":\"hi\"}"),
        ("assistant/message", CALLS_A_B),
        ("tool/call", "{\"turn\":1,\"step\":2,\"callId\":\"a\"}"),
    ];
    let (state, log) = wake(&open);
    let closers = concat!(
        r#"{"type":"tool/result","seq":5,"time":104,"data":{"turn":1,"step":2,"callId":"a","content":[{"type":"text","text":"The turn was interrupted while this tool call ran. Its outcome is unknown; verify what it did before calling it again."}],"isError":true,"error":{"code":"TOOL_OUTCOME_UNKNOWN"}}}"#,
        "\n",
        r#"{"type":"tool/result","seq":6,"time":104,"data":{"turn":1,"step":2,"callId":"b","content":[{"type":"text","text":"The turn was interrupted before this tool call was started. It did nothing; it is safe to call it again."}],"isError":true,"error":{"code":"TOOL_NOT_STARTED"}}}"#,
        "\n",
        r#"{"type":"step/end","seq":7,"time":104,"data":{"turn":1,"step":2}}"#,
        "\n",
        r#"{"type":"turn/end","seq":8,"time":104,"data":{"turn":1,"reason":{"kind":"interrupted"}}}"#,
        "\n",
    );
    assert_eq!(log, log_of(&open) + closers);
    assert_eq!(state.length, 9);
}

#[test]
fn each_call_that_nothing_answered_gets_its_result_in_block_order() {
    let open = |rest: &[(&'static str, &'static str)]| {
        let mut events = vec![("turn/start", "{}"), ("step/start", "{}"), ("assistant/message", CALLS_A_B)];
        events.extend_from_slice(rest);
        codes(&wake(&events).0)
    };
    let unknown = |id| format!("\"{id}\": {{\"code\":\"TOOL_OUTCOME_UNKNOWN\"}}");
    let not_started = |id| format!("\"{id}\": {{\"code\":\"TOOL_NOT_STARTED\"}}");
    let (step_end, turn_end) = ("step/end".to_string(), "turn/end".to_string());
    assert_eq!(open(&[]), [not_started("a"), not_started("b"), step_end.clone(), turn_end.clone()]);
    let started_b = [("tool/call", "{\"callId\":\"b\"}"), ("tool/result", "{\"callId\":\"a\"}")];
    assert_eq!(open(&started_b), [unknown("b"), step_end.clone(), turn_end.clone()]);
    let escaped = [("tool/call", "{\"callId\":\"\\u0061\"}")];
    assert_eq!(open(&escaped), [unknown("a"), not_started("b"), step_end, turn_end.clone()]);
    assert_eq!(open(&[("step/end", "{}")]), [turn_end]);
    assert_eq!(open(&[("step/end", "{}"), ("turn/end", "{}")]), [""; 0]);
}

#[test]
fn chunks_alone_make_up_no_result() {
    let (state, _) =
        wake(&[("turn/start", "{\"turn\":1}"), ("step/start", "{}"), ("assistant/chunk", "{\"id\":\"a\"}")]);
    assert_eq!(
        told(&state.recovery.closers),
        [("step/end", "{\"turn\":1}"), ("turn/end", "{\"turn\":1,\"reason\":{\"kind\":\"interrupted\"}}")]
    );
}

#[test]
fn numbers_are_copied_by_bytes_or_left_out() {
    let long = format!("{{\"turn\":\"{}\"}}", "x".repeat(300));
    let (state, _) = wake(&[("turn/start", &long), ("step/start", "{\"step\":{\"n\":1.0}}")]);
    assert_eq!(
        told(&state.recovery.closers),
        [("step/end", "{\"step\":{\"n\":1.0}}"), ("turn/end", "{\"reason\":{\"kind\":\"interrupted\"}}")]
    );
    let (state, _) = wake(&[("turn/start", "7"), ("step/start", "[]")]);
    assert_eq!(
        told(&state.recovery.closers),
        [("step/end", "{}"), ("turn/end", "{\"reason\":{\"kind\":\"interrupted\"}}")]
    );
}

#[test]
fn a_turn_kept_open_goes_on() {
    let disk = Disk::default();
    let events = [("turn/start", "{}"), ("step/start", "{}")];
    disk.put("s", log_of(&events));
    assert_eq!(disk.sessions().wake("s", KEEP).unwrap().recovery.closers, []);
    disk.kill_holders();
    assert_eq!(disk.sessions().emit("s", "step/end".into(), "{}".into()), Ok(2));
    disk.kill_holders();
    let state = disk.sessions().wake("s", CLOSE).unwrap();
    assert_eq!(told(&state.recovery.closers), [("turn/end", "{\"reason\":{\"kind\":\"interrupted\"}}")]);
}

#[test]
fn more_calls_than_are_followed_refuse_to_close_and_can_be_kept_open() {
    let disk = Disk::default();
    let calls: Vec<String> = (0..20_000).map(|id| format!("{{\"type\":\"tool-call\",\"id\":\"{id}\"}}")).collect();
    let message = format!("{{\"content\":[{}]}}", calls.join(","));
    let log = log_of(&[("turn/start", "{}"), ("assistant/message", &message)]);
    disk.put("s", &log);
    assert!(matches!(disk.sessions().wake("s", CLOSE), Err(Error::TooLarge(_))));
    assert_eq!(disk.text("s"), log);
    assert_eq!(disk.sessions().wake("s", KEEP).unwrap().length, 2);
}

#[test]
fn order_is_seq_alone() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    for (seq, time) in [(0, 100), (1, 90), (2, 90)] {
        sessions.append("s", &[Event { time, ..event(seq, "a", "1") }]).unwrap();
    }
    assert_eq!(all_events(&mut sessions, "s").iter().map(|event| event.time).collect::<Vec<_>>(), [100, 90, 90]);
    assert_eq!(disk.sessions().inspect("s").unwrap().recovery.damage, None);
}

#[test]
fn a_fork_at_every_length_is_balanced_and_lives_on_without_its_parent() {
    let disk = Disk::default();
    let events = [
        ("turn/start", "{\"turn\":1}"),
        ("step/start", "{}"),
        ("assistant/message", CALLS_A_B),
        ("tool/call", "{\"callId\":\"a\"}"),
        ("tool/result", "{\"callId\":\"a\",\"content\":\"ok\"}"),
        ("step/end", "{}"),
        ("turn/end", "{}"),
    ];
    disk.put("s", log_of(&events));
    let mut sessions = disk.sessions();
    for length in 0..=events.len() as u64 {
        let child = format!("child-{length}");
        let header = sessions.fork("s", Some(length), NewSession { cwd: Some("/w".into()), ..new(&child) }).unwrap();
        assert_eq!(
            (header.parent_session.as_deref(), header.seed_length, header.cwd.as_deref()),
            (Some("s"), Some(length), Some("/w"))
        );
        let state = sessions.inspect(&child).unwrap();
        assert!(!state.held);
        assert_eq!((state.recovery.damage, state.recovery.closers), (None, vec![]));
        let copied = all_events(&mut sessions, &child);
        assert_eq!(told(&copied[..length as usize]), events[..length as usize]);
        let grandchild = sessions.fork(&child, None, new(&format!("grand{child}"))).unwrap();
        assert_eq!(grandchild.seed_length, Some(copied.len() as u64));
        assert_eq!(grandchild.cwd.as_deref(), Some("/w"), "inherited");
    }
    sessions.delete("s").unwrap();
    sessions.delete("child-3").unwrap();
    assert_eq!(sessions.emit("grandchild-3", "turn/start".into(), "{}".into()), Ok(7));
    assert!(matches!(sessions.fork("child-1", Some(99), new("c")), Err(Error::Refused(_))));
    assert_eq!(sessions.fork("child-1", None, new("child-2")), Err(Error::AlreadyExists("child-2".into())));
}

#[test]
fn a_fork_of_a_session_that_another_holds_claims_nothing() {
    let disk = Disk::default();
    let mut writer = disk.sessions();
    disk.put("s", log_of(&[("turn/start", "{}")]));
    writer.emit("s", "a".into(), "1".into()).unwrap();
    assert_eq!(disk.sessions().fork("s", None, new("child")).unwrap().seed_length, Some(2));
    assert_eq!(writer.emit("s", "a".into(), "1".into()), Ok(2));
}

#[test]
fn a_fork_of_a_log_without_its_last_lf_has_one() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("turn/start", "{}")]).trim_end());
    let mut sessions = disk.sessions();
    sessions.fork("s", None, new("child")).unwrap();
    assert_eq!(sessions.inspect("child").unwrap().length, 2);
}
