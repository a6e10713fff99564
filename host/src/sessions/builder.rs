use std::hash::RandomState;
use std::sync::Arc;

use super::{Sessions, Setup};
use crate::component::{Clock, now};
use crate::engine::Engine;
use crate::limits::Limits;
use crate::storage::Storage;

/// So many that few sessions written at the same time wait for each other.
const INSTANCES: usize = 64;

/// How to serve sessions; see [`Sessions::builder`].
#[must_use]
pub struct SessionsBuilder {
    engine: Engine,
    limits: Limits,
    instances: usize,
    clock: Clock,
}

impl SessionsBuilder {
    pub(super) fn new(engine: &Engine) -> Self {
        Self { engine: engine.clone(), limits: Limits::default(), instances: INSTANCES, clock: Arc::new(now) }
    }

    /// What each instance of the component may use, in place of [`Limits::default`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many instances share the work, in place of 64; at least 1. So many sessions can be served at the same time,
    /// also while each waits for the disk. They are made as they are needed, and one that is idle takes some 80 KiB.
    pub fn instances(mut self, instances: usize) -> Self {
        self.instances = instances.max(1);
        self
    }

    /// Where the time comes from, in milliseconds since the Unix epoch, in place of the system's clock.
    pub fn clock(mut self, clock: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Serves the sessions that are kept there.
    pub fn open(self, storage: impl Storage + 'static) -> Sessions {
        self.open_shared(Arc::new(storage))
    }

    /// The same, with storage that you keep a hand on. What is claimed through it stays claimed for as long as any hand
    /// is on it.
    pub fn open_shared(self, storage: Arc<dyn Storage>) -> Sessions {
        let Self { engine, limits, instances, clock } = self;
        let setup = Setup { engine, limits, clock, storage, allowance: None };
        Sessions::with_setup(setup, instances)
    }
}

impl Sessions {
    pub(super) fn with_setup(setup: Setup, instances: usize) -> Self {
        let shards = (0..instances).map(|_| Default::default()).collect();
        Self { setup, shards, spread: RandomState::new() }
    }
}
