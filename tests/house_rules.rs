//! Rules for every file of the project, so that nobody has to remember them.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Where one idea a file ends.
const LONGEST_SOURCE: usize = 500;

#[test]
fn no_source_file_is_longer_than_a_reader_can_hold() {
    let long: Vec<_> = texts()
        .into_iter()
        .filter(|(name, text)| name.ends_with(".rs") && text.lines().count() > LONGEST_SOURCE)
        .map(|(name, text)| format!("{name}: {} lines", text.lines().count()))
        .collect();
    assert!(long.is_empty(), "split these, or say here why not: {long:#?}");
}

#[test]
fn no_file_names_the_host_of_a_package_registry() {
    // In pieces, so that this file keeps the rule.
    let hosts = [["crates", "io"], ["npmjs", "org"], ["npmjs", "com"], ["pypi", "org"], ["deb.debian", "org"]];
    let hosts: Vec<_> = hosts.iter().map(|parts| parts.join(".")).collect();
    let named = places(|line| hosts.iter().any(|host| line.contains(host)));
    assert!(named.is_empty(), "leave the registry to the tools' own settings: {named:#?}");
}

#[test]
fn no_file_names_a_folder_of_somebodys_machine() {
    let named = places(|line| ["root", "work", "home", "Users"].iter().any(|top| names_folder_under(line, top)));
    assert!(named.is_empty(), "these paths are on one machine only: {named:#?}");
}

/// Whether the line holds `/top/…` as the beginning of a path.
fn names_folder_under(line: &str, top: &str) -> bool {
    let prefix = format!("/{top}/");
    line.match_indices(&prefix).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + prefix.len()..].chars().next();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || "._-~}$".contains(c));
        !inside && after.is_some_and(|c| c.is_alphanumeric() || c == '.')
    })
}

#[test]
fn folders_of_a_machine_are_told_from_paths_that_only_look_like_them() {
    let path = |top: &str| format!("cd /{top}/main");
    assert!(names_folder_under(&path("work"), "work"));
    assert!(!names_folder_under(&format!("cd src{}", &path("work")[3..]), "work"));
    assert!(!names_folder_under(r#""cwd":"/work""#, "work"));
}

/// `file:line: text` wherever a line of a text file fits. Lock files name the registry, as they must.
fn places(fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut places = Vec::new();
    for (name, text) in texts().into_iter().filter(|(name, _)| !name.ends_with("Cargo.lock")) {
        let lines = text.lines().enumerate().filter(|(_, line)| fits(line));
        places.extend(lines.map(|(index, line)| format!("{name}:{}: {}", index + 1, line.trim())));
    }
    places
}

/// Every text file that is, or is about to be, under version control.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests stand in the workspace's folder");
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .expect("git can be run");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).expect("names are UTF-8");
    let texts: Vec<_> = names
        .split_terminator('\0')
        .filter_map(|name| Some((name.to_string(), fs::read_to_string(root.join(name)).ok()?)))
        .collect();
    assert!(!texts.is_empty(), "there are files");
    texts
}
