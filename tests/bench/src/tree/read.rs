//! What is read of a tree, each call beside the same one of maps in memory.

use std::fmt::Debug;
use std::hint::black_box;

use anyhow::{Result, ensure};
use session_host::tree::{Address, BranchScan, EntryScan, RangeScan, TreeError};

use super::bare::ValueScan;
use super::content::{ELEMENTS, LIST, NAMESPACE, ROWS, VALUES, id, key};
use crate::place::Place;
use crate::report::{MICROSECONDS, MILLISECONDS, Row, Unit};
use crate::rounds::{medians, time};

/// What is asked of both.
struct Question {
    name: &'static str,
    work: String,
    unit: Unit,
    /// How often in a round, each time elsewhere.
    calls: u32,
    /// How many entries, values, elements or rows are to be answered.
    answers: usize,
}

impl Question {
    /// Sees to it that both answer the same, and times them. They are asked by the number of the call.
    fn ask<T: PartialEq + Debug>(
        self,
        place: &Place,
        ours: impl Fn(usize) -> Result<Vec<T>>,
        bare: impl Fn(usize) -> Result<Vec<T>>,
    ) -> Result<Vec<Row>> {
        for call in 0..self.calls as usize {
            let (ours, bare) = (ours(call)?, bare(call)?);
            ensure!(ours.len() == self.answers, "{}: {} are answered, not {}", self.name, ours.len(), self.answers);
            let differ = ours.iter().zip(&bare).find(|(ours, bare)| ours != bare);
            ensure!(differ.is_none() && ours.len() == bare.len(), "{}: the answers differ: {differ:?}", self.name);
        }
        let round = |ask: &dyn Fn(usize) -> Result<Vec<T>>| {
            let mut calls = 0..self.calls as usize;
            Ok(time(|| calls.try_for_each(|call| ask(call).map(|found| drop(black_box(found)))))? / self.calls)
        };
        let times = medians(place.size(7, 21), [&mut || round(&ours), &mut || round(&bare)])?;
        let row = Row::times(self.name, times, self.unit).work(self.work);
        Ok(vec![row.beside("the same call of maps in memory").goal("3")])
    }
}

/// An index below `length` for each call, here and there.
fn anywhere(call: usize, length: usize) -> usize {
    call * 7919 * 6151 % length
}

fn all<T>(found: impl Iterator<Item = Result<T, TreeError>>) -> Result<Vec<T>> {
    Ok(found.collect::<Result<_, _>>()?)
}

pub fn entry(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let (tree, length) = (trees.tree(), trees.length);
    let ids: Vec<_> = (0..100).map(|call| [id(anywhere(call, length))]).collect();
    let work = format!("an entry by its id, of {length}");
    let question = Question { name: "tree-get", work, unit: MICROSECONDS, calls: 100, answers: 1 };
    question.ask(place, |call| all(tree.get_entries(&ids[call])), |call| trees.bare.entries(&ids[call]))
}

pub fn entries(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let (tree, length) = (trees.tree(), trees.length);
    let some = |call: usize| (0..100).map(|place| id(anywhere(call * 100 + place, length))).collect::<Vec<_>>();
    let ids: Vec<_> = (0..10).map(some).collect();
    let work = format!("a hundred entries by their ids, of {length}");
    let question = Question { name: "tree-get-100", work, unit: MICROSECONDS, calls: 10, answers: 100 };
    question.ask(place, |call| all(tree.get_entries(&ids[call])), |call| trees.bare.entries(&ids[call]))
}

pub fn branch(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let (tree, length) = (trees.tree(), trees.length);
    let scan = BranchScan { limit: 50, ..BranchScan::back_from(id(length - 1)) };
    let work = format!("the newest 50 of a branch of {length}");
    let question = Question { name: "tree-branch", work, unit: MICROSECONDS, calls: 20, answers: 50 };
    question.ask(place, |_| all(tree.branch_entries(scan.clone())), |_| trees.bare.scan_branch(&scan))
}

pub fn structure(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let (tree, length) = (trees.tree(), trees.length);
    let scan = BranchScan::back_from(id(length - 1));
    let work = format!("a branch of {length} without payloads");
    let question = Question { name: "tree-structure", work, unit: MILLISECONDS, calls: 1, answers: length };
    question.ask(place, |_| all(tree.branch_structure(scan.clone())), |_| trees.bare.scan_branch_structure(&scan))
}

pub fn range(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let (tree, length) = (trees.tree(), trees.length);
    let scan = |call| {
        let from = Some((length / 3 + call * 100) as u64);
        EntryScan { range: RangeScan { from, limit: 50, ..RangeScan::default() }, ..EntryScan::default() }
    };
    let work = format!("50 of {length} entries by number");
    let question = Question { name: "tree-entries", work, unit: MICROSECONDS, calls: 20, answers: 50 };
    question.ask(place, |call| all(tree.entries(scan(call))), |call| trees.bare.scan_entries(&scan(call)))
}

pub fn value(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let tree = trees.tree();
    let addresses: Vec<_> = (0..100).map(|call| [Address::new(NAMESPACE, key(anywhere(call, VALUES)))]).collect();
    let work = format!("a value by its address, of {VALUES}");
    let question = Question { name: "tree-value", work, unit: MICROSECONDS, calls: 100, answers: 1 };
    question.ask(
        place,
        |call| all(tree.get_values(addresses[call].iter().cloned())),
        |call| trees.bare.values(&addresses[call]),
    )
}

pub fn values(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let tree = trees.tree();
    let prefix = |call: usize| format!("step-0{call}");
    let work = format!("a hundred of {VALUES} values by prefix");
    let question = Question { name: "tree-values", work, unit: MICROSECONDS, calls: 10, answers: 100 };
    question.ask(
        place,
        |call| all(tree.values(NAMESPACE, prefix(call))),
        |call| {
            let scan = ValueScan { namespace: NAMESPACE.into(), prefix: prefix(call), after: None, limit: u32::MAX };
            trees.bare.scan_values(&scan)
        },
    )
}

pub fn list(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let (tree, list) = (trees.tree(), Address::from(LIST));
    let scan = |call| {
        let from = trees.elements + anywhere(call, ELEMENTS - 100) as u64;
        RangeScan { from: Some(from), limit: 100, ..RangeScan::default() }
    };
    let work = format!("a hundred of a list of {ELEMENTS} by number");
    let question = Question { name: "tree-list", work, unit: MICROSECONDS, calls: 10, answers: 100 };
    question.ask(place, |call| all(tree.list(list.clone(), scan(call))), |call| trees.bare.list(&list, scan(call)))
}

pub fn usage(place: &Place) -> Result<Vec<Row>> {
    let trees = place.trees()?;
    let tree = trees.tree();
    let scan = |call| {
        let from = trees.rows + anywhere(call, ROWS - 50) as u64;
        RangeScan { from: Some(from), limit: 50, ..RangeScan::default() }
    };
    let work = format!("50 of {ROWS} rows of the ledger by number");
    let question = Question { name: "tree-usage", work, unit: MICROSECONDS, calls: 20, answers: 50 };
    question.ask(place, |call| all(tree.usage(scan(call))), |call| trees.bare.scan_usage(scan(call)))
}
