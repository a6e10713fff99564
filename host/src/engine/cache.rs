//! Compiled components, kept between runs.
//!
//! Compiled code is trusted code: whoever can write it runs in this process. So it is kept only in a folder that nobody
//! but the user can write, and a file counts only if it ends with the checksum of its own name and content, which a
//! truncated or foreign one does not.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{Mode, OFlags};
use sha2::{Digest as _, Sha256};
use wasmtime::component::Component;

/// More compiled components than anybody goes between; past that, the oldest go.
const KEPT: usize = 24;

const SUFFIX: &str = ".cwasm";

pub(super) struct Cache {
    dir: Dir,
}

impl Cache {
    /// None if the folder is not fit to hold trusted code: not the user's own, a link, or writable by others.
    pub fn open(dir: &Path) -> Option<Self> {
        let dir = private_dir(dir).ok()?;
        Some(Self { dir })
    }

    /// The component, as it was compiled before, or compiled now and kept.
    pub fn component(&self, engine: &wasmtime::Engine, wasm: &[u8]) -> wasmtime::Result<Component> {
        let name = name(engine, wasm);
        if let Some(component) = self.load(engine, &name) {
            return Ok(component);
        }
        let component = Component::from_binary(engine, wasm)?;
        // A cache that cannot be written only costs time.
        let _ = component.serialize().map(|code| self.save(&name, &code));
        Ok(component)
    }

    fn load(&self, engine: &wasmtime::Engine, name: &str) -> Option<Component> {
        let bytes = self.read(name).ok()?;
        let (code, sealed) = bytes.split_last_chunk()?;
        if *sealed != seal(name, code) {
            return None;
        }
        #[allow(unsafe_code)]
        // SAFETY: these are the very bytes that `Component::serialize` gave to a process of this user: they lie in a
        // folder that only the user can write (checked on the open folder), were read once, and carry their own checksum.
        // The name holds the hash of the wasm and of all that decides whether code fits this engine.
        unsafe { Component::deserialize(engine, code) }.ok()
    }

    /// The whole of a regular file of the user's own. Whatever else stands there makes nobody wait.
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits().cast_signed());
        let mut file = self.dir.open_with(name, &options)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || !is_ours(metadata.uid()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes beside and renames, so that nobody ever sees half of it.
    fn save(&self, name: &str, code: &[u8]) -> io::Result<()> {
        self.sweep()?;
        let unfinished = format!("~tmp.{}.{name}", std::process::id());
        // Left by a process that had the same number.
        let _ = self.dir.remove_file(&unfinished);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut file = self.dir.open_with(&unfinished, &options)?;
        file.write_all(code)
            .and_then(|()| file.write_all(&seal(name, code)))
            .and_then(|()| self.dir.rename(&unfinished, &self.dir, name))
            .inspect_err(|_| drop(self.dir.remove_file(&unfinished)))
    }

    /// Whoever builds harnesses all day would fill the disk.
    fn sweep(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in self.dir.entries()? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().ends_with(SUFFIX.as_bytes()) {
                files.push((entry.metadata()?.modified()?, entry));
            }
        }
        files.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
        files.iter().skip(KEPT - 1).try_for_each(|(_, entry)| entry.remove_file())
    }
}

/// Names what this wasm is compiled to by this engine: another version, other settings, another machine have other names.
fn name(engine: &wasmtime::Engine, wasm: &[u8]) -> String {
    let mut hash = Hashed(Sha256::new());
    hash.0.update(Sha256::digest(wasm));
    engine.precompile_compatibility_hash().hash(&mut hash);
    let mut name = String::with_capacity(2 * 32 + SUFFIX.len());
    for byte in hash.0.finalize() {
        let _ = write!(name, "{byte:02x}");
    }
    name + SUFFIX
}

/// The checksum that stands at the end of a file: of its content, and of its name, so that files cannot be swapped. It is against
/// accidents: who can write here could write any hash.
fn seal(name: &str, code: &[u8]) -> [u8; 4] {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(name.as_bytes());
    checksum.update(code);
    checksum.finalize().to_le_bytes()
}

/// SHA-256 as the standard library's hasher, for a value that offers nothing but `Hash`.
struct Hashed(Sha256);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let hash: [u8; 32] = self.0.clone().finalize().into();
        hash.first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }
}

fn private_dir(path: &Path) -> io::Result<Dir> {
    use std::os::unix::fs::DirBuilderExt as _;

    match std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let dir = rustix::fs::open(path, flags, Mode::empty())?;
    // Judged on what was opened, not on the path: nobody can put another folder in its place meanwhile.
    let stat = rustix::fs::fstat(&dir)?;
    if !is_ours(stat.st_uid) || Mode::from_raw_mode(stat.st_mode).intersects(Mode::WGRP | Mode::WOTH) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(Dir::from_std_file(dir.into()))
}

fn is_ours(uid: u32) -> bool {
    uid == rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    use std::path::PathBuf;

    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    struct Fixture {
        _temporary: tempfile::TempDir,
        path: PathBuf,
        cache: Cache,
        engine: wasmtime::Engine,
    }

    /// A cache with one component in it.
    fn fixture() -> Fixture {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("code");
        let cache = Cache::open(&path).unwrap();
        let engine = wasmtime::Engine::default();
        cache.component(&engine, EMPTY).unwrap();
        Fixture { _temporary: temporary, path, cache, engine }
    }

    impl Fixture {
        fn name(&self) -> String {
            name(&self.engine, EMPTY)
        }

        fn file(&self) -> PathBuf {
            self.path.join(self.name())
        }

        fn is_kept(&self) -> bool {
            self.cache.load(&self.engine, &self.name()).is_some()
        }
    }

    #[test]
    fn what_was_compiled_is_found_again() {
        assert!(fixture().is_kept());
    }

    #[test]
    fn nobody_else_can_read_or_write_it() {
        let fixture = fixture();
        assert_eq!(fs::metadata(&fixture.path).unwrap().mode() & 0o777, 0o700);
        assert_eq!(fs::metadata(fixture.file()).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_changed_byte_anywhere_is_noticed_and_mended() {
        let fixture = fixture();
        let good = fs::read(fixture.file()).unwrap();
        for at in (0..good.len()).step_by(good.len() / 50).chain([good.len() - 1]) {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(fixture.file(), bad).unwrap();
            assert!(!fixture.is_kept(), "byte {at}");
        }
        fixture.cache.component(&fixture.engine, EMPTY).unwrap();
        assert!(fixture.is_kept());
    }

    #[test]
    fn a_truncated_file_is_noticed() {
        let fixture = fixture();
        let good = fs::read(fixture.file()).unwrap();
        for length in [0, 1, 3, 4, good.len() - 1] {
            fs::write(fixture.file(), &good[..length]).unwrap();
            assert!(!fixture.is_kept(), "{length} bytes");
        }
    }

    #[test]
    fn what_is_no_file_makes_nobody_wait_and_is_compiled_over() {
        let unfinished = |fixture: &Fixture| format!("~tmp.{}.{}", std::process::id(), fixture.name());
        for kind in [FileType::Fifo, FileType::Socket] {
            let fixture = fixture();
            fs::remove_file(fixture.file()).unwrap();
            for name in [fixture.name(), unfinished(&fixture)] {
                mknodat(CWD, fixture.path.join(name), kind, 0o600.into(), 0).unwrap();
            }
            assert!(!fixture.is_kept());
            fixture.cache.component(&fixture.engine, EMPTY).unwrap();
            assert!(fixture.is_kept());
        }
    }

    #[test]
    fn a_link_is_not_followed_neither_to_read_nor_to_write() {
        let fixture = fixture();
        let elsewhere = fixture.path.with_file_name("elsewhere");
        fs::rename(fixture.file(), &elsewhere).unwrap();
        let before = fs::read(&elsewhere).unwrap();
        symlink(&elsewhere, fixture.file()).unwrap();
        symlink(&elsewhere, fixture.path.join(format!("~tmp.{}.{}", std::process::id(), fixture.name()))).unwrap();
        assert!(!fixture.is_kept());
        fixture.cache.save(&fixture.name(), b"other code").unwrap();
        assert_eq!(fs::read(elsewhere).unwrap(), before);
        assert!(!fixture.file().is_symlink());
    }

    #[test]
    fn a_file_of_somebody_else_is_not_used() {
        let fixture = fixture();
        // Only root can give a file away.
        if chown(fixture.file(), Some(65534), None).is_ok() {
            assert!(!fixture.is_kept());
        }
    }

    #[test]
    fn the_code_of_one_component_does_not_pass_for_another() {
        let fixture = fixture();
        let other = name(&fixture.engine, b"another component");
        fs::copy(fixture.file(), fixture.path.join(&other)).unwrap();
        assert!(fixture.cache.load(&fixture.engine, &other).is_none());
    }

    #[test]
    fn an_engine_with_other_settings_compiles_its_own() {
        let fixture = fixture();
        let engine = wasmtime::Engine::new(wasmtime::Config::new().epoch_interruption(true)).unwrap();
        assert_ne!(name(&engine, EMPTY), fixture.name());
    }

    #[test]
    fn a_folder_that_others_can_write_is_not_used() {
        let temporary = tempfile::tempdir().unwrap();
        for mode in [0o770, 0o707, 0o777] {
            fs::set_permissions(temporary.path(), Permissions::from_mode(mode)).unwrap();
            assert!(Cache::open(temporary.path()).is_none(), "{mode:o}");
        }
        fs::set_permissions(temporary.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(Cache::open(temporary.path()).is_some());
    }

    #[test]
    fn a_link_to_a_folder_is_not_used() {
        let temporary = tempfile::tempdir().unwrap();
        let (folder, link) = (temporary.path().join("folder"), temporary.path().join("link"));
        assert!(Cache::open(&folder).is_some());
        symlink(&folder, &link).unwrap();
        assert!(Cache::open(&link).is_none());
    }

    #[test]
    fn a_folder_of_somebody_else_is_not_used() {
        let temporary = tempfile::tempdir().unwrap();
        // Only root can give a folder away.
        if chown(temporary.path(), Some(65534), None).is_ok() {
            assert!(Cache::open(temporary.path()).is_none());
        }
    }

    #[test]
    fn only_so_many_are_kept() {
        let fixture = fixture();
        fs::write(fixture.path.join("of-the-user"), "").unwrap();
        for n in 0..2 * KEPT {
            fixture.cache.save(&format!("{n}{SUFFIX}"), b"").unwrap();
        }
        assert_eq!(fs::read_dir(&fixture.path).unwrap().count(), KEPT + 1);
    }
}
