use crate::error::{Error, Result};

/// Which sessions a plugin may touch, and whether it may write to them. All else is
/// [`AccessDenied`](Error::AccessDenied), whether it exists or not.
///
/// ```
/// # use session_host::Grant;
/// // Its own session, those below a name of its own, and a look at one more.
/// let grant = Grant::session("fix-login")
///     .and(Grant::prefix("fix-login/"))
///     .and(Grant::session("style-guide").read_only());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    scope: Scope,
    write: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    Session(String),
    Prefix(String),
    All,
}

impl Grant {
    /// This one session.
    pub fn session(id: impl Into<String>) -> Self {
        Self::new(Scope::Session(id.into()))
    }

    /// Every session whose id begins so.
    pub fn prefix(prefix: impl Into<String>) -> Self {
        Self::new(Scope::Prefix(prefix.into()))
    }

    /// Every session.
    pub fn all() -> Self {
        Self::new(Scope::All)
    }

    fn new(scope: Scope) -> Self {
        Self(vec![Rule { scope, write: true }])
    }

    /// The same sessions, to be read and not to be written.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.0.iter_mut().for_each(|rule| rule.write = false);
        self
    }

    /// What either of them allows.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Whether a plugin may read this session.
    pub fn reads(&self, id: &str) -> bool {
        self.0.iter().any(|rule| rule.scope.holds(id))
    }

    /// Whether a plugin may write to this session.
    pub fn writes(&self, id: &str) -> bool {
        self.0.iter().any(|rule| rule.write && rule.scope.holds(id))
    }

    pub(super) fn check_read(&self, id: &str) -> Result<()> {
        if self.reads(id) {
            return Ok(());
        }
        Err(Error::AccessDenied(format!("the plugin is not granted the session {id:?}")))
    }

    pub(super) fn check_write(&self, id: &str) -> Result<()> {
        self.check_read(id)?;
        if self.writes(id) {
            return Ok(());
        }
        Err(Error::AccessDenied(format!("the plugin is granted the session {id:?} to read only")))
    }
}

impl Scope {
    fn holds(&self, id: &str) -> bool {
        match self {
            Self::Session(session) => session == id,
            Self::Prefix(prefix) => id.starts_with(prefix),
            Self::All => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_granted_by_its_whole_id() {
        let grant = Grant::session("a");
        assert!(grant.writes("a"));
        assert!(!grant.reads("ab"));
        assert!(!grant.reads(""));
    }

    #[test]
    fn a_prefix_holds_what_begins_so() {
        let grant = Grant::prefix("a/");
        assert!(grant.writes("a/") && grant.writes("a/b"));
        assert!(!grant.reads("a"));
    }

    #[test]
    fn read_only_takes_the_right_to_write_from_all_before_it() {
        let grant = Grant::session("a").and(Grant::session("b")).read_only().and(Grant::session("c"));
        assert!(grant.reads("a") && grant.reads("b"));
        assert!(!grant.writes("a") && !grant.writes("b"));
        assert!(grant.writes("c"));
    }

    #[test]
    fn the_wider_right_wins() {
        let grant = Grant::all().read_only().and(Grant::session("a"));
        assert!(grant.writes("a"));
        assert!(grant.reads("b") && !grant.writes("b"));
    }
}
