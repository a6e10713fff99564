//! Trees, the calls that are made on each, and what every host answers, byte for byte: `README.md` says how to use it.

mod answer;
mod call;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use session_host::{Engine, JsonlFolder, NewSession, Sessions};
use session_tests::cases::{cases, name_of};

/// The time of everything that a host writes.
const NOW: u64 = 1_763_681_581_550;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus-trees");
    let engine = Engine::new().expect("the component compiles");
    let trial = |case: PathBuf| {
        let (engine, name) = (engine.clone(), name_of(&case));
        Trial::test(name, move || judge(&engine, &case).map_err(|error| Failed::from(format!("{error:#}"))))
    };
    let mut trials: Vec<Trial> = cases(&corpus).into_iter().map(trial).collect();
    trials.push(Trial::test("no file is passed over", move || {
        only(&corpus, |path| path.is_dir() || path.extension().is_some_and(|kind| kind == "rs" || kind == "md"))
            .map_err(|error| Failed::from(format!("{error:#}")))
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Refuses a folder with anything else in it.
fn only(folder: &Path, known: impl Fn(&Path) -> bool) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !known(&path) {
            return Err(format!("nobody reads {}", path.display()).into());
        }
    }
    Ok(())
}

/// Compares a case with what is expected of it; with `SESSION_CORPUS=write`, writes that down instead.
fn judge(engine: &Engine, case: &Path) -> Result<()> {
    only(case, |path| ["log.jsonl", "calls.jsonl", "answers.jsonl", "after.jsonl"].contains(&&*name_of(path)))?;
    let calls = fs::read_to_string(case.join("calls.jsonl"))?;
    let (answers, after) = answers(engine, case, &calls)?;
    if std::env::var_os("SESSION_CORPUS").is_some_and(|value| value == "write") {
        fs::write(case.join("answers.jsonl"), answers.join(""))?;
        fs::write(case.join("after.jsonl"), after)?;
        return Ok(());
    }
    let expected = fs::read_to_string(case.join("answers.jsonl"))?;
    let expected: Vec<&str> = expected.split_inclusive('\n').collect();
    for ((call, found), expected) in calls.lines().zip(&answers).zip(&expected) {
        if found != expected {
            return Err(format!("{call}\nexpected {expected}   found {found}").into());
        }
    }
    if answers.len() != expected.len() {
        return Err(format!("{} calls, but {} answers are expected", answers.len(), expected.len()).into());
    }
    let expected = fs::read(case.join("after.jsonl"))?;
    if after != expected {
        return Err(format!("after.jsonl is\n{}\nand is now\n{}", expected.escape_ascii(), after.escape_ascii()).into());
    }
    Ok(())
}

/// What the library answers to each call, a line each, and what the log is in the end.
fn answers(engine: &Engine, case: &Path, calls: &str) -> Result<(Vec<String>, Vec<u8>)> {
    let folder = tempfile::tempdir()?;
    let id = name_of(case);
    let log = folder.path().join(JsonlFolder::file_name(&id)?);
    let given = case.join("log.jsonl");
    if given.exists() {
        fs::copy(given, &log)?;
    }
    let sessions = Sessions::builder(engine).instances(1).clock(|| NOW).open(JsonlFolder::open(folder.path())?);
    if !log.exists() {
        sessions.create(NewSession { created_at: Some(NOW), ..NewSession::new(&*id) })?;
    }
    let mut answers = Vec::new();
    for line in calls.lines() {
        let answer = call::make(&sessions, folder.path(), &id, line).map_err(|error| format!("{line}\n{error}"))?;
        answers.push(format!("{answer}\n"));
    }
    drop(sessions);
    Ok((answers, fs::read(log)?))
}
