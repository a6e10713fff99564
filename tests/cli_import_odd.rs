//! `session import --from pi`: what can't be taken over costs no more than itself, is told by its line, and no file makes the import dear.

use serde_json::{Value, json};
use session_host::{Engine, JsonlFolder, Sessions};
use session_tests::command::{Answer, Root};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"x","timestamp":"2026-10-01T00:00:00.000Z","cwd":"/srv/project"}"#;
const CURRENT: &str = r#"{"v":4,"kind":"header","id":"x","storageVersion":1,"createdAt":7,"cwd":"/srv/project"}"#;
/// More than a line of a log has.
const LINE: usize = 16 << 20;

/// A line of an old file: an entry `id` that follows `parent`, with these members.
fn line(kind: &str, id: &str, parent: Option<&str>, mut members: Value) -> String {
    for (name, value) in [("type", json!(kind)), ("id", json!(id)), ("parentId", json!(parent))] {
        members[name] = value;
    }
    members.to_string()
}

fn said(id: &str, parent: Option<&str>) -> String {
    line("message", id, parent, json!({ "message": { "role": "user", "content": id } }))
}

/// An entry of version 4.
fn entry(seq: u64, id: &str, parent: Option<&str>, timestamp: u64) -> String {
    let message = json!({ "role": "user", "content": id });
    json!({ "kind": "entry", "id": id, "parentId": parent, "type": "message", "message": message, "seq": seq, "timestamp": timestamp }).to_string()
}

/// A line with a text in it, of so many bytes.
fn padded(line: &str, bytes: usize) -> String {
    line.replacen("PAD", &"z".repeat(bytes + 3 - line.len()), 1)
}

fn try_import(root: &Root, lines: &[&str]) -> Answer {
    root.feed(&["import", "--from", "pi", "-", "--json"], lines.join("\n") + "\n")
}

fn import(root: &Root, lines: &[&str]) -> Value {
    try_import(root, lines).json()
}

/// The lines that are told of.
fn lines(told: &Value, what: &str) -> Vec<Value> {
    told[what]["notes"].as_array().unwrap().iter().map(|note| note["line"].clone()).collect()
}

fn reason<'t>(told: &'t Value, what: &str) -> &'t str {
    told[what]["notes"][0]["reason"].as_str().unwrap()
}

fn value(root: &Root, address: &str) -> Option<Value> {
    let values = root.run(&["values", "x", address, "--json"]).json_lines();
    values.into_iter().next().map(|line| line["value"].clone())
}

/// The entries, the oldest first.
fn entries(root: &Root) -> Vec<Value> {
    root.run(&["tree", "x", "--json"]).json_lines().into_iter().filter(|line| line["id"].is_string()).rev().collect()
}

/// What a model gets to see: the contents alone.
fn contents(root: &Root) -> Vec<Value> {
    let sessions = Sessions::new(&Engine::new().unwrap(), JsonlFolder::open(root.path()).unwrap());
    let messages = sessions.tree("x").context("main");
    let messages = messages.map(|message| serde_json::from_str::<Value>(&message.unwrap().message).unwrap());
    messages.map(|message| message.get("content").unwrap_or(&message["summary"]).clone()).collect()
}

#[test]
fn a_time_that_can_t_be_is_the_one_of_the_entry_before_and_spoils_nothing_that_follows() {
    for time in ["1763681581550000000", "99999999999999999999", r#""yesterday""#, "-1"] {
        let root = Root::new();
        let at = |line: String, time: &str| line.replacen('{', &format!(r#"{{"timestamp":{time},"#), 1);
        let (first, second) = (at(said("a", None), "5"), at(said("b", Some("a")), time));
        let name = line("session_info", "d", Some("c"), json!({ "name": "n" }));
        let told = import(&root, &[HEADER, &first, &second, &said("c", Some("b")), &name]);
        assert_eq!((&told["entries"], lines(&told, "changed")), (&json!(3), vec![json!(3)]), "{told}");
        let times: Vec<_> = entries(&root).iter().map(|entry| entry["timestamp"].clone()).collect();
        assert_eq!(times, [5, 5, 5]);
        assert_eq!(value(&root, "pi.branch.tip/"), Some(json!("c")));
        assert_eq!(value(&root, "pi.session.name/"), Some(json!("n")));
    }
}

#[test]
fn a_header_whose_time_can_t_be_is_one_without_a_time() {
    for time in ["1763681581550000000", r#""yesterday""#] {
        let header = HEADER.replace(r#""2026-10-01T00:00:00.000Z""#, time);
        assert_eq!(import(&Root::new(), &[&header, &said("a", None)])["entries"], 1);
        let current = CURRENT.replace(r#""createdAt":7"#, &format!(r#""createdAt":{time}"#));
        assert_eq!(import(&Root::new(), &[&current, &entry(1, "a", None, 5)])["entries"], 1);
    }
}

#[test]
fn a_transaction_of_which_one_write_is_refused_leaves_nothing() {
    let tip = r#"{"kind":"value","op":"set","seq":4,"namespace":"pi.branch.tip","key":"main","value":"b"}"#;
    let usage = |usage: &str| format!(r#"{{"kind":"usage","id":"u","usage":{usage},"adjustment":false,"seq":3}}"#);
    let zero = r#"{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}"#;
    let before = [entry(1, "a", None, 5), usage(zero).replace(r#""seq":3"#, r#""seq":2"#)];
    for refused in [
        // An id that is there, twice in the line, or that of a row; a number that goes back; a row that can't be.
        vec![entry(4, "b", Some("a"), 5), entry(5, "a", Some("b"), 6)],
        vec![entry(4, "b", Some("a"), 5), entry(5, "b", Some("a"), 6)],
        vec![entry(4, "b", Some("a"), 5), entry(5, "u", Some("b"), 6)],
        vec![entry(4, "b", Some("a"), 5), entry(3, "c", Some("b"), 6)],
        vec![entry(2, "b", Some("a"), 5), entry(3, "c", Some("b"), 6)],
        vec![entry(4, "b", Some("a"), 5), usage("{}").replace(r#""id":"u","#, r#""id":"w","#).replace(":3}", ":9}")],
    ] {
        let root = Root::new();
        let transaction = format!("[{},{}]", refused.join(","), tip.replace(r#""seq":4"#, r#""seq":10"#));
        let told = import(&root, &[CURRENT, &before[0], &before[1], &transaction, &entry(11, "d", Some("b"), 7)]);
        assert_eq!(lines(&told, "skipped"), [json!(4)], "{told}");
        let parents: Vec<_> = entries(&root).iter().map(|entry| json!([entry["id"], entry["parent"]])).collect();
        assert_eq!(parents, [json!(["a", null]), json!(["d", "a"])], "{transaction}");
        assert_eq!(value(&root, "pi.branch.tip/"), None);
    }
}

#[test]
fn a_transaction_of_several_times_is_there_whole() {
    let root = Root::new();
    // The second follows what is not there.
    let transaction =
        format!("[{},{},{}]", entry(2, "b", Some("a"), 5), entry(3, "c", Some("lost"), 6), entry(9, "d", Some("b"), 7));
    let told = import(&root, &[CURRENT, &entry(1, "a", None, 4), &transaction]);
    assert_eq!((lines(&told, "skipped"), lines(&told, "changed")), (vec![], vec![json!(3)]));
    let read: Vec<_> = entries(&root)
        .iter()
        .map(|entry| json!([entry["id"], entry["parent"], entry["number"], entry["timestamp"]]))
        .collect();
    let expected =
        [json!(["a", null, 1, 4]), json!(["b", "a", 2, 5]), json!(["c", "a", 3, 6]), json!(["d", "b", 9, 7])];
    assert_eq!(read, expected);
}

#[test]
fn a_name_or_a_label_that_is_no_text_changes_nothing_and_is_told() {
    for odd in [r#""x\ud83d""#, "7", &json!("z".repeat(1 << 20)).to_string()] {
        let root = Root::new();
        let odd_one = |kind, id, name: &str| {
            let label = line(kind, id, Some("a"), json!({ name: "ODD", "targetId": "a" }));
            label.replace(r#""ODD""#, odd)
        };
        let name = line("session_info", "n", Some("a"), json!({ "name": "before" }));
        let label = line("label", "l", Some("a"), json!({ "targetId": "a", "label": "before" }));
        let told = import(
            &root,
            &[
                HEADER,
                &said("a", None),
                &name,
                &label,
                &odd_one("session_info", "n2", "name"),
                &odd_one("title_change", "n3", "title"),
                &odd_one("label", "l2", "label"),
                &label.replace(r#""targetId":"a""#, r#""targetId":"\ud83d""#).replace(r#""l""#, r#""l3""#),
            ],
        );
        assert_eq!(lines(&told, "changed"), [5, 6, 7, 8].map(Value::from), "{told}");
        assert_eq!(value(&root, "pi.session.name/"), Some(json!("before")));
        assert_eq!(value(&root, "pi.entry.label/"), Some(json!("before")));
    }
}

#[test]
fn an_empty_name_or_label_takes_away_the_one_that_was_there() {
    for empty in [json!(""), json!(null)] {
        let root = Root::new();
        let named = |id, name: Value| line("session_info", id, Some("a"), json!({ "name": name }));
        let labelled = |id, label: Value| line("label", id, Some("a"), json!({ "targetId": "a", "label": label }));
        let lines = [
            said("a", None),
            named("n", json!("x")),
            labelled("l", json!("x")),
            named("m", empty.clone()),
            labelled("k", empty),
        ];
        import(&root, &[HEADER, &lines[0], &lines[1], &lines[2], &lines[3], &lines[4]]);
        assert_eq!((value(&root, "pi.session.name/"), value(&root, "pi.entry.label/")), (None, None));
    }
}

#[test]
fn a_title_or_a_folder_that_is_no_text_is_told() {
    let root = Root::new();
    let header = HEADER.replace("/srv/project", r"\ud83d").replacen('{', r#"{"title":"\ud83d","#, 1);
    let title = r#"{"type":"title","v":1,"title":"\ud83d"}"#;
    let told = import(&root, &[title, &header, &said("a", None)]);
    assert_eq!((lines(&told, "changed"), &told["entries"]), (vec![json!(1), json!(2), json!(2)], &json!(1)));
    assert_eq!(value(&root, "pi.session.name/"), None);
}

#[test]
fn a_parent_that_is_no_text_is_one_that_is_not_there() {
    let odd = |line: String| line.replace(r#""parentId":"ODD""#, r#""parentId":"\ud83d""#);
    for (header, before, after) in [
        (HEADER, said("a", None), odd(said("b", Some("ODD")))),
        (CURRENT, entry(1, "a", None, 5), odd(entry(2, "b", Some("ODD"), 6))),
    ] {
        let root = Root::new();
        let told = import(&root, &[header, &before, &after]);
        assert_eq!(lines(&told, "changed"), [json!(3)], "{told}");
        assert_eq!(entries(&root)[1]["parent"], "a");
    }
}

#[test]
fn a_member_whose_name_is_no_unicode_text_is_carried_over_as_it_is_written() {
    let root = Root::new();
    let put = |line: String| line.replacen('{', r#"{"\ud800":1,"#, 1);
    let summary = json!({ "summary": "s", "firstKeptEntryId": "b", "tokensBefore": 9 });
    let lines = [
        put(said("a", None)),
        put(line("custom_message", "b", Some("a"), json!({ "customType": "note", "content": "hi" }))),
        put(line("compaction", "c", Some("b"), summary)),
    ];
    import(&root, &[HEADER, &lines[0], &lines[1], &lines[2]]);
    let exported = root.run(&["export", "--to", "pi", "x"]).done();
    for line in exported.lines().skip(1).take(3) {
        assert!(line.contains(r#","\ud800":1,"#), "{line}");
    }
}

#[test]
fn what_earlier_compactions_say_is_no_part_of_what_a_later_one_kept() {
    let root = Root::new();
    let kept = |id: &str, parent: &str, first: &str| {
        let compaction = json!({ "summary": id, "firstKeptEntryId": first, "tokensBefore": 9 });
        line("compaction", id, Some(parent), compaction)
    };
    let lines = [
        said("a", None),
        said("b", Some("a")),
        kept("p", "b", "b"),
        said("c", Some("p")),
        kept("q", "c", "p"),
        said("d", Some("q")),
        kept("r", "d", "a"),
    ];
    let lines: Vec<&str> = [HEADER].into_iter().chain(lines.iter().map(String::as_str)).collect();
    import(&root, &lines[..6]);
    assert_eq!(contents(&root), ["q", "c"], "from the earlier one on, as in pi");
    let root = Root::new();
    import(&root, &lines);
    assert_eq!(contents(&root), ["r", "a", "b", "c", "d"], "over earlier ones, as in pi");
}

#[test]
fn compactions_that_keep_far_more_than_the_file_holds_do_not_blow_up_the_log() {
    let root = Root::new();
    let text = "z".repeat(20_000);
    let mut file = vec![HEADER.to_owned()];
    let mut last: Option<String> = None;
    for n in 0..150 {
        let (message, compaction) = (format!("m{n}"), format!("c{n}"));
        let said = json!({ "message": { "role": "user", "content": text } });
        file.push(line("message", &message, last.as_deref(), said));
        let kept = json!({ "summary": compaction, "firstKeptEntryId": "m0", "tokensBefore": 9 });
        file.push(line("compaction", &compaction, Some(&message), kept));
        last = Some(compaction);
    }
    let bytes: usize = file.iter().map(String::len).sum();
    let told = import(&root, &file.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(root.read("x").len() < 6 * bytes + LINE, "and that is less than half of what they say that they kept");
    // The one that a model sees where the session stands is whole, and so are some before it.
    assert_eq!(contents(&root).len(), 151);
    let kept: Vec<_> = entries(&root)
        .iter()
        .filter(|entry| entry["type"] == "compaction")
        .map(|entry| entry["payload"]["retainedTail"].as_array().unwrap().len())
        .collect();
    let left_out = kept.iter().filter(|kept| **kept == 0).count();
    assert!((1..150).contains(&left_out), "{kept:?}");
    assert_eq!(told["context"]["count"], left_out);
    assert!(reason(&told, "context").contains("nothing is kept"), "{told}");
    assert!(kept.iter().enumerate().all(|(n, kept)| [0, n + 1].contains(kept)), "each is whole or empty: {kept:?}");
}

#[test]
fn what_a_compaction_kept_past_what_a_line_holds_is_left_out_and_its_summary_stays() {
    let root = Root::new();
    let long = padded(&said("PAD", None).replace(r#""id":"PAD""#, r#""id":"a""#), LINE / 2);
    let longer = long.replace(r#""id":"a""#, r#""id":"b""#).replace("null", r#""a""#);
    let kept = json!({ "summary": "s", "firstKeptEntryId": "a", "tokensBefore": 9 });
    let told =
        import(&root, &[HEADER, &long, &longer, &line("compaction", "c", Some("b"), kept), &said("d", Some("c"))]);
    assert_eq!(lines(&told, "context"), [json!(4)], "{told}");
    assert_eq!(contents(&root), ["s", "d"]);
}

#[test]
fn what_is_quoted_of_a_line_is_short() {
    let long = "z".repeat(1 << 20);
    let put = |line: &str| line.replace("PAD", &long);
    let old = [
        r#"{"type":"PAD","id":"a","parentId":null}"#,
        r#"{"type":"message","id":"b","parentId":"PAD","message":{"role":"user","content":"x"}}"#,
        r#"{"type":"label","id":"c","parentId":null,"targetId":"PAD","label":"x"}"#,
        r#"{"type":"leaf","id":"d","parentId":null,"targetId":"PAD"}"#,
        r#"{"type":"context_edit","id":"e","parentId":"b","targetId":"PAD","replacement":null}"#,
        r#"{"type":"compaction","id":"f","parentId":"b","summary":"s","firstKeptEntryId":"PAD"}"#,
    ];
    let current = [
        r#"{"kind":"PAD","op":"PAD","seq":1}"#,
        r#"{"kind":"entry","id":"a","parentId":"PAD","type":"message","message":{"role":"user"},"seq":2,"timestamp":1}"#,
        r#"{"kind":"entry","id":"b","parentId":null,"type":"PAD","seq":3,"timestamp":1}"#,
    ];
    for (header, lines) in [(HEADER, &old[..]), (CURRENT, &current[..])] {
        let lines: Vec<String> = lines.iter().map(|line| put(line)).collect();
        let lines: Vec<&str> = [header].into_iter().chain(lines.iter().map(String::as_str)).collect();
        let told = import(&Root::new(), &lines);
        let count = ["skipped", "changed", "context"].iter().map(|what| told[what]["count"].as_u64().unwrap());
        assert!(count.sum::<u64>() >= lines.len() as u64 - 1, "{told}");
        assert!(told.to_string().len() < 1_000 * lines.len(), "{told}");
    }
}

#[test]
fn names_that_no_session_holds_are_left_out_and_told() {
    let long = "z".repeat(65_536);
    let put = |line: &str| line.replace("PAD", &long);
    let old = [
        r#"{"type":"message","id":"PAD","parentId":null,"message":{"role":"user","content":"x"}}"#,
        r#"{"type":"custom","id":"b","parentId":null,"customType":"PAD","data":1}"#,
    ];
    let current = [
        r#"{"kind":"entry","id":"PAD","parentId":null,"type":"message","message":{"role":"user"},"seq":1,"timestamp":1}"#,
        r#"{"kind":"entry","id":"b","parentId":null,"type":"custom","customType":"PAD","seq":2,"timestamp":1}"#,
        r#"{"kind":"value","op":"set","namespace":"PAD","key":"","value":1,"seq":3}"#,
        r#"{"kind":"list","op":"append","namespace":"n","key":"PAD","value":1,"seq":4}"#,
        r#"{"kind":"usage","id":"PAD","usage":{},"adjustment":false,"seq":5}"#,
    ];
    for (header, refused) in [(HEADER, &old[..]), (CURRENT, &current[..])] {
        let refused: Vec<String> = refused.iter().map(|line| put(line)).collect();
        let all: Vec<&str> = [header].into_iter().chain(refused.iter().map(String::as_str)).collect();
        let told = import(&Root::new(), &all);
        assert_eq!(lines(&told, "skipped"), (2..=all.len()).map(Value::from).collect::<Vec<_>>(), "{told}");
    }
}

#[test]
fn what_is_too_long_for_a_log_is_left_out_alone() {
    let model = line("model_change", "m", Some("a"), json!({ "provider": "p", "modelId": "m" }));
    let thinking = line("thinking_level_change", "t", Some("m"), json!({ "thinkingLevel": "low" }));
    let set = [said("a", None), model, thinking];
    for (odd, what) in [
        (line("session_info", "n", Some("t"), json!({ "name": "PAD" })), "changed"),
        (line("label", "l", Some("t"), json!({ "targetId": "a", "label": "PAD" })), "changed"),
        (line("active_tools_change", "l", Some("t"), json!({ "activeToolNames": ["PAD"] })), "changed"),
        (line("thinking_level_change", "l", Some("t"), json!({ "thinkingLevel": "PAD" })), "changed"),
        (line("model_change", "l", Some("t"), json!({ "provider": "p", "modelId": "PAD" })), "changed"),
        (said("b", Some("t")).replace(r#""content":"b""#, r#""content":"PAD""#), "skipped"),
        (line("custom", "b", Some("t"), json!({ "customType": "c", "data": "PAD" })), "skipped"),
    ] {
        let root = Root::new();
        let told = import(&root, &[HEADER, &set[0], &set[1], &set[2], &padded(&odd, LINE - 5), &said("z", Some("t"))]);
        assert_eq!((lines(&told, what), &told["entries"]), (vec![json!(5)], &json!(2)), "{told}");
        let config = value(&root, "pi.lane.config/").unwrap();
        assert_eq!((&config["thinkingLevel"], &config["model"]["modelId"]), (&json!("low"), &json!("m")));
    }
    let root = Root::new();
    let odd = entry(2, "b", Some("a"), 5).replace(r#""content":"b""#, r#""content":"PAD""#);
    let told =
        import(&root, &[CURRENT, &entry(1, "a", None, 5), &padded(&odd, LINE - 5), &entry(3, "c", Some("b"), 6)]);
    assert_eq!((lines(&told, "skipped"), &told["entries"]), (vec![json!(3)], &json!(2)), "{told}");
}

#[test]
fn a_header_that_is_too_long_or_too_deep_for_a_log_does_not_stop_the_import() {
    let put = |header: &str, odd: &str| header.replacen('{', &format!(r#"{{"odd":{odd},"#), 1);
    for (header, entry) in [(HEADER, said("a", None)), (CURRENT, entry(1, "a", None, 5))] {
        for odd in [padded(&put(header, r#""PAD""#), LINE - 20), put(header, &("[".repeat(126) + &"]".repeat(126)))] {
            let told = import(&Root::new(), &[&odd, &entry]);
            assert_eq!((lines(&told, "skipped"), &told["entries"]), (vec![json!(1)], &json!(1)), "{told}");
        }
        let folder = header.replace("/srv/project", &"z".repeat(100_000));
        let told = import(&Root::new(), &[&folder, &entry]);
        assert_eq!((lines(&told, "changed"), &told["entries"]), (vec![json!(1)], &json!(1)), "{told}");
    }
}

#[test]
fn an_edit_that_makes_an_entry_too_long_takes_it_out() {
    let root = Root::new();
    let replacement = json!({ "targetId": "a", "replacement": { "content": "PAD" } });
    let long = padded(&said("PAD", None).replace(r#""id":"PAD""#, r#""id":"a""#), LINE / 2 + LINE / 4);
    let edit = padded(&line("context_edit", "e", Some("b"), replacement), LINE / 2);
    let told = import(&root, &[HEADER, &long, &said("b", Some("a")), &edit]);
    assert_eq!(lines(&told, "context"), [json!(4)], "{told}");
    assert_eq!(contents(&root), ["b"]);
}
