//! A host whose files fail to be synced. After that the system takes bytes for clean that it may never have written, so they have to
//! be written again.

use std::path::Path;

use wasi_host::bindings::agent::session::types::{NewSession, OnDamage, OpenTurn, WakeOptions};
use wasi_host::{Host, SESSION_STORE_WASI, Sessions, linker};
use wasmtime::component::{Component, Resource};
use wasmtime::{Engine, Result, Store, StoreContextMut};
use wasmtime_wasi::filesystem::WasiFilesystemView;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{Descriptor, HostDescriptor};
use wasmtime_wasi::{FsPerms, WasiCtxView, WasiView};

/// A host that fails when it is told to, and counts what is written elsewhere than at the end.
struct Faulty {
    host: Host,
    fails: bool,
    rewrites: usize,
}

impl WasiView for Faulty {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.host.ctx()
    }
}

fn open(folder: &Path) -> Result<(Store<Faulty>, Sessions)> {
    let engine = Engine::default();
    let mut linker = linker::<Faulty>(&engine)?;
    linker.allow_shadowing(true);
    let mut types = linker.instance("wasi:filesystem/types@0.2.12")?;
    types.func_wrap(
        "[method]descriptor.sync-data",
        |mut cx: StoreContextMut<'_, Faulty>, (file,): (Resource<Descriptor>,)| {
            if cx.data().fails {
                return Ok((Err(ErrorCode::Io),));
            }
            let synced = cx.data_mut().filesystem().sync_data(file);
            Ok((synced.map_err(|error| error.downcast().unwrap_or(ErrorCode::Io)),))
        },
    )?;
    types.func_wrap(
        "[method]descriptor.write-via-stream",
        |mut cx: StoreContextMut<'_, Faulty>, (file, at): (Resource<Descriptor>, u64)| {
            cx.data_mut().rewrites += 1;
            let stream = cx.data_mut().filesystem().write_via_stream(file, at);
            Ok((stream.map_err(|error| error.downcast().unwrap_or(ErrorCode::Io)),))
        },
    )?;
    let host = Host::new(Some(folder), FsPerms::ReadWrite)?;
    let mut store = Store::new(&engine, Faulty { host, fails: false, rewrites: 0 });
    let sessions = Sessions::instantiate(&mut store, &Component::from_binary(&engine, SESSION_STORE_WASI)?, &linker)?;
    Ok((store, sessions))
}

/// What becomes of a session whose flush failed, and the bytes that are written over themselves by what is done then.
fn after_a_failed_flush(then: impl FnOnce(&mut Store<Faulty>, &Sessions)) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, component) = open(folder.path()).unwrap();
    let sessions = component.agent_session_session_persistence();
    let new = NewSession { id: "x".into(), cwd: None, parent_session: None, created_at: None };
    sessions.call_create(&mut store, &new).unwrap().unwrap();
    for _ in 0..2 {
        sessions.call_emit_event(&mut store, "x", "note", "{}").unwrap().unwrap();
    }
    let before = std::fs::read(folder.path().join("x.jsonl")).unwrap();
    store.data_mut().fails = true;
    assert!(sessions.call_flush(&mut store, "x").unwrap().is_err());
    assert!(sessions.call_flush(&mut store, "x").unwrap().is_err());
    store.data_mut().fails = false;
    store.data_mut().rewrites = 0;
    then(&mut store, &component);
    assert_eq!(std::fs::read(folder.path().join("x.jsonl")).unwrap(), before);
    store.data().rewrites
}

#[test]
fn a_flush_after_one_that_failed_writes_the_bytes_again() {
    let rewrites = after_a_failed_flush(|store, component| {
        let sessions = component.agent_session_session_persistence();
        sessions.call_flush(&mut *store, "x").unwrap().unwrap();
        let once = store.data().rewrites;
        // Once is enough.
        sessions.call_flush(&mut *store, "x").unwrap().unwrap();
        assert_eq!(store.data().rewrites, once);
    });
    assert!(rewrites > 0);
}

#[test]
fn who_wakes_a_session_that_was_released_after_a_failed_flush_writes_the_bytes_again() {
    let rewrites = after_a_failed_flush(|store, component| {
        let sessions = component.agent_session_session_persistence();
        sessions.call_release(&mut *store, "x").unwrap().unwrap();
        let how = WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::Refuse };
        sessions.call_wake(&mut *store, "x", how).unwrap().unwrap();
    });
    assert!(rewrites > 0);
}
