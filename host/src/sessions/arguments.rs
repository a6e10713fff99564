//! What is too large for the component is refused before it is copied into its memory.

use memchr::{memchr, memchr_iter, memrchr};

use crate::error::{Error, Result};
use crate::types::{Event, ListOptions, NewSession};

const MIB: usize = 1 << 20;

/// One line of the log, so also anything that becomes part of one.
const LINE: usize = 16 * MIB;
/// All that one call hands over; as it came, as lines and on its way to storage it has to fit into 64 MiB.
const BATCH: usize = 20 * MIB;
/// A list of event types, a cursor, a directory.
const SHORT: usize = MIB;
/// What an event takes in the component's memory beside its texts: as it comes, as it is kept, and around its line.
const EVENT: usize = 200;
const ID: usize = 255;

pub(super) fn id(id: &str) -> Result<()> {
    if id.len() > ID {
        return Err(Error::InvalidId(format!("an id has at most {ID} bytes, this one has {}", id.len())));
    }
    Ok(())
}

fn short(what: &str, text: &str) -> Result<()> {
    if text.len() > SHORT {
        return Err(Error::TooLarge(format!("{what} has {} bytes; at most {SHORT} are taken", text.len())));
    }
    Ok(())
}

fn optional(what: &str, text: Option<&String>) -> Result<()> {
    text.map_or(Ok(()), |text| short(what, text))
}

pub(super) fn session(session: &NewSession) -> Result<()> {
    id(&session.id)?;
    session.parent_session.as_deref().map_or(Ok(()), id)?;
    optional("the working directory", session.cwd.as_ref())
}

pub(super) fn list(options: &ListOptions) -> Result<()> {
    options.parent_session.as_deref().map_or(Ok(()), id)?;
    optional("the working directory", options.cwd.as_ref())?;
    optional("the cursor", options.cursor.as_ref())
}

pub(super) fn types(types: &[&str]) -> Result<()> {
    let bytes: usize = types.iter().map(|kind| kind.len() + EVENT).sum();
    if bytes > SHORT {
        return Err(Error::TooLarge(format!("{} event types to leave out take {bytes} bytes", types.len())));
    }
    Ok(())
}

fn line(index: usize, bytes: usize) -> Result<()> {
    if bytes > LINE {
        let reason = format!("the event has {bytes} bytes, and a line of the log at most {LINE}");
        return Err(Error::Rejected { index: index as u64, reason });
    }
    Ok(())
}

pub(super) fn event(kind: &str, data: &str) -> Result<()> {
    line(0, kind.len().saturating_add(data.len()))
}

pub(super) fn events(events: &[Event]) -> Result<()> {
    let mut total = 0;
    for (index, event) in events.iter().enumerate() {
        let bytes = event.kind.len().saturating_add(event.data.len());
        line(index, bytes)?;
        total += bytes + EVENT;
    }
    if total > BATCH {
        return Err(Error::TooLarge(format!(
            "a batch of {} events takes {total} bytes, and one call at most {BATCH}; append it in parts",
            events.len()
        )));
    }
    Ok(())
}

/// Cuts a text at ends of lines into batches of at most 8 MiB; a line that is longer is a batch of its own. With each
/// comes how many lines precede it.
pub(super) fn batches(lines: &str) -> impl Iterator<Item = (u64, &str)> {
    const AIM: usize = 8 * MIB;
    let (mut rest, mut before) = (lines, 0);
    std::iter::from_fn(move || {
        let cut = match rest.as_bytes() {
            [] => return None,
            bytes if bytes.len() <= AIM => bytes.len(),
            bytes => {
                let last_within = memrchr(b'\n', &bytes[..AIM]);
                last_within.or_else(|| memchr(b'\n', bytes)).map_or(bytes.len(), |end| end + 1)
            }
        };
        let (batch, behind) = rest.split_at(cut);
        let here = (before, batch);
        before += memchr_iter(b'\n', batch.as_bytes()).count() as u64;
        rest = behind;
        Some(here)
    })
}

/// A batch that a line too long stands in, alone.
pub(super) fn batch(before: u64, batch: &str) -> Result<()> {
    line(before as usize, batch.strip_suffix('\n').unwrap_or(batch).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(data: usize) -> Event {
        Event { seq: 0, time: 0, kind: String::new(), data: "x".repeat(data) }
    }

    #[test]
    fn an_id_of_255_bytes_is_the_longest() {
        assert!(id(&"x".repeat(255)).is_ok());
        assert!(matches!(id(&"x".repeat(256)), Err(Error::InvalidId(_))));
    }

    #[test]
    fn an_event_longer_than_any_line_is_rejected_by_its_index() {
        assert!(matches!(events(&[event(1), event(LINE + 1)]), Err(Error::Rejected { index: 1, .. })));
        assert!(events(&[event(LINE)]).is_ok());
    }

    #[test]
    fn a_batch_that_does_not_fit_names_the_limit() {
        let Err(Error::TooLarge(text)) = events(&[event(LINE), event(LINE)]) else { panic!("taken") };
        assert!(text.contains("20971520"), "{text}");
    }

    #[test]
    fn a_text_is_cut_at_ends_of_lines_alone() {
        let text = format!("{}\n{}\n{}", "a".repeat(3 * MIB), "b".repeat(9 * MIB), "c".repeat(2 * MIB));
        let cut: Vec<_> = batches(&text).collect();
        assert_eq!(
            cut.iter().map(|(before, batch)| (*before, batch.len())).collect::<Vec<_>>(),
            [(0, 3 * MIB + 1), (1, 9 * MIB + 1), (2, 2 * MIB)]
        );
        assert_eq!(cut.iter().map(|(_, batch)| *batch).collect::<String>(), text);
    }

    #[test]
    fn no_text_is_no_batch() {
        assert_eq!(batches("").count(), 0);
    }
}
