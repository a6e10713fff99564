//! The command `session`, called as a person or a script calls it.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// A root of sessions of its own, removed afterwards.
pub struct Root {
    folder: TempDir,
}

/// `append --ack`, driven through pipes as another program does it. It is killed when this is dropped.
pub struct Driver {
    child: Child,
    send: Sender<String>,
    acks: Receiver<String>,
}

/// What the command answered.
#[derive(Debug)]
pub struct Answer {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

impl Root {
    /// An empty one.
    #[expect(clippy::new_without_default, reason = "a folder is made")]
    pub fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("session-test-").tempdir().unwrap() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where the log of this session is; the id stands for itself in file names.
    pub fn log(&self, id: &str) -> PathBuf {
        self.path().join(format!("{id}.jsonl"))
    }

    /// The bytes of this log.
    pub fn read(&self, id: &str) -> Vec<u8> {
        fs::read(self.log(id)).unwrap()
    }

    /// Puts a log in place: a header, and what follows it.
    pub fn put(&self, id: &str, content: impl AsRef<[u8]>) {
        let mut bytes = header(id).into_bytes();
        bytes.extend_from_slice(content.as_ref());
        self.put_bytes(id, bytes);
    }

    /// Puts bytes in place as a log.
    pub fn put_bytes(&self, id: &str, bytes: impl AsRef<[u8]>) {
        let mut options = fs::File::options();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(self.log(id)).unwrap();
        file.write_all(bytes.as_ref()).unwrap();
    }

    /// The command on this root, to be run in whatever way.
    pub fn command(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = session();
        command.arg("--root").arg(self.path()).args(args);
        command
    }

    /// Runs the command with nothing on standard input.
    pub fn run(&self, args: &[&str]) -> Answer {
        answer(self.command(args).stdin(Stdio::null()))
    }

    /// Runs the command with this on standard input.
    pub fn feed(&self, args: &[&str], input: impl AsRef<[u8]>) -> Answer {
        feed(&mut self.command(args), input)
    }
}

impl Driver {
    /// Starts it, with these arguments too.
    pub fn of(root: &Root, args: &[&str]) -> Self {
        let mut command = root.command(["append", "--ack"].iter().chain(args));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (send, texts) = channel::<String>();
        let (acked, acks) = channel();
        // Each pipe is served by a thread of its own, so that neither can fill up while the test is at the other. Both
        // threads end with the command, or when the test has had enough.
        thread::spawn(move || texts.iter().try_for_each(|text| stdin.write_all(text.as_bytes())));
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| acked.send(line))
        });
        Self { child, send, acks }
    }

    /// Sends this, and does not wait until it is read.
    pub fn send(&self, text: impl Into<String>) {
        // A command that has ended takes nothing more.
        drop(self.send.send(text.into()));
    }

    /// The next number that is acknowledged; none if the command has ended.
    #[track_caller]
    pub fn ack(&self) -> Option<u64> {
        match self.acks.recv_timeout(Duration::from_secs(60)) {
            Ok(line) => Some(line.parse().unwrap()),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no number comes"),
        }
    }

    /// Waits until this number is acknowledged.
    #[track_caller]
    pub fn wait_for(&self, seq: u64) {
        while self.ack().expect("the command goes on") != seq {}
    }

    /// Ends the input, and answers the numbers that were still to come and the exit code.
    #[track_caller]
    pub fn end(mut self) -> (Vec<u64>, Option<i32>) {
        self.send = channel().0;
        let rest = std::iter::from_fn(|| self.ack()).collect();
        (rest, self.child.wait().unwrap().code())
    }

    /// Kills the command, and answers the numbers that it had printed and nobody read.
    pub fn kill(mut self) -> Vec<u64> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.ack()).collect()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Answer {
    /// What was printed, of a command that did what it was told.
    #[track_caller]
    pub fn done(self) -> String {
        self.ended(0)
    }

    /// What was printed, of a command that ended with this code.
    #[track_caller]
    pub fn ended(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self}");
        String::from_utf8(self.out).unwrap()
    }

    /// What was said, of a command that failed with this code.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self}");
        assert!(self.err.starts_with("error: "), "{self}");
        // The parser of the command line explains at length; all else is one sentence.
        assert!(code == 2 || self.err.lines().count() == 1, "{self}");
        self.err
    }

    /// The one JSON value that was printed.
    #[track_caller]
    pub fn json(self) -> Value {
        let out = self.done();
        assert_eq!(out.lines().count(), 1, "one value a line: {out}");
        serde_json::from_str(&out).unwrap()
    }

    /// The JSON values that were printed, one a line.
    #[track_caller]
    pub fn json_lines(self) -> Vec<Value> {
        self.done().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {:?}\n--- out\n{}\n--- err\n{}", self.code, String::from_utf8_lossy(&self.out), self.err)
    }
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).expect("standard error is text"),
        }
    }
}

/// Runs a command to its end.
pub fn answer(command: &mut Command) -> Answer {
    command.output().unwrap().into()
}

/// Runs a command to its end, with this on standard input.
pub fn feed(command: &mut Command, input: impl AsRef<[u8]>) -> Answer {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref());
    thread::scope(|scope| {
        // A command that fails early leaves the rest unread.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap().into()
    })
}

/// The command, on no root in particular and with nothing in its surroundings that could change what it does.
pub fn session() -> Command {
    let mut command = Command::new(binary());
    for variable in ["SESSION_ROOT", "SESSION_STORE", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    // Compiled once for all tests, and not where the person's own commands look.
    command.env("XDG_CACHE_HOME", target().join("tmp/session-tests-cache")).env("TZ", "UTC");
    command
}

/// A header line as the component writes it.
pub fn header(id: &str) -> String {
    let id = serde_json::to_string(id).unwrap();
    format!("{{\"type\":\"session\",\"version\":0,\"id\":{id},\"createdAt\":1763681581550}}\n")
}

/// An event line as the component writes it.
pub fn event(seq: u64, kind: &str, data: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{},\"data\":{data}}}\n", 1_763_681_581_550 + seq)
}

/// A turn, a step, a question, an answer that calls tools `a` and `b`, and the start of `a`: then nothing. Five events.
pub fn interrupted_turn() -> String {
    [
        event(0, "turn/start", r#"{"turn":1}"#),
        event(1, "user/message", r#"{"content":"read two files"}"#),
        event(2, "step/start", r#"{"turn":1,"step":1}"#),
        event(
            3,
            "assistant/message",
            r#"{"turn":1,"step":1,"content":[{"type":"tool-call","id":"a","name":"read","arguments":"{}"},{"type":"tool-call","id":"b","name":"read","arguments":"{}"}]}"#,
        ),
        event(4, "tool/call", r#"{"turn":1,"step":1,"callId":"a","name":"read","arguments":"{}"}"#),
    ]
    .concat()
}

/// A whole turn of three events, from this place on.
pub fn turn(from: u64) -> String {
    [
        event(from, "turn/start", r#"{"turn":1}"#),
        event(from + 1, "user/message", r#"{"content":"hello"}"#),
        event(from + 2, "turn/end", r#"{"turn":1,"reason":{"kind":"completed"}}"#),
    ]
    .concat()
}

/// The command's file: the one that `SESSION_BIN` names, else ours, made anew if its sources are newer.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(named) = std::env::var_os("SESSION_BIN") {
            return named.into();
        }
        let profile = target_profile();
        // Under cargo the command can be brought up to date: a stale one would make tests lie.
        if let Some(cargo) = std::env::var_os("CARGO") {
            let mut build = Command::new(cargo);
            // Chosen as `cargo build` chooses, so that what that built is used as it is.
            build
                .args(["build", "--quiet", "--bin", "session"])
                .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
            build.args(["--profile", if profile.ends_with("debug") { "dev" } else { "release" }]);
            build.arg("--target-dir").arg(target());
            assert!(build.status().unwrap().success(), "the command `session` does not build");
        }
        let binary = profile.join("session");
        let missing = "is not there; build it: cargo build --release -p session-host";
        assert!(binary.is_file(), "{} {missing}", binary.display());
        binary
    })
}

/// The folder of built things that this very test stands in: `<target>/<profile>/deps/<test>`.
fn target_profile() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().to_owned()
}

fn target() -> PathBuf {
    target_profile().parent().unwrap().to_owned()
}
