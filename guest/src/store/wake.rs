//! Becoming a session's writer after a crash or a hand-over, and saying beforehand what that would do.

use super::{Host, Open, Store, Stored, check_id, of_storage, words};
use crate::bindings::agent::session::storage::LogInfo;
use crate::line;
use crate::log::{self, Source};
use crate::types::{
    DamageKind, Error, Event, Loaded, OnDamage, OpenTurn, Recovery, SessionHeader, SessionState, WakeOptions,
};

/// The longest log that `load` answers whole, in bytes.
const LONGEST_LOAD: u64 = 16 << 20;

impl<H: Host> Store<H> {
    /// Becomes the session's writer: sets aside what broke off, closes an open turn unless told otherwise, durably.
    /// A wake that fails lets the session go.
    pub fn wake(&mut self, id: &str, options: WakeOptions) -> Result<SessionState, Error> {
        check_id(id)?;
        if let Some(header) = self.unborn(id)? {
            return Ok(unborn(header));
        }
        self.host.acquire(id).map_err(|error| of_storage(id, error)).and_then(|info| {
            let known = match options.on_damage {
                OnDamage::Refuse => self.known(id, &info),
                // Whoever says so knows of damage, wherever it is.
                OnDamage::SetAside => self.known_whole(id, &info),
            };
            let woken = known.and_then(|open| self.mend(id, open, options));
            woken.inspect_err(|_| drop(self.release(id)))
        })
    }

    /// What waking would find and do; writes nothing.
    pub fn inspect(&mut self, id: &str) -> Result<SessionState, Error> {
        if let Some(header) = self.unborn(id)? {
            return Ok(unborn(header));
        }
        let held = self.look(id)?;
        let open = self.seen(id)?;
        self.state(id, open, held, open.sound.recovery(open.damage.clone()))
    }

    /// The same, having read every byte.
    pub fn verify(&mut self, id: &str) -> Result<SessionState, Error> {
        check_id(id)?;
        if let Some(open) = self.held.get(id) {
            let stored = Stored { host: &self.host, id };
            let (sound, damage) = log::read(&stored, open.sound.end, Some(id))?;
            let recovery = sound.recovery(damage);
            return self.state(id, &open.with(sound), true, recovery);
        }
        if self.unborn(id)?.is_none() {
            self.read_anew(id)?;
        }
        self.inspect(id)
    }

    /// Wakes the session and answers its whole log; if that would be too long, nothing is written.
    pub fn load(&mut self, id: &str) -> Result<Loaded, Error> {
        check_id(id)?;
        const OPTIONS: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
        if self.unborn(id)?.is_some() {
            return Ok(Loaded { state: self.wake(id, OPTIONS)?, events: Vec::new() });
        }
        let length = self.stat(id)?.length;
        if length > LONGEST_LOAD {
            let advice = "wake the session and read its events in slices";
            return Err(Error::TooLarge(format!(
                "the log has {length} bytes, and at most {LONGEST_LOAD} are loaded whole; {advice}"
            )));
        }
        let info = self.host.acquire(id).map_err(|error| of_storage(id, error))?;
        // Everything is read before waking writes, so that nothing is left to fail then.
        let mut events = self.hold_as_it_is(id, &info).inspect_err(|_| drop(self.release(id)))?;
        let state = self.wake(id, OPTIONS)?;
        events.extend_from_slice(&state.recovery.closers);
        Ok(Loaded { state, events })
    }

    /// Goes on with a log that was claimed, damaged or not; answers its sound events.
    fn hold_as_it_is(&mut self, id: &str, info: &LogInfo) -> Result<Vec<Event>, Error> {
        let open = self.known(id, info)?;
        let length = open.sound.events;
        // The closers will follow in the same list, which must not be moved to grow.
        let room = length + open.sound.closers()?.len() as u64;
        self.held.insert(id.into(), open);
        let mut events = Vec::with_capacity(usize::try_from(room).unwrap_or_default());
        while (events.len() as u64) < length {
            events.append(&mut self.get_events(id, events.len() as u64, u32::MAX, &[])?.events);
        }
        Ok(events)
    }

    fn mend(&mut self, id: &str, mut open: Open, options: WakeOptions) -> Result<SessionState, Error> {
        let mut recovery = Recovery { damage: open.damage.take(), kept_at: None, closers: Vec::new() };
        match &recovery.damage {
            Some(damage) if damage.kind != DamageKind::Torn && options.on_damage == OnDamage::Refuse => {
                return Err(Error::Corrupt(damage.clone()));
            }
            _ => {}
        }
        if options.open_turn == OpenTurn::Close {
            recovery.closers = open.sound.closers()?;
        }
        let mut lines = String::new();
        let mut lengths = Vec::new();
        for closer in &recovery.closers {
            let start = lines.len();
            line::encode_record(&mut lines, &closer.into());
            lengths.push(lines.len() - start);
        }
        // Everything is read before anything is written: who is told of an error finds the events as they were.
        let mut state = self.state(id, &open, true, recovery)?;
        if let Some(damage) = &state.recovery.damage {
            let aside = self.host.set_aside(id, damage.offset).map_err(|error| of_storage(id, error))?;
            if !state.asides.contains(&aside.name) {
                state.asides.push(aside.name.clone());
                state.asides.sort_unstable();
            }
            state.recovery.kept_at = Some(aside.name);
            open.ends_sound();
        }
        let records = state.recovery.closers.iter().map(Into::into).zip(lengths);
        open.write(&self.host, id, &lines, records)?;
        self.host.sync(id).map_err(|error| {
            let unsure = format!("what mends the log is written, but may not be durable: {}", words(&error));
            if lines.is_empty() { of_storage(id, error) } else { Error::OutcomeUnknown(unsure) }
        })?;
        open.note(&Stored { host: &self.host, id });
        state.length = open.sound.events;
        state.revision = open.revision();
        state.turn_open = open.sound.scope.turn_is_open();
        self.held.insert(id.into(), open);
        Ok(state)
    }

    fn state(&self, id: &str, open: &Open, held: bool, recovery: Recovery) -> Result<SessionState, Error> {
        let asides = self.host.asides(id).map_err(|error| of_storage(id, error))?;
        Ok(SessionState {
            header: open.sound.header.clone(),
            length: open.sound.events,
            revision: open.revision(),
            held,
            turn_open: open.sound.scope.turn_is_open(),
            boundary: self.boundary(id, open)?,
            recovery,
            asides: asides.into_iter().map(|aside| aside.name).collect(),
        })
    }

    fn boundary(&self, id: &str, open: &Open) -> Result<Option<Event>, Error> {
        let Some(span) = open.sound.boundary else { return Ok(None) };
        let length = u32::try_from(span.length).unwrap_or(u32::MAX);
        let line = Stored { host: &self.host, id }.read(span.offset, length)?;
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        Ok(line::decode_record(line).ok().map(|record| record.to_event()))
    }
}

/// The state of a session that is not stored yet.
fn unborn(header: SessionHeader) -> SessionState {
    SessionState {
        header,
        length: 0,
        revision: "unborn".into(),
        held: true,
        turn_open: false,
        boundary: None,
        recovery: Recovery { damage: None, kept_at: None, closers: Vec::new() },
        asides: Vec::new(),
    }
}
