//! `session import`

mod branch;
mod change;
mod current;
mod draft;
mod edits;
mod header;
mod kept;
mod known;
mod legacy;
mod limits;
mod lines;
mod payload;
mod refusal;
mod rehearsal;
mod report;
mod spent;
mod tail;
mod values;

use std::fs::File;
use std::io::{self, BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::IgnoredAny;
use session_host::{Engine, Error, Sessions};

use self::current::Current;
pub use self::current::OF_ENTRY;
use self::draft::Draft;
pub use self::draft::UNFINISHED;
use self::header::{Header, NoHeader};
use self::legacy::Legacy;
use self::lines::Lines;
use self::report::{Note, Notes, Report};
use crate::exit::{self, Exit, Failure};
use crate::output::{self, DIM};
use crate::place::{self, Place};
use crate::store::Store;
use crate::view::members::object_of;
use crate::view::text;

/// So much of a file is read at once.
const WINDOW: usize = 256 * 1024;
/// What a log says of where it comes from: it holds the header of the file, which may say more than ours.
pub const IMPORTED: &str = "import/pi";

/// What `import` takes.
#[derive(clap::Args)]
pub struct Args {
    /// What wrote the files
    #[arg(long, value_name = "FORMAT", value_enum)]
    from: Format,
    /// Name of the new session [default: the one in the file]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Files to import; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// A format of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Session files of pi
    Pi,
}

/// What is said of a file, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    id: &'a str,
    version: u64,
    entries: u64,
    messages: u64,
    skipped: &'a Notes,
    changed: &'a Notes,
    context: &'a Notes,
}

/// What came of a file.
struct Imported {
    id: String,
    version: u64,
    entries: u64,
    messages: u64,
    report: Report,
}

impl Args {
    /// Imports one file after the other.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let Format::Pi = self.from;
        if matches!(place.store(), Store::Memory) {
            return Err(Failure::usage("an import into memory: would be gone at once; name another store").into());
        }
        if self.id.is_some() && self.files.len() > 1 {
            return Err(
                Failure::usage("--id names one session, and there are several files; import them one by one").into()
            );
        }
        let engine = place::engine()?;
        let sessions = place.sessions_with(&engine)?;
        let mut told = Ok(());
        for file in &self.files {
            let imported =
                self.import(&engine, &sessions, file).with_context(|| format!("can't import {}", named(file)))?;
            // The rest is imported also if nobody reads about each.
            let told_now = tell(&named(file), &imported, json, told.is_ok());
            told = told.and(told_now);
        }
        Exit::Done.told(told.context("all is imported"))
    }

    fn import(&self, engine: &Engine, sessions: &Sessions, file: &Path) -> Result<Imported> {
        if file == Path::new("-") {
            return self.import_from(engine, sessions, BufReader::with_capacity(WINDOW, stdin().lock()));
        }
        let opened = File::open(file).map_err(|error| {
            let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NotFound } else { Exit::from(&error) };
            Failure::new(exit, exit::words(&error))
        })?;
        self.import_from(engine, sessions, BufReader::with_capacity(WINDOW, opened))
    }

    fn import_from(&self, engine: &Engine, sessions: &Sessions, source: impl BufRead) -> Result<Imported> {
        let mut lines = Lines::new(source);
        let mut report = Report::default();
        let (line, header) = header(&mut lines, &mut report)?;
        let Some(id) = self.id.clone().or_else(|| header.id.clone()) else {
            return Err(Failure::new(Exit::Refused, "its header has no id; name one with --id").into());
        };
        if id.starts_with(UNFINISHED) {
            let sentence = "what is called `unfinished-import-…` is an import under way; name another with --id";
            return Err(Failure::new(Exit::Refused, sentence).into());
        }
        let mut draft = Draft::begin(sessions, header.session(&id))?;
        let origin = origin(&draft, line, &header, &mut report)?;
        if header.version == 4 {
            Current::new(&header, draft.tree(), engine, &mut report).run(&header, &mut lines)?;
        } else {
            let mut legacy = Legacy::new(&header, draft.tree(), &mut report);
            legacy.read(&mut lines)?;
            if legacy.is_edited() {
                let edited = draft.again()?;
                edited.emit(IMPORTED, &origin)?;
                legacy.edit_into(edited.tree())?;
                draft = edited;
            }
            legacy.finish()?;
        }
        let state = draft.tree().state()?;
        draft.finish(engine)?;
        let (entries, messages) = (state.entry_count, state.stats.message_count);
        Ok(Imported { id, version: header.version, entries, messages, report })
    }
}

/// Tells the log where it comes from: what the first event says.
fn origin(draft: &Draft<'_>, line: u64, header: &Header, report: &mut Report) -> Result<String> {
    let version = header.version.to_string();
    let origin = object_of([("version", version.as_str()), ("header", header.json.as_str())]);
    match draft.emit(IMPORTED, &origin) {
        Ok(()) => Ok(origin),
        Err(Error::Rejected { reason, .. } | Error::TooLarge(reason)) => {
            report.skipped.add(line, format!("the header is not kept beside the session: {reason}"));
            let origin = object_of([("version", version.as_str())]);
            draft.emit(IMPORTED, &origin)?;
            Ok(origin)
        }
        Err(error) => Err(error.into()),
    }
}

/// The header, and its line: the first that is JSON, but for a title.
fn header(lines: &mut Lines<impl BufRead>, report: &mut Report) -> Result<(u64, Header)> {
    let mut title: Option<Option<String>> = None;
    let refused = |sentence: &str| Failure::new(Exit::Refused, sentence);
    loop {
        let Some(line) = lines.next()? else {
            return Err(refused("there is no header in it; it is no session file of pi").into());
        };
        match line.text() {
            Ok(text) if title.is_none() && Header::title_before(text).is_some() => {
                let told = Header::title_before(text).unwrap_or(Ok(None));
                title = Some(told.unwrap_or_else(|reason| {
                    report.mended.add(line.number, format!("the session can't be called so: {reason}"));
                    None
                }));
            }
            Ok(text) if serde_json::from_str::<IgnoredAny>(text).is_ok() => {
                let mut header = Header::read(text).map_err(|no| match no {
                    NoHeader::Other => refused("its first line is no header; it is no session file of pi"),
                    NoHeader::Version(version) => {
                        let version = limits::quoted(&version);
                        let sentence = format!("it has version {version}, which this release does not read");
                        Failure::new(Exit::Other, sentence)
                    }
                })?;
                header.title = title.flatten().or(header.title);
                header.notes.iter().for_each(|note| report.mended.add(line.number, note));
                return Ok((line.number, header));
            }
            Ok(_) => report.skipped.add(line.number, "it is no JSON"),
            Err(reason) => report.skipped.add(line.number, reason),
        }
    }
}

fn named(file: &Path) -> String {
    match file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => file.display().to_string(),
    }
}

/// Says what was imported if it is still read, and what was not.
fn tell(file: &str, imported: &Imported, json: bool, is_read: bool) -> io::Result<()> {
    let Imported { id, version, entries, messages, report } = imported;
    if !json {
        warn(file, "the context of a model is another", &report.context);
        warn(file, "left out", &report.skipped);
        warn(file, "changed", &report.mended);
    }
    match (is_read, json) {
        (false, _) => Ok(()),
        (true, true) => {
            let (version, entries, messages) = (*version, *entries, *messages);
            output::json([Line {
                file,
                id,
                version,
                entries,
                messages,
                skipped: &report.skipped,
                changed: &report.mended,
                context: &report.context,
            }])
        }
        (true, false) => {
            let (entries, messages) = (text::count_as(*entries, "entry", "entries"), text::count(*messages, "message"));
            output::line(format_args!(
                "imported {}  {DIM}version {version}, {entries}, {messages}{DIM:#}",
                text::name(id)
            ))
        }
    }
}

/// So many notes are printed for people; `--json` has more.
const MOST: usize = 20;

fn warn(file: &str, what: &str, notes: &Notes) {
    for Note { line, reason } in notes.notes.iter().take(MOST) {
        let place = line.map_or_else(|| file.to_owned(), |line| format!("{file}: line {line}"));
        output::warn(&format!("{place}: {what}: {reason}"));
    }
    let rest = notes.count.saturating_sub(MOST as u64);
    if rest > 0 {
        output::warn(&format!("{file}: {what}: {} more; `--json` tells of each", text::count(rest, "line")));
    }
}
