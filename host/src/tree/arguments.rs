//! What is too large for the component is refused before it is copied into its memory.

use super::{Address, BranchScan, EntryScan, ForkScope, NewEntry, NewUsage, NewValue, TreeError, Write};
use crate::error::Error;

const MIB: usize = 1 << 20;

/// One commit is one line of the log.
const LINE: usize = 16 * MIB;
/// All writes of a commit with what stands around each.
const COMMIT: usize = 20 * MIB;
/// Ids, names, addresses: all that stands beside JSON, and each list of them.
pub(super) const SHORT: usize = MIB;
/// What a record takes in the component's memory beside its texts.
pub(super) const RECORD: usize = 200;

/// Refuses texts that are too long together.
pub(super) fn short<'a>(what: &str, texts: impl IntoIterator<Item = &'a str>) -> Result<(), TreeError> {
    let bytes = texts.into_iter().fold(0, |sum: usize, text| sum.saturating_add(text.len()));
    if bytes > SHORT {
        return Err(Error::TooLarge(format!("{what} takes {bytes} bytes; at most {SHORT} are taken")).into());
    }
    Ok(())
}

/// Refuses a list that is too long.
pub(super) fn list(what: &str, sizes: impl Iterator<Item = usize>) -> Result<(), TreeError> {
    let bytes = sizes.fold(0, |sum: usize, size| sum.saturating_add(size).saturating_add(RECORD));
    if bytes > SHORT {
        return Err(
            Error::TooLarge(format!("{what} take {bytes} bytes; at most {SHORT} are taken, so ask in parts")).into()
        );
    }
    Ok(())
}

pub(super) fn commit(writes: &[Write]) -> Result<(), TreeError> {
    let texts = writes.iter().fold(0, |sum: usize, write| sum.saturating_add(size(write)));
    let whole = texts.saturating_add(writes.len().saturating_mul(RECORD));
    if texts > LINE || whole > COMMIT {
        return Err(Error::TooLarge(format!(
            "a commit of {} writes takes {texts} bytes, and it has to fit into a line of the log, which has at most {LINE}; commit it in parts",
            writes.len()
        ))
        .into());
    }
    Ok(())
}

pub(super) fn entry(entry: &NewEntry) -> Result<(), TreeError> {
    commit_one(entry_size(entry))
}

fn commit_one(bytes: usize) -> Result<(), TreeError> {
    if bytes > LINE {
        return Err(
            Error::TooLarge(format!("the entry has {bytes} bytes, and a line of the log at most {LINE}")).into()
        );
    }
    Ok(())
}

pub(super) fn address(address: &Address) -> Result<(), TreeError> {
    short("the address", [address.namespace.as_str(), &address.key])
}

pub(super) fn branch_scan(scan: &BranchScan) -> Result<(), TreeError> {
    let optional = [&scan.stop_at_id, &scan.custom_type].into_iter().filter_map(Option::as_deref);
    short("the scan", optional.chain([scan.start.as_str()]))
}

pub(super) fn entry_scan(scan: &EntryScan) -> Result<(), TreeError> {
    short("the scan", scan.custom_type.as_deref())
}

pub(super) fn fork_scope(scope: &ForkScope) -> Result<(), TreeError> {
    match scope {
        ForkScope::Branch(fork) => {
            short("the branch", [fork.branch.as_str()].into_iter().chain(fork.cut.iter().map(|cut| cut.entry.as_str())))
        }
        ForkScope::Tree => Ok(()),
    }
}

fn size(write: &Write) -> usize {
    match write {
        Write::Entry(entry) => entry_size(entry),
        Write::Usage(NewUsage { id, entry, adjustment: _, usage, details }) => {
            sum([Some(id), entry.as_ref(), Some(usage), details.as_ref()])
        }
        Write::SetValue(NewValue { address, value }) | Write::AppendList(NewValue { address, value }) => {
            sum([Some(value)]).saturating_add(address_size(address))
        }
        Write::DeleteValue(address) | Write::DeleteList(address) => address_size(address),
    }
}

fn entry_size(entry: &NewEntry) -> usize {
    sum([Some(&entry.id), entry.parent.as_ref(), entry.custom_type.as_ref(), Some(&entry.payload)])
}

/// The bytes of an address.
pub(super) fn address_size(address: &Address) -> usize {
    sum([Some(&address.namespace), Some(&address.key)])
}

fn sum<const N: usize>(texts: [Option<&String>; N]) -> usize {
    texts.into_iter().flatten().fold(0, |sum: usize, text| sum.saturating_add(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bytes: usize) -> Write {
        Write::set_value_json(("n", ""), "x".repeat(bytes))
    }

    #[test]
    fn a_commit_that_fits_no_line_names_the_limit() {
        assert!(commit(&[value(LINE - 1)]).is_ok());
        let Err(TreeError::Session(Error::TooLarge(text))) = commit(&[value(9 * MIB), value(9 * MIB)]) else {
            panic!("taken")
        };
        assert!(text.contains("16777216"), "{text}");
    }

    #[test]
    fn a_million_small_writes_are_too_many() {
        let writes: Vec<_> = (0..1_000_000).map(|_| Write::delete_value(("n", ""))).collect();
        assert!(matches!(commit(&writes), Err(TreeError::Session(Error::TooLarge(_)))));
    }

    #[test]
    fn a_list_of_very_many_empty_ids_is_too_large() {
        assert!(list("ids", std::iter::repeat_n(0, 1_000)).is_ok());
        assert!(list("ids", std::iter::repeat_n(0, 100_000)).is_err());
    }
}
