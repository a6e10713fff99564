use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How finely deadlines are kept.
const TICK: Duration = Duration::from_millis(10);

/// Advances the engine's epoch while there are calls to interrupt, and sleeps while there are none.
pub(super) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// How many want ticks now.
    wanted: usize,
    /// Somebody wanted ticks since the last one; so a burst of short calls wakes the thread once, not once a call.
    recently: bool,
    asleep: bool,
    stop: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticker {
    pub fn start(engine: &wasmtime::Engine) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let (theirs, engine) = (Arc::clone(&shared), engine.clone());
        let thread = thread::Builder::new().name("session-deadlines".into()).spawn(move || run(&theirs, &engine))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    pub fn ticking(&self) -> Ticking<'_> {
        let mut state = self.shared.lock();
        state.wanted += 1;
        state.recently = true;
        if std::mem::take(&mut state.asleep) {
            self.shared.changed.notify_one();
        }
        Ticking(&self.shared)
    }
}

fn run(shared: &Shared, engine: &wasmtime::Engine) {
    let mut state = shared.lock();
    while !state.stop {
        if state.wanted > 0 || std::mem::take(&mut state.recently) {
            state = shared.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            engine.increment_epoch();
        } else {
            state.asleep = true;
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // It ran nothing that panics; and if it did, nothing is left to be done about it.
            let _ = thread.join();
        }
    }
}

/// While this value lives the engine's epoch advances every 10 ms. See [`Engine::ticking`](crate::Engine::ticking).
#[must_use = "the epoch advances only while this value lives"]
pub struct Ticking<'a>(&'a Shared);

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.lock().wanted -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asleep(ticker: &Ticker) -> bool {
        ticker.shared.lock().asleep
    }

    /// Waits for what the thread is bound to do, however slow the machine is.
    fn wait_until(what: impl Fn() -> bool) {
        while !what() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn an_idle_ticker_falls_asleep_and_a_call_wakes_it() {
        let ticker = Ticker::start(&wasmtime::Engine::default()).unwrap();
        wait_until(|| asleep(&ticker));
        let call = ticker.ticking();
        assert!(!asleep(&ticker));
        drop(call);
        wait_until(|| asleep(&ticker));
    }

    #[test]
    fn it_stays_awake_for_as_long_as_a_call_runs() {
        let ticker = Ticker::start(&wasmtime::Engine::default()).unwrap();
        let _outer = ticker.ticking();
        drop(ticker.ticking());
        thread::sleep(5 * TICK);
        assert!(!asleep(&ticker));
    }

    #[test]
    fn its_thread_ends_with_it() {
        let ticker = Ticker::start(&wasmtime::Engine::default()).unwrap();
        let shared = Arc::downgrade(&ticker.shared);
        drop(ticker);
        assert!(shared.upgrade().is_none());
    }
}
