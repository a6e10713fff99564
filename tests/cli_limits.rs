//! What the system allows a process, and how far the command gets with little of it.

use std::process::{Command, Stdio};

use session_tests::command::{Answer, Root, answer, turn};

/// Runs the command after the shell has set a limit.
fn within(limit: &str, root: &Root, args: &[&str]) -> Answer {
    let session = root.command(args);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")])
        .arg(session.get_program())
        .args(session.get_args());
    shell.envs(session.get_envs().filter_map(|(name, value)| Some((name, value?)))).stdin(Stdio::null());
    answer(&mut shell)
}

#[test]
fn who_may_write_no_file_can_read() {
    let root = Root::new();
    root.put("x", turn(0));
    // In blocks of 512 bytes.
    for blocks in [0, 2, 16] {
        let limit = format!("-f {blocks}");
        assert_eq!(within(&limit, &root, &["show", "x", "--json"]).done(), turn(0));
        assert_eq!(within(&limit, &root, &["list", "--json"]).json_lines().len(), 1);
    }
    let said = within("-f 0", &root, &["create", "y"]).failed(7);
    assert!(said.contains("limit on a file's size"), "{said}");
}

#[test]
fn a_gigabyte_of_addresses_is_enough() {
    let root = Root::new();
    root.put("x", turn(0));
    assert_eq!(within("-v 1000000", &root, &["show", "x", "--json"]).done(), turn(0));
    within("-v 1000000", &root, &["emit", "x", "note", "{}"]).done();
}
