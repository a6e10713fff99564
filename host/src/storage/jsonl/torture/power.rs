//! Power is cut before every change, in every way.

use super::super::disk::simulated::{Disk, Random};
use super::history::Act;
use super::judge::{Judge, Tally};
use super::player::Player;
use super::promises::Promises;

/// Plays a history, with so many images drawn by lot at each of its moments.
pub fn cut_everywhere(history: &[Act], disk: Disk, seed: u64, lots: u64) -> Tally {
    let mut judge = Judge::new(seed);
    let mut player = Player::new(disk, Promises::none(), Random::of(seed, &[]));
    judge.watch(&format!("{history:?}"), || player.play(history));
    for phase in player.phases() {
        judge.cut_everywhere(&phase, lots);
    }
    judge.tally()
}
