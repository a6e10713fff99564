//! Long answers, read page by page beneath an iterator.

use std::vec::IntoIter;

use memchr::memchr_iter;

use super::Sessions;
use crate::error::Result;
use crate::types::{DeriveOptions, Event, ListItem, ListOptions, Message, Pairing};

const EVENTS: u32 = 1024;
const BYTES: u32 = 1 << 20;

/// The page that is being read. After the last one, or the first error, nothing more comes.
pub(crate) struct Page<T> {
    items: IntoIter<T>,
    more: bool,
}

impl<T> Page<T> {
    pub fn first() -> Self {
        Self { items: Vec::new().into_iter(), more: true }
    }

    /// `fetch` gives the next page and whether another may follow.
    pub fn next<E>(&mut self, mut fetch: impl FnMut() -> Result<(Vec<T>, bool), E>) -> Option<Result<T, E>> {
        loop {
            if let Some(item) = self.items.next() {
                return Some(Ok(item));
            }
            if !std::mem::take(&mut self.more) {
                return None;
            }
            match fetch() {
                Ok((items, more)) => *self = Self { items: items.into_iter(), more },
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The events of a session, in log order. See [`Sessions::events`].
#[must_use = "iterators are lazy"]
pub struct Events<'a> {
    sessions: &'a Sessions,
    id: String,
    next: u64,
    except: Vec<String>,
    page: Page<Event>,
}

impl Events<'_> {
    /// Leaves out events of these types.
    pub fn except(mut self, types: &[&str]) -> Self {
        self.except.extend(types.iter().map(ToString::to_string));
        self
    }
}

impl Iterator for Events<'_> {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        self.page.next(|| {
            let except: Vec<&str> = self.except.iter().map(String::as_str).collect();
            let slice = self.sessions.get_events(&self.id, self.next, EVENTS, &except)?;
            let more = slice.next > self.next;
            self.next = slice.next;
            Ok((slice.events, more))
        })
    }
}

/// The events of a session as blocks of whole lines. See [`Sessions::lines`].
#[must_use = "iterators are lazy"]
pub struct Lines<'a> {
    sessions: &'a Sessions,
    id: String,
    next: u64,
    page: Page<String>,
}

impl Iterator for Lines<'_> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.page.next(|| {
            let lines = self.sessions.get_lines(&self.id, self.next, BYTES)?;
            if lines.is_empty() {
                return Ok((Vec::new(), false));
            }
            self.next += memchr_iter(b'\n', lines.as_bytes()).count() as u64;
            Ok((vec![lines], true))
        })
    }
}

/// The conversation that a session amounts to. See [`Sessions::messages`].
#[must_use = "iterators are lazy"]
pub struct Messages<'a> {
    sessions: &'a Sessions,
    id: String,
    options: DeriveOptions,
    page: Page<Message>,
}

impl Iterator for Messages<'_> {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        self.page.next(|| {
            let page = self.sessions.derive_messages(&self.id, self.options)?;
            self.options.start = page.next.unwrap_or(self.options.start);
            Ok((page.messages, page.next.is_some()))
        })
    }
}

/// The stored sessions. See [`Sessions::list_all`].
#[must_use = "iterators are lazy"]
pub struct List<'a> {
    sessions: &'a Sessions,
    options: ListOptions,
    page: Page<ListItem>,
}

impl Iterator for List<'_> {
    type Item = Result<ListItem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.page.next(|| {
            let page = self.sessions.list(&self.options)?;
            self.options.cursor = page.next;
            Ok((page.items, self.options.cursor.is_some()))
        })
    }
}

impl Sessions {
    /// The events from `start` on, read page by page: a log of any size costs one page of memory. On a damaged log: what
    /// precedes the damage. The iterator ends after the first error.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # sessions.emit("fix-login", "turn/start", &serde_json::json!({ "turn": 1 }))?;
    /// for event in sessions.events("fix-login", 0).except(&["assistant/chunk"]) {
    ///     let event = event?;
    ///     println!("{} {}", event.seq, event.kind);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn events(&self, id: &str, start: u64) -> Events<'_> {
        Events { sessions: self, id: id.into(), next: start, except: Vec::new(), page: Page::first() }
    }

    /// The events from `start` on as they are stored, byte for byte: blocks of about a megabyte of whole lines, each ended
    /// by a line feed. The iterator ends after the first error.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # sessions.emit("fix-login", "turn/start", &serde_json::json!({ "turn": 1 }))?;
    /// for block in sessions.lines("fix-login", 0) {
    ///     print!("{}", block?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self, id: &str, start: u64) -> Lines<'_> {
        Lines { sessions: self, id: id.into(), next: start, page: Page::first() }
    }

    /// The conversation that the session amounts to, as a model is to see it. The iterator ends after the first error.
    ///
    /// ```
    /// # use session_host::Pairing;
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # sessions.emit("fix-login", "user/message", &serde_json::json!({ "content": "The login fails." }))?;
    /// for message in sessions.messages("fix-login", Pairing::Paired) {
    ///     let message = message?;
    ///     println!("{:?}: {}", message.role, message.content);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn messages(&self, id: &str, pairing: Pairing) -> Messages<'_> {
        let options = DeriveOptions { length: None, pairing, start: 0, max_bytes: BYTES };
        Messages { sessions: self, id: id.into(), options, page: Page::first() }
    }

    /// All sessions from `options.cursor` on, the unreadable ones among them; `options.limit` is the size of a page.
    /// The iterator ends after the first error.
    ///
    /// ```
    /// # use session_host::{ListItem, ListOptions};
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// for item in sessions.list_all(ListOptions::default()) {
    ///     match item? {
    ///         ListItem::Session(session) => println!("{}", session.header.id),
    ///         ListItem::Unreadable(log) => eprintln!("{}: {}", log.name, log.reason),
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list_all(&self, options: ListOptions) -> List<'_> {
        List { sessions: self, options, page: Page::first() }
    }
}
