//! What was cut off a log is kept in a folder beside it, each piece under its offset and the hash of its bytes.

use sha2::{Digest, Sha256};

use crate::claim::Claim;
use crate::error::{Answer, Error, Explain, Io, missing_is};
use crate::folder::{File, Folder, HERE};
use crate::name::Name;
use crate::storage::{Aside, StorageError};
use crate::wasi::filesystem::types::{DescriptorFlags, DescriptorType, ErrorCode};

/// A piece that is still being copied.
const TEMP: &str = "~tmp";
const HASH_DIGITS: usize = 16;

/// Moves the end of a log, from `at` on, out of it.
pub fn set_aside(folder: &Folder, name: &Name, claim: &mut Claim, at: u64) -> Answer<Aside> {
    let asides = name.asides();
    let (log, length) = claim.look(folder)?;
    if at >= length {
        return Err(StorageError::Moved(format!("`{}`: it has {length} bytes, so none from byte {at} on", name.log())));
    }
    let kept = folder.make_folder(&asides).and_then(|()| keep(folder, &asides, log, at, length));
    let kept = kept.inspect_err(|_| {
        drop(folder.unlink(&format!("{asides}/{TEMP}")));
        // Goes only if it is empty.
        drop(folder.remove_folder(&asides));
    });
    let kept = kept.explain("set bytes aside in", &asides)?;
    folder.sync(HERE).explain("sync the folder of", &asides)?;
    claim.cut(folder, at)?;
    Ok(kept)
}

/// Copies a stretch of the log, durably. An equal piece that a crash has left is replaced by its like.
fn keep(folder: &Folder, asides: &str, log: &File, at: u64, length: u64) -> Io<Aside> {
    let temp = format!("{asides}/{TEMP}");
    missing_is(folder.unlink(&temp), ())?;
    let file = folder.create(&temp)?;
    let mut hash = Sha256::new();
    log.each_window(at..length, |place, window| {
        hash.update(window);
        file.write(place - at, window)
    })?;
    file.sync()?;
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let name = format!("{at}.{}", &hash[..HASH_DIGITS]);
    folder.rename(&temp, &format!("{asides}/{name}"))?;
    folder.sync(asides)?;
    Ok(Aside { name, length: length - at })
}

/// Every piece that is kept for a log, by name.
pub fn list(folder: &Folder, name: &Name) -> Answer<Vec<Aside>> {
    let asides = name.asides();
    list_in(folder, &asides).explain("list", &asides)
}

fn list_in(folder: &Folder, asides: &str) -> Io<Vec<Aside>> {
    let mut list = Vec::new();
    for name in missing_is(folder.names(asides), Vec::new())?.into_iter().filter(|name| is_piece(name)) {
        let stat = missing_is(folder.stat(&format!("{asides}/{name}")).map(Some), None)?;
        if let Some(stat) = stat.filter(|stat| stat.kind == DescriptorType::RegularFile) {
            list.push(Aside { name, length: stat.length });
        }
    }
    list.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(list)
}

/// At most `max` bytes of one piece.
pub fn read(folder: &Folder, name: &Name, piece: &str, at: u64, max: u32) -> Answer<Vec<u8>> {
    if !is_piece(piece) {
        return Err(StorageError::NotFound);
    }
    let asides = name.asides();
    folder.stat(&asides).and_then(|stat| stat.folder()).explain("open", &asides)?;
    let piece = format!("{asides}/{piece}");
    let read = folder.open(&piece, DescriptorFlags::READ);
    read.and_then(|(file, stat)| file.read_within(stat.length, at, max)).explain("read", &piece)
}

/// Refuses to remove what is not ours.
pub fn check_all(folder: &Folder, name: &Name) -> Answer {
    let asides = name.asides();
    let found = folder.stat(&asides).and_then(|stat| stat.folder()).map(|_| true);
    if !missing_is(found, false).explain("remove", &asides)? {
        return Ok(());
    }
    for piece in folder.names(&asides).explain("list", &asides)? {
        let path = format!("{asides}/{piece}");
        if piece != TEMP && !is_piece(&piece) {
            return Err(StorageError::Failed(format!(
                "can't remove `{path}`: it is nothing that was set aside; move it away"
            )));
        }
        missing_is(folder.stat(&path).and_then(|stat| stat.regular()).map(drop), ()).explain("remove", &path)?;
    }
    Ok(())
}

/// Removes all pieces; answers whether there was anything to remove. What is not ours must have been refused before.
pub fn remove_all(folder: &Folder, name: &Name) -> Answer<bool> {
    let asides = name.asides();
    remove_all_in(folder, &asides).explain("remove", &asides)
}

fn remove_all_in(folder: &Folder, asides: &str) -> Io<bool> {
    // Where this folder can't be removed for want of rights, nothing that is in it is to go.
    match folder.remove_folder(asides) {
        Ok(()) => return Ok(true),
        Err(Error::Code(ErrorCode::NoEntry)) => return Ok(false),
        Err(Error::Code(ErrorCode::NotEmpty | ErrorCode::Exist)) => {}
        Err(error) => return Err(error),
    }
    for piece in folder.names(asides)? {
        folder.unlink(&format!("{asides}/{piece}"))?;
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
