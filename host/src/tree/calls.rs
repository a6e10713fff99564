//! One call of the component each, with what it is handed checked before.

use wasmtime::Store;

use super::wire::{
    AddressPage, BranchPage, ContextPage, ContextPlace, ElementPage, EntryPage, LabelPage, StructurePage, UsagePage,
    ValuePage, ValueScan, WireError,
};
use super::{
    Address, BranchScan, CommitOptions, Committed, EntryScan, ForkScope, Kept, NewEntry, RangeScan, Tree, TreeError,
    TreeState, Write, arguments,
};
use crate::component::{Call, Exports, State};
use crate::types::{NewSession, SessionHeader};
use crate::wire;

type Result<T> = std::result::Result<T, TreeError>;

impl Tree<'_> {
    fn call<T>(
        &self,
        call: impl Fn(&mut Store<State>, &Exports) -> wasmtime::Result<(std::result::Result<T, WireError>,)>,
    ) -> Result<T> {
        self.sessions.call(&self.id, told_apart(call))?
    }

    pub(crate) fn commit_call(&self, writes: &[Write], options: CommitOptions) -> Result<Committed> {
        arguments::commit(writes)?;
        self.call(|store, exports| exports.commit(store)?.call(store, (&self.id, writes, options)))
    }

    pub(crate) fn state_call(&self) -> Result<TreeState> {
        self.call(|store, exports| exports.get_tree(store)?.call(store, (&self.id,)))
    }

    pub(crate) fn entries_call(&self, ids: &[String]) -> Result<EntryPage> {
        arguments::list("the ids", ids.iter().map(String::len))?;
        self.call(|store, exports| exports.get_entries(store)?.call(store, (&self.id, ids)))
    }

    pub(crate) fn values_call(&self, addresses: &[Address]) -> Result<ValuePage> {
        arguments::list("the addresses", addresses.iter().map(arguments::address_size))?;
        self.call(|store, exports| exports.get_values(store)?.call(store, (&self.id, addresses)))
    }

    pub(crate) fn scan_values_call(&self, scan: &ValueScan) -> Result<ValuePage> {
        arguments::short("the scan", [scan.namespace.as_str(), &scan.prefix].into_iter().chain(scan.after.as_deref()))?;
        self.call(|store, exports| exports.scan_values(store)?.call(store, (&self.id, scan)))
    }

    pub(crate) fn addresses_call(&self, kept: Kept, after: Option<&Address>, limit: u32) -> Result<AddressPage> {
        after.map_or(Ok(()), arguments::address)?;
        self.call(|store, exports| exports.addresses(store)?.call(store, (&self.id, kept, after, limit)))
    }

    pub(crate) fn list_call(&self, address: &Address, scan: RangeScan) -> Result<ElementPage> {
        arguments::address(address)?;
        self.call(|store, exports| exports.read_list(store)?.call(store, (&self.id, address, scan)))
    }

    pub(crate) fn branch_call(&self, scan: &BranchScan) -> Result<EntryPage> {
        arguments::branch_scan(scan)?;
        self.call(|store, exports| exports.scan_branch(store)?.call(store, (&self.id, scan)))
    }

    pub(crate) fn structure_call(&self, scan: &BranchScan) -> Result<StructurePage> {
        arguments::branch_scan(scan)?;
        self.call(|store, exports| exports.scan_branch_structure(store)?.call(store, (&self.id, scan)))
    }

    pub(crate) fn scan_entries_call(&self, scan: &EntryScan) -> Result<EntryPage> {
        arguments::entry_scan(scan)?;
        self.call(|store, exports| exports.scan_entries(store)?.call(store, (&self.id, scan)))
    }

    pub(crate) fn usage_call(&self, scan: RangeScan) -> Result<UsagePage> {
        self.call(|store, exports| exports.scan_usage(store)?.call(store, (&self.id, scan)))
    }

    pub(crate) fn branches_call(&self, after: Option<&str>, limit: u32) -> Result<BranchPage> {
        arguments::short("the name", after)?;
        self.call(|store, exports| exports.branches(store)?.call(store, (&self.id, after, limit)))
    }

    pub(crate) fn create_branch_call(&self, name: &str, at: Option<&str>) -> Result<Committed> {
        arguments::short("the branch", [name].into_iter().chain(at))?;
        self.call(|store, exports| exports.create_branch(store)?.call(store, (&self.id, name, at)))
    }

    pub(crate) fn append_to_branch_call(&self, branch: &str, entry: &NewEntry) -> Result<Committed> {
        arguments::short("the branch", [branch])?;
        arguments::entry(entry)?;
        self.call(|store, exports| exports.append_to_branch(store)?.call(store, (&self.id, branch, entry)))
    }

    pub(crate) fn move_branch_call(&self, name: &str, to: Option<&str>) -> Result<Committed> {
        arguments::short("the branch", [name].into_iter().chain(to))?;
        self.call(|store, exports| exports.move_branch(store)?.call(store, (&self.id, name, to)))
    }

    pub(crate) fn labels_call(&self, entries: &[String]) -> Result<LabelPage> {
        arguments::list("the ids", entries.iter().map(String::len))?;
        self.call(|store, exports| exports.get_labels(store)?.call(store, (&self.id, entries)))
    }

    pub(crate) fn set_label_call(&self, entry: &str, text: Option<&str>) -> Result<Committed> {
        arguments::short("the label", [entry].into_iter().chain(text))?;
        self.call(|store, exports| exports.set_label(store)?.call(store, (&self.id, entry, text)))
    }

    pub(crate) fn set_name_call(&self, name: Option<&str>) -> Result<Committed> {
        arguments::short("the name", name)?;
        self.call(|store, exports| exports.set_name(store)?.call(store, (&self.id, name)))
    }

    pub(crate) fn fork_call(&self, scope: &ForkScope, child: &NewSession) -> Result<SessionHeader> {
        arguments::fork_scope(scope)?;
        let call = told_apart(|store: &mut Store<State>, exports: &Exports| {
            exports.fork_tree(store)?.call(store, (&self.id, scope, child))
        });
        self.sessions.call_for_child(&self.id, child, call)?
    }

    pub(crate) fn context_call(&self, branch: &str, from: Option<ContextPlace>, max_bytes: u32) -> Result<ContextPage> {
        arguments::short("the branch", [branch])?;
        self.call(|store, exports| exports.get_context(store)?.call(store, (&self.id, branch, from, max_bytes)))
    }
}

/// What can befall every call is an error of the session; what is the tree's own is the answer.
fn told_apart<T>(
    call: impl Fn(&mut Store<State>, &Exports) -> wasmtime::Result<(std::result::Result<T, WireError>,)>,
) -> impl Call<Result<T>> {
    move |store: &mut Store<State>, exports: &Exports| {
        let (answer,) = call(store, exports)?;
        Ok((match answer {
            Ok(answer) => Ok(Ok(answer)),
            Err(WireError::Session(error)) => Err::<_, wire::Error>(error),
            Err(error) => Ok(Err(error.into())),
        },))
    }
}
