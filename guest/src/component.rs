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
    use crate::bindings::exports::agent::session::session_tree::{self as tree, *};
    use crate::bindings::exports::agent::session::{messages, session_persistence};
    use crate::store::{Answer, Host, Store};
    use crate::types::{
        DeriveOptions, Error, Event, ListOptions, ListPage, Loaded, MessagePage, NewSession, SessionHeader,
        SessionState, Slice, WakeOptions,
    };

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

    impl tree::Guest for Component {
        fn commit(id: String, writes: Vec<Write>, options: CommitOptions) -> Result<Committed, TreeError> {
            store(|store| store.commit(&id, &writes, options))
        }
        fn get_tree(id: String) -> Result<TreeState, TreeError> {
            store(|store| store.get_tree(&id))
        }
        fn get_entries(id: String, entries: Vec<String>) -> Result<EntryPage, TreeError> {
            store(|store| store.get_entries(&id, &entries))
        }
        fn get_values(id: String, addresses: Vec<Address>) -> Result<ValuePage, TreeError> {
            store(|store| store.get_values(&id, &addresses))
        }
        fn scan_values(id: String, scan: ValueScan) -> Result<ValuePage, TreeError> {
            store(|store| store.scan_values(&id, &scan))
        }
        fn addresses(id: String, kept: Kept, after: Option<Address>, limit: u32) -> Result<AddressPage, TreeError> {
            store(|store| store.addresses(&id, kept, after.as_ref(), limit))
        }
        fn read_list(id: String, address: Address, scan: RangeScan) -> Result<ElementPage, TreeError> {
            store(|store| store.read_list(&id, &address, scan))
        }
        fn scan_branch(id: String, scan: BranchScan) -> Result<EntryPage, TreeError> {
            store(|store| store.scan_branch(&id, &scan))
        }
        fn scan_branch_structure(id: String, scan: BranchScan) -> Result<StructurePage, TreeError> {
            store(|store| store.scan_branch_structure(&id, &scan))
        }
        fn scan_entries(id: String, scan: EntryScan) -> Result<EntryPage, TreeError> {
            store(|store| store.scan_entries(&id, &scan))
        }
        fn scan_usage(id: String, scan: RangeScan) -> Result<UsagePage, TreeError> {
            store(|store| store.scan_usage(&id, scan))
        }
        fn branches(id: String, after: Option<String>, limit: u32) -> Result<BranchPage, TreeError> {
            store(|store| store.branches(&id, after.as_deref(), limit))
        }
        fn create_branch(id: String, name: String, at: Option<String>) -> Result<Committed, TreeError> {
            store(|store| store.create_branch(&id, &name, at.as_deref()))
        }
        fn append_to_branch(id: String, branch: String, entry: NewEntry) -> Result<Committed, TreeError> {
            store(|store| store.append_to_branch(&id, &branch, entry))
        }
        fn move_branch(id: String, name: String, to: Option<String>) -> Result<Committed, TreeError> {
            store(|store| store.move_branch(&id, &name, to.as_deref()))
        }
        fn get_labels(id: String, entries: Vec<String>) -> Result<LabelPage, TreeError> {
            store(|store| store.get_labels(&id, &entries))
        }
        fn set_label(id: String, entry: String, text: Option<String>) -> Result<Committed, TreeError> {
            store(|store| store.set_label(&id, &entry, text.as_deref()))
        }
        fn set_name(id: String, name: Option<String>) -> Result<Committed, TreeError> {
            store(|store| store.set_name(&id, name.as_deref()))
        }
        fn fork_tree(id: String, scope: ForkScope, child: NewSession) -> Result<SessionHeader, TreeError> {
            store(|store| store.fork_tree(&id, &scope, child))
        }
        fn get_context(
            id: String,
            branch: String,
            from: Option<ContextPlace>,
            max_bytes: u32,
        ) -> Result<ContextPage, TreeError> {
            store(|store| store.get_context(&id, &branch, from, max_bytes))
        }
    }
}
