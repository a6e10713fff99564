//! Power is cut before every change, in every way.

use super::super::disk::simulated::{Disk, Random};
use super::history::Act;
use super::judge::Judge;
use super::player::Player;
use super::promises::Promises;

/// Plays a history, with so many images drawn by lot at each of its moments; answers how many images there were.
pub fn cut_everywhere(history: &[Act], disk: Disk, seed: u64, lots: u64) -> u64 {
    let mut judge = Judge::new(seed);
    let mut player = Player::new(disk, Promises::none(), Random::of(seed, &[]));
    judge.watch("", || player.play(history));
    for phase in player.phases() {
        judge.cut_everywhere(&phase, lots);
    }
    judge.images
}
