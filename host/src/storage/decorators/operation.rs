use std::fmt;

/// A call of [`Storage`](super::Storage).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Operation {
    Acquire,
    Release,
    Publish,
    Append,
    Sync,
    Stat,
    Read,
    SetAside,
    Asides,
    ReadAside,
    List,
    Remove,
    SaveCheckpoint,
    LoadCheckpoint,
}

impl Operation {
    /// Every one, in the order of the trait.
    pub const ALL: [Self; 14] = [
        Self::Acquire,
        Self::Release,
        Self::Publish,
        Self::Append,
        Self::Sync,
        Self::Stat,
        Self::Read,
        Self::SetAside,
        Self::Asides,
        Self::ReadAside,
        Self::List,
        Self::Remove,
        Self::SaveCheckpoint,
        Self::LoadCheckpoint,
    ];

    /// Whether it changes what is kept, or makes it durable.
    pub fn writes(self) -> bool {
        matches!(self, Self::Publish | Self::Append | Self::Sync | Self::SetAside | Self::Remove | Self::SaveCheckpoint)
    }
}

impl fmt::Display for Operation {
    /// As the interface `storage` calls it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::Publish => "publish",
            Self::Append => "append",
            Self::Sync => "sync",
            Self::Stat => "stat",
            Self::Read => "read",
            Self::SetAside => "set-aside",
            Self::Asides => "asides",
            Self::ReadAside => "read-aside",
            Self::List => "list",
            Self::Remove => "remove",
            Self::SaveCheckpoint => "save-checkpoint",
            Self::LoadCheckpoint => "load-checkpoint",
        })
    }
}
