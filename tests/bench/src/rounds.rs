//! Things timed in turn, so that whatever else the machine does meets all of them alike.

use std::time::{Duration, Instant};

use anyhow::Result;

/// One of the things that are compared: does a round of its work and says how long that took.
pub type Contender<'a> = &'a mut dyn FnMut() -> Result<Duration>;

/// The median time of each contender. A first round warms up and does not count. Each contender comes first in its turn,
/// and after each neighbour, since one may leave the disk or a cache in another state than the next.
pub fn medians<const N: usize>(rounds: usize, contenders: [Contender; N]) -> Result<[Duration; N]> {
    let mut times = [(); N].map(|()| Vec::with_capacity(rounds));
    for round in 0..=rounds {
        for turn in 0..N {
            let place = if round % 2 == 0 { turn } else { N - 1 - turn };
            let at = (round / 2 + place) % N;
            let time = contenders[at]()?;
            if round > 0 {
                times[at].push(time);
            }
        }
    }
    Ok(times.map(median))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() % 2 {
        0 => (times[middle - 1] + times[middle]) / 2,
        _ => times[middle],
    }
}

/// How long it takes.
pub fn time(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

/// How long it takes on average, of so many times.
pub fn average(count: u32, mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    Ok(time(|| (0..count).try_for_each(|_| work()))? / count)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn contenders_take_turns_in_coming_first() {
        let order = RefCell::new(String::new());
        let contender = |name: char| {
            let order = &order;
            move || {
                order.borrow_mut().push(name);
                Ok(Duration::ZERO)
            }
        };
        medians(5, [&mut contender('a'), &mut contender('b'), &mut contender('c')]).unwrap();
        assert_eq!(*order.borrow(), "abccbabcaacbcabbac");
    }

    #[test]
    fn the_first_round_does_not_count() {
        let mut times = [900, 3, 1, 2].map(Duration::from_nanos).into_iter();
        let [median] = medians(3, [&mut || Ok(times.next().unwrap())]).unwrap();
        assert_eq!(median, Duration::from_nanos(2));
    }

    #[test]
    fn of_two_in_the_middle_the_median_is_the_mean() {
        assert_eq!(median([8, 2, 1, 4].map(Duration::from_nanos).to_vec()), Duration::from_nanos(3));
    }
}
