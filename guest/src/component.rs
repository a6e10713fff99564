//! The component: what each export does with the logic.

use crate::bindings::exports::agent::session::event_rules;
use crate::types::{Error, Message, Pairing, Recovery};
use crate::{enclosure, log, messages};

/// What the component's exports are implemented for.
pub struct Component;

impl event_rules::Guest for Component {
    fn examine(content: Vec<u8>) -> Result<Recovery, Error> {
        let (sound, damage) = log::read(&content[..], content.len() as u64, None)?;
        Ok(sound.recovery(damage))
    }

    fn derive(content: Vec<u8>, pairing: Pairing) -> Result<Vec<Message>, Error> {
        let (sound, _) = log::read(&content[..], content.len() as u64, None)?;
        let plan = messages::Plan::new(&content[..], &sound, None, pairing)?;
        Ok(plan.page(&content[..], 0, u32::MAX)?.messages)
    }

    fn check(content: Vec<u8>) -> Result<Vec<String>, Error> {
        let (sound, _) = log::read(&content[..], content.len() as u64, None)?;
        enclosure::check(&content[..], &sound)
    }
}

#[cfg(feature = "store")]
mod store {
    use std::cell::RefCell;

    use super::Component;
    use crate::bindings::agent::session::{clock, storage};
    use crate::bindings::exports::agent::session::{messages, session_persistence};
    use crate::store::{Answer, Host, Store};
    use crate::types::*;

    /// The host that the component is linked to.
    struct Linked;

    macro_rules! storage_is_imported {
        ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
            impl Host for Linked {
                $(fn $name(&self, $($argument: $type),*) -> $answer { storage::$name($($argument),*) })*
                fn now(&self) -> u64 { clock::now() }
            }
        };
    }

    storage_is_imported! {
        acquire(id: &str) -> Answer<storage::LogInfo>;
        release(id: &str) -> ();
        publish(id: &str, parts: &[storage::Part]) -> Answer<storage::LogInfo>;
        append(id: &str, at: u64, content: &[u8]) -> Answer<()>;
        sync(id: &str) -> Answer<()>;
        stat(id: &str) -> Answer<storage::LogInfo>;
        read(id: &str, at: u64, max: u32) -> Answer<Vec<u8>>;
        set_aside(id: &str, at: u64) -> Answer<storage::Aside>;
        asides(id: &str) -> Answer<Vec<storage::Aside>>;
        list(order: storage::Order, after: Option<&storage::Place>, max: u32) -> Answer<Vec<storage::LogInfo>>;
        remove(id: &str) -> Answer<()>;
        save_checkpoint(id: &str, content: &[u8]) -> Answer<()>;
        load_checkpoint(id: &str) -> Answer<Vec<u8>>;
    }

    thread_local! {
        static STORE: RefCell<Store<Linked>> = RefCell::new(Store::new(Linked));
    }

    fn store<T>(call: impl FnOnce(&mut Store<Linked>) -> T) -> T {
        // The component model lets no call in while one runs.
        STORE.with_borrow_mut(call)
    }

    impl session_persistence::Guest for Component {
        fn create(session: NewSession) -> Result<SessionHeader, Error> {
            store(|store| store.create(session))
        }
        fn append(id: String, events: Vec<Event>) -> Result<(), Error> {
            store(|store| store.append(&id, &events))
        }
        fn append_lines(id: String, lines: String) -> Result<u64, Error> {
            store(|store| store.append_lines(&id, lines))
        }
        fn emit_event(id: String, kind: String, data: String) -> Result<u64, Error> {
            store(|store| store.emit(&id, kind, data))
        }
        fn flush(id: String) -> Result<(), Error> {
            store(|store| store.flush(&id))
        }
        fn wake(id: String, options: WakeOptions) -> Result<SessionState, Error> {
            store(|store| store.wake(&id, options))
        }
        fn inspect(id: String) -> Result<SessionState, Error> {
            store(|store| store.inspect(&id))
        }
        fn load(id: String) -> Result<Loaded, Error> {
            store(|store| store.load(&id))
        }
        fn verify(id: String) -> Result<SessionState, Error> {
            store(|store| store.verify(&id))
        }
        fn check(id: String) -> Result<Vec<String>, Error> {
            store(|store| store.check(&id))
        }
        fn hand_off(id: String, data: String) -> Result<u64, Error> {
            store(|store| store.hand_off(&id, data))
        }
        fn get_session(id: String) -> Result<SessionHeader, Error> {
            store(|store| store.get_session(&id))
        }
        fn get_events(id: String, start: u64, max: u32, except: Vec<String>) -> Result<Slice, Error> {
            store(|store| store.get_events(&id, start, max, &except))
        }
        fn get_lines(id: String, start: u64, max_bytes: u32) -> Result<String, Error> {
            store(|store| store.get_lines(&id, start, max_bytes))
        }
        fn fork(id: String, length: Option<u64>, child: NewSession) -> Result<SessionHeader, Error> {
            store(|store| store.fork(&id, length, child))
        }
        fn has(id: String) -> Result<bool, Error> {
            store(|store| store.has(&id))
        }
        fn list(options: ListOptions) -> Result<ListPage, Error> {
            store(|store| store.list(&options))
        }
        fn delete(id: String) -> Result<(), Error> {
            store(|store| store.delete(&id))
        }
        fn release(id: String) -> Result<(), Error> {
            store(|store| store.release(&id))
        }
    }

    impl messages::Guest for Component {
        fn derive_messages(id: String, options: DeriveOptions) -> Result<MessagePage, Error> {
            store(|store| store.derive_messages(&id, options))
        }
    }
}
