//! What was cut off a log is kept in a folder beside it, each piece under its offset and the hash of its bytes.

use std::io::{self, ErrorKind};

use sha2::{Digest, Sha256};

use super::super::explain::Explain;
use super::super::name::Name;
use super::super::{Aside, Result, StorageError};
use super::claim::Claim;
use super::disk::{Access, File, Folder, Stat, missing_is};

/// A piece that is still being copied. Only the log's holder makes one, so there is never more than one.
const TEMP: &str = "~tmp";
const HASH_DIGITS: usize = 16;

/// Moves the end of a log, from `at` on, out of it.
pub(super) fn set_aside(folder: &impl Folder, name: &Name, claim: &mut Claim<impl Folder>, at: u64) -> Result<Aside> {
    let asides = name.asides();
    let (log, length) = claim.look()?;
    if at >= length {
        return Err(StorageError::Moved(format!("`{}`: it has {length} bytes, so none from byte {at} on", name.log())));
    }
    // Goes only if it is empty.
    let tidy = || drop(folder.remove_folder(&asides));
    let pieces = folder.make_folder(&asides).inspect_err(|_| tidy()).explain("create", &asides)?;
    let kept = keep(&pieces, log, at, length).inspect_err(|_| {
        drop(pieces.unlink(TEMP));
        tidy();
    });
    let kept = kept.explain("set bytes aside in", &asides)?;
    folder.sync().explain("sync the folder of", &asides)?;
    claim.cut(at)?;
    Ok(kept)
}

/// Copies a stretch of the log, durably. An equal piece that a crash has left is replaced by its like.
fn keep(pieces: &impl Folder, log: &impl File, at: u64, length: u64) -> io::Result<Aside> {
    missing_is(pieces.unlink(TEMP), ())?;
    let file = pieces.create(TEMP)?;
    let mut hash = Sha256::new();
    for window in log.windows(at..length) {
        let window = window?;
        file.append(&window)?;
        hash.update(&window);
    }
    file.sync()?;
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let name = format!("{at}.{}", &hash[..HASH_DIGITS]);
    pieces.rename(TEMP, &name)?;
    pieces.sync()?;
    Ok(Aside { name, length: length - at })
}

/// Every piece that is kept for a log, by name.
pub(super) fn list(folder: &impl Folder, name: &Name) -> Result<Vec<Aside>> {
    let asides = name.asides();
    list_in(folder, &asides).explain("list", &asides)
}

fn list_in(folder: &impl Folder, asides: &str) -> io::Result<Vec<Aside>> {
    let Some(pieces) = missing_is(folder.open_folder(asides).map(Some), None)? else { return Ok(Vec::new()) };
    let mut list = Vec::new();
    for name in pieces.names()? {
        let Some(name) = name?.into_string().ok().filter(|name| is_piece(name)) else { continue };
        let stat = missing_is(pieces.stat(&name).map(Some), None)?;
        if let Some(stat) = stat.filter(|stat| stat.kind.is_file()) {
            list.push(Aside { name, length: stat.length });
        }
    }
    list.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(list)
}

/// At most `max` bytes of one piece.
pub(super) fn read(folder: &impl Folder, name: &Name, piece: &str, at: u64, max: u32) -> Result<Vec<u8>> {
    if !is_piece(piece) {
        return Err(StorageError::NotFound);
    }
    let asides = name.asides();
    let pieces = folder.open_folder(&asides).explain("open", &asides)?;
    let read = pieces.open(piece, Access::Read).and_then(|(file, stat)| file.read_within(stat.length, at, max));
    read.explain("read", &format!("{asides}/{piece}"))
}

/// Refuses to remove what is not ours.
pub(super) fn check_all(folder: &impl Folder, name: &Name) -> Result<()> {
    let asides = name.asides();
    let found = missing_is(folder.stat(&asides).map(Some), None).explain("look at", &asides)?;
    if found.map(Stat::folder).transpose().explain("remove", &asides)?.is_none() {
        return Ok(());
    }
    let pieces = folder.open_folder(&asides).explain("open", &asides)?;
    let names = pieces.names().and_then(Iterator::collect::<io::Result<Vec<_>>>).explain("list", &asides)?;
    for piece in names {
        let path = format!("{asides}/{}", piece.display());
        if !piece.to_str().is_some_and(|piece| piece == TEMP || is_piece(piece)) {
            return Err(StorageError::Failed(format!(
                "can't remove `{path}`: it is nothing that was set aside; move it away"
            )));
        }
        missing_is(pieces.stat(&piece).and_then(Stat::regular).map(drop), ()).explain("remove", &path)?;
    }
    Ok(())
}

/// Removes all pieces; answers whether there was anything to remove. What is not ours must have been refused before.
pub(super) fn remove_all(folder: &impl Folder, name: &Name) -> Result<bool> {
    let asides = name.asides();
    remove_all_in(folder, &asides).explain("remove", &asides)
}

fn remove_all_in(folder: &impl Folder, asides: &str) -> io::Result<bool> {
    // Where this folder can't be removed for want of rights, nothing that is in it is to go.
    match folder.remove_folder(asides) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if !matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {
            return Err(error);
        }
        Err(_) => {}
    }
    let pieces = folder.open_folder(asides)?;
    for piece in pieces.names()?.collect::<io::Result<Vec<_>>>()? {
        pieces.unlink(piece)?;
    }
    folder.remove_folder(asides).map(|()| true)
}

/// Whether a name can be one of a piece: `<offset>.<hash>`. Nothing else is ever opened.
fn is_piece(name: &str) -> bool {
    name.split_once('.').is_some_and(|(offset, hash)| {
        !offset.is_empty()
            && offset.bytes().all(|byte| byte.is_ascii_digit())
            && hash.len() == HASH_DIGITS
            && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}
