use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

/// A tree of entries that follow those of these indexes, of these types; every second number is left out.
fn tree(entries: &[(Option<usize>, EntryType)]) -> Tree {
    let mut tree = Tree::new(7);
    for (index, (parent, kind)) in entries.iter().enumerate() {
        let kind = match kind {
            EntryType::Message => r#""type":"message","payload":{"message":{}}"#,
            EntryType::Compaction => {
                r#""type":"compaction","payload":{"summary":"","retainedTail":[],"tokensBefore":0}"#
            }
            EntryType::BranchSummary => r#""type":"branch_summary","payload":{"fromId":null,"summary":""}"#,
            EntryType::Custom => r#""type":"custom","customType":"c","payload":{}"#,
        };
        let parent = parent.map_or("null".into(), |parent| format!("\"{parent}\""));
        let first = 2 * index + 1;
        let write = format!(r#"{{"kind":"entry","id":"{index}","parentId":{parent},{kind}}}"#);
        let data = format!(r#"{{"firstSeq":{first},"timestamp":1,"writes":[{write}]}}"#);
        tree.follow(index as u64, 0, &data).unwrap();
    }
    assert_eq!((tree.entries().len(), tree.refused()), (entries.len(), &[][..]));
    tree
}

/// What the interface says, step by step.
fn naive(entries: &[(Option<usize>, EntryType)], scan: &BranchScan) -> Vec<String> {
    let mut path: Vec<usize> = Vec::new();
    let mut at = scan.start.parse().ok();
    while let Some(index) = at {
        path.push(index);
        at = entries[index].0;
    }
    if scan.direction == Direction::OldestFirst {
        path.reverse();
    }
    let id = |index: &usize| index.to_string();
    let stop = path.iter().position(|index| {
        scan.stop_at_id == Some(id(index)) || scan.stop_at_type.is_some_and(|kind| entries[*index].1 == kind)
    });
    path.truncate(stop.map_or(path.len(), |stop| stop + 1));
    path.retain(|index| scan.type_.is_none_or(|kind| entries[*index].1 == kind));
    path.retain(|index| scan.custom_type.is_none() || entries[*index].1 == EntryType::Custom);
    path.retain(|index| {
        let number = 2 * *index as u64 + 1;
        scan.cursor.is_none_or(|cursor| match scan.direction {
            Direction::OldestFirst => number > cursor,
            Direction::NewestFirst => number < cursor,
        })
    });
    path.truncate(scan.limit as usize);
    path.iter().map(id).collect()
}

fn kinds() -> impl Strategy<Value = EntryType> {
    use EntryType::{BranchSummary, Compaction, Custom, Message};
    prop_oneof![12 => Just(Message), 1 => Just(Compaction), 1 => Just(BranchSummary), 2 => Just(Custom)]
}

prop_compose! {
    /// Long branches, and some that leave them.
    fn trees()(steps in vec((0..20u8, any::<prop::sample::Index>(), kinds()), 1..120)) -> Vec<(Option<usize>, EntryType)> {
        let parent = |(index, (step, before, kind)): (usize, &(u8, prop::sample::Index, EntryType))| match step {
            _ if index == 0 => (None, *kind),
            0 => (None, *kind),
            1..=3 => (Some(before.index(index)), *kind),
            _ => (Some(index - 1), *kind),
        };
        steps.iter().enumerate().map(parent).collect()
    }
}

prop_compose! {
    fn scans(length: usize)(
        start in 0..length,
        stop_at_id in option::weighted(0.3, 0..length + 3),
        stop_at_type in option::weighted(0.3, kinds()),
        type_ in option::weighted(0.3, kinds()),
        is_custom in prop::bool::weighted(0.1),
        newest in any::<bool>(),
        cursor in option::of(0..2 * length as u64 + 3),
        limit in prop_oneof![Just(u32::MAX), 0..6u32],
    ) -> BranchScan {
        BranchScan {
            start: start.to_string(),
            stop_at_id: stop_at_id.map(|id| id.to_string()),
            stop_at_type,
            type_,
            custom_type: is_custom.then(|| "c".into()),
            direction: if newest { Direction::NewestFirst } else { Direction::OldestFirst },
            cursor,
            limit,
        }
    }
}

proptest! {
    #[test]
    fn a_scan_of_a_branch_is_what_the_interface_says_step_by_step(
        (entries, scans) in trees().prop_flat_map(|entries| {
            let length = entries.len();
            (Just(entries), vec(scans(length), 1..60))
        })
    ) {
        let tree = tree(&entries);
        for scan in scans {
            let found = tree.scan_branch(&scan).unwrap().take(scan.limit as usize);
            let found: Vec<_> = found.map(|entry| tree.id(entry).to_string()).collect();
            prop_assert_eq!(found, naive(&entries, &scan), "{:?}", scan);
        }
    }
}

#[test]
fn the_way_to_any_entry_of_a_long_path_is_short() {
    let entries: Vec<_> = (0..8_000usize).map(|index| (index.checked_sub(1), EntryType::Message)).collect();
    let tree = tree(&entries);
    for depth in (0..8_000).step_by(37) {
        let steps = std::cell::Cell::new(0);
        let found = tree.first_on_path(7_999, |entry| {
            steps.set(steps.get() + 1);
            entry.depth <= depth
        });
        assert_eq!(found, Some(depth));
        assert!(steps.get() < 80, "{} steps to depth {depth}", steps.get());
    }
}
