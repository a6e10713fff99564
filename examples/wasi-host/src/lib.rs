//! Sessions in a folder, kept by `session-store-wasi.wasm` on any host that has WASI 0.2. There is no storage adapter here: the
//! component brings its own, over `wasi:filesystem`.
//!
//! WASI has no locks. Whoever runs this gives each session to one instance at a time.

use std::path::Path;

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::{Engine, Result, Store};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// The interfaces of `wit/`, as this crate calls them.
#[allow(missing_docs)]
pub mod bindings {
    wasmtime::component::bindgen!({
        inline: "
            package example:host;
            world sessions {
                export agent:session/session-persistence@0.1.0;
                export agent:session/messages@0.1.0;
            }
        ",
        path: "../../wit",
    });
}

pub use bindings::{Sessions, SessionsPre};

/// The component.
pub const SESSION_STORE_WASI: &[u8] = include_bytes!("../../../host/component/session-store-wasi.wasm");

/// What the component may see of this machine: one folder and the time.
pub struct Host {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl Host {
    /// In that folder, which must be there, or in none.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(folder: Option<&Path>, may: FsPerms) -> Result<Self> {
        let mut wasi = WasiCtxBuilder::new();
        // Nothing else waits for this thread.
        wasi.allow_blocking_current_thread(true);
        if let Some(folder) = folder {
            wasi.preopened_dir(folder, "sessions", may)?;
        }
        Ok(Self { wasi: wasi.build(), table: ResourceTable::new() })
    }
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// The component, compiled: make one for the program.
pub struct Compiled(SessionsPre<Host>);

impl Compiled {
    /// Compiles it, which takes a moment.
    ///
    /// # Errors
    /// If it can't run here.
    pub fn new(engine: &Engine) -> Result<Self> {
        let component = Component::from_binary(engine, SESSION_STORE_WASI)?;
        Ok(Self(SessionsPre::new(linker(engine)?.instantiate_pre(&component)?)?))
    }

    /// The sessions that a host can see: an instance, and the store that it lives in.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn open(&self, host: Host) -> Result<(Store<Host>, Sessions)> {
        let mut store = Store::new(self.0.engine(), host);
        let sessions = self.0.instantiate(&mut store)?;
        Ok((store, sessions))
    }
}

/// WASI, and what holds no function but may be imported.
///
/// # Errors
/// None that can be told beforehand.
pub fn linker<T: WasiView + 'static>(engine: &Engine) -> Result<Linker<T>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    linker.instance("agent:session/types@0.1.0")?;
    Ok(linker)
}
