//! `cargo run --release -- FOLDER ID`: writes a question into a session, and prints what a model would be told.

use wasi_host::bindings::agent::session::types::{
    DeriveOptions, Error, NewSession, OnDamage, OpenTurn, Pairing, WakeOptions,
};
use wasi_host::{Compiled, Host};
use wasmtime::{Engine, Result, format_err};
use wasmtime_wasi::FsPerms;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(id)) = (args.next(), args.next()) else {
        return Err(format_err!("usage: wasi-host FOLDER ID"));
    };
    std::fs::create_dir_all(&folder).map_err(|error| format_err!("can't make the folder {folder}: {error}"))?;
    let compiled = Compiled::new(&Engine::default())?;
    let (mut store, component) = compiled.open(Host::new(Some(folder.as_ref()), FsPerms::ReadWrite)?)?;
    let sessions = component.agent_session_session_persistence();

    // Whoever comes next wakes the session; it is made only if there is none.
    let wake = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
    match sessions.call_wake(&mut store, &id, wake)? {
        Ok(state) => {
            println!("{} events, {} of them to close what was interrupted", state.length, state.recovery.closers.len())
        }
        Err(Error::NotFound(_)) => {
            let new = NewSession { id: id.clone(), cwd: None, parent_session: None, created_at: None };
            sessions.call_create(&mut store, &new)?.map_err(told)?;
        }
        Err(error) => return Err(told(error)),
    }

    sessions.call_emit_event(&mut store, &id, "turn/start", r#"{"turn":1}"#)?.map_err(told)?;
    sessions.call_emit_event(&mut store, &id, "user/message", r#"{"content":"The login fails."}"#)?.map_err(told)?;
    sessions.call_flush(&mut store, &id)?.map_err(told)?; // from here on it survives a loss of power

    let options = DeriveOptions { length: None, pairing: Pairing::Paired, start: 0, max_bytes: 1 << 20 };
    let page = component.agent_session_messages().call_derive_messages(&mut store, &id, options)?.map_err(told)?;
    for message in page.messages {
        println!("{:?}: {}", message.role, message.content);
    }
    Ok(()) // in the middle of a turn, like a harness that is killed
}

fn told(error: Error) -> wasmtime::Error {
    format_err!("{error:?}")
}
