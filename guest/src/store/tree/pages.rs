//! Pages of what a tree knows the places of: as many as fit, read from the log by few and large reads.

use super::Result;
use crate::log::Source;
use crate::store::{Host, Stored};
use crate::tree::Place;

/// How many bytes one page holds at most, unless its first item alone has more.
const PAGE_BYTES: usize = 4 << 20;
/// Writes that lie closer together than this are read at once, up to so many bytes.
const GAP: u64 = 4 << 10;
const WINDOW: u64 = 512 << 10;
/// What an item takes beside its texts.
const ITEM: usize = 96;

/// The first items, and whether others were left out that the limit would have let in.
pub fn page<T>(items: impl Iterator<Item = T>, limit: u32, size: impl Fn(&T) -> usize) -> (Vec<T>, bool) {
    let mut page = Vec::new();
    let mut bytes = 0;
    for item in items.take(limit as usize) {
        bytes += ITEM + size(&item);
        if bytes > PAGE_BYTES && !page.is_empty() {
            return (page, true);
        }
        page.push(item);
    }
    (page, false)
}

/// What stands at these places of the log, in their order; none if it is no text, or not there.
pub fn texts<H: Host>(stored: &Stored<'_, H>, places: &[Place]) -> Result<Option<Vec<String>>> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|index| places[*index].offset);
    let mut texts = vec![String::new(); places.len()];
    let mut rest = order.as_slice();
    while let Some(first) = rest.first().map(|index| places[*index]) {
        let (start, mut end) = (first.offset, end_of(first));
        let close = |place: Place, end: u64| place.offset <= end + GAP && end_of(place) <= start + WINDOW;
        let together = rest.iter().take_while(|index| {
            let place = places[**index];
            let together = place == first || close(place, end);
            end = if together { end.max(end_of(place)) } else { end };
            together
        });
        let (stretch, behind) = rest.split_at(together.count());
        rest = behind;
        let Ok(length) = u32::try_from(end - start) else { return Ok(None) };
        let bytes = stored.read(start, length)?;
        if bytes.len() as u64 != end - start {
            return Ok(None);
        }
        if let [alone] = *stretch {
            // A long one is not held twice.
            let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
            texts[alone] = text;
            continue;
        }
        for index in stretch {
            let place = places[*index];
            let from = (place.offset - start) as usize;
            let text = bytes.get(from..from + place.length as usize).and_then(|text| std::str::from_utf8(text).ok());
            let Some(text) = text else { return Ok(None) };
            texts[*index] = text.into();
        }
    }
    Ok(Some(texts))
}

fn end_of(place: Place) -> u64 {
    place.offset + u64::from(place.length)
}

/// A part of a text, in the same memory.
pub fn cut_out(mut text: String, part: (usize, usize)) -> String {
    text.truncate(part.1);
    text.drain(..part.0);
    text
}

/// Where a part of a text stands in it.
pub fn within(text: &str, part: &str) -> (usize, usize) {
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    (start, start + part.len())
}
