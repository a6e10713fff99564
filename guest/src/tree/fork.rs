//! Forking: which writes of a tree a new one begins with, and the lines that hold them.
//!
//! Numbers, ids and times stay. What is copied is copied as it lies in the source's log, write by write.

use super::projection::{Entry, Stored, Tree};
use super::series::reserve;
use super::write::{self, open_value};
use super::{COMMIT, Place, names};
use crate::bindings::agent::session::storage::{Part, Stretch};
use crate::bindings::exports::agent::session::session_tree::{Cut, TreeError};
use crate::json;
use crate::line::{self, MAX_LINE};
use crate::types::Error;

/// How long a line of several writes gets.
const LONG_LINE: usize = 1 << 20;
/// How much memory a fork in the making may take, about: that of some 110,000 entries, each alone in its event.
const MOST_BYTES: usize = if cfg!(test) { 1 << 19 } else { 38 << 20 };
/// What a piece takes beside its text, on its way to storage too.
const PART: usize = 120;
/// How much text is put together before it becomes a piece.
const LONG_TEXT: usize = 64 << 10;
/// A lane in which nothing goes on.
const IDLE: &str = "{\"currentOperationId\":null,\"lastOperationId\":null,\"inbox\":[]}";

/// What is copied of a tree.
pub struct Fork<'a> {
    tree: &'a Tree,
    /// Of one branch alone: its name, where it will stand, and which entries belong to it, by index.
    branch: Option<Branch<'a>>,
}

struct Branch<'a> {
    name: &'a str,
    tip: Option<&'a str>,
    entries: Vec<bool>,
}

/// What becomes of a value or an element.
enum Fate {
    Dropped,
    Copied,
    /// It becomes another value.
    Rewritten(String),
}

impl<'a> Fork<'a> {
    /// All of it.
    pub fn whole(tree: &'a Tree) -> Self {
        Self { tree, branch: None }
    }

    /// One branch, which stands at `tip`, up to where it is cut.
    pub fn branch(
        tree: &'a Tree,
        name: &'a str,
        tip: Option<&'a str>,
        cut: Option<&'a Cut>,
    ) -> Result<Self, TreeError> {
        let start = match tip {
            Some(tip) => Some(tree.find(tip).ok_or_else(|| TreeError::UnknownTarget(tip.into()))?),
            None => None,
        };
        let mut entries = vec![false; tree.entries().len()];
        let wanted = cut.map(|cut| cut.entry.as_str()).or(tip);
        let mut found = wanted.is_none();
        let mut new_tip = None;
        let mut at = start;
        while let Some((index, entry)) = at.and_then(|index| Some((index, tree.entry(index)?))) {
            at = entry.parent();
            let cut_here = !found && wanted == Some(tree.id(entry));
            if cut_here {
                found = true;
                let before = cut.is_some_and(|cut| cut.before);
                new_tip = if before { tree.parent_id(entry) } else { wanted };
                if before {
                    continue;
                }
            }
            if let Some(place) = entries.get_mut(index as usize).filter(|_| found) {
                *place = true;
            }
        }
        if !found {
            return Err(TreeError::NotOnBranch(wanted.unwrap_or_default().into()));
        }
        let has = |namespace| tree.values().get(namespace, name).is_some();
        if !has(names::LANE_CONFIG) || !has(names::LANE_STATE) {
            return Err(TreeError::NotALane(name.into()));
        }
        Ok(Self { tree, branch: Some(Branch { name, tip: new_tip, entries }) })
    }

    /// The lines of the new log, made of what lies in the log `source`, whose events begin with number 0 and happen at `time`.
    pub fn parts(&self, source: &str, time: u64) -> Result<Vec<Part>, TreeError> {
        let mut items = self.items()?;
        items.sort_unstable_by_key(|item| item.number);
        let mut lines = Lines::new(source, time);
        lines.bytes = items.iter().map(Item::weight).sum();
        let mut entries = self.tree.entries().iter().enumerate().filter(|(index, _)| self.has_entry(*index)).peekable();
        for item in items {
            while let Some((_, entry)) = entries.next_if(|(_, entry)| entry.number < item.number) {
                lines.entry(entry)?;
            }
            lines.item(&item)?;
        }
        entries.try_for_each(|(_, entry)| lines.entry(entry))?;
        lines.end(self.tree.next())
    }

    fn has_entry(&self, index: usize) -> bool {
        self.branch.as_ref().is_none_or(|branch| branch.entries.get(index) == Some(&true))
    }

    /// What is copied beside entries.
    fn items(&self) -> Result<Vec<Item>, TreeError> {
        // They are counted first: what is long must not be moved to grow.
        let mut count = 0;
        for (namespace, key, _) in self.tree.values().iter() {
            count += usize::from(!matches!(self.fate(namespace, key)?, Fate::Dropped));
        }
        for (namespace, key, list) in self.tree.lists().iter() {
            count += if matches!(self.fate(namespace, key)?, Fate::Dropped) { 0 } else { list.len() };
        }
        let mut bytes = count * size_of::<Item>();
        check_bytes(bytes)?;
        let mut items = Vec::with_capacity(count);
        for (namespace, key, value) in self.tree.values().iter() {
            let item = Item::new(*value, self.fate(namespace, key)?, |out| open_value(out, namespace, key));
            bytes += item.as_ref().map_or(0, |item| item.weight() - size_of::<Item>());
            check_bytes(bytes)?;
            items.extend(item);
        }
        for (namespace, key, list) in self.tree.lists().iter() {
            // What a value of the tree's own becomes is no list's.
            if !matches!(self.fate(namespace, key)?, Fate::Dropped) {
                items.extend(list.iter().map(|element| Item { number: element.number, write: Ok(element.write) }));
            }
        }
        Ok(items)
    }

    fn fate(&self, namespace: &str, key: &str) -> Result<Fate, TreeError> {
        let copied_if = |copied: bool| if copied { Fate::Copied } else { Fate::Dropped };
        let own = self.branch.as_ref().is_none_or(|branch| branch.name == key);
        Ok(match namespace {
            names::NAME => Fate::Copied,
            names::LABEL => match &self.branch {
                None => Fate::Copied,
                Some(_) => copied_if(self.tree.find(key).is_some_and(|index| self.has_entry(index as usize))),
            },
            names::TIP => match &self.branch {
                Some(branch) if own => Fate::Rewritten(text_or_null(branch.tip)),
                _ => copied_if(own),
            },
            names::LANE_CONFIG => copied_if(own),
            names::LANE_STATE if own => Fate::Rewritten(IDLE.into()),
            names::LANE_STATE | "pi.result" => Fate::Dropped,
            _ if namespace.starts_with("pi.op.") || namespace.starts_with("pi.pending.") => Fate::Dropped,
            _ if namespace == "pi" || namespace.starts_with("pi.") => {
                return Err(TreeError::ReservedNamespace(namespace.into()));
            }
            _ => copied_if(self.branch.is_none()),
        })
    }
}

fn text_or_null(text: Option<&str>) -> String {
    let mut out = String::new();
    match text {
        Some(text) => json::write_string(&mut out, text),
        None => out.push_str("null"),
    }
    out
}

/// A value or an element that is copied: where it lies, or the write that it becomes.
struct Item {
    number: u64,
    write: Result<Place, Box<str>>,
}

impl Item {
    fn new(stored: Stored, fate: Fate, open: impl FnOnce(&mut String)) -> Option<Self> {
        let write = match fate {
            Fate::Dropped => return None,
            Fate::Copied => Ok(stored.write),
            Fate::Rewritten(value) => {
                let mut write = String::new();
                open(&mut write);
                Err((write + &value + "}").into_boxed_str())
            }
        };
        Some(Self { number: stored.number, write })
    }

    /// How much memory it takes, about.
    fn weight(&self) -> usize {
        const TEXT: usize = 16;
        size_of::<Self>() + self.write.as_ref().map_or_else(|text| TEXT + text.len(), |_| 0)
    }
}

/// Lines in the making. Writes whose numbers follow one another share a line, as long as their time is one.
struct Lines<'a> {
    source: &'a str,
    time: u64,
    parts: Vec<Part>,
    /// What comes behind the last part.
    text: String,
    events: u64,
    /// What the line that is open goes on with: which number, and which time.
    goes_on: Option<(u64, u64)>,
    /// The length of the line that is open.
    length: usize,
    /// How much memory all of it takes.
    bytes: usize,
}

/// Whether there is so much memory.
fn check_bytes(bytes: usize) -> Result<(), TreeError> {
    if bytes > MOST_BYTES {
        return Err(too_large(
            "the fork would be made of more pieces than there is memory for; fork a branch, or fewer events of the log",
        ));
    }
    Ok(())
}

impl<'a> Lines<'a> {
    fn new(source: &'a str, time: u64) -> Self {
        Self { source, time, parts: Vec::new(), text: String::new(), events: 0, goes_on: None, length: 0, bytes: 0 }
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), TreeError> {
        self.begin(entry.number, Some(entry.timestamp), entry.write.length as usize)?;
        self.copy(entry.write)
    }

    fn item(&mut self, item: &Item) -> Result<(), TreeError> {
        match &item.write {
            Ok(place) => {
                self.begin(item.number, None, place.length as usize)?;
                self.copy(*place)
            }
            Err(write) => {
                self.begin(item.number, None, write.len())?;
                self.text.push_str(write);
                if self.text.len() > LONG_TEXT {
                    self.keep_text();
                }
                check_bytes(self.bytes)
            }
        }
    }

    /// Begins a write of that length, in the line that is open or in a new one.
    fn begin(&mut self, number: u64, timestamp: Option<u64>, length: usize) -> Result<(), TreeError> {
        let same = self.goes_on.filter(|(next, known)| {
            *next == number && timestamp.is_none_or(|timestamp| timestamp == *known) && self.length + length < LONG_LINE
        });
        let timestamp = match same {
            Some((_, timestamp)) => {
                self.text.push(',');
                timestamp
            }
            None => {
                let timestamp = timestamp.unwrap_or(self.time);
                self.open(number, timestamp);
                timestamp
            }
        };
        self.length += length + 1;
        self.goes_on = Some((number + 1, timestamp));
        if self.length + write::CLOSE.len() + line::RECORD_END.len() > MAX_LINE + 1 {
            return Err(too_large("a write would not fit into its line"));
        }
        Ok(())
    }

    fn open(&mut self, first: u64, timestamp: u64) {
        self.close();
        let start = self.text.len();
        line::open_record(&mut self.text, COMMIT, self.events, self.time);
        write::open(&mut self.text, first, timestamp);
        self.length = self.text.len() - start;
        self.events += 1;
    }

    fn close(&mut self) {
        if self.length > 0 {
            self.text.push_str(write::CLOSE);
            self.text.push_str(line::RECORD_END);
            self.length = 0;
        }
    }

    fn copy(&mut self, place: Place) -> Result<(), TreeError> {
        let (at, length) = (place.offset, u64::from(place.length));
        match self.parts.last_mut() {
            // One byte between two writes of a line can only be the comma.
            Some(Part::Copy(last)) if self.text == "," && last.at + last.length + 1 == at => {
                last.length += 1 + length;
                self.text.clear();
            }
            _ => {
                self.keep_text();
                self.keep(Part::Copy(Stretch { id: self.source.into(), at, length }), self.source.len());
            }
        }
        check_bytes(self.bytes)
    }

    fn keep_text(&mut self) {
        if !self.text.is_empty() {
            self.keep(Part::Content(self.text.as_bytes().to_vec()), self.text.len());
            self.text.clear();
        }
    }

    fn keep(&mut self, part: Part, length: usize) {
        self.bytes += PART + length;
        reserve(&mut self.parts);
        self.parts.push(part);
    }

    /// The new log says at its end how far the numbers of its source had come.
    fn end(mut self, next: u64) -> Result<Vec<Part>, TreeError> {
        let reached = self.goes_on.map_or(1, |(number, _)| number);
        if reached != next {
            self.open(next, self.time);
        }
        self.close();
        self.keep_text();
        Ok(self.parts)
    }
}

fn too_large(what: &str) -> TreeError {
    TreeError::Session(Error::TooLarge(what.into()))
}
