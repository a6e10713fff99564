//! What is committed to a tree, beside an event of the same bytes.

use anyhow::{Context, Result, ensure};

use super::{Trees, content};
use crate::place::Place;
use crate::report::{MICROSECONDS, Row};
use crate::rounds::{average, medians};

/// As long as the type of a commit.
const KIND: &str = "bench/write";
/// The session of the events.
const EVENTS: &str = "events";

/// One more entry of the branch, and its tip.
pub fn run(place: &Place) -> Result<Vec<Row>> {
    let (rounds, count) = (place.size(11, 41), 500);
    let trees = place.trees()?;
    let (tree, sessions) = (trees.tree(), &trees.sessions);
    let mut length = trees.length;
    let mut ours = || {
        let commits: Vec<_> = (length..).take(count as usize).map(|index| content::branch(index..index + 1)).collect();
        length += commits.len();
        let mut commits = commits.iter();
        average(count, || Ok(tree.commit(commits.next().context("too few commits")?).map(drop)?))
    };
    ours()?;

    let last = sessions.inspect(Trees::ID)?.length - 1;
    let written = sessions.get_events(Trees::ID, last, 1, &[])?.events.pop().context("nothing was committed")?;
    ensure!(written.kind.len() == KIND.len(), "an event of the type {} was written", written.kind);
    sessions.create(EVENTS)?;
    let times = medians(
        rounds,
        [&mut ours, &mut || average(count, || Ok(sessions.emit_json(EVENTS, KIND, &written.data).map(drop)?))],
    )?;
    let there = tree.state()?.entry_count;
    ensure!(there == length as u64, "there are {there} entries, not {length}");
    let work = format!("an entry and the tip, behind {}; {} B", trees.length, written.data.len());
    Ok(vec![Row::times("tree-commit", times, MICROSECONDS).work(work).beside("`emit` of the same bytes")])
}
