mod arguments;
mod builder;
mod pages;
mod shard;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use serde::Serialize;

use crate::component::{Allowance, Call, Clock, Instance};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::plugin::{Grant, PluginSessions};
use crate::storage::{Aside, Storage};
use crate::types::{
    DeriveOptions, Event, ListOptions, ListPage, Loaded, MessagePage, NewSession, SessionHeader, SessionState, Slice,
    WakeOptions,
};
pub use builder::SessionsBuilder;
pub(crate) use pages::Page;
pub use pages::{Events, Lines, List, Messages};
use shard::{Shard, Slot};

/// Durable sessions over one [`Storage`]: the interface `session-persistence`, for Rust.
///
/// Shared over threads as it is. Several instances of the component share the work, each session going to the same one
/// always, so that calls on different sessions overlap. A call that fails leaves nothing behind, and after a fault (a
/// deadline, a limit, a bug) the next call gets a fresh instance and every event that was acknowledged.
///
/// What is claimed here stays claimed until it is [released](Self::release) or this value is dropped. A claim on a
/// [`JsonlFolder`](crate::JsonlFolder) is an open file: a service of many tenants releases a session when its unit of work is over.
pub struct Sessions {
    setup: Setup,
    shards: Box<[Shard]>,
    spread: RandomState,
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

/// What each instance is made of.
struct Setup {
    engine: Engine,
    storage: Arc<dyn Storage>,
    clock: Clock,
    limits: Limits,
    /// Where these sessions serve a plugin: what is left of its time.
    allowance: Option<Arc<Allowance>>,
}

impl Setup {
    fn instance(&self) -> Result<Instance> {
        Instance::new(&self.engine, Arc::clone(&self.storage), Arc::clone(&self.clock), self.limits.memory)
    }

    fn time_limit(&self) -> Duration {
        let left = self.allowance.as_ref().and_then(|allowance| allowance.left());
        left.map_or(self.limits.deadline, |left| left.min(self.limits.deadline))
    }

    fn give_back(&self, time: Duration) {
        if let Some(allowance) = &self.allowance {
            allowance.give_back(time);
        }
    }
}

impl Sessions {
    /// Serves the sessions that are kept there, with the usual [`Limits`].
    pub fn new(engine: &Engine, storage: impl Storage + 'static) -> Self {
        Self::builder(engine).open(storage)
    }

    /// The same, with limits, a number of instances and a clock of your own.
    ///
    /// ```
    /// use std::time::Duration;
    /// use session_host::{Engine, Limits, Memory, Sessions};
    ///
    /// let sessions = Sessions::builder(&Engine::new()?)
    ///     .limits(Limits { deadline: Duration::from_secs(5), ..Limits::default() })
    ///     .instances(2)
    ///     .clock(|| 1763681581550)
    ///     .open(Memory::new());
    /// assert_eq!(sessions.create("fix-login")?.created_at, 1763681581550);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(engine: &Engine) -> SessionsBuilder {
        SessionsBuilder::new(engine)
    }

    /// Where the sessions are kept.
    pub fn storage(&self) -> &Arc<dyn Storage> {
        &self.setup.storage
    }

    /// The same sessions for a plugin that may touch what `grant` says, with claims of its own.
    ///
    /// # Errors
    /// Those of opening the storage once more.
    pub fn plugin(&self, grant: Grant) -> Result<PluginSessions> {
        let storage = self.setup.storage.sibling().map_err(|error| Error::from_storage("", error))?;
        let allowance = Arc::<Allowance>::default();
        let setup = Setup {
            engine: self.setup.engine.clone(),
            storage,
            clock: Arc::clone(&self.setup.clock),
            limits: self.setup.limits.clone(),
            allowance: Some(Arc::clone(&allowance)),
        };
        Ok(PluginSessions::new(Self::with_setup(setup, 1), grant, allowance))
    }

    pub(crate) fn now(&self) -> u64 {
        (self.setup.clock)()
    }

    /// Which instance serves this session.
    fn shard(&self, id: &str) -> usize {
        (self.spread.hash_one(id) % self.shards.len() as u64) as usize
    }

    /// The instance that serves this session, as soon as it is free.
    fn slot(&self, id: &str) -> Result<MutexGuard<'_, Slot>> {
        arguments::id(id)?;
        Ok(self.shards[self.shard(id)].lock())
    }

    pub(crate) fn call<T>(&self, id: &str, call: impl Call<T>) -> Result<T> {
        self.slot(id)?.call(&self.setup, Some(id), call)
    }

    /// Registers a session. Nothing is stored until its first event or [`flush`](Self::flush).
    ///
    /// ```
    /// use session_host::{Engine, Memory, NewSession, Sessions};
    ///
    /// let sessions = Sessions::new(&Engine::new()?, Memory::new());
    /// sessions.create(NewSession::new("fix-login").cwd("/work"))?;
    /// sessions.flush("fix-login")?;
    /// assert!(sessions.has("fix-login")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AlreadyExists`](Error::AlreadyExists), [`InvalidId`](Error::InvalidId).
    pub fn create(&self, session: impl Into<NewSession>) -> Result<SessionHeader> {
        let session = session.into();
        arguments::session(&session)?;
        let mut slot = self.slot(&session.id)?;
        slot.has_room()?;
        let header = slot
            .call(&self.setup, Some(&session.id), |store, exports| exports.create(store)?.call(store, (&session,)))?;
        slot.created(session, &header);
        Ok(header)
    }

    /// Appends events that carry their own `seq` and continue the log without a hole: all or none. When it returns the
    /// operating system has them, so that a killed process loses nothing; [`flush`](Self::flush) is for a lost power supply.
    ///
    /// A session that is not held is claimed, and goes on as it stands: an open turn stays open.
    ///
    /// # Errors
    /// [`NotFound`](Error::NotFound), [`Busy`](Error::Busy), [`NeedsWake`](Error::NeedsWake), [`Corrupt`](Error::Corrupt) or
    /// [`Moved`](Error::Moved) by the state of the session; [`Sequence`](Error::Sequence), [`Rejected`](Error::Rejected) or
    /// [`TooLarge`](Error::TooLarge) (a batch over 20 MiB) by what is handed over; [`NoSpace`](Error::NoSpace);
    /// [`AlreadyExists`](Error::AlreadyExists) if the session was only created, and another got there first.
    pub fn append(&self, id: &str, events: &[Event]) -> Result<()> {
        arguments::events(events)?;
        self.call(id, |store, exports| exports.append(store)?.call(store, (id, events)))
    }

    /// Appends events as JSON lines, kept byte for byte: the bulk road. Returns the log's new length in events.
    ///
    /// A text over 8 MiB is cut at ends of lines and appended in several batches. Each is all or none: after an error the
    /// batches before it are stored, and the log's length ([`inspect`](Self::inspect)) says how much.
    ///
    /// # Errors
    /// As for [`append`](Self::append). [`Rejected`](Error::Rejected) counts from the start of `lines`.
    pub fn append_lines(&self, id: &str, lines: &str) -> Result<u64> {
        let append =
            |batch: &str| self.call(id, |store, exports| exports.append_lines(store)?.call(store, (id, batch)));
        if lines.is_empty() {
            return append(lines);
        }
        let mut length = 0;
        for (before, batch) in arguments::batches(lines) {
            arguments::batch(before, batch)?;
            length = append(batch).map_err(|error| match error {
                Error::Rejected { index, reason } => Error::Rejected { index: before + index, reason },
                other => other,
            })?;
        }
        Ok(length)
    }

    /// Appends one event with this data; the component gives it its `seq` and `time`. Returns the `seq`.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// #[derive(serde::Serialize)]
    /// struct TurnStart { turn: u64 }
    ///
    /// assert_eq!(sessions.emit("fix-login", "turn/start", &TurnStart { turn: 1 })?, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`append`](Self::append); [`Rejected`](Error::Rejected) also where the data cannot be written as JSON.
    pub fn emit(&self, id: &str, kind: &str, data: &impl Serialize) -> Result<u64> {
        self.emit_json(id, kind, &json(data)?)
    }

    /// The same with data that is JSON already, on one line, kept byte for byte.
    ///
    /// # Errors
    /// As for [`append`](Self::append).
    pub fn emit_json(&self, id: &str, kind: &str, data: &str) -> Result<u64> {
        arguments::event(kind, data)?;
        self.call(id, |store, exports| exports.emit_event(store)?.call(store, (id, kind, data)))
    }

    /// Returns once everything appended so far would survive a loss of power: the commit boundary. Do it at the end of each
    /// turn. A session without events becomes durable too.
    ///
    /// # Errors
    /// As for [`append`](Self::append).
    pub fn flush(&self, id: &str) -> Result<()> {
        self.call(id, |store, exports| exports.flush(store)?.call(store, (id,)))
    }

    /// Becomes the session's writer after a crash or a hand-over: sets a torn tail aside, closes an open turn as interrupted
    /// unless told otherwise, and syncs. Doing it twice changes nothing more.
    ///
    /// ```
    /// use session_host::{OpenTurn, WakeOptions};
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # sessions.emit("fix-login", "turn/start", &serde_json::json!({ "turn": 1 }))?;
    ///
    /// let state = sessions.wake("fix-login", WakeOptions { open_turn: OpenTurn::Keep, ..Default::default() })?;
    /// assert!(state.recovery.closers.is_empty());
    ///
    /// let state = sessions.wake("fix-login", WakeOptions::default())?;
    /// assert_eq!(state.recovery.closers[0].kind, "turn/end");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFound`](Error::NotFound), [`Busy`](Error::Busy); [`Corrupt`](Error::Corrupt) where records stand behind damage and
    /// the options do not say to set them aside; the errors of writing. The session is not claimed then.
    pub fn wake(&self, id: &str, options: WakeOptions) -> Result<SessionState> {
        self.mend(id, |store, exports| exports.wake(store)?.call(store, (id, options)))
    }

    /// Wakes the session, closing an open turn, and returns all of it.
    ///
    /// # Errors
    /// As for [`wake`](Self::wake); [`TooLarge`](Error::TooLarge), before anything is written, if it does not fit: use
    /// [`wake`](Self::wake) and [`events`](Self::events).
    pub fn load(&self, id: &str) -> Result<Loaded> {
        self.mend(id, |store, exports| exports.load(store)?.call(store, (id,)))
    }

    /// A failed wake releases its claim, also where it is the component that failed.
    fn mend<T>(&self, id: &str, call: impl Call<T>) -> Result<T> {
        let mut slot = self.slot(id)?;
        let result = slot.call(&self.setup, Some(id), call);
        if !slot.is_live() {
            self.setup.storage.release(id);
        }
        result
    }

    /// Where the session stands and what waking it would find and do. Writes nothing, and works beside a live writer.
    /// Of a long log only what came after its last checkpoint is read; [`verify`](Self::verify) reads all.
    ///
    /// # Errors
    /// [`NotFound`](Error::NotFound), [`UnsupportedVersion`](Error::UnsupportedVersion), the errors of reading. Damage is no
    /// error: the answer describes it.
    pub fn inspect(&self, id: &str) -> Result<SessionState> {
        self.call(id, |store, exports| exports.inspect(store)?.call(store, (id,)))
    }

    /// The same as [`inspect`](Self::inspect), reading every byte and believing no note about them.
    ///
    /// # Errors
    /// As for [`inspect`](Self::inspect).
    pub fn verify(&self, id: &str) -> Result<SessionState> {
        self.call(id, |store, exports| exports.verify(store)?.call(store, (id,)))
    }

    /// Every rule of turn and step enclosure that the sound events break, one line of text each; past a thousand, how many
    /// more.
    ///
    /// # Errors
    /// As for [`inspect`](Self::inspect).
    pub fn check(&self, id: &str) -> Result<Vec<String>> {
        self.call(id, |store, exports| exports.check(store)?.call(store, (id,)))
    }

    /// Records a `session/boundary` event with this data, flushes and releases, in one: before the harness is replaced.
    /// Returns its `seq`.
    ///
    /// # Errors
    /// As for [`emit`](Self::emit).
    pub fn hand_off(&self, id: &str, data: &impl Serialize) -> Result<u64> {
        self.hand_off_json(id, &json(data)?)
    }

    /// The same with data that is JSON already, on one line, kept byte for byte.
    ///
    /// # Errors
    /// As for [`append`](Self::append).
    pub fn hand_off_json(&self, id: &str, data: &str) -> Result<u64> {
        arguments::event("", data)?;
        self.call(id, |store, exports| exports.hand_off(store)?.call(store, (id, data)))
    }

    /// The first line of the log alone.
    ///
    /// # Errors
    /// As for [`inspect`](Self::inspect).
    pub fn header(&self, id: &str) -> Result<SessionHeader> {
        self.call(id, |store, exports| exports.get_session(store)?.call(store, (id,)))
    }

    /// At most `max` events from `start`, leaving out the types in `except`: as many as fit, and never none while there are
    /// some. Past the end: empty. On a damaged log: what precedes the damage. See also [`events`](Self::events).
    ///
    /// # Errors
    /// As for [`inspect`](Self::inspect).
    pub fn get_events(&self, id: &str, start: u64, max: u32, except: &[&str]) -> Result<Slice> {
        arguments::types(except)?;
        self.call(id, |store, exports| exports.get_events(store)?.call(store, (id, start, max, except)))
    }

    /// The events from `start` as JSON lines, byte for byte as stored: at most `max_bytes`, but never less than one line.
    /// See also [`lines`](Self::lines).
    ///
    /// # Errors
    /// As for [`inspect`](Self::inspect).
    pub fn get_lines(&self, id: &str, start: u64, max_bytes: u32) -> Result<String> {
        self.call(id, |store, exports| exports.get_lines(store)?.call(store, (id, start, max_bytes)))
    }

    /// A page of the conversation that the session amounts to. Writes nothing, and never fails on an event that it does not
    /// know. See also [`messages`](Self::messages).
    ///
    /// # Errors
    /// As for [`inspect`](Self::inspect).
    pub fn derive_messages(&self, id: &str, options: DeriveOptions) -> Result<MessagePage> {
        self.call(id, |store, exports| exports.derive_messages(store)?.call(store, (id, options)))
    }

    /// A new session that starts with the first `length` events of this one, or with all that are sound. A turn left open
    /// by the cut is closed in the copy. Claims nothing of the source and works on a damaged or held one.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # sessions.emit("fix-login", "user/message", &serde_json::json!({ "content": "The login fails." }))?;
    /// let child = sessions.fork("fix-login", Some(1), "fix-login-2")?;
    /// assert_eq!(child.parent_session.as_deref(), Some("fix-login"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFound`](Error::NotFound) of the source, [`AlreadyExists`](Error::AlreadyExists) or [`InvalidId`](Error::InvalidId)
    /// of the child, [`Refused`](Error::Refused) if the source has fewer events; the errors of writing.
    pub fn fork(&self, id: &str, length: Option<u64>, child: impl Into<NewSession>) -> Result<SessionHeader> {
        let child = child.into();
        self.call_for_child(id, &child, |store, exports| exports.fork(store)?.call(store, (id, length, &child)))
    }

    /// A call that makes a child of this session.
    pub(crate) fn call_for_child<T>(&self, id: &str, child: &NewSession, call: impl Call<T>) -> Result<T> {
        arguments::id(id)?;
        arguments::session(child)?;
        // The source's instance makes the child; meanwhile nothing else may happen to the child. Locked in one order.
        let (source, other) = (self.shard(id), self.shard(&child.id));
        let before = (other < source).then(|| self.shards[other].lock());
        let mut slot = self.shards[source].lock();
        let after = (other > source).then(|| self.shards[other].lock());
        if before.as_ref().or(after.as_ref()).is_some_and(|other| other.is_pending(&child.id)) {
            return Err(Error::AlreadyExists(child.id.clone()));
        }
        slot.call(&self.setup, Some(id), call)
    }

    /// Whether the session is stored.
    ///
    /// # Errors
    /// [`InvalidId`](Error::InvalidId), the errors of reading.
    pub fn has(&self, id: &str) -> Result<bool> {
        self.slot(id)?.call(&self.setup, None, |store, exports| exports.has(store)?.call(store, (id,)))
    }

    /// A page of the stored sessions, the unreadable ones among them. It may hold less than `limit` and still have a `next`.
    /// See also [`list_all`](Self::list_all).
    ///
    /// # Errors
    /// The errors of reading.
    pub fn list(&self, options: &ListOptions) -> Result<ListPage> {
        arguments::list(options)?;
        // Any instance can answer; one that is free answers at once.
        let mut slot = self.shards.iter().find_map(Shard::try_lock).unwrap_or_else(|| self.shards[0].lock());
        Ok(slot.call(&self.setup, None, |store, exports| exports.list(store)?.call(store, (options,)))?.into())
    }

    /// Removes a session and all that belongs to it. Removing one that does not exist is no error.
    ///
    /// # Errors
    /// [`Busy`](Error::Busy) while another writer holds it; the errors of writing.
    pub fn delete(&self, id: &str) -> Result<()> {
        let mut slot = self.slot(id)?;
        slot.call(&self.setup, None, |store, exports| exports.delete(store)?.call(store, (id,)))?;
        slot.dropped(id);
        Ok(())
    }

    /// Stops being the session's writer and forgets what was kept in memory for it.
    ///
    /// # Errors
    /// [`InvalidId`](Error::InvalidId).
    pub fn release(&self, id: &str) -> Result<()> {
        let mut slot = self.slot(id)?;
        slot.call(&self.setup, None, |store, exports| exports.release(store)?.call(store, (id,)))?;
        slot.dropped(id);
        Ok(())
    }

    /// What was cut off this session's log and kept. Straight from storage.
    ///
    /// # Errors
    /// The errors of reading. A session that does not exist has none.
    pub fn asides(&self, id: &str) -> Result<Vec<Aside>> {
        let _turn = self.slot(id)?;
        self.storage().asides(id).map_err(|error| Error::from_storage(id, error))
    }

    /// At most `max` bytes of what was cut off and kept, from `at`; fewer only at its end.
    ///
    /// # Errors
    /// [`NotFound`](Error::NotFound) if nothing of that name was cut off; the errors of reading.
    pub fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        let _turn = self.slot(id)?;
        self.storage().read_aside(id, name, at, max).map_err(|error| match error {
            crate::StorageError::NotFound => Error::NotFound(format!("{id}, aside {name}")),
            other => Error::from_storage(id, other),
        })
    }
}

fn json(data: &impl Serialize) -> Result<String> {
    serde_json::to_string(data).map_err(|error| Error::Rejected {
        index: 0,
        reason: format!("the event's `data` can't be written as JSON: {error}"),
    })
}
