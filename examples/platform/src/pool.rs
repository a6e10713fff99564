//! Units of work on threads.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

/// Does `work` for each unit, on so many threads; answers what came of each and how long it took, in the units' order.
/// Units of one session must not stand in one call: the second would be told that the session is busy.
pub fn run<U: Sync, A: Send>(threads: usize, units: &[U], work: impl Fn(&U) -> A + Sync) -> Vec<(A, Duration)> {
    let next = Mutex::new(units.iter().enumerate());
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut done: Vec<_> = thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let Some((place, unit)) = take() {
                let began = Instant::now();
                let answer = work(unit);
                done.push((place, (answer, began.elapsed())));
            }
            done
        };
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_unit_is_done_once_and_answers_come_in_order() {
        let units: Vec<u32> = (0..100).collect();
        let done: Vec<_> = super::run(4, &units, |unit| unit * 2).into_iter().map(|(answer, _)| answer).collect();
        assert_eq!(done, (0..100).map(|unit| unit * 2).collect::<Vec<_>>());
    }
}
