//! Where the events lie that messages are made of: a few thousand stretches, however long the log is.

/// How many stretches are kept at the most.
const STRETCHES: usize = 4096;
/// Lines that lie closer together than this are one stretch: reading what lies between costs less than reading twice.
const FIRST_GAP: u64 = 4 << 10;

/// Whether deriving messages has to see events of this type.
pub fn matters(kind: &str) -> bool {
    matches!(
        kind,
        "turn/start"
            | "turn/end"
            | "step/end"
            | "user/message"
            | "assistant/message"
            | "tool/call"
            | "tool/result"
            | "context/message"
            | "steering/message"
            | "compact/summary"
    )
}

/// The parts of a log that hold every event that [`matters`]. Most of a log is chunks, and lies between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Where each begins and ends, in log order. They hold whole lines.
    pub(super) stretches: Vec<(u64, u64)>,
    /// What lies closer together is one stretch.
    pub(super) gap: u64,
}

impl Default for Conversation {
    fn default() -> Self {
        Self { stretches: Vec::new(), gap: FIRST_GAP }
    }
}

impl Conversation {
    /// Notes that an event that matters lies there. Called in log order.
    pub fn note(&mut self, start: u64, end: u64) {
        if let Some((_, last)) = self.stretches.last_mut()
            && start - *last <= self.gap
        {
            *last = end;
            return;
        }
        while self.stretches.len() >= STRETCHES {
            self.gap *= 2;
            let gap = self.gap;
            self.stretches.dedup_by(|next, last| {
                let close = next.0 - last.1 <= gap;
                if close {
                    last.1 = next.1;
                }
                close
            });
        }
        self.stretches.push((start, end));
    }

    /// Where each stretch begins and ends, in log order.
    pub fn stretches(&self) -> &[(u64, u64)] {
        &self.stretches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lie_close_together_are_one_stretch() {
        let mut conversation = Conversation::default();
        for (start, end) in [(100, 200), (200, 300), (1_000, 1_100), (100_000, 100_100)] {
            conversation.note(start, end);
        }
        assert_eq!(conversation.stretches(), [(100, 1_100), (100_000, 100_100)]);
    }

    #[test]
    fn it_stays_small_and_holds_every_line_however_many_there_are() {
        let mut conversation = Conversation::default();
        let lines = (0..100_000u64).map(|n| (n * 10_000, n * 10_000 + 100));
        lines.clone().for_each(|(start, end)| conversation.note(start, end));
        assert!(conversation.stretches().len() <= STRETCHES);
        let mut stretches = conversation.stretches().iter().peekable();
        for (start, end) in lines {
            while stretches.next_if(|stretch| stretch.1 <= start).is_some() {}
            assert!(stretches.peek().is_some_and(|stretch| stretch.0 <= start && end <= stretch.1), "{start}");
        }
    }
}
