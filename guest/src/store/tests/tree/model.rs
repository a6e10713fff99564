//! The tree beside a naive one, over writes drawn by lot; and the tree that commits keep beside the one that reading gives.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// What a tree is, as plainly as can be.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    next: u64,
    /// Id, parent, number.
    entries: Vec<(String, Option<String>, u64)>,
    rows: Vec<(String, u64)>,
    values: BTreeMap<(String, String), (u64, String)>,
    lists: BTreeMap<(String, String), Vec<(u64, String)>>,
}

impl Model {
    fn commit(&self, writes: &[Write]) -> Option<Self> {
        let mut after = self.clone();
        for write in writes {
            let number = after.next;
            let place = |address: &Address| (address.namespace.clone(), address.key.clone());
            match write {
                Write::Entry(entry) => {
                    after.take(&entry.id)?;
                    if let Some(parent) = &entry.parent {
                        after.entries.iter().find(|(id, _, _)| id == parent)?;
                    }
                    after.entries.push((entry.id.clone(), entry.parent.clone(), number));
                }
                Write::Usage(row) => {
                    after.take(&row.id)?;
                    after.rows.push((row.id.clone(), number));
                }
                Write::SetValue(new) => drop(after.values.insert(place(&new.address), (number, new.value.clone()))),
                Write::DeleteValue(address) => drop(after.values.remove(&place(address))),
                Write::AppendList(new) => {
                    after.lists.entry(place(&new.address)).or_default().push((number, new.value.clone()));
                }
                Write::DeleteList(address) => drop(after.lists.remove(&place(address))),
            }
            after.next += 1;
        }
        Some(after)
    }

    fn take(&self, id: &str) -> Option<()> {
        let taken =
            self.entries.iter().any(|(known, _, _)| known == id) || self.rows.iter().any(|(known, _)| known == id);
        (!taken).then_some(())
    }

    fn path(&self, start: &str) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = Some(start.to_string());
        while let Some(id) = at {
            at = self.entries.iter().find(|(known, _, _)| *known == id).and_then(|(_, parent, _)| parent.clone());
            path.push(id);
        }
        path
    }
}

fn writes() -> impl Strategy<Value = Write> {
    let id = || (0..12u8).prop_map(|number| format!("e{number}"));
    let place = || (0..2u8, 0..3u8).prop_map(|(namespace, key)| (["n", "m"][namespace as usize], format!("k{key}")));
    prop_oneof![
        6 => (id(), proptest::option::of(id())).prop_map(|(id, parent)| user(&id, parent.as_deref())),
        1 => id().prop_map(|id| usage(&id, 1)),
        2 => (place(), 0..100u8).prop_map(|((namespace, key), value)| set(namespace, &key, &value.to_string())),
        1 => place().prop_map(|(namespace, key)| unset(namespace, &key)),
        2 => (place(), 0..100u8).prop_map(|((namespace, key), value)| push(namespace, &key, &value.to_string())),
        1 => place().prop_map(|(namespace, key)| clear(namespace, &key)),
    ]
}

fn check(sessions: &mut Sessions, model: &Model) {
    let (state, entries, rows, _) = everything(sessions, "s");
    assert_eq!(state.next, model.next);
    let entries: Vec<_> =
        entries.into_iter().map(|entry| (entry.structure.id, entry.structure.parent, entry.structure.number)).collect();
    assert_eq!(entries, model.entries);
    assert_eq!(rows.into_iter().map(|row| (row.row.id, row.number)).collect::<Vec<_>>(), model.rows);
    for namespace in ["n", "m"] {
        for key in ["k0", "k1", "k2"] {
            let place = (namespace.to_string(), key.to_string());
            assert_eq!(value(sessions, "s", namespace, key), model.values.get(&place).cloned());
            let list = model.lists.get(&place).cloned().unwrap_or_default();
            assert_eq!(elements(sessions, "s", namespace, key), list);
        }
    }
    for (id, _, _) in &model.entries {
        let path = model.path(id);
        let mut backward = ids(sessions.scan_branch("s", &branch(id, Direction::OldestFirst)).unwrap());
        assert_eq!(ids(sessions.scan_branch("s", &branch(id, Direction::NewestFirst)).unwrap()), path);
        backward.reverse();
        assert_eq!(backward, path);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_is_what_a_naive_one_is_whoever_has_built_it(commits in vec(vec(writes(), 1..5), 1..25)) {
        let (disk, mut sessions) = stored();
        let mut reader = disk.sessions();
        let mut model = Model { next: 1, ..Model::default() };
        for (index, writes) in commits.iter().enumerate() {
            let committed = sessions.commit("s", writes, PLAIN);
            match model.commit(writes) {
                Some(after) => {
                    prop_assert_eq!(committed.unwrap().first, model.next);
                    model = after;
                }
                None => prop_assert!(matches!(committed, Err(TreeError::DuplicateId(_) | TreeError::MissingParent(_)))),
            }
            if index % 5 == 0 {
                check(&mut reader, &model);
                sessions.emit("s", "other".into(), "1".into()).unwrap();
            }
        }
        check(&mut sessions, &model);
        check(&mut reader, &model);
        let kept = everything(&mut sessions, "s");
        prop_assert_eq!(&everything(&mut reader, "s"), &kept);
        prop_assert_eq!(&everything(&mut disk.sessions(), "s"), &kept);
    }
}
