//! The session tree: any commits, sound or not. Each counts whole or changes nothing, and every write is found again where it lies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_guest::json;
use session_guest::tree::{Change, Commit, Place, Tree, change};

/// All that a tree holds.
fn facts(tree: &Tree) -> impl PartialEq + std::fmt::Debug + use<> {
    let (entries, usages) = (tree.entries().clone(), tree.usages().clone());
    (tree.next(), tree.stats(), tree.weight(), entries, usages, tree.values().clone(), tree.lists().clone())
}

fuzz_target!(|text: &str| {
    let mut tree = Tree::new(7);
    for (seq, data) in (0..).zip(text.split('\n')) {
        let offset = data.as_ptr() as usize - text.as_ptr() as usize;
        if json::check(data, json::DEEPEST).is_err() {
            assert!(Commit::read(data).is_err(), "no JSON was read as a commit");
            continue;
        }
        let before = tree.clone();
        let judged = Commit::read(data).and_then(|commit| tree.check(&commit).map(|()| commit));
        assert_eq!(facts(&tree), facts(&before), "looking changes nothing");
        tree.follow(seq, offset as u64, data).expect("it is JSON, and small");
        match judged {
            Ok(commit) => {
                assert_eq!(tree.refused(), before.refused());
                assert_eq!(tree.next(), commit.first + commit.changes.len() as u64);
                assert_eq!(tree.stats(), before.stats_after(&commit));
            }
            Err(_) => assert_eq!(facts(&tree), facts(&before)),
        }
    }

    let at = |place: Place| {
        let start = place.offset as usize;
        change(&text[start..start + place.length as usize]).expect("a write lies where it was found")
    };
    for (index, entry) in tree.entries().iter().enumerate() {
        assert_eq!(tree.find(tree.id(entry)), Some(index as u32));
        assert!(entry.parent().is_none_or(|parent| (parent as usize) < index));
        let Change::Entry { id, parent, kind, custom_type, .. } = at(entry.write) else { panic!("it is no entry") };
        assert_eq!((&*id, parent.as_deref(), kind), (tree.id(entry), tree.parent_id(entry), entry.kind));
        assert_eq!(custom_type.as_deref(), tree.custom_type_of(entry));
    }
    for (namespace, key, value) in tree.values().iter() {
        let Change::Set(address, _) = at(value.write) else { panic!("it is no value") };
        assert_eq!((&*address.0, &*address.1), (namespace, key));
    }
    for (namespace, key, list) in tree.lists().iter() {
        assert!(list.iter().is_sorted_by(|one, next| one.number < next.number));
        for element in list.iter() {
            let Change::Append(address, _) = at(element.write) else { panic!("it is no element") };
            assert_eq!((&*address.0, &*address.1), (namespace, key));
        }
    }
});
