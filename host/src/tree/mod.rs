//! A session as a tree: entries with parents, named branches over them, keyed values, lists and a ledger of usage.
//!
//! All of it is a projection of the events `tree/commit` of the one log, so what holds for the log holds for the tree: one
//! writer, one order, the same durability. A commit is whole or not there; [`Sessions::flush`] makes it durable. Other
//! events of the log are no part of it.
//!
//! ```
//! use serde_json::json;
//! use session_host::tree::{BranchScan, NewEntry};
//! use session_host::{Engine, Memory, Sessions};
//!
//! let sessions = Sessions::new(&Engine::new()?, Memory::new());
//! sessions.create("fix-login")?;
//! let tree = sessions.tree("fix-login");
//! tree.create_branch("main", None)?;
//! tree.append("main", NewEntry::message("a", &json!({ "role": "user", "content": "The login fails." }))?)?;
//! tree.append("main", NewEntry::message("b", &json!({ "role": "user", "content": "Since noon." }))?)?;
//! sessions.flush("fix-login")?; // Survives a loss of power.
//!
//! // Another way on, from the first entry.
//! tree.create_branch("other", Some("a"))?;
//!
//! for entry in tree.branch_entries(BranchScan::back_from("b")) {
//!     let entry = entry?;
//!     println!("{}: {}", entry.structure.id, entry.payload);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod calls;
mod error;
mod read;
mod scan;
mod scanned;
mod types;
pub(crate) mod wire;
mod write;

use crate::sessions::Sessions;
use crate::types::{NewSession, SessionHeader};
pub use error::TreeError;
pub use scan::{BranchFork, BranchScan, Cut, Direction, EntryScan, ForkScope, Kept, RangeScan};
pub use scanned::Scan;
pub use types::*;
pub use write::{Address, CommitOptions, NewEntry, NewUsage, NewValue, Write};

/// What a call on a [`Tree`] answers.
pub type Result<T, E = TreeError> = std::result::Result<T, E>;

/// The tree of one session; see [`Sessions::tree`]. It keeps nothing itself.
#[derive(Debug, Clone)]
pub struct Tree<'a> {
    sessions: &'a Sessions,
    id: String,
}

impl Sessions {
    /// The tree of this session. Nothing is read for that.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// assert_eq!(sessions.tree("fix-login").state()?.entry_count, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tree(&self, id: impl Into<String>) -> Tree<'_> {
        Tree { sessions: self, id: id.into() }
    }
}

impl Tree<'_> {
    /// Writes all of it or none, as one event of the log. When it returns the operating system has it, so that a killed
    /// process loses nothing; [`Sessions::flush`] is for a lost power supply. See [`Write`].
    ///
    /// A session that is not held is claimed, unless there is nothing to write.
    ///
    /// # Errors
    /// [`DuplicateId`](TreeError::DuplicateId), [`MissingParent`](TreeError::MissingParent), [`PendingMessage`](TreeError::PendingMessage) or
    /// [`RefusedWrite`](TreeError::RefusedWrite) by what is handed over; else as for [`Sessions::append`].
    pub fn commit(&self, writes: &[Write]) -> Result<Committed> {
        self.commit_with(writes, CommitOptions::default())
    }

    /// The same with numbers and a time that come from elsewhere.
    ///
    /// ```
    /// # use session_host::tree::{CommitOptions, Write};
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// let options = CommitOptions { first: Some(7), timestamp: Some(1763681581550) };
    /// let committed = sessions.tree("fix-login").commit_with(&[Write::set_value(("plan", ""), &1)?], options)?;
    /// assert_eq!((committed.first, committed.timestamp), (7, 1763681581550));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`commit`](Self::commit).
    pub fn commit_with(&self, writes: &[Write], options: CommitOptions) -> Result<Committed> {
        self.commit_call(writes, options)
    }

    /// Where the tree stands.
    ///
    /// # Errors
    /// Those of [`Sessions::inspect`].
    pub fn state(&self) -> Result<TreeState> {
        self.state_call()
    }

    /// A new branch at this entry, or before the first.
    ///
    /// # Errors
    /// [`BranchExists`](TreeError::BranchExists), [`UnknownTarget`](TreeError::UnknownTarget), [`RefusedWrite`](TreeError::RefusedWrite) for a name that can't be; else
    /// as for [`Sessions::append`].
    pub fn create_branch(&self, name: &str, at: Option<&str>) -> Result<Committed> {
        self.create_branch_call(name, at)
    }

    /// Adds an entry behind the tip of a branch and moves the tip, in one. The parent that the entry names does not count.
    ///
    /// # Errors
    /// [`UnknownBranch`](TreeError::UnknownBranch); else as for [`commit`](Self::commit).
    pub fn append(&self, branch: &str, entry: NewEntry) -> Result<Committed> {
        self.append_to_branch_call(branch, &entry)
    }

    /// Moves the tip of a branch to any entry, or before the first.
    ///
    /// # Errors
    /// [`UnknownBranch`](TreeError::UnknownBranch), [`UnknownTarget`](TreeError::UnknownTarget); else as for [`Sessions::append`].
    pub fn move_branch(&self, name: &str, to: Option<&str>) -> Result<Committed> {
        self.move_branch_call(name, to)
    }

    /// Labels an entry, or takes its label away.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// let tree = sessions.tree("fix-login");
    /// tree.set_label("a", Some("before the rewrite"))?;
    /// for label in tree.get_labels(["a", "b"]) {
    ///     println!("{}", label?.text);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Sessions::append`].
    pub fn set_label(&self, entry: &str, text: Option<&str>) -> Result<Committed> {
        self.set_label_call(entry, text)
    }

    /// Names the session, or takes its name away.
    ///
    /// # Errors
    /// As for [`Sessions::append`].
    pub fn set_name(&self, name: Option<&str>) -> Result<Committed> {
        self.set_name_call(name)
    }

    /// A new session with the numbers, ids and times of this one. The ledger, what is pending and what operations left are
    /// not copied; lanes become idle. Claims nothing of the source, and releases the child.
    ///
    /// ```
    /// # use session_host::tree::ForkScope;
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # sessions.tree("fix-login").create_branch("main", None)?;
    /// let child = sessions.tree("fix-login").fork(&ForkScope::Tree, "fix-login-2")?;
    /// assert_eq!(child.parent_session.as_deref(), Some("fix-login"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownBranch`](TreeError::UnknownBranch), [`NotALane`](TreeError::NotALane), [`NotOnBranch`](TreeError::NotOnBranch),
    /// [`ReservedNamespace`](TreeError::ReservedNamespace); else as for [`Sessions::fork`].
    pub fn fork(&self, scope: &ForkScope, child: impl Into<NewSession>) -> Result<SessionHeader> {
        self.fork_call(scope, &child.into())
    }
}
