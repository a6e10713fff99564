//! Reading what is sound: slices as events or as lines. Works beside a live writer and on a damaged log.

use super::open::changed;
use super::{Host, Open, Store, Stored, check_id, of_storage};
use crate::bindings::agent::session::storage::LogInfo;
use crate::block;
use crate::enclosure;
use crate::line::{self, Record};
use crate::log::{self, Line, Lines, Source};
use crate::messages::Plan;
use crate::types::{DeriveOptions, Error, MessagePage, SessionHeader, Slice};

/// How many bytes of events one slice holds at most, unless a single event has more.
const SLICE_BYTES: usize = 4 << 20;
/// How many bytes of lines are answered at most, unless a single line has more.
const LINES_BYTES: u32 = 8 << 20;
/// How many bytes of messages one page holds at most, unless a single message has more.
const MESSAGES_BYTES: u32 = 4 << 20;

impl<H: Host> Store<H> {
    /// The header alone.
    pub fn get_session(&mut self, id: &str) -> Result<SessionHeader, Error> {
        check_id(id)?;
        if let Some(header) = self.unborn(id)? {
            return Ok(header);
        }
        let info = self.stat(id)?;
        let stored = Stored { host: &self.host, id };
        log::read_header(&stored, info.length, Some(id)).map(|sound| sound.header)
    }

    /// At most `max` events from `start`, without those of the types in `except`; as many as fit, and never none while there are some.
    pub fn get_events(&mut self, id: &str, start: u64, max: u32, except: &[String]) -> Result<Slice, Error> {
        if self.unborn(id)?.is_some() {
            return Ok(Slice { events: Vec::new(), next: start });
        }
        self.read_sound(id, |open, stored| {
            let mut slice = Slice { events: Vec::new(), next: start };
            let mut bytes = 0;
            each_line(open, stored, start, |seq, line| {
                if slice.events.len() >= max as usize
                    || (bytes + line.bytes.len() > SLICE_BYTES && !slice.events.is_empty())
                {
                    return Some(false);
                }
                let record = sound_record(line, seq)?;
                if !except.iter().any(|kind| *kind == record.kind) {
                    bytes += line.bytes.len();
                    slice.events.push(record.to_event());
                }
                slice.next = seq + 1;
                Some(true)
            })
            .map(|read| read.then_some(slice))
        })
    }

    /// The events from `start` as lines, byte for byte: at most `max_bytes`, but never less than one line while there is one.
    pub fn get_lines(&mut self, id: &str, start: u64, max_bytes: u32) -> Result<String, Error> {
        if self.unborn(id)?.is_some() {
            return Ok(String::new());
        }
        let most = max_bytes.min(LINES_BYTES);
        self.read_sound(id, |open, stored| {
            if start >= open.sound.events {
                return Ok(Some(String::new()));
            }
            let Some(at) = lines_from(open, stored, start)?.map(|lines| lines.offset()) else { return Ok(None) };
            let lines = whole_lines(open, stored, at, most)?;
            let lines = lines.filter(|lines| are_as_known(open, at, start, lines));
            if let Some(lines) = &lines {
                open.stop_before(start + block::count(b'\n', lines), at + lines.len() as u64);
            }
            Ok(lines.and_then(|lines| String::from_utf8(lines).ok()))
        })
    }

    /// Every rule of enclosure that the sound events break.
    pub fn check(&mut self, id: &str) -> Result<Vec<String>, Error> {
        if self.unborn(id)?.is_some() {
            return Ok(Vec::new());
        }
        self.read_sound(id, |open, stored| enclosure::check(stored, &open.sound).map(Some))
    }

    /// The conversation that the log amounts to, a page of it.
    pub fn derive_messages(&mut self, id: &str, options: DeriveOptions) -> Result<MessagePage, Error> {
        if self.unborn(id)?.is_some() {
            return Ok(MessagePage { messages: Vec::new(), next: None });
        }
        let mut last_plan = self.plan.take();
        let (page, of, plan) = self.read_sound(id, |open, stored| {
            let of = (id.to_string(), open.reading, options.length, options.pairing);
            let last_plan = last_plan.take().filter(|(known, _)| *known == of);
            let known = last_plan.map(|(_, plan)| plan.go_on(stored, &open.sound)).transpose()?.flatten();
            let plan = match known {
                Some(plan) => plan,
                None => Plan::new(stored, &open.sound, options.length, options.pairing)?,
            };
            let page = plan.page(stored, options.start, options.max_bytes.min(MESSAGES_BYTES))?;
            Ok(Some((page, of, plan)))
        })?;
        self.plan = (page.next.is_some() || plan.is_kept()).then_some((of, plan));
        Ok(page)
    }

    pub(super) fn stat(&self, id: &str) -> Result<LogInfo, Error> {
        self.host.stat(id).map_err(|error| of_storage(id, error))
    }

    /// Reads from what is known to be sound. Where the bytes are others than were known, all is read anew, once.
    fn read_sound<T>(
        &mut self,
        id: &str,
        mut read: impl FnMut(&Open, &Stored<'_, H>) -> Result<Option<T>, Error>,
    ) -> Result<T, Error> {
        for _ in 0..2 {
            self.look(id)?;
            match read(self.seen(id)?, &Stored { host: &self.host, id }) {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) | Err(Error::Moved(_)) => self.read_anew(id)?,
                Err(error) => return Err(error),
            }
        }
        Err(changed(id))
    }
}

/// Calls `each` with the sound lines from `start` on until it answers false. Answers false itself if `each` answers none,
/// for a line that is not what it was.
fn each_line<H: Host>(
    open: &Open,
    stored: &Stored<'_, H>,
    start: u64,
    mut each: impl FnMut(u64, &Line<'_>) -> Option<bool>,
) -> Result<bool, Error> {
    if start >= open.sound.events {
        return Ok(true);
    }
    let Some(mut lines) = lines_from(open, stored, start)? else { return Ok(false) };
    let mut seq = start;
    while let Some(line) = lines.next()? {
        match each(seq, &line) {
            Some(true) => seq += 1,
            Some(false) => {
                open.stop_before(seq, line.offset);
                return Ok(true);
            }
            None => return Ok(false),
        }
    }
    Ok(seq == open.sound.events)
}

/// The sound lines from that of an event on; none if there are fewer before it than were known.
fn lines_from<'s, 'a, H: Host>(
    open: &Open,
    stored: &'s Stored<'a, H>,
    seq: u64,
) -> Result<Option<Lines<'s, Stored<'a, H>>>, Error> {
    let (known, offset) = open.place_before(seq);
    let mut lines = Lines::new(stored, offset, open.sound.end);
    for _ in known..seq {
        if lines.next()?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(lines))
}

/// The sound lines from `at`, where one begins, each with its LF: at most `most` bytes, but never less than one line. None if
/// they have changed.
fn whole_lines<H: Host>(open: &Open, stored: &Stored<'_, H>, at: u64, most: u32) -> Result<Option<Vec<u8>>, Error> {
    let left = open.sound.end - at;
    let mut lines = stored.read(at, u32::try_from(left).unwrap_or(u32::MAX).min(most))?;
    if lines.len() as u64 == left && open.sound.unended && left < most.into() {
        lines.push(b'\n');
    }
    if let Some(last) = lines.iter().rposition(|byte| *byte == b'\n') {
        lines.truncate(last + 1);
        return Ok(Some(lines));
    }
    // The first line alone is longer. What was read of it goes first, so that it is not held twice.
    drop(lines);
    let mut line = Lines::new(stored, at, open.sound.end);
    let Some(line) = line.next()?.filter(|line| !line.nul) else { return Ok(None) };
    let mut lines = Vec::with_capacity(line.bytes.len() + 1);
    lines.extend_from_slice(line.bytes);
    lines.push(b'\n');
    Ok(Some(lines))
}

/// Whether lines can be those that were found to be sound: what was read is not read again, what was believed is.
fn are_as_known(open: &Open, at: u64, first: u64, lines: &[u8]) -> bool {
    let (mut seq, mut start) = (first, 0);
    while open.is_believed(at + start as u64)
        && let Some(end) = block::find(b'\n', &lines[start..])
    {
        if !line::decode_record(&lines[start..start + end]).is_ok_and(|record| record.seq == seq) {
            return false;
        }
        (seq, start) = (seq + 1, start + end + 1);
    }
    block::find(0, &lines[start..]).is_none()
}

fn sound_record<'a>(line: &Line<'a>, seq: u64) -> Option<Record<'a>> {
    line.record().ok().filter(|record| record.seq == seq)
}
