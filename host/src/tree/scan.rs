use wasmtime::component::{ComponentType, Lift, Lower};

use super::EntryType;

/// In which order to go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Direction {
    /// The oldest first.
    #[default]
    #[component(name = "oldest-first")]
    OldestFirst,
    /// The newest first.
    #[component(name = "newest-first")]
    NewestFirst,
}

/// Which entries of a branch. First the path from `start` to its root is put in order, then cut after the first entry at
/// which to stop, then filtered, then what the cursor has passed is left out, and then the limit counts.
///
/// ```
/// # use session_host::tree::{BranchScan, Direction, EntryType};
/// // The last ten messages before an entry.
/// let scan = BranchScan { kind: Some(EntryType::Message), limit: 10, ..BranchScan::back_from("b") };
/// assert_eq!(scan.direction, Direction::NewestFirst);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct BranchScan {
    /// The entry that the path ends with.
    pub start: String,
    /// The last entry wanted, in the order of the scan.
    #[component(name = "stop-at-id")]
    pub stop_at_id: Option<String>,
    /// The first entry of this type is the last wanted, in the order of the scan.
    #[component(name = "stop-at-type")]
    pub stop_at_type: Option<EntryType>,
    /// Only those of this type.
    #[component(name = "type")]
    pub kind: Option<EntryType>,
    /// Only those that the application calls so.
    #[component(name = "custom-type")]
    pub custom_type: Option<String>,
    /// In which order.
    pub direction: Direction,
    /// Only those beyond this number, in the order of the scan.
    pub cursor: Option<u64>,
    /// At most so many.
    pub limit: u32,
}

impl BranchScan {
    /// From the root to this entry.
    pub fn up_to(start: impl Into<String>) -> Self {
        Self {
            start: start.into(),
            stop_at_id: None,
            stop_at_type: None,
            kind: None,
            custom_type: None,
            direction: Direction::OldestFirst,
            cursor: None,
            limit: u32::MAX,
        }
    }

    /// From this entry to the root.
    pub fn back_from(start: impl Into<String>) -> Self {
        Self { direction: Direction::NewestFirst, ..Self::up_to(start) }
    }
}

/// Which rows of the ledger, elements of a list or entries of the whole session. The default is all, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct RangeScan {
    /// Not below this number.
    pub from: Option<u64>,
    /// Not above this number.
    pub to: Option<u64>,
    /// In which order.
    pub direction: Direction,
    /// At most so many.
    pub limit: u32,
}

impl Default for RangeScan {
    fn default() -> Self {
        Self { from: None, to: None, direction: Direction::default(), limit: u32::MAX }
    }
}

/// Which entries of the whole session. The default is all, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct EntryScan {
    /// Only those of this type.
    #[component(name = "type")]
    pub kind: Option<EntryType>,
    /// Only those that the application calls so.
    #[component(name = "custom-type")]
    pub custom_type: Option<String>,
    /// Only those of these numbers; the limit counts last.
    pub range: RangeScan,
}

/// What is kept at addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Kept {
    /// Values.
    #[component(name = "values")]
    Values,
    /// Lists.
    #[component(name = "lists")]
    Lists,
}

/// Where a fork of a branch is cut.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Cut {
    /// An entry of the branch.
    pub entry: String,
    /// Leave out the entry itself.
    pub before: bool,
}

/// Which part of a branch to fork.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct BranchFork {
    /// Its name.
    pub branch: String,
    /// Where it is cut; none to copy up to its tip.
    pub cut: Option<Cut>,
}

/// What to fork.
///
/// ```
/// # use session_host::tree::ForkScope;
/// let whole = ForkScope::Tree;
/// let lane = ForkScope::branch("main");
/// let before = ForkScope::branch_before("main", "b");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub enum ForkScope {
    /// One branch that is a lane: its entries, their labels, its tip, its lane.
    #[component(name = "branch")]
    Branch(BranchFork),
    /// All entries and branches, values and lists.
    #[component(name = "tree")]
    Tree,
}

impl ForkScope {
    /// A branch up to its tip.
    pub fn branch(name: impl Into<String>) -> Self {
        Self::Branch(BranchFork { branch: name.into(), cut: None })
    }

    /// A branch up to this entry.
    pub fn branch_at(name: impl Into<String>, entry: impl Into<String>) -> Self {
        Self::Branch(BranchFork { branch: name.into(), cut: Some(Cut { entry: entry.into(), before: false }) })
    }

    /// A branch up to what this entry follows.
    pub fn branch_before(name: impl Into<String>, entry: impl Into<String>) -> Self {
        Self::Branch(BranchFork { branch: name.into(), cut: Some(Cut { entry: entry.into(), before: true }) })
    }
}
