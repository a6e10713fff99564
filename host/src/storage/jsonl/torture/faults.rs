//! The nth operation fails, for every n, once and from then on.

use super::super::disk::simulated::{Disk, Fault, Random, Stage};
use super::history::Act;
use super::judge::{Judge, Tally};
use super::player::Player;
use super::promises::Promises;

/// Every way in which an operation fails.
fn ways() -> impl Iterator<Item = Fault> {
    let stages = [Stage::Before, Stage::HalfWay];
    let ways = stages.into_iter().flat_map(|stage| [(stage, false, false), (stage, true, false), (stage, false, true)]);
    ways.flat_map(|(stage, full, forgets)| [false, true].map(|lasting| Fault { nth: 0, lasting, full, stage, forgets }))
}

/// Plays a history on a disk that fails. What was acknowledged is there if all ends then, and after the repair.
fn play(history: &[Act], disk: &Disk, fault: Fault, judge: &mut Judge, seed: u64) {
    disk.fail(fault);
    let mut promises = Promises::none();
    promises.forgetful = fault.forgets;
    let mut player = Player::siblings(disk.clone(), promises, Random::of(seed, &[]));
    let mut see = |player: &mut Player, when: &str, act: fn(&mut Player, &[Act])| {
        judge.watch(&format!("{history:?}\n{fault:?}"), || act(player, history));
        let cut = disk.history().pop().expect("the disk as it is, at least");
        judge.cut(&cut, &[&player.promises], 1, &format!("{when}, {fault:?} in {history:?}"));
    };
    see(&mut player, "the disk is repaired", Player::play);
    see(&mut player, "the end", |player, _| player.goes_on_after_repair());
}

/// How many operations can fail.
fn operations(history: &[Act], disk: &Disk, seed: u64) -> u64 {
    Player::siblings(disk.clone(), Promises::none(), Random::of(seed, &[])).play(history);
    disk.operations()
}

/// Every operation fails, in each of the ways whose turn it is: of so many, one.
pub fn fail_everywhere(history: &[Act], seed: u64, disk: fn(u64) -> Disk, turns: u64) -> Tally {
    let mut judge = Judge::new(seed);
    for nth in 0..operations(history, &disk(seed), seed) {
        for (_, way) in (0..).zip(ways()).filter(|(turn, _)| (turn + nth).is_multiple_of(turns)) {
            play(history, &disk(seed), Fault { nth, ..way }, &mut judge, seed);
        }
    }
    judge.tally()
}

/// Some operations fail, in ways drawn by lot.
pub fn fail_somewhere(history: &[Act], seed: u64, disk: fn(u64) -> Disk, random: &mut Random) -> Tally {
    let mut judge = Judge::new(seed);
    // A fault and a loss of power in one history: too much to keep an account of.
    let history: Vec<_> = history.iter().copied().filter(|act| !matches!(act, Act::PowerCut)).collect();
    let operations = operations(&history, &disk(seed), seed);
    let ways: Vec<_> = ways().collect();
    for _ in 0..20 {
        let fault = Fault { nth: random.below(operations), ..random.pick(&ways) };
        play(&history, &disk(seed), fault, &mut judge, seed);
    }
    judge.tally()
}
