//! Listing: a page of logs, each with its header, the unreadable ones among them.

use super::{Host, Store, Stored, of_storage};
use crate::bindings::agent::session::storage::{LogInfo, Order, Place};
use crate::log;
use crate::types::{Error, ListItem, ListOptions, ListOrder, ListPage, Listed, SessionHeader, Unreadable};

/// How many logs are asked for at once where few of them may be wanted.
const BATCH: u32 = 256;
/// Why a log is unreadable is told in fewer bytes.
const LONGEST_REASON: usize = 2048;
/// How many bytes a page takes at the most.
const PAGE_BYTES: usize = 4 << 20;

impl<H: Host> Store<H> {
    /// A page of the stored sessions. May hold less than was asked for and still have a next.
    pub fn list(&mut self, options: &ListOptions) -> Result<ListPage, Error> {
        let order = match options.order {
            ListOrder::ById => Order::ById,
            ListOrder::Recent => Order::Recent,
        };
        let mut place = options.cursor.as_deref().map(|cursor| read_cursor(order, cursor)).transpose()?;
        let mut page = ListPage { items: Vec::new(), next: None };
        let mut bytes = 0;
        let filtered = options.cwd.is_some() || options.parent_session.is_some();
        loop {
            let wanted = options.limit.saturating_sub(page.items.len() as u32);
            let max = if filtered { BATCH } else { wanted.min(BATCH) };
            let logs = self.host.list(order, place.as_ref(), max).map_err(|error| of_storage("", error))?;
            let last = (logs.len() as u32) < max;
            for log in logs {
                if page.items.len() as u32 >= options.limit || bytes > PAGE_BYTES {
                    page.next = place.as_ref().map(|place| write_cursor(order, place));
                    return Ok(page);
                }
                place = Some(Place { name: log.name.clone(), modified: log.modified });
                if let Some(item) = self.item(log, options) {
                    bytes += size(&item);
                    page.items.push(item);
                }
            }
            if last {
                return Ok(page);
            }
            if page.items.len() as u32 >= options.limit {
                page.next = place.as_ref().map(|place| write_cursor(order, place));
                return Ok(page);
            }
        }
    }

    /// What the log is in the list; none if it is not wanted, or gone meanwhile.
    fn item(&self, log: LogInfo, options: &ListOptions) -> Option<ListItem> {
        let wanted = |header: &SessionHeader| {
            let matches = |filter: &Option<String>, value: &Option<String>| filter.is_none() || filter == value;
            matches(&options.cwd, &header.cwd) && matches(&options.parent_session, &header.parent_session)
        };
        let LogInfo { id, name, length: bytes, modified, held, .. } = log;
        let header = match &id {
            None => Err(Error::InvalidId(format!("{name:?} is the name of no session"))),
            Some(id) => log::read_header(&Stored { host: &self.host, id }, bytes, Some(id)),
        };
        match header {
            Ok(sound) => {
                let header = sound.header;
                wanted(&header).then_some(ListItem::Session(Listed { header, bytes, modified, held }))
            }
            Err(Error::NotFound(_)) => None,
            // Nobody knows what an unreadable log is of, so it is left out of no list.
            Err(reason) => Some(ListItem::Unreadable(Unreadable { name, id, reason })),
        }
    }
}

/// About how much memory an item takes.
fn size(item: &ListItem) -> usize {
    let texts = match item {
        ListItem::Session(listed) => {
            let header = &listed.header;
            let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
            header.id.len() + optional(&header.cwd) + optional(&header.parent_session)
        }
        ListItem::Unreadable(unreadable) => unreadable.name.len() + LONGEST_REASON,
    };
    texts + 2 * size_of::<ListItem>()
}

/// A cursor names its order, since the same place has other logs behind it in the other order.
fn write_cursor(order: Order, place: &Place) -> String {
    match order {
        Order::ById => format!("id:{}", place.name),
        Order::Recent => format!("recent:{}:{}", place.modified, place.name),
    }
}

fn read_cursor(order: Order, cursor: &str) -> Result<Place, Error> {
    let place = match order {
        Order::ById => cursor.strip_prefix("id:").map(|name| Place { name: name.into(), modified: 0 }),
        Order::Recent => cursor
            .strip_prefix("recent:")
            .and_then(|place| place.split_once(':'))
            .and_then(|(modified, name)| Some(Place { name: name.into(), modified: modified.parse().ok()? })),
    };
    place.ok_or_else(|| Error::Refused(format!("{cursor:?} is no cursor that a list in this order has answered")))
}
