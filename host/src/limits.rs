use std::time::Duration;

/// How much a component may use.
///
/// ```
/// # use std::time::Duration;
/// # use session_host::Limits;
/// let limits = Limits { deadline: Duration::from_secs(5), ..Limits::default() };
/// assert_eq!(limits.memory, 64 << 20);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory of one instance: 64 MiB, unless set.
    pub memory: usize,
    /// Computing time of one call: 30 seconds, unless set. Time that passes within storage does not count, and once a
    /// call has written something it starts anew, so that what is stored is also reported.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 64 << 20, deadline: Duration::from_secs(30) }
    }
}
