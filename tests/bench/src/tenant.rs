//! What one more tenant costs: an instance of the component of its own.

use std::fs;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, anyhow};
use session_host::wasmtime::component::{Component, InstancePre, Linker};
use session_host::wasmtime::{self, Store, StoreContextMut};
use session_host::{Engine, Memory, Sessions, Storage, storage};

use crate::events::CHUNK;
use crate::place::Place;
use crate::report::{MICROSECONDS, Row};
use crate::rounds::medians;

static COMPONENT: &[u8] = include_bytes!("../../../host/component/session-store.wasm");

/// Tenants that are idle at the same time.
const IDLE: usize = 500;
/// Tenants of one round.
const ROUND: u32 = 50;

pub fn run(place: &Place) -> Result<Vec<Row>> {
    let pool = Engine::builder().pool(2 * ROUND).build()?;
    let [times, pooled] = [&place.engine, &pool].map(|engine| {
        let bare = Bare::new(engine).map_err(plain)?;
        medians(
            place.size(51, 101),
            [&mut || time_making(|| tenant(engine)), &mut || time_making(|| bare.instance().map_err(plain))],
        )
    });
    let bare = Bare::new(&place.engine).map_err(plain)?;
    let idle = || {
        let sessions = tenant(&place.engine)?;
        sessions.emit_json("s", "assistant/chunk", CHUNK)?;
        Ok(sessions)
    };
    let (ours, _kept) = memory_of(idle)?;
    let (baseline, _kept) = memory_of(|| bare.instance().map_err(plain))?;
    let memory = [ours, baseline];
    Ok(vec![
        Row::times("tenant", times?, MICROSECONDS)
            .work("`Sessions` until ready to append")
            .beside("instantiation in wasmtime")
            .goal("2 (30 µs)"),
        Row::times("tenant-pool", pooled?, MICROSECONDS)
            .work("the same out of a pool of instances")
            .beside("the same out of a pool")
            .goal("2 (30 µs)"),
        Row::figures("tenant-memory", memory, "KiB")
            .work(format!("resident, each of {IDLE} that have appended and are idle"))
            .beside("instance in wasmtime")
            .goal("2 (256 KiB)"),
    ])
}

/// Ready to append: the session is known, and nothing but the event is missing.
fn tenant(engine: &Engine) -> Result<Sessions> {
    let sessions = Sessions::new(engine, Memory::new());
    sessions.create("s")?;
    Ok(sessions)
}

/// The component with the same imports, and nothing around it.
struct Bare {
    instance: InstancePre<Arc<dyn Storage>>,
    storage: Arc<dyn Storage>,
}

impl Bare {
    fn new(engine: &Engine) -> wasmtime::Result<Self> {
        let engine = engine.wasmtime();
        let mut linker = Linker::new(engine);
        storage::add_to_linker(&mut linker, |storage| storage)?;
        let now = |_: StoreContextMut<'_, Arc<dyn Storage>>, ()| {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            Ok((now.map_or(0, |now| now.as_millis() as u64),))
        };
        linker.instance("agent:session/clock@0.1.0")?.func_wrap("now", now)?;
        let instance = linker.instantiate_pre(&Component::from_binary(engine, COMPONENT)?)?;
        Ok(Self { instance, storage: Arc::new(Memory::new()) })
    }

    fn instance(&self) -> wasmtime::Result<Store<Arc<dyn Storage>>> {
        let mut store = Store::new(self.instance.engine(), Arc::clone(&self.storage));
        store.set_epoch_deadline(u64::MAX / 2);
        self.instance.instantiate(&mut store)?;
        Ok(store)
    }
}

/// wasmtime has an error type of its own.
fn plain(error: wasmtime::Error) -> anyhow::Error {
    anyhow!("{error:#}")
}

/// How long one takes on average, without its end.
fn time_making<T>(make: impl Fn() -> Result<T>) -> Result<std::time::Duration> {
    let mut made = Vec::with_capacity(ROUND as usize);
    let start = Instant::now();
    for _ in 0..ROUND {
        made.push(make()?);
    }
    Ok(start.elapsed() / ROUND)
}

/// KiB that one makes resident, of many that are there together; and they, so that what comes next can't take up what
/// they leave. What others have left goes to as many that are not counted.
fn memory_of<T>(make: impl Fn() -> Result<T>) -> Result<(f64, [Vec<T>; 2])> {
    let many = || (0..IDLE).map(|_| make()).collect::<Result<Vec<_>>>();
    let first = many()?;
    let before = resident()?;
    let second = many()?;
    let more = resident()? - before;
    Ok((more / IDLE as f64, [first, second]))
}

/// KiB of this process.
fn resident() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/smaps_rollup").context("how much memory is resident")?;
    let line = text.lines().find_map(|line| line.strip_prefix("Rss:")?.trim().strip_suffix(" kB"));
    Ok(line.context("no `Rss` in smaps_rollup")?.trim().parse()?)
}
