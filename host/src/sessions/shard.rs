use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use wasmtime::Store;

use super::Setup;
use crate::component::{Call, Exports, Instance, State};
use crate::error::{Error, Result};
use crate::types::{NewSession, SessionHeader};

/// How many sessions of one instance may wait to be stored: their headers are kept in memory.
const MOST_PENDING: usize = 1024;

/// One instance of the component, which serves one call at a time.
#[derive(Default)]
pub(super) struct Shard(Mutex<Slot>);

#[derive(Default)]
pub(super) struct Slot {
    /// Made when it is needed; gone after a fault.
    instance: Option<Instance>,
    /// Sessions that were created and have no log yet, so that nothing but the instance knows them.
    pending: HashMap<String, Pending>,
}

struct Pending {
    session: NewSession,
    /// The present instance knows of it.
    known: bool,
}

impl Shard {
    pub fn lock(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(|poisoned| {
            // Storage panicked within a call: what the instance believes is worth nothing, what is stored is as it was.
            self.0.clear_poison();
            let mut slot = poisoned.into_inner();
            slot.forget_instance();
            slot
        })
    }

    /// None if it is busy.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, Slot>> {
        self.0.try_lock().ok()
    }
}

impl Slot {
    /// A call on the instance; on a fresh one where there is none, or where the present one has no memory left for it.
    /// `about` names the session that the call goes on with.
    pub fn call<T>(&mut self, setup: &Setup, about: Option<&str>, call: impl Call<T>) -> Result<T> {
        let was_used = self.instance.is_some();
        match self.attempt(setup, about, &call) {
            // Nothing was written. What the instance kept of other sessions is read again when it is needed.
            Err(Error::OutOfMemory { .. }) if was_used => self.attempt(setup, about, &call),
            result => result,
        }
    }

    fn attempt<T>(&mut self, setup: &Setup, about: Option<&str>, call: &impl Call<T>) -> Result<T> {
        let pending = about.and_then(|id| self.pending.get(id)).filter(|pending| !pending.known);
        if let Some(session) = pending.map(|pending| pending.session.clone()) {
            let created = self.run(setup, &|store: &mut Store<State>, exports: &Exports| {
                exports.create(store)?.call(store, (&session,))
            });
            if let Err(Error::AlreadyExists(id)) = &created {
                // Another has stored it meanwhile. Whoever hears of that and goes on means the one that is there.
                self.pending.remove(id);
            }
            created?;
            self.pending.insert(session.id.clone(), Pending { session, known: true });
        }
        self.run(setup, call)
    }

    fn run<T>(&mut self, setup: &Setup, call: &impl Call<T>) -> Result<T> {
        let mut instance = match self.instance.take() {
            Some(instance) => instance,
            None => setup.instance()?,
        };
        let answer = {
            let _ticking = setup.engine.ticking();
            instance.call(setup.time_limit(), call)
        };
        setup.give_back(answer.in_storage);
        for id in &answer.published {
            self.pending.remove(id);
        }
        match answer.result {
            Ok(_) => self.instance = Some(instance),
            Err(_) => self.forget_instance(),
        }
        answer.result?
    }

    /// Whether one more session may wait to be stored.
    pub fn has_room(&self) -> Result<()> {
        if self.pending.len() >= MOST_PENDING {
            return Err(Error::TooLarge(format!(
                "{MOST_PENDING} sessions were created and never stored; append to them, flush or release them"
            )));
        }
        Ok(())
    }

    /// Whether the session was created here and is not stored yet.
    pub fn is_pending(&self, id: &str) -> bool {
        self.pending.contains_key(id)
    }

    /// Remembers a session that the instance has just created.
    pub fn created(&mut self, mut session: NewSession, header: &SessionHeader) {
        session.created_at = Some(header.created_at);
        self.pending.insert(session.id.clone(), Pending { session, known: true });
    }

    /// The session is no longer to be: it was released or deleted.
    pub fn dropped(&mut self, id: &str) {
        self.pending.remove(id);
    }

    /// The instance outlived the call.
    pub fn is_live(&self) -> bool {
        self.instance.is_some()
    }

    fn forget_instance(&mut self) {
        self.instance = None;
        self.pending.values_mut().for_each(|pending| pending.known = false);
    }
}
