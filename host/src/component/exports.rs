use std::cell::OnceCell;

use wasmtime::Store;
use wasmtime::component::{Component, ComponentExportIndex, Instance, TypedFunc};

use super::State;
use crate::engine::Engine;
use crate::types::{
    DeriveOptions, Event, ListOptions, Loaded, MessagePage, NewSession, SessionHeader, SessionState, Slice, WakeOptions,
};
use crate::wire::{Error, ListPage};

/// Borrowed arguments stand here as `'static`; at a call any lifetime will do, since a function only ever copies them.
type Text = &'static str;

macro_rules! exports {
    ($($interface:literal { $($field:ident = $name:literal: ($($param:ty),*) -> $answer:ty;)* })*) => {
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
            $($($field: OnceCell<TypedFunc<($($param,)*), (Result<$answer, Error>,)>>,)*)*
        }

        impl Exports {
            pub fn new(engine: &Engine, instance: Instance) -> Self {
                Self { engine: engine.clone(), instance, $($($field: OnceCell::new(),)*)* }
            }

            $($(
                pub fn $field(
                    &self,
                    store: &mut Store<State>,
                ) -> wasmtime::Result<TypedFunc<($($param,)*), (Result<$answer, Error>,)>> {
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
    "agent:session/session-persistence@0.1.0" {
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
    "agent:session/messages@0.1.0" {
        derive_messages = "derive-messages": (Text, DeriveOptions) -> MessagePage;
    }
}
