//! One call each, answered by the maps.

use std::cell::RefCell;

use crate::Component;
use crate::bindings::agent::session::types::{NewSession, SessionHeader};
use crate::bindings::exports::agent::session::session_tree::{
    Address, AddressPage, BranchPage, BranchScan, CommitOptions, Committed, ContextPage, ContextPlace, Cost,
    ElementPage, EntryPage, EntryScan, ForkScope, Guest, Kept, LabelPage, NewEntry, RangeScan, Stats, StructurePage,
    TreeState, UsagePage, UsageSum, ValuePage, ValueScan, Write,
};
use crate::maps::{Answer, Maps, range, refuse};

thread_local! {
    static MAPS: RefCell<Maps> = RefCell::default();
}

impl Maps {
    fn stats(&self) -> Stats {
        let cost = Cost { input: 0.0, output: 0.0, cache_read: 0.0, cache_write: 0.0, total: 0.0 };
        let usage = UsageSum {
            input: 0.0,
            output: 0.0,
            cache_read: 0.0,
            cache_write: 0.0,
            cache_write_one_hour: None,
            reasoning: None,
            total_tokens: 0.0,
            cost,
        };
        Stats { message_count: self.entries.len() as u64, usage }
    }
}

impl Guest for Component {
    fn commit(_: String, writes: Vec<Write>, options: CommitOptions) -> Answer<Committed> {
        let timestamp = options.timestamp.unwrap_or(0);
        MAPS.with_borrow_mut(|maps| {
            let first = maps.writes + 1;
            writes.into_iter().try_for_each(|write| maps.write(write, timestamp))?;
            Ok(Committed { first, timestamp, stats: maps.stats() })
        })
    }

    fn get_entries(_: String, ids: Vec<String>) -> Answer<EntryPage> {
        let entries = MAPS.with_borrow(|maps| ids.iter().filter_map(|id| maps.entry(id).cloned()).collect());
        Ok(EntryPage { entries, more: false })
    }

    fn get_values(_: String, addresses: Vec<Address>) -> Answer<ValuePage> {
        let addresses = addresses.into_iter().map(|address| (address.namespace, address.key));
        let values = MAPS.with_borrow(|maps| addresses.filter_map(|key| maps.value(key)).collect());
        Ok(ValuePage { values, more: false })
    }

    fn scan_values(_: String, scan: ValueScan) -> Answer<ValuePage> {
        Ok(ValuePage { values: MAPS.with_borrow(|maps| maps.values(scan)), more: false })
    }

    fn read_list(_: String, Address { namespace, key }: Address, scan: RangeScan) -> Answer<ElementPage> {
        let elements = MAPS.with_borrow(|maps| range(maps.list((namespace, key)), &scan, |element| element.number));
        Ok(ElementPage { elements, more: false })
    }

    fn scan_branch(_: String, scan: BranchScan) -> Answer<EntryPage> {
        let entries = MAPS.with_borrow(|maps| Ok(maps.branch(&scan)?.into_iter().cloned().collect()))?;
        Ok(EntryPage { entries, more: false })
    }

    fn scan_branch_structure(_: String, scan: BranchScan) -> Answer<StructurePage> {
        let entries = MAPS.with_borrow(|maps| {
            let branch = maps.branch(&scan)?;
            Ok(branch.into_iter().map(|entry| entry.structure.clone()).collect())
        })?;
        Ok(StructurePage { entries, more: false })
    }

    fn scan_entries(_: String, EntryScan { type_, custom_type, range: scan }: EntryScan) -> Answer<EntryPage> {
        if type_.is_some() || custom_type.is_some() {
            return refuse();
        }
        let entries = MAPS.with_borrow(|maps| range(&maps.entries, &scan, |entry| entry.structure.number));
        Ok(EntryPage { entries, more: false })
    }

    fn scan_usage(_: String, scan: RangeScan) -> Answer<UsagePage> {
        let rows = MAPS.with_borrow(|maps| range(&maps.usage, &scan, |row| row.number));
        Ok(UsagePage { rows, more: false })
    }

    fn get_tree(_: String) -> Answer<TreeState> {
        refuse()
    }

    fn addresses(_: String, _: Kept, _: Option<Address>, _: u32) -> Answer<AddressPage> {
        refuse()
    }

    fn branches(_: String, _: Option<String>, _: u32) -> Answer<BranchPage> {
        refuse()
    }

    fn create_branch(_: String, _: String, _: Option<String>) -> Answer<Committed> {
        refuse()
    }

    fn append_to_branch(_: String, _: String, _: NewEntry) -> Answer<Committed> {
        refuse()
    }

    fn move_branch(_: String, _: String, _: Option<String>) -> Answer<Committed> {
        refuse()
    }

    fn get_labels(_: String, _: Vec<String>) -> Answer<LabelPage> {
        refuse()
    }

    fn set_label(_: String, _: String, _: Option<String>) -> Answer<Committed> {
        refuse()
    }

    fn set_name(_: String, _: Option<String>) -> Answer<Committed> {
        refuse()
    }

    fn fork_tree(_: String, _: ForkScope, _: NewSession) -> Answer<SessionHeader> {
        refuse()
    }

    fn get_context(_: String, _: String, _: Option<ContextPlace>, _: u32) -> Answer<ContextPage> {
        refuse()
    }
}
