//! Pages of what a tree knows the places of: as many as fit, read from the log by few and large reads.

use std::ops::Range;

use super::Result;
use super::cache::Cache;
use crate::log::Source;
use crate::store::{Host, Stored};
use crate::tree::Place;

/// How many bytes one page holds at most, unless its first item alone has more.
const PAGE_BYTES: usize = 4 << 20;
/// Writes that lie closer together than this are read at once, up to so many bytes.
const GAP: u64 = 4 << 10;
const WINDOW: u64 = 512 << 10;
/// What an item takes beside its texts.
pub const ITEM: usize = 96;

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

/// The writes of a tree, as they lie in its log.
pub struct Writes<'a, H> {
    /// The log.
    pub stored: Stored<'a, H>,
    /// Which reading of it the tree goes on from.
    pub reading: u64,
    /// What was read of it before.
    pub cache: &'a mut Cache,
}

impl<H: Host> Writes<'_, H> {
    /// A part of each of these writes, in their order; none if the log does not hold one of them. `part` says where it stands in
    /// the write of that index.
    pub fn parts(
        &mut self,
        places: &[Place],
        part: &dyn Fn(usize, &str) -> Option<Range<usize>>,
    ) -> Result<Option<Vec<String>>> {
        let mut parts = vec![String::new(); places.len()];
        let mut order = Vec::new();
        for (index, (place, kept)) in places.iter().zip(&mut parts).enumerate() {
            match self.cache.get(self.reading, place.offset) {
                Some(text) => kept.push_str(text),
                None => order.push(index),
            }
        }
        order.sort_unstable_by_key(|index| places[*index].offset);
        let keeps = self.cache.has_room_for(order.iter().map(|index| places[*index].length as usize).sum());
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
            let bytes = self.stored.read(start, length)?;
            if bytes.len() as u64 != end - start {
                return Ok(None);
            }
            let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
            if let [alone] = *stretch {
                let Some(range) = part(alone, &text) else { return Ok(None) };
                // A long one is not held twice.
                parts[alone] = cut_out(text, range);
            } else {
                for index in stretch {
                    let place = places[*index];
                    let from = (place.offset - start) as usize;
                    let Some(write) = text.get(from..from + place.length as usize) else { return Ok(None) };
                    let Some(text) = part(*index, write).and_then(|range| write.get(range)) else { return Ok(None) };
                    parts[*index] = text.into();
                }
            }
            if keeps {
                stretch.iter().for_each(|index| self.cache.keep(self.reading, places[*index].offset, &parts[*index]));
            }
        }
        Ok(Some(parts))
    }
}

fn end_of(place: Place) -> u64 {
    place.offset + u64::from(place.length)
}

/// A part of a text, in the same memory.
fn cut_out(mut text: String, part: Range<usize>) -> String {
    text.truncate(part.end);
    text.drain(..part.start);
    text
}

/// Where a part of a text stands in it.
pub fn within(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    start..start + part.len()
}
