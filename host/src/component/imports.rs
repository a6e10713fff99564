use std::sync::Arc;
use std::time::Duration;

use wasmtime::component::Linker;
use wasmtime::{Result, StoreContextMut};

use super::State;
use crate::storage::{Client, Storage, link};

/// Gives the component what it imports: storage and a clock.
pub(crate) fn add_imports(linker: &mut Linker<State>) -> Result<()> {
    link(linker, |state: &mut State| state)?;
    linker
        .instance("agent:session/clock@0.1.0")?
        .func_wrap("now", |cx: StoreContextMut<'_, State>, ()| Ok(((cx.data().clock)(),)))
}

impl Client for State {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.storage)
    }

    /// No answer of storage is larger than the memory that has to take it.
    fn at_most(&self, max: u32) -> u32 {
        max.min(u32::try_from(self.memory.bytes()).unwrap_or(u32::MAX))
    }

    /// Its time does not count.
    fn waited(&mut self, time: Duration) {
        self.meter.give_back(time);
    }

    /// The component gets the time to report it.
    fn wrote(&mut self) {
        self.meter.wrote();
    }

    fn published(&mut self, id: String) {
        self.published.push(id);
    }
}
