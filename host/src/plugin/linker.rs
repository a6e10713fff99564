use wasmtime::component::{ComponentNamedList, Lift, Linker, Lower};
use wasmtime::{Result, StoreContextMut};

use super::PluginSessions;
use crate::types::{DeriveOptions, Event, ListOptions, NewSession, WakeOptions};
use crate::{error, wire};

/// Gives a component the interfaces `session-persistence`, `messages` and `clock` of `agent:session`, served by the
/// [`PluginSessions`] in the data of its store.
///
/// Errors reach the plugin as values of the WIT type `error`; what only a host can meet, like the deadline of an inner
/// call, reaches it as `storage` with a text.
///
/// ```
/// use session_host::{Engine, Grant, Memory, PluginSessions, Sessions};
/// use wasmtime::component::Linker;
///
/// struct Data {
///     sessions: PluginSessions,
/// }
///
/// let engine = Engine::new()?;
/// let mut linker = Linker::<Data>::new(engine.wasmtime());
/// session_host::add_to_linker(&mut linker, |data| &mut data.sessions)?;
///
/// let sessions = Sessions::new(&engine, Memory::new());
/// let data = Data { sessions: sessions.plugin(Grant::session("fix-login"))? };
/// let mut store = wasmtime::Store::new(engine.wasmtime(), data);
/// store.set_epoch_deadline(u64::MAX / 2); // No deadline; see `PluginSessions::set_deadline` for one.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the linker has one of these interfaces already.
pub fn add_to_linker<T: 'static>(
    linker: &mut Linker<T>,
    get: impl Fn(&mut T) -> &mut PluginSessions + Send + Sync + Copy + 'static,
) -> Result<()> {
    // It has no function, so it may well be there already.
    let _ = linker.instance("agent:session/types@0.1.0");
    linker
        .instance("agent:session/clock@0.1.0")?
        .func_wrap("now", move |mut cx: StoreContextMut<'_, T>, ()| Ok((get(cx.data_mut()).now(),)))?;

    let mut sessions = linker.instance("agent:session/session-persistence@0.1.0")?;
    sessions.func_wrap("create", serve(get, |p, (session,): (NewSession,)| p.write(&session.id)?.create(session)))?;
    sessions
        .func_wrap("append", serve(get, |p, (id, events): (String, Vec<Event>)| p.write(&id)?.append(&id, &events)))?;
    sessions.func_wrap(
        "append-lines",
        serve(get, |p, (id, lines): (String, String)| p.write(&id)?.append_lines(&id, &lines)),
    )?;
    sessions.func_wrap(
        "emit-event",
        serve(get, |p, (id, kind, data): (String, String, String)| p.write(&id)?.emit_json(&id, &kind, &data)),
    )?;
    sessions.func_wrap("flush", serve(get, |p, (id,): (String,)| p.write(&id)?.flush(&id)))?;
    sessions
        .func_wrap("wake", serve(get, |p, (id, options): (String, WakeOptions)| p.write(&id)?.wake(&id, options)))?;
    sessions.func_wrap("inspect", serve(get, |p, (id,): (String,)| p.read(&id)?.inspect(&id)))?;
    sessions.func_wrap("load", serve(get, |p, (id,): (String,)| p.write(&id)?.load(&id)))?;
    sessions.func_wrap("verify", serve(get, |p, (id,): (String,)| p.read(&id)?.verify(&id)))?;
    sessions.func_wrap("check", serve(get, |p, (id,): (String,)| p.read(&id)?.check(&id)))?;
    sessions
        .func_wrap("hand-off", serve(get, |p, (id, data): (String, String)| p.write(&id)?.hand_off_json(&id, &data)))?;
    sessions.func_wrap("get-session", serve(get, |p, (id,): (String,)| p.read(&id)?.header(&id)))?;
    sessions.func_wrap(
        "get-events",
        serve(get, |p, (id, start, max, except): (String, u64, u32, Vec<String>)| {
            let except: Vec<&str> = except.iter().map(String::as_str).collect();
            p.read(&id)?.get_events(&id, start, max, &except)
        }),
    )?;
    sessions.func_wrap(
        "get-lines",
        serve(get, |p, (id, start, max): (String, u64, u32)| p.read(&id)?.get_lines(&id, start, max)),
    )?;
    sessions.func_wrap(
        "fork",
        serve(get, |p, (id, length, child): (String, Option<u64>, NewSession)| {
            p.write(&child.id)?;
            p.read(&id)?.fork(&id, length, child)
        }),
    )?;
    sessions.func_wrap("has", serve(get, |p, (id,): (String,)| p.read(&id)?.has(&id)))?;
    sessions
        .func_wrap("list", serve(get, |p, (options,): (ListOptions,)| p.list(options).map(wire::ListPage::from)))?;
    sessions.func_wrap("delete", serve(get, |p, (id,): (String,)| p.write(&id)?.delete(&id)))?;
    sessions.func_wrap("release", serve(get, |p, (id,): (String,)| p.read(&id)?.release(&id)))?;

    linker.instance("agent:session/messages@0.1.0")?.func_wrap(
        "derive-messages",
        serve(get, |p, (id, options): (String, DeriveOptions)| p.read(&id)?.derive_messages(&id, options)),
    )?;
    Ok(())
}

/// A call as the linker wants it: errors become data, nothing traps.
fn serve<T, P, R>(
    get: impl Fn(&mut T) -> &mut PluginSessions + Send + Sync + Copy + 'static,
    call: impl Fn(&mut PluginSessions, P) -> error::Result<R> + Send + Sync + 'static,
) -> impl Fn(StoreContextMut<'_, T>, P) -> Result<(Result<R, wire::Error>,)> + Send + Sync + 'static
where
    T: 'static,
    P: ComponentNamedList + Lift + 'static,
    R: Lower + 'static,
{
    move |mut cx, arguments| Ok((call(get(cx.data_mut()), arguments).map_err(wire::Error::from),))
}
