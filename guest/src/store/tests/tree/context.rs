use super::*;

fn context(sessions: &mut Sessions) -> Vec<(String, String)> {
    let page = sessions.get_context("s", "main", None, u32::MAX).unwrap();
    assert_eq!(page.next, None);
    page.messages.into_iter().map(|message| (message.entry, message.message)).collect()
}

fn assistant(id: &str, parent: &str, stop: &str) -> Write {
    let payload = format!("{{\"message\":{{\"role\":\"assistant\",\"stopReason\":\"{stop}\"}}}}");
    entry(id, Some(parent), EntryType::Message, None, &payload)
}

#[test]
fn a_branch_is_seen_from_its_last_compaction_on() {
    let (_, mut sessions) = stored();
    let tail = r#"{"role":"user","content":"kept"},{"role":"assistant","stopReason":"error"}"#;
    let writes = [
        user("a", None),
        compaction("first", Some("a"), ""),
        user("b", Some("first")),
        compaction("second", Some("b"), tail),
        user("c", Some("second")),
        set("pi.branch.tip", "main", "\"c\""),
    ];
    commit(&mut sessions, &writes);
    let expected = [
        ("second", r#"{"role":"compactionSummary","summary":"sum of second","tokensBefore":12,"timestamp":1000}"#),
        ("second", r#"{"role":"user","content":"kept"}"#),
        ("c", r#"{"role":"user","content":"c"}"#),
    ];
    let expected = expected.map(|(entry, message)| (entry.to_string(), message.to_string()));
    assert_eq!(context(&mut sessions), expected);
    sessions.move_branch("s", "main", Some("a")).unwrap();
    assert_eq!(context(&mut sessions), [("a".into(), r#"{"role":"user","content":"a"}"#.into())]);
}

#[test]
fn answers_that_ended_badly_and_custom_entries_are_not_seen() {
    let (_, mut sessions) = stored();
    let mut writes = vec![user("a", None)];
    let mut parent = "a";
    for stop in ["stop", "error", "length", "aborted", "toolUse", "deferred"] {
        writes.push(assistant(stop, parent, stop));
        parent = stop;
    }
    writes.push(custom("note", Some(parent), "note"));
    let left = r#"{"fromId":"x","summary":"left \u00e9"}"#;
    writes.push(entry("left", Some("note"), EntryType::BranchSummary, None, left));
    writes.push(entry("empty", Some("left"), EntryType::BranchSummary, None, r#"{"fromId":null,"summary":""}"#));
    writes.push(set("pi.branch.tip", "main", "\"empty\""));
    commit(&mut sessions, &writes);
    let seen = context(&mut sessions);
    assert_eq!(
        seen.iter().map(|(entry, _)| entry.as_str()).collect::<Vec<_>>(),
        ["a", "stop", "length", "toolUse", "left"]
    );
    assert_eq!(seen[4].1, r#"{"role":"branchSummary","summary":"left \u00e9","fromId":"x","timestamp":1000}"#);
}

#[test]
fn a_context_is_handed_out_in_pages_that_break_within_a_retained_tail_too() {
    let (_, mut sessions) = stored();
    let tail = r#"{"role":"user","content":"1"},{"role":"user","content":"2"}"#;
    let writes = [
        compaction("sum", None, tail),
        user("a", Some("sum")),
        user("b", Some("a")),
        set("pi.branch.tip", "main", "\"b\""),
    ];
    commit(&mut sessions, &writes);
    let whole = context(&mut sessions);
    for max_bytes in [0, 1, 40, 100, 1000] {
        let (mut paged, mut from) = (Vec::new(), None::<ContextPlace>);
        loop {
            let page = sessions.get_context("s", "main", from, max_bytes).unwrap();
            assert!(!page.messages.is_empty());
            let bytes: usize = page.messages.iter().map(|message| message.message.len()).sum();
            assert!(page.messages.len() == 1 || bytes <= max_bytes as usize);
            paged.extend(page.messages.into_iter().map(|message| (message.entry, message.message)));
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        assert_eq!(paged, whole);
    }
}

#[test]
fn a_branch_before_its_first_entry_has_no_context_and_one_that_is_not_there_is_unknown() {
    let (_, mut sessions) = stored();
    sessions.create_branch("s", "main", None).unwrap();
    assert_eq!(context(&mut sessions), []);
    let absent = sessions.get_context("s", "absent", None, 9);
    assert_eq!(absent, Err(TreeError::UnknownBranch("absent".into())));
    commit(&mut sessions, &[set("pi.branch.tip", "main", "\"nobody\"")]);
    let lost = sessions.get_context("s", "main", None, 9);
    assert_eq!(lost, Err(TreeError::UnknownTarget("nobody".into())));
}
