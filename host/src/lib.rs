//! Durable agent sessions that outlive their harness.
//!
//! ```
//! use serde_json::json;
//! use session_host::{Engine, JsonlFolder, Pairing, Sessions, WakeOptions};
//!
//! # let dir = tempfile::tempdir()?;
//! # let folder = dir.path().join("sessions");
//! let engine = Engine::new()?;
//!
//! // A harness records what happens in a turn …
//! let sessions = Sessions::new(&engine, JsonlFolder::open(&folder)?);
//! sessions.create("fix-login")?;
//! sessions.emit("fix-login", "turn/start", &json!({ "turn": 1 }))?;
//! sessions.emit("fix-login", "user/message", &json!({ "content": "The login fails." }))?;
//! sessions.flush("fix-login")?; // Survives a loss of power.
//!
//! // … and is gone in the middle of it.
//! drop(sessions);
//!
//! // The next one wakes the session: every event is there, and the turn is closed as interrupted.
//! let sessions = Sessions::new(&engine, JsonlFolder::open(&folder)?);
//! let state = sessions.wake("fix-login", WakeOptions::default())?;
//! assert_eq!(state.recovery.closers[0].kind, "turn/end");
//! assert_eq!(state.length, 3);
//!
//! // What the model is to see.
//! for message in sessions.messages("fix-login", Pairing::Paired) {
//!     let message = message?;
//!     println!("{:?}: {}", message.role, message.content);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A session is an append-only log of events, one JSON line each. A WebAssembly component knows all its rules – the format,
//! the sequence, what a crash leaves and how it is mended – and reads every stored byte in a sandbox without files, network
//! or threads. This crate runs that component and keeps the bytes:
//!
//! - [`Engine`] is the compiled component; make one for the program.
//! - [`Sessions`] are the calls, over one [`Storage`]: a folder of JSON lines ([`JsonlFolder`]), [`Memory`], a database (with
//!   the feature `sqlite`), or your own. [`storage`] has more stores, which count, gate or fail the calls of another.
//! - [`Sessions::tree`] is a session as a [`tree`] over the same log: entries on branches, keyed values, lists, and a ledger
//!   of usage.
//! - A [`Harness`] is a program of others in a sandbox, which sees the sessions that a [`Grant`] names and nothing else.
//!   [`add_to_linker`] gives the same to components that you run yourself.
//!
//! A store of your own keeps the rules of [`Storage`] if every case of `Conformance` says so; that is behind the feature
//! `conformance`.
//!
//! One writer holds a session at a time, over all processes; readers are never held up. Every [`Error`] says what was wrong
//! and what to do, and leaves the log as it was.

#![deny(unsafe_code)]

#[cfg(not(unix))]
compile_error!("session-host keeps logs by the rules of Unix file systems; it has not been brought to this one yet");

/// The program in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// So does the one that explains the tree.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tree.md")]
struct Explained;

/// So does the one that proves a store.
#[cfg(all(doctest, feature = "conformance"))]
#[doc = include_str!("../../docs/conformance.md")]
struct Proof;

mod component;
#[cfg(feature = "conformance")]
mod conformance;
mod engine;
mod error;
mod harness;
mod limits;
mod plugin;
mod sessions;
pub mod storage;
pub mod tree;
mod types;
mod wire;

#[cfg(feature = "conformance")]
pub use conformance::{Conformance, ConformanceError};
pub use engine::{Engine, EngineBuilder, SESSION_STORE, Ticking};
pub use error::{EngineError, Error, Result};
pub use harness::{Harness, HarnessError};
pub use limits::Limits;
pub use plugin::{Grant, PluginSessions, add_to_linker};
pub use sessions::{Events, Lines, List, Messages, Sessions, SessionsBuilder};
#[cfg(feature = "sqlite")]
pub use storage::Sqlite;
pub use storage::{Aside, JsonlFolder, LogInfo, Memory, Order, Part, Place, Storage, StorageError};
pub use tree::{Tree, TreeError};
pub use types::*;
/// The version that the components run on, for hosts that link harnesses of their own.
pub use wasmtime;
