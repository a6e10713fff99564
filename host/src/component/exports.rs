use std::cell::OnceCell;

use wasmtime::Store;
use wasmtime::component::{Component, ComponentExportIndex, Instance, TypedFunc};

use super::State;
use crate::engine::Engine;
use crate::tree::wire::{
    AddressPage, BranchPage, ContextPage, ContextPlace, ElementPage, EntryPage, LabelPage, StructurePage, UsagePage,
    ValuePage, ValueScan, WireError as TreeError,
};
use crate::tree::{
    Address, BranchScan, CommitOptions, Committed, EntryScan, ForkScope, Kept, NewEntry, RangeScan, TreeState, Write,
};
use crate::types::{
    DeriveOptions, Event, ListOptions, Loaded, MessagePage, NewSession, SessionHeader, SessionState, Slice, WakeOptions,
};
use crate::wire::{Error, ListPage};

/// Borrowed arguments stand here as `'static`; at a call any lifetime will do, since a function only ever copies them.
type Text = &'static str;

macro_rules! exports {
    ($($interface:literal or $error:ident { $($field:ident = $name:literal: ($($param:ty),*) -> $answer:ty;)* })*) => {
        /// Where the component's exports are, looked up once for all instances.
        pub(crate) struct ExportPlaces {
            $($($field: ComponentExportIndex,)*)*
        }

        impl ExportPlaces {
            pub fn of(component: &Component) -> wasmtime::Result<Self> {
                $(
                    let interface = component.get_export_index(None, $interface);
                    $(
                        let $field = component
                            .get_export_index(interface.as_ref(), $name)
                            .ok_or_else(|| wasmtime::format_err!("no export {} in {}", $name, $interface))?;
                    )*
                )*
                Ok(Self { $($($field,)*)* })
            }
        }

        /// What the component offers. Each function's types are checked when it is called first: an instance is made faster so.
        pub(crate) struct Exports {
            engine: Engine,
            instance: Instance,
            $($($field: OnceCell<TypedFunc<($($param,)*), (Result<$answer, $error>,)>>,)*)*
        }

        impl Exports {
            pub fn new(engine: &Engine, instance: Instance) -> Self {
                Self { engine: engine.clone(), instance, $($($field: OnceCell::new(),)*)* }
            }

            $($(
                pub fn $field(
                    &self,
                    store: &mut Store<State>,
                ) -> wasmtime::Result<TypedFunc<($($param,)*), (Result<$answer, $error>,)>> {
                    if let Some(known) = self.$field.get() {
                        return Ok(*known);
                    }
                    let checked = self.instance.get_typed_func(store, self.engine.exports().$field)?;
                    Ok(*self.$field.get_or_init(|| checked))
                }
            )*)*
        }
    };
}

exports! {
    "agent:session/session-persistence@0.1.0" or Error {
        create = "create": (&'static NewSession) -> SessionHeader;
        append = "append": (Text, &'static [Event]) -> ();
        append_lines = "append-lines": (Text, Text) -> u64;
        emit_event = "emit-event": (Text, Text, Text) -> u64;
        flush = "flush": (Text) -> ();
        wake = "wake": (Text, WakeOptions) -> SessionState;
        inspect = "inspect": (Text) -> SessionState;
        load = "load": (Text) -> Loaded;
        verify = "verify": (Text) -> SessionState;
        check = "check": (Text) -> Vec<String>;
        hand_off = "hand-off": (Text, Text) -> u64;
        get_session = "get-session": (Text) -> SessionHeader;
        get_events = "get-events": (Text, u64, u32, &'static [Text]) -> Slice;
        get_lines = "get-lines": (Text, u64, u32) -> String;
        fork = "fork": (Text, Option<u64>, &'static NewSession) -> SessionHeader;
        has = "has": (Text) -> bool;
        list = "list": (&'static ListOptions) -> ListPage;
        delete = "delete": (Text) -> ();
        release = "release": (Text) -> ();
    }
    "agent:session/messages@0.1.0" or Error {
        derive_messages = "derive-messages": (Text, DeriveOptions) -> MessagePage;
    }
    "agent:session/session-tree@0.1.0" or TreeError {
        commit = "commit": (Text, &'static [Write], CommitOptions) -> Committed;
        get_tree = "get-tree": (Text) -> TreeState;
        get_entries = "get-entries": (Text, &'static [String]) -> EntryPage;
        get_values = "get-values": (Text, &'static [Address]) -> ValuePage;
        scan_values = "scan-values": (Text, &'static ValueScan) -> ValuePage;
        addresses = "addresses": (Text, Kept, Option<&'static Address>, u32) -> AddressPage;
        read_list = "read-list": (Text, &'static Address, RangeScan) -> ElementPage;
        scan_branch = "scan-branch": (Text, &'static BranchScan) -> EntryPage;
        scan_branch_structure = "scan-branch-structure": (Text, &'static BranchScan) -> StructurePage;
        scan_entries = "scan-entries": (Text, &'static EntryScan) -> EntryPage;
        scan_usage = "scan-usage": (Text, RangeScan) -> UsagePage;
        branches = "branches": (Text, Option<Text>, u32) -> BranchPage;
        create_branch = "create-branch": (Text, Text, Option<Text>) -> Committed;
        append_to_branch = "append-to-branch": (Text, Text, &'static NewEntry) -> Committed;
        move_branch = "move-branch": (Text, Text, Option<Text>) -> Committed;
        get_labels = "get-labels": (Text, &'static [String]) -> LabelPage;
        set_label = "set-label": (Text, Text, Option<Text>) -> Committed;
        set_name = "set-name": (Text, Option<Text>) -> Committed;
        fork_tree = "fork-tree": (Text, &'static ForkScope, &'static NewSession) -> SessionHeader;
        get_context = "get-context": (Text, Text, Option<ContextPlace>, u32) -> ContextPage;
    }
}
