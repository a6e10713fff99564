//! The contract as a component: every rule of the interfaces `storage`, `session-persistence` and `messages` is a case that
//! a host can run over a store of its own.
//!
//! A case begins with an empty place. It uses `storage` as one holder, and sessions as another one on the same place.

#[allow(missing_docs, clippy::all, unsafe_op_in_unsafe_fn)]
mod bindings {
    wit_bindgen::generate!({ world: "conformance", path: "../../wit", additional_derives: [PartialEq, Eq] });
}

mod check;
mod sessions;
mod storage;

use bindings::Guest;
use check::Outcome;

/// A sentence, and what it is tried by.
type Case = (&'static str, fn() -> Outcome);

/// What the component's exports are implemented for.
pub struct Conformance;

bindings::export!(Conformance with_types_in bindings);

impl Guest for Conformance {
    fn cases() -> Vec<String> {
        all().map(|(name, _)| name).collect()
    }

    fn run(case: String) -> Result<(), String> {
        match all().find(|(name, _)| *name == case) {
            Some((_, run)) => run(),
            None => Err(format!("there is no case {case:?}; `cases` names those that there are")),
        }
    }
}

fn all() -> impl Iterator<Item = (String, fn() -> Outcome)> {
    let of = |about: &'static str, themes: &'static [&'static [Case]]| {
        themes.iter().copied().flatten().map(move |(name, run)| (format!("{about}: {name}"), *run))
    };
    of("storage", storage::THEMES).chain(of("sessions", sessions::THEMES))
}
