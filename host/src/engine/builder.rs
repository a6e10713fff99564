use std::path::{Path, PathBuf};

use super::{Engine, EngineError};

/// How an [`Engine`] is made. See [`Engine::builder`].
#[derive(Debug, Clone, Default)]
#[must_use = "nothing is made before `build`"]
pub struct EngineBuilder {
    cache: Option<PathBuf>,
    pool: Option<u32>,
}

impl EngineBuilder {
    /// Keeps compiled code in this folder, as [`Engine::with_cache`] says.
    pub fn cache(mut self, dir: impl AsRef<Path>) -> Self {
        self.cache = Some(dir.as_ref().into());
        self
    }

    /// Reserves room for so many instances at a time, and uses what one leaves for the next: for a service that makes and drops
    /// many. Where the system tells which pages were touched (Linux 6.7), an instance takes about two thirds of the time.
    ///
    /// A [`Sessions`](crate::Sessions) has an instance for each of its
    /// [`instances`](crate::SessionsBuilder::instances) that is in use, and a harness that runs has two. Where all are taken, calls that need one more
    /// answer [`PoolFull`](crate::Error::PoolFull) until another is dropped. Addresses are reserved, 4 GiB an instance, and what
    /// was touched of the first 2 MiB of each stays with the process; where addresses are counted (`ulimit -v`) there is no pool.
    pub fn pool(mut self, instances: u32) -> Self {
        self.pool = Some(instances);
        self
    }

    /// Makes it.
    ///
    /// # Errors
    /// As for [`Engine::new`]; [`EngineError::Unsupported`] also where there is no room for so many instances.
    pub fn build(self) -> Result<Engine, EngineError> {
        Engine::build(self.cache.as_deref(), self.pool)
    }
}
