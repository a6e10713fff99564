use crate::error::Error;

/// Every way in which a call on a [`Tree`](crate::Tree) can fail. Nothing was written, but where the error of the session says so.
///
/// The texts are for people: what was wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// What can befall every call on a session.
    #[error(transparent)]
    Session(#[from] Error),
    /// An entry or a row of usage has this id already.
    #[error("an entry or a row of usage is called {0:?} already; give each a name of its own")]
    DuplicateId(String),
    /// The parent is no entry, or comes later.
    #[error("the parent {0:?} is no entry of this session, or comes later; write the parent first")]
    MissingParent(String),
    /// There is no branch of this name.
    #[error("there is no branch {0:?}; check the name, or create the branch")]
    UnknownBranch(String),
    /// There is a branch of this name.
    #[error("there is a branch {0:?} already; take another name, or move the one that is there")]
    BranchExists(String),
    /// There is no entry of this id.
    #[error("there is no entry {0:?} in this session; check the id")]
    UnknownTarget(String),
    /// The message of this entry is still being written.
    #[error(
        "the message of entry {0:?} is still being written (its `stopReason` is `pending`); write it once it is whole"
    )]
    PendingMessage(String),
    /// The entry is not on the branch that is to be forked.
    #[error("entry {0:?} is not on the branch that is to be forked; cut it at one that is")]
    NotOnBranch(String),
    /// The branch has no lane, or half of one.
    #[error("branch {0:?} has no lane, or half of one; fork the whole tree, or configure the lane first")]
    NotALane(String),
    /// A namespace of the tree's own for which there is no rule of forking.
    #[error(
        "values are kept in the reserved namespace {0:?}, for which there is no rule of forking; delete them, or keep them elsewhere"
    )]
    ReservedNamespace(String),
    /// A write that can't be: no JSON, no members of its type, an address or a name that can't be, a number below the next.
    #[error("write {index} is refused: {reason}")]
    RefusedWrite {
        /// Its index in what was handed over.
        index: u32,
        /// Why, as a sentence in which `it` is the write.
        reason: String,
    },
}
