use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentNamedList, Lift, Linker, Lower};

use super::{PluginSessions, tree};
use crate::error::Error;
use crate::types::{DeriveOptions, Event, ListOptions, NewSession, WakeOptions};
use crate::wire;

/// Gives a component the interfaces `session-persistence`, `messages`, `session-tree` and `clock` of `agent:session`, served by
/// the [`PluginSessions`] in the data of its store.
///
/// Errors reach the plugin as values of the WIT type `error`; what only a host can meet, like the deadline of an inner
/// call, reaches it as `storage` with a text.
///
/// A whole host, for harnesses that also import a function `ask: func(prompt: string) -> string` to reach a model:
///
/// ```no_run
/// use std::time::{Duration, Instant};
///
/// use session_host::wasmtime::component::{Component, Linker};
/// use session_host::wasmtime::{Error, Store, UpdateDeadline};
/// use session_host::{Engine, Grant, JsonlFolder, PluginSessions, Sessions};
///
/// struct Data {
///     sessions: PluginSessions,
/// }
///
/// # fn model(prompt: &str) -> String { prompt.into() }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let engine = Engine::new()?;
/// let mut linker = Linker::<Data>::new(engine.wasmtime());
/// session_host::add_to_linker(&mut linker, |data| &mut data.sessions)?;
/// linker.root().func_wrap("ask", |mut cx, (prompt,): (String,)| {
///     let asked = Instant::now();
///     let answer = model(&prompt);
///     // Time within storage puts the deadline off by itself; waiting for a model is for you to give back.
///     let sessions: &mut PluginSessions = &mut cx.data_mut().sessions;
///     sessions.set_deadline(sessions.deadline().map(|deadline| deadline + asked.elapsed()));
///     Ok((answer,))
/// })?;
///
/// let sessions = Sessions::new(&engine, JsonlFolder::open("sessions")?);
/// let mut plugin = sessions.plugin(Grant::session("fix-login"))?;
/// plugin.set_deadline(Some(Instant::now() + Duration::from_secs(30)));
/// let mut store = Store::new(engine.wasmtime(), Data { sessions: plugin });
/// store.epoch_deadline_callback(|cx| match cx.data().sessions.deadline() {
///     Some(deadline) if Instant::now() > deadline => Err(Error::msg("it took too long")),
///     _ => Ok(UpdateDeadline::Continue(1)),
/// });
/// store.set_epoch_deadline(1);
///
/// let component = Component::from_file(engine.wasmtime(), "harness.wasm")?;
/// let ticking = engine.ticking(); // Without it no deadline comes.
/// let instance = linker.instantiate(&mut store, &component)?;
/// let run = instance.get_typed_func::<(&str, &str), (Result<String, String>,)>(&mut store, "run")?;
/// let (line,) = run.call(&mut store, ("fix-login", "Go on."))?;
/// println!("{}", line?);
/// # Ok(()) }
/// ```
///
/// A bound for its memory is a [`ResourceLimiter`](wasmtime::ResourceLimiter) of yours.
///
/// # Errors
/// If the linker has one of these interfaces already.
pub fn add_to_linker<T: 'static>(
    linker: &mut Linker<T>,
    get: impl Fn(&mut T) -> &mut PluginSessions + Send + Sync + Copy + 'static,
) -> wasmtime::Result<()> {
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
    tree::add_to_linker(linker, get)
}

/// A call as the linker wants it: errors become data, nothing traps.
pub(super) fn serve<T, P, R, E>(
    get: impl Fn(&mut T) -> &mut PluginSessions + Send + Sync + Copy + 'static,
    call: impl Fn(&mut PluginSessions, P) -> Result<R, E> + Send + Sync + 'static,
) -> impl Fn(StoreContextMut<'_, T>, P) -> wasmtime::Result<Answer<R, E>> + Send + Sync + 'static
where
    T: 'static,
    P: ComponentNamedList + Lift + 'static,
    R: Lower + 'static,
    E: Told,
{
    move |mut cx, arguments| Ok((call(get(cx.data_mut()), arguments).map_err(E::Wire::from),))
}

/// What a call answers, as the linker wants it.
type Answer<R, E> = (Result<R, <E as Told>::Wire>,);

/// An error that a plugin can be told.
pub(super) trait Told: Sized {
    /// As it is told.
    type Wire: From<Self> + Lower + 'static;
}

impl Told for Error {
    type Wire = wire::Error;
}
