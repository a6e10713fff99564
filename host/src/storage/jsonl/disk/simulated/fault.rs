//! Which operations of a disk fail, and how.

use std::io::{self, ErrorKind};

/// From the `nth` operation on, counted from 0 when the fault is planned.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    pub nth: u64,
    /// From then on, until the disk is repaired; else once.
    pub lasting: bool,
    /// Full; else broken. What only looks fails on a broken disk alone.
    pub full: bool,
    pub stage: Stage,
    /// Bytes that a failed sync has lost can't be read from then on either.
    pub forgets: bool,
}

/// How far an operation gets before it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Before,
    /// A write writes some of its bytes, a sync of a folder keeps some of its names.
    HalfWay,
}

/// Counts operations, and says which are to fail.
#[derive(Debug, Default)]
pub(super) struct Faults {
    operations: u64,
    planned: Option<Fault>,
    struck: bool,
}

pub(super) struct Failure {
    kind: ErrorKind,
    pub stage: Stage,
}

impl Faults {
    pub fn operations(&self) -> u64 {
        self.operations
    }

    pub fn struck(&self) -> bool {
        self.struck
    }

    pub fn plan(&mut self, fault: Fault) {
        self.planned = Some(Fault { nth: self.operations + fault.nth, ..fault });
        self.struck = false;
    }

    pub fn repair(&mut self) {
        self.planned = None;
    }

    pub fn forgets(&self) -> bool {
        self.planned.is_some_and(|fault| fault.forgets)
    }

    /// The next operation: whether it fails.
    pub fn step(&mut self, changes: bool) -> Option<Failure> {
        let now = self.operations;
        self.operations += 1;
        let fault = self.planned.filter(|fault| now >= fault.nth && (fault.lasting || !self.struck))?;
        let looks_on_a_full_disk = fault.full && !changes;
        if looks_on_a_full_disk {
            return None;
        }
        self.struck = true;
        let kind = if fault.full { ErrorKind::StorageFull } else { ErrorKind::Other };
        Some(Failure { kind, stage: fault.stage })
    }
}

impl Failure {
    pub fn error(&self) -> io::Error {
        match self.kind {
            ErrorKind::Other => io::Error::other("the disk is broken"),
            kind => kind.into(),
        }
    }
}
