//! Maps in memory, behind the calls of a tree: the component `bare-tree` in bare wasmtime. What goes in and comes out are the very
//! types that the host has.

use std::cell::RefCell;

use anyhow::{Context, Result, anyhow, ensure};
use session_host::Engine;
use session_host::tree::{
    Address, BranchScan, CommitOptions, Committed, Entry, EntryScan, EntryStructure, ListElement, RangeScan,
    StoredValue, UsageRow, Write,
};
use session_host::wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, ComponentType, Instance, Lift, Linker, Lower, TypedFunc,
};
use session_host::wasmtime::{self, Store};

use crate::place::TARGET;
use bindings::exports::agent::session::session_tree::TreeError;

#[allow(missing_docs, dead_code, clippy::all)]
mod bindings {
    session_host::wasmtime::component::bindgen!({
        inline: "
            package bench:bare-tree;
            world bare-tree {
                export agent:session/session-tree@0.1.0;
            }
        ",
        path: "../../wit",
        wasmtime_crate: session_host::wasmtime,
    });
}

trait Page {
    type Item;

    /// What is on it, if that is all.
    fn whole(self) -> Result<Vec<Self::Item>>;
}

macro_rules! pages {
    ($($page:ident { $items:ident: $item:ty })*) => {
        $(
            #[derive(ComponentType, Lift)]
            #[component(record)]
            struct $page {
                $items: Vec<$item>,
                more: bool,
            }

            impl Page for $page {
                type Item = $item;

                fn whole(self) -> Result<Vec<$item>> {
                    ensure!(!self.more, "the bare tree answers in parts");
                    Ok(self.$items)
                }
            }
        )*
    };
}

pages! {
    EntryPage { entries: Entry }
    StructurePage { entries: EntryStructure }
    ValuePage { values: StoredValue }
    ElementPage { elements: ListElement }
    UsagePage { rows: UsageRow }
}

/// Which values.
#[derive(ComponentType, Lower)]
#[component(record)]
pub struct ValueScan {
    pub namespace: String,
    pub prefix: String,
    pub after: Option<String>,
    pub limit: u32,
}

type Text = &'static str;
/// A function, its types checked. Borrowed arguments stand here as `'static`; at a call any lifetime will do.
type Function<P, T> = TypedFunc<P, (Result<T, TreeError>,)>;

pub struct Bare {
    store: RefCell<Store<()>>,
    commit: Function<(Text, &'static [Write], CommitOptions), Committed>,
    get_entries: Function<(Text, &'static [String]), EntryPage>,
    get_values: Function<(Text, &'static [Address]), ValuePage>,
    scan_values: Function<(Text, &'static ValueScan), ValuePage>,
    read_list: Function<(Text, &'static Address, RangeScan), ElementPage>,
    scan_branch: Function<(Text, &'static BranchScan), EntryPage>,
    scan_branch_structure: Function<(Text, &'static BranchScan), StructurePage>,
    scan_entries: Function<(Text, &'static EntryScan), EntryPage>,
    scan_usage: Function<(Text, RangeScan), UsagePage>,
}

/// It has one session only, and is not interested in its id.
const ID: &str = "s";

impl Bare {
    pub fn new(engine: &Engine) -> Result<Self> {
        let path = format!("{TARGET}/bare-tree.wasm");
        let component =
            std::fs::read(&path).with_context(|| format!("can't read {path}; `cargo xtask bench` makes it"))?;
        Self::instance(engine.wasmtime(), &component).map_err(plain)
    }

    fn instance(engine: &wasmtime::Engine, component: &[u8]) -> wasmtime::Result<Self> {
        let component = Component::from_binary(engine, component)?;
        let mut store = Store::new(engine, ());
        store.set_epoch_deadline(u64::MAX / 2);
        let instance = Linker::new(engine).instantiate(&mut store, &component)?;
        let tree = component.get_export_index(None, "agent:session/session-tree@0.1.0");
        let mut exports = Exports { store, instance, component, tree };
        Ok(Self {
            commit: exports.function("commit")?,
            get_entries: exports.function("get-entries")?,
            get_values: exports.function("get-values")?,
            scan_values: exports.function("scan-values")?,
            read_list: exports.function("read-list")?,
            scan_branch: exports.function("scan-branch")?,
            scan_branch_structure: exports.function("scan-branch-structure")?,
            scan_entries: exports.function("scan-entries")?,
            scan_usage: exports.function("scan-usage")?,
            store: exports.store.into(),
        })
    }

    pub fn commit(&self, writes: &[Write], options: CommitOptions) -> Result<Committed> {
        self.call(&self.commit, (ID, writes, options))
    }

    pub fn entries(&self, ids: &[String]) -> Result<Vec<Entry>> {
        self.call(&self.get_entries, (ID, ids))?.whole()
    }

    pub fn values(&self, addresses: &[Address]) -> Result<Vec<StoredValue>> {
        self.call(&self.get_values, (ID, addresses))?.whole()
    }

    pub fn scan_values(&self, scan: &ValueScan) -> Result<Vec<StoredValue>> {
        self.call(&self.scan_values, (ID, scan))?.whole()
    }

    pub fn list(&self, address: &Address, scan: RangeScan) -> Result<Vec<ListElement>> {
        self.call(&self.read_list, (ID, address, scan))?.whole()
    }

    pub fn scan_branch(&self, scan: &BranchScan) -> Result<Vec<Entry>> {
        self.call(&self.scan_branch, (ID, scan))?.whole()
    }

    pub fn scan_branch_structure(&self, scan: &BranchScan) -> Result<Vec<EntryStructure>> {
        self.call(&self.scan_branch_structure, (ID, scan))?.whole()
    }

    pub fn scan_entries(&self, scan: &EntryScan) -> Result<Vec<Entry>> {
        self.call(&self.scan_entries, (ID, scan))?.whole()
    }

    pub fn scan_usage(&self, scan: RangeScan) -> Result<Vec<UsageRow>> {
        self.call(&self.scan_usage, (ID, scan))?.whole()
    }

    fn call<P: ComponentNamedList + Lower, T: Lift + 'static>(
        &self,
        function: &Function<P, T>,
        arguments: P,
    ) -> Result<T> {
        let (answer,) = function.call(&mut *self.store.borrow_mut(), arguments).map_err(plain)?;
        answer.map_err(|error| anyhow!("the bare tree answers {error:?}"))
    }
}

/// Where the functions are.
struct Exports {
    store: Store<()>,
    instance: Instance,
    component: Component,
    tree: Option<ComponentExportIndex>,
}

impl Exports {
    fn function<P, T>(&mut self, name: &str) -> wasmtime::Result<Function<P, T>>
    where
        P: ComponentNamedList + Lower,
        T: Lift + 'static,
    {
        let place = self.component.get_export_index(self.tree.as_ref(), name);
        let place = place.ok_or_else(|| wasmtime::format_err!("the bare tree has no {name}"))?;
        self.instance.get_typed_func(&mut self.store, place)
    }
}

/// wasmtime has an error type of its own.
fn plain(error: wasmtime::Error) -> anyhow::Error {
    anyhow!("{error:#}")
}
