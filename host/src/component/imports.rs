use std::time::Instant;

use wasmtime::component::{Linker, WasmList, WasmStr};
use wasmtime::{Result, StoreContextMut};

use super::State;
use crate::storage::{self, Order, Place, StorageError};
use crate::wire;

type Context<'a> = StoreContextMut<'a, State>;

/// Gives the component what it imports: storage and a clock. Errors of storage are data; nothing here traps but what
/// breaks the rules of the component model.
pub(crate) fn add_imports(linker: &mut Linker<State>) -> Result<()> {
    linker.instance("agent:session/types@0.1.0")?;
    linker.instance("agent:session/clock@0.1.0")?.func_wrap("now", |cx: Context<'_>, ()| Ok(((cx.data().clock)(),)))?;

    let mut storage = linker.instance("agent:session/storage@0.1.0")?;
    storage.func_wrap("acquire", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.acquire(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("release", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        timed(&mut cx, |cx| {
            cx.data().storage.release(&id.to_str(cx)?);
            Ok(())
        })
    })?;
    storage.func_wrap("publish", |mut cx: Context<'_>, (id, parts): (String, Vec<wire::Part>)| {
        let (answer,) = write(&mut cx, |cx| {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    wire::Part::Content(bytes) => storage::Part::Content(bytes.as_le_slice(cx)),
                    wire::Part::Copy(wire::Stretch { id, at, length }) => {
                        storage::Part::Copy { id, at: *at, length: *length }
                    }
                })
                .collect();
            Ok(cx.data().storage.publish(&id, &parts))
        })?;
        if answer.is_ok() {
            cx.data_mut().published.push(id);
        }
        Ok((answer,))
    })?;
    storage.func_wrap("append", |mut cx: Context<'_>, (id, at, content): (WasmStr, u64, WasmList<u8>)| {
        write(&mut cx, |cx| Ok(cx.data().storage.append(&id.to_str(cx)?, at, content.as_le_slice(cx))))
    })?;
    storage.func_wrap("sync", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.sync(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("stat", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.stat(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("read", |mut cx: Context<'_>, (id, at, max): (WasmStr, u64, u32)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.read(&id.to_str(cx)?, at, cx.data().at_most(max))))
    })?;
    storage.func_wrap("set-aside", |mut cx: Context<'_>, (id, at): (WasmStr, u64)| {
        write(&mut cx, |cx| Ok(cx.data().storage.set_aside(&id.to_str(cx)?, at)))
    })?;
    storage.func_wrap("asides", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.asides(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("read-aside", |mut cx: Context<'_>, (id, name, at, max): (WasmStr, WasmStr, u64, u32)| {
        ask(&mut cx, |cx| {
            let max = cx.data().at_most(max);
            Ok(cx.data().storage.read_aside(&id.to_str(cx)?, &name.to_str(cx)?, at, max))
        })
    })?;
    storage.func_wrap("list", |mut cx: Context<'_>, (order, after, max): (Order, Option<Place>, u32)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.list(order, after.as_ref(), max)))
    })?;
    storage.func_wrap("remove", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        write(&mut cx, |cx| Ok(cx.data().storage.remove(&id.to_str(cx)?)))
    })?;
    storage.func_wrap("save-checkpoint", |mut cx: Context<'_>, (id, content): (WasmStr, WasmList<u8>)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.save_checkpoint(&id.to_str(cx)?, content.as_le_slice(cx))))
    })?;
    storage.func_wrap("load-checkpoint", |mut cx: Context<'_>, (id,): (WasmStr,)| {
        ask(&mut cx, |cx| Ok(cx.data().storage.load_checkpoint(&id.to_str(cx)?)))
    })?;
    Ok(())
}

/// A storage call: its time does not count.
fn ask<T>(
    cx: &mut Context<'_>,
    call: impl FnOnce(&Context<'_>) -> Result<storage::Result<T>>,
) -> Result<(storage::Result<T>,)> {
    Ok((timed(cx, call)?,))
}

fn timed<T>(cx: &mut Context<'_>, call: impl FnOnce(&Context<'_>) -> Result<T>) -> Result<T> {
    let began = Instant::now();
    let answer = call(cx)?;
    cx.data_mut().meter.give_back(began.elapsed());
    Ok(answer)
}

/// A storage call that changes what is kept: once it has, the component gets the time to report it.
fn write<T>(
    cx: &mut Context<'_>,
    call: impl FnOnce(&Context<'_>) -> Result<storage::Result<T>>,
) -> Result<(storage::Result<T>,)> {
    let (answer,) = ask(cx, call)?;
    if matches!(answer, Ok(_) | Err(StorageError::OutcomeUnknown(_))) {
        cx.data_mut().meter.wrote();
    }
    Ok((answer,))
}
