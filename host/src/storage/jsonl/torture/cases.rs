//! What each seed stands for: the cases of the quick set, and cases drawn by lot without end.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::super::disk::simulated::{Disk, Random};
use super::judge::Tally;
use super::{faults, history, power};

/// Plays the case that a seed stands for.
fn case(seed: u64) -> Tally {
    match seed {
        1 => power::cut_everywhere(history::LIFE, Disk::new(seed), seed, 4),
        2 => power::cut_everywhere(history::TWO_WRITERS, Disk::new(seed).without_rename(), seed, 2),
        3 => power::cut_everywhere(history::TWO_WRITERS, Disk::new(seed), seed, 4),
        4 => faults::fail_everywhere(history::LIFE, seed, Disk::new, 12),
        5 => faults::fail_everywhere(history::TWO_WRITERS, seed, |seed| Disk::new(seed).without_rename(), 12),
        6 => power::cut_everywhere(history::LIFE, Disk::new(seed).without_rename(), seed, 4),
        7 => faults::fail_everywhere(history::LIFE, seed, Disk::new, 1),
        8 => faults::fail_everywhere(history::LIFE, seed, |seed| Disk::new(seed).without_rename(), 1),
        _ => by_lot(seed),
    }
}

/// Below this, seeds stand for certain cases.
const BY_LOT: u64 = 100;

fn by_lot(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let disk = if random.below(4) == 0 { |seed| Disk::new(seed).without_rename() } else { Disk::new };
    let history = history::random(&mut random);
    if random.coin() {
        power::cut_everywhere(&history, disk(seed), seed, 3)
    } else {
        faults::fail_somewhere(&history, seed, disk, &mut random)
    }
}

#[test]
fn one_sessions_life_survives_a_loss_of_power_at_any_moment() {
    case(1);
}

#[test]
fn a_disk_that_can_only_link_keeps_every_promise_too() {
    case(2);
}

#[test]
fn what_two_writers_were_promised_survives_a_loss_of_power_at_any_moment() {
    case(3);
}

#[test]
fn whatever_operation_fails_what_was_acknowledged_is_there_and_the_writer_heals() {
    case(4);
}

#[test]
fn whatever_operation_fails_on_a_disk_that_can_only_link_the_same_holds() {
    case(5);
}

#[test]
fn histories_drawn_by_lot_keep_every_promise() {
    for seed in BY_LOT..BY_LOT + 12 {
        case(seed);
    }
}

/// For `cargo xtask torture`, which says by these variables for how long, and perhaps which case.
#[test]
#[ignore = "runs for as long as it is told to; `cargo xtask torture` does"]
fn cases_without_end() {
    let told = |name| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    if let Some(seed) = told("TORTURE_SEED") {
        println!("seed {seed}: {}; every promise kept", case(seed));
        return;
    }
    let minutes = told("TORTURE_MINUTES").unwrap_or(1);
    let time = Duration::from_secs(60 * minutes);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    let (began, first) = (Instant::now(), BY_LOT + now.as_secs() * 1000);
    let (mut cases, mut tally) = (0, Tally::default());
    // The thorough ones take minutes.
    let certain = if minutes < 10 { 1..=3 } else { 1..=8 };
    for seed in certain.chain(first..) {
        if began.elapsed() > time {
            break;
        }
        cases += 1;
        tally += case(seed);
    }
    println!("{cases} cases, those by lot from seed {first} on: {tally}; every promise kept");
}
