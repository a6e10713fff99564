use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::component::{Linker, WasmList, WasmStr};
use wasmtime::{Result, StoreContextMut};

use super::{Order, Part, Place, Storage, StorageError};
use crate::wire;

/// Gives a component the interface `storage` of `agent:session`, served by the [`Storage`] in the data of its store.
///
/// That is one holder: it is the [`sibling`](Storage::sibling) of another, or the only one.
///
/// ```
/// use std::sync::Arc;
/// use session_host::{Engine, Memory, Storage};
/// use wasmtime::component::Linker;
///
/// let engine = Engine::new()?;
/// let mut linker = Linker::<Arc<dyn Storage>>::new(engine.wasmtime());
/// session_host::storage::add_to_linker(&mut linker, |storage| storage)?;
///
/// let storage: Arc<dyn Storage> = Arc::new(Memory::new());
/// let mut store = wasmtime::Store::new(engine.wasmtime(), storage);
/// store.set_epoch_deadline(u64::MAX / 2); // No deadline.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the linker has this interface already.
pub fn add_to_linker<T: 'static>(
    linker: &mut Linker<T>,
    get: impl Fn(&mut T) -> &mut Arc<dyn Storage> + Send + Sync + Copy + 'static,
) -> Result<()> {
    link(linker, get)
}

/// Who is served: by which storage, and what of its calls is to be known.
pub(crate) trait Client {
    fn storage(&self) -> Arc<dyn Storage>;

    /// How many bytes an answer has at most where so many are asked for.
    fn at_most(&self, max: u32) -> u32 {
        max
    }

    /// Storage took so long for a call.
    fn waited(&mut self, _time: Duration) {}

    /// Storage has changed what is kept, or may have.
    fn wrote(&mut self) {}

    /// A log came into being.
    fn published(&mut self, _id: String) {}
}

impl Client for Arc<dyn Storage> {
    fn storage(&self) -> Arc<dyn Storage> {
        self.clone()
    }
}

type Context<'a, T> = StoreContextMut<'a, T>;

/// Errors of storage are data; nothing here traps but what breaks the rules of the component model.
pub(crate) fn link<T: 'static, C: Client>(
    linker: &mut Linker<T>,
    get: impl Fn(&mut T) -> &mut C + Send + Sync + Copy + 'static,
) -> Result<()> {
    // It has no function, so it may well be there already.
    let _ = linker.instance("agent:session/types@0.1.0");

    let mut storage = linker.instance("agent:session/storage@0.1.0")?;
    storage.func_wrap("acquire", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        ask(&mut cx, get, |cx, storage| Ok(storage.acquire(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("release", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        let ((),) = ask(&mut cx, get, |cx, storage| {
            storage.release(&id.to_str(cx)?);
            Ok(())
        })?;
        Ok(())
    })?;
    storage.func_wrap("publish", move |mut cx: Context<'_, T>, (id, parts): (String, Vec<wire::Part>)| {
        let (answer,) = write(&mut cx, get, |cx, storage| {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    wire::Part::Content(bytes) => Part::Content(bytes.as_le_slice(cx)),
                    wire::Part::Copy(wire::Stretch { id, at, length }) => Part::Copy { id, at: *at, length: *length },
                })
                .collect();
            Ok(storage.publish(&id, &parts))
        })?;
        if answer.is_ok() {
            get(cx.data_mut()).published(id);
        }
        Ok((answer,))
    })?;
    storage.func_wrap("append", move |mut cx: Context<'_, T>, (id, at, content): (WasmStr, u64, WasmList<u8>)| {
        write(&mut cx, get, |cx, storage| Ok(storage.append(&id.to_str(cx)?, at, content.as_le_slice(cx))))
    })?;
    storage.func_wrap("sync", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        ask(&mut cx, get, |cx, storage| Ok(storage.sync(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("stat", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        ask(&mut cx, get, |cx, storage| Ok(storage.stat(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("read", move |mut cx: Context<'_, T>, (id, at, max): (WasmStr, u64, u32)| {
        let max = get(cx.data_mut()).at_most(max);
        ask(&mut cx, get, |cx, storage| Ok(storage.read(&id.to_str(cx)?, at, max)))
    })?;
    storage.func_wrap("set-aside", move |mut cx: Context<'_, T>, (id, at): (WasmStr, u64)| {
        write(&mut cx, get, |cx, storage| Ok(storage.set_aside(&id.to_str(cx)?, at)))
    })?;
    storage.func_wrap("asides", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        ask(&mut cx, get, |cx, storage| Ok(storage.asides(&id.to_str(cx)?)))
    })?;
    storage.func_wrap(
        "read-aside",
        move |mut cx: Context<'_, T>, (id, name, at, max): (WasmStr, WasmStr, u64, u32)| {
            let max = get(cx.data_mut()).at_most(max);
            ask(&mut cx, get, |cx, storage| Ok(storage.read_aside(&id.to_str(cx)?, &name.to_str(cx)?, at, max)))
        },
    )?;
    storage.func_wrap("list", move |mut cx: Context<'_, T>, (order, after, max): (Order, Option<Place>, u32)| {
        ask(&mut cx, get, |_, storage| Ok(storage.list(order, after.as_ref(), max)))
    })?;
    storage.func_wrap("remove", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        write(&mut cx, get, |cx, storage| Ok(storage.remove(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("save-checkpoint", move |mut cx: Context<'_, T>, (id, content): (WasmStr, WasmList<u8>)| {
        ask(&mut cx, get, |cx, storage| Ok(storage.save_checkpoint(&id.to_str(cx)?, content.as_le_slice(cx))))
    })?;
    storage.func_wrap("load-checkpoint", move |mut cx: Context<'_, T>, (id,): (WasmStr,)| {
        ask(&mut cx, get, |cx, storage| Ok(storage.load_checkpoint(&id.to_str(cx)?)))
    })?;
    Ok(())
}

/// A storage call, and how long it took.
fn ask<T: 'static, C: Client, A>(
    cx: &mut Context<'_, T>,
    get: impl Fn(&mut T) -> &mut C,
    call: impl FnOnce(&Context<'_, T>, &dyn Storage) -> Result<A>,
) -> Result<(A,)> {
    let storage = get(cx.data_mut()).storage();
    let began = Instant::now();
    let answer = call(cx, &*storage)?;
    get(cx.data_mut()).waited(began.elapsed());
    Ok((answer,))
}

/// One that changes what is kept.
fn write<T: 'static, C: Client, A>(
    cx: &mut Context<'_, T>,
    get: impl Fn(&mut T) -> &mut C,
    call: impl FnOnce(&Context<'_, T>, &dyn Storage) -> Result<super::Result<A>>,
) -> Result<(super::Result<A>,)> {
    let (answer,) = ask(cx, &get, call)?;
    if matches!(answer, Ok(_) | Err(StorageError::OutcomeUnknown(_))) {
        get(cx.data_mut()).wrote();
    }
    Ok((answer,))
}
