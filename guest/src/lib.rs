//! The event logic of durable agent sessions.
//!
//! Built for wasm this is a component: the world `session-store`, or, without the feature `store`, the world
//! `session-rules`. The logic is plain Rust over a trait for storage, so that it is tested natively too; this file and
//! `component` are the glue.

mod block;
mod component;
pub mod enclosure;
pub mod json;
pub mod line;
pub mod log;
pub mod messages;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "store")]
pub mod tree;

#[allow(missing_docs, clippy::all, unsafe_op_in_unsafe_fn)]
mod bindings {
    #[cfg(feature = "store")]
    wit_bindgen::generate!({ world: "session-store", path: "../wit", additional_derives: [PartialEq], pub_export_macro: false });
    #[cfg(not(feature = "store"))]
    wit_bindgen::generate!({ world: "session-rules", path: "../wit", additional_derives: [PartialEq], pub_export_macro: false });
}

pub use bindings::agent::session::types;

#[cfg(target_family = "wasm")]
bindings::export!(Component with_types_in bindings);
#[cfg(target_family = "wasm")]
use component::Component;
