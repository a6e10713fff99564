//! Logs as people meet them, and what every host says of them, byte for byte: `README.md` says how to use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use session_host::{Engine, Error, JsonlFolder, OnDamage, Pairing, Result, SessionState, Sessions, WakeOptions};
use session_tests::cases::{cases, name_of};

fn main() -> ExitCode {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let engine = Engine::new().expect("the component compiles");
    let trial = |case: PathBuf| {
        let (engine, name) = (engine.clone(), name_of(&case));
        Trial::test(name, move || judge(&engine, &case).map_err(|error| Failed::from(format!("{error:#}"))))
    };
    libtest_mimic::run(&Arguments::from_args(), cases(&corpus).into_iter().map(trial).collect()).exit_code()
}

/// Compares a case with what is expected of it; with `SESSION_CORPUS=write`, writes that down instead.
fn judge(engine: &Engine, case: &Path) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (found, woken) = answers(engine, case)?;
    let found = serde_json::to_string_pretty(&found)? + "\n";
    let (expected, bytes) = (case.join("expected.json"), case.join("woken.jsonl"));
    if std::env::var_os("SESSION_CORPUS").is_some_and(|value| value == "write") {
        fs::write(expected, found)?;
        fs::write(bytes, woken)?;
        return Ok(());
    }
    let expected = fs::read_to_string(expected)?;
    if found != expected {
        return Err(format!("expected {expected}\nfound {found}").into());
    }
    let expected = fs::read(bytes)?;
    if woken != expected {
        return Err(format!("woken.jsonl is\n{}\nand is now\n{}", expected.escape_ascii(), woken.escape_ascii()).into());
    }
    Ok(())
}

/// What the library says of a log, and what the log is once it was woken, its damage set aside.
fn answers(engine: &Engine, case: &Path) -> std::result::Result<(Value, Vec<u8>), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let id = name_of(case);
    let log = folder.path().join(JsonlFolder::file_name(&id)?);
    fs::copy(case.join("log.jsonl"), &log)?;
    let sessions = Sessions::builder(engine).instances(1).open(JsonlFolder::open(folder.path())?);
    let wake = |on_damage| {
        let woken = sessions.wake(&id, WakeOptions { on_damage, ..WakeOptions::default() });
        answer(woken.and_then(|_| sessions.release(&id)).map(|()| json!("done")))
    };
    let found = json!({
        "inspect": answer(sessions.inspect(&id).map(state)),
        "check": answer(sessions.check(&id).map(Value::from)),
        "paired": answer(messages(&sessions, &id, Pairing::Paired)),
        "recorded": answer(messages(&sessions, &id, Pairing::Recorded)),
        "wake": wake(OnDamage::Refuse),
        "wake, set aside": wake(OnDamage::SetAside),
        "paired when woken": answer(messages(&sessions, &id, Pairing::Paired)),
    });
    Ok((found, fs::read(log)?))
}

fn answer(result: Result<Value>) -> Value {
    result.unwrap_or_else(|error| match error {
        Error::Corrupt(damage) => json!({ "error": "corrupt", "damage": damage_of(&damage) }),
        Error::UnsupportedVersion(version) => json!({ "error": "unsupported-version", "version": version }),
        error => json!({ "error": error.to_string() }),
    })
}

fn state(state: SessionState) -> Value {
    let closers = state.recovery.closers.iter().map(|closer| json!([closer.kind, closer.data]));
    json!({
        "length": state.length,
        "turnOpen": state.turn_open,
        "damage": state.recovery.damage.as_ref().map(damage_of),
        "closers": closers.collect::<Vec<_>>(),
    })
}

fn damage_of(damage: &session_host::Damage) -> Value {
    json!({
        "kind": format!("{:?}", damage.kind).to_lowercase(),
        "expected": damage.expected,
        "offset": damage.offset,
        "length": damage.length,
        "records": damage.records,
        "detail": damage.detail,
    })
}

fn messages(sessions: &Sessions, id: &str, pairing: Pairing) -> Result<Value> {
    let messages = sessions.messages(id, pairing).map(|message| {
        message.map(|message| json!([format!("{:?}", message.role).to_lowercase(), message.source, message.content]))
    });
    messages.collect::<Result<Vec<_>>>().map(Value::Array)
}
