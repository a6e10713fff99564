//! Whole sessions on real file systems that refuse something from one act or byte on: what was acknowledged is there, the
//! error says what is wrong, and the same writer goes on once it is right again.

use super::limits::run_on_a_disk;
use super::rights::run_without_rights;
use super::*;
use crate::error::{Error, Result};
use crate::sessions::Sessions;
use crate::storage::jsonl::torture::{lines, sessions};
use crate::types::{NewSession, OnDamage, OpenTurn, WakeOptions};

const GO_ON: WakeOptions = WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::Refuse };

/// The writer of session `a`, and what it was told is stored.
struct Writer {
    folder: PathBuf,
    sessions: Sessions,
    acknowledged: Vec<String>,
}

type Act = fn(&mut Writer) -> Result<()>;

const ACTS: [Act; 11] = [
    |writer| writer.append(10),
    |writer| writer.append(5000),
    Writer::flush,
    Writer::note,
    |writer| writer.append(300),
    Writer::tear,
    |writer| writer.append(5000),
    Writer::fork,
    |writer| writer.append(10),
    |writer| writer.sessions.delete("fork"),
    Writer::flush,
];

/// What goes wrong, and from which act on.
struct Trouble<'a> {
    from: usize,
    /// It is over once something has failed; else when all is done.
    once: bool,
    /// Makes it begin, or end.
    set: &'a dyn Fn(bool),
    says: fn(&Error) -> bool,
}

impl Writer {
    /// Of a session that is created and not stored yet.
    fn new(folder: &Path) -> Self {
        let sessions = Self::fresh(folder);
        sessions.create(NewSession::new("a")).unwrap();
        Self { folder: folder.to_owned(), sessions, acknowledged: Vec::new() }
    }

    /// As another process would see it.
    fn fresh(folder: &Path) -> Sessions {
        sessions(std::sync::Arc::new(JsonlFolder::open(folder).unwrap()))
    }

    fn append(&mut self, length: usize) -> Result<()> {
        let seq = self.acknowledged.len();
        let line = format!(r#"{{"type":"note","seq":{seq},"time":1,"data":"{}"}}"#, "x".repeat(length)) + "\n";
        let mut answer = self.sessions.append_lines("a", &line);
        if matches!(answer, Err(Error::NeedsWake(_) | Error::Moved(_) | Error::OutcomeUnknown(_))) {
            self.look(&line)?;
            if self.acknowledged.len() > seq {
                return Ok(());
            }
            answer = self.sessions.append_lines("a", &line);
        }
        answer?;
        self.acknowledged.push(line);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        match self.sessions.flush("a") {
            Err(Error::NeedsWake(_)) => self.look(""),
            flushed => flushed,
        }
    }

    /// Finds out how long the log is.
    fn look(&mut self, tried: &str) -> Result<()> {
        self.sessions.wake("a", GO_ON)?;
        let found = lines(&self.sessions, "a")?;
        assert!(found.starts_with(&self.acknowledged), "what was acknowledged is there");
        assert!(found[self.acknowledged.len()..].iter().all(|line| line == tried), "nothing else is there");
        self.acknowledged = found;
        Ok(())
    }

    fn note(&mut self) -> Result<()> {
        // It only saves time: no promise hangs on it.
        let _saved = self.sessions.storage().save_checkpoint("a", &[b'n'; 3000]);
        Ok(())
    }

    /// Another program leaves half a line, if it can.
    fn tear(&mut self) -> Result<()> {
        use std::io::Write;
        if self.acknowledged.is_empty() {
            return Ok(());
        }
        self.sessions.release("a")?;
        let log = fs::OpenOptions::new().append(true).open(self.folder.join("a.jsonl"));
        let _written = log.and_then(|mut log| log.write_all(b"{\"torn"));
        self.look("")
    }

    fn fork(&mut self) -> Result<()> {
        self.sessions.fork("a", None, NewSession::new("fork"))?;
        assert_eq!(lines(&self.sessions, "fork")?, self.acknowledged);
        Ok(())
    }

    /// Whoever reads is held up by nothing.
    fn sees_all(&self) {
        if !self.acknowledged.is_empty() {
            assert_eq!(lines(&Self::fresh(&self.folder), "a").unwrap(), self.acknowledged);
        }
    }
}

/// Plays all acts in an empty folder; answers how many of them failed.
fn play(folder: &Path, trouble: &Trouble<'_>) -> usize {
    let mut writer = Writer::new(folder);
    let mut failures = 0;
    for (index, act) in ACTS.iter().enumerate() {
        if index == trouble.from {
            // Who is at work on an open file is past most checks.
            if !writer.acknowledged.is_empty() {
                writer.sessions.release("a").unwrap();
            }
            (trouble.set)(true);
        }
        if let Err(error) = act(&mut writer) {
            let missing = matches!(error, Error::NotFound(_)) && writer.acknowledged.is_empty();
            assert!((trouble.says)(&error) || missing, "act {index}: {error}");
            failures += 1;
            if trouble.once {
                (trouble.set)(false);
            }
        }
        writer.sees_all();
    }
    (trouble.set)(false);
    writer.append(10).unwrap();
    writer.sessions.flush("a").unwrap();
    writer.sessions.delete("fork").unwrap();
    writer.sees_all();
    drop(writer.sessions);
    let woken = Writer::fresh(folder).wake("a", GO_ON).unwrap();
    assert_eq!((woken.length as usize, woken.recovery.damage), (writer.acknowledged.len(), None));
    assert!(names(folder).iter().all(|name| ["a.jsonl", "a.aside", "a.ckpt"].contains(&name.as_str())));
    failures
}

/// Plays with trouble of every extent, over at once or lasting; something must fail of each.
fn play_all(folder: &Path, says: fn(&Error) -> bool, troubles: &[(usize, &dyn Fn(bool))]) {
    for (round, (from, set)) in troubles.iter().enumerate() {
        for once in [true, false] {
            let folder = folder.join("root");
            let failures = play(&folder, &Trouble { from: *from, once, set, says });
            assert!(failures > 0, "nothing failed in round {round}");
            fs::remove_dir_all(folder).unwrap();
        }
    }
}

fn is_no_space(error: &Error) -> bool {
    matches!(error, Error::NoSpace | Error::OutcomeUnknown(_))
}

#[test]
fn a_limit_on_the_size_of_files_is_no_space_wherever_it_lies() {
    if let Some(folder) = child_folder() {
        let limit = |size: usize| {
            move |on: bool| {
                use rustix::process::{Resource, Rlimit, setrlimit};
                let current = on.then_some(size as u64);
                setrlimit(Resource::Fsize, Rlimit { current, maximum: None }).unwrap();
            }
        };
        let limits: Vec<_> = (0..10_800).step_by(400).chain(50..70).map(limit).collect();
        let troubles: Vec<_> = limits.iter().map(|set| (0, set as &dyn Fn(bool))).collect();
        play_all(&folder, is_no_space, &troubles);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(child_after("trap '' XFSZ", this_test!(), folder.path()));
}

/// Changes how the disk is mounted that a child has.
fn remount(disk: &Path, how: &str) {
    let options = format!("remount,{how}");
    assert!(Command::new("mount").args(["-o", &options]).arg(disk).status().unwrap().success(), "{options}");
}

#[test]
fn a_full_disk_is_no_space_however_small_it_is() {
    if let Some(folder) = child_folder() {
        let disk = folder.join("disk");
        let room = |option: &'static str, size: usize, plenty: usize| {
            let disk = disk.clone();
            move |on: bool| remount(&disk, &format!("{option}={}", if on { size } else { plenty }))
        };
        let blocks = (1..8).map(|pages| room("size", pages * 4096, 1 << 20));
        // The disk's own folder and that of the store are two.
        let names = (2..6).map(|names| room("nr_inodes", names, 1000));
        let rooms: Vec<_> = blocks.chain(names).collect();
        let troubles: Vec<_> = rooms.iter().map(|set| (0, set as &dyn Fn(bool))).collect();
        play_all(&disk, is_no_space, &troubles);
        return;
    }
    run_on_a_disk("true", this_test!());
}

#[test]
fn a_disk_that_becomes_read_only_says_so_from_any_act_on() {
    if let Some(folder) = child_folder() {
        let disk = folder.join("disk");
        let set = |on: bool| remount(&disk, if on { "bind,ro" } else { "bind,rw" });
        let troubles: Vec<_> = (0..ACTS.len()).map(|from| (from, &set as &dyn Fn(bool))).collect();
        play_all(&disk, |error| *error == Error::ReadOnly, &troubles);
        return;
    }
    run_on_a_disk("true", this_test!());
}

#[test]
fn a_folder_that_loses_its_rights_says_so_from_any_act_on() {
    if let Some(folder) = child_folder() {
        let root = folder.join("own/root");
        let set = |on: bool| {
            let log = root.join("a.jsonl");
            if log.exists() {
                set_mode(log, if on { 0o400 } else { 0o600 });
            }
            set_mode(&root, if on { 0o500 } else { 0o700 });
        };
        let troubles: Vec<_> = (0..ACTS.len()).map(|from| (from, &set as &dyn Fn(bool))).collect();
        play_all(&folder.join("own"), |error| matches!(error, Error::AccessDenied(_)), &troubles);
        return;
    }
    run_without_rights(this_test!(), |folder| {
        let own = folder.join("own");
        fs::create_dir(&own).unwrap();
        set_mode(own, 0o777);
    });
}
