//! Holds what is found after a crash against what was promised before it.

use std::collections::HashMap;
use std::fmt;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::super::disk::simulated::{Cut, Image, Random};
use super::found::Found;
use super::player::Phase;
use super::promises::{End, Promises};

pub struct Judge {
    seed: u64,
    /// What is found depends on the image alone, so each is looked at once.
    found: HashMap<u64, Result<Found, String>>,
    /// How many images were held against promises.
    images: u64,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    images: u64,
    different: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.images += other.images;
        self.different += other.different;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} images of disks, {} of them different", self.images, self.different)
    }
}

impl Judge {
    pub fn new(seed: u64) -> Self {
        Self { seed, found: HashMap::new(), images: 0 }
    }

    pub fn tally(&self) -> Tally {
        Tally { images: self.images, different: self.found.len() as u64 }
    }

    /// Says how to see a panic again.
    pub fn watch<T>(&self, when: &str, act: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
            eprintln!("{when}\n{}", self.again());
            resume_unwind(panic)
        })
    }

    /// Every moment of what was played, with so many images drawn by lot beside the plain ones.
    pub fn cut_everywhere(&mut self, (disk, promised_at): &Phase, lots: u64) {
        let cuts = disk.history();
        let last = cuts.len() - 1;
        for (place, cut) in cuts.iter().enumerate() {
            let when = format!("change {place} of {last}");
            self.cut(cut, &promised(promised_at, place), lots, &when);
        }
    }

    /// One moment: the machine ends, or the process alone.
    pub fn cut(&mut self, cut: &Cut, promises: &[&Promises], lots: u64, when: &str) {
        let power_cut = format!("power cut before {when}");
        for image in cut.plain() {
            self.look(&image, promises, End::Machine, &power_cut);
        }
        for lot in 0..lots {
            let image = cut.scattered(Random::of(self.seed, &[self.images, lot]));
            self.look(&image, promises, End::Machine, &power_cut);
        }
        self.look(&cut.alive(), promises, End::Process, &format!("killed before {when}"));
    }

    /// What a new process finds; and sometimes another, after power was cut while sessions were being woken.
    fn look(&mut self, image: &Image, promises: &[&Promises], end: End, when: &str) {
        self.hold(image, promises, end, when);
        let fingerprint = image.fingerprint();
        if end == End::Machine
            && fingerprint.is_multiple_of(4)
            && let Some(Ok(found)) = self.found.get(&fingerprint)
        {
            let mut random = Random::of(self.seed, &[fingerprint]);
            let mut cuts = found.disk.history();
            let cut = cuts.swap_remove(random.below(cuts.len() as u64) as usize);
            self.hold(&cut.scattered(random), promises, End::MachineTwice, &format!("{when}, and again while waking"));
        }
    }

    fn hold(&mut self, image: &Image, promises: &[&Promises], end: End, when: &str) {
        self.images += 1;
        let found = self.found.entry(image.fingerprint()).or_insert_with(|| Found::on(image));
        let broken = match found {
            Ok(found) => promises.iter().find_map(|promises| promises.broken_by(found, end)),
            Err(broken) => Some(broken.clone()),
        };
        if let Some(broken) = broken {
            panic!("{when}, {}: {broken}\nof {:?}\n{}", image.how, image.names(), self.again());
        }
    }

    fn again(&self) -> String {
        format!("to see it again: cargo xtask torture --seed {}", self.seed)
    }
}

/// All that was promised between two changes. What was promised before counts until the next change is begun.
fn promised(at: &[(usize, Promises)], place: usize) -> Vec<&Promises> {
    let here: Vec<_> = at.iter().filter(|(change, _)| *change == place).collect();
    let before = at.iter().rfind(|(change, _)| *change < place);
    let all = if here.is_empty() { before.into_iter().collect() } else { here };
    all.into_iter().map(|(_, promises)| promises).collect()
}
