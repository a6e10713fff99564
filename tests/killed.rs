//! Writers killed for real, at any moment: every event that they acknowledged is there.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use session_tests::command::{Root, event};

/// A process that appends as fast as it can, and says which events are durable.
struct Writer {
    child: Child,
    acknowledged: Receiver<u64>,
}

impl Writer {
    fn of(root: &Root, input: String) -> Self {
        let mut command = root.command(["append", "x", "--create", "--ack"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut send = child.stdin.take().unwrap();
        thread::spawn(move || {
            // Line by line, so that there are many acknowledgements; until it is dead.
            for line in input.split_inclusive('\n') {
                if send.write_all(line.as_bytes()).is_err() {
                    break;
                }
            }
        });
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, acknowledged) = channel();
        thread::spawn(move || {
            let seqs = out.lines().map_while(Result::ok).filter_map(|line| line.parse().ok());
            seqs.take_while(|seq| tell.send(*seq).is_ok()).for_each(drop);
        });
        Self { child, acknowledged }
    }

    /// Lets it live until it has acknowledged something, or has ended. Answers what that was.
    fn wait(&self) -> Option<u64> {
        self.acknowledged.recv().ok()
    }

    /// Kills it after a while. Answers what it had acknowledged by then.
    fn kill_after(mut self, time: Duration) -> Vec<u64> {
        thread::sleep(time);
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.acknowledged.iter().collect()
    }
}

/// Times of up to 40 milliseconds that one seed determines.
struct Times(u64);

impl Times {
    fn next(&mut self) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_micros(self.0 % 40_000)
    }
}

/// What is stored, once what was torn is set aside.
fn stored(root: &Root) -> Vec<String> {
    if !root.log("x").exists() {
        return Vec::new();
    }
    root.run(&["wake", "x", "--keep-open"]).done();
    root.run(&["show", "x", "--json"]).done().split_inclusive('\n').map(String::from).collect()
}

/// Events of one writer. Some end a turn, which flushes.
fn input(writer: &str, from: usize, count: usize) -> Vec<String> {
    let kinds = ["turn/start", "note", "turn/end"];
    let data = |seq| format!(r#"{{"turn":1,"writer":"{writer}","text":"{}"}}"#, "words ".repeat(seq % 40));
    (from..from + count).map(|seq| event(seq as u64, kinds[seq % 3], &data(seq))).collect()
}

fn kill_one_writer(kills: usize, seed: u64) {
    let (mut root, mut times) = (Root::new(), Times(seed));
    let mut before: Vec<String> = Vec::new();
    for kill in 0..kills {
        // Not too long a log, so that there are many kills in little time.
        if kill % 25 == 0 {
            (root, before) = (Root::new(), Vec::new());
        }
        let sent = [&before[..], &input("one", before.len(), 2000)].concat();
        let writer = Writer::of(&root, sent[before.len()..].concat());
        // Every other one dies while it is at work, and not perhaps before.
        let first = if kill % 2 == 0 { writer.wait() } else { None };
        let acknowledged = first.into_iter().chain(writer.kill_after(times.next()));
        let now = stored(&root);
        assert!(sent.starts_with(&now), "kill {kill} of seed {seed}: what is stored is not what was sent");
        let durable = acknowledged.last().map_or(before.len(), |seq| seq as usize + 1);
        assert!(now.len() >= durable, "kill {kill} of seed {seed}: {durable} acknowledged, {} there", now.len());
        before = now;
    }
}

fn kill_two_writers(kills: usize, seed: u64) {
    let (mut root, mut times) = (Root::new(), Times(seed));
    let mut before: Vec<String> = Vec::new();
    for kill in 0..kills {
        if kill % 25 == 0 {
            (root, before) = (Root::new(), Vec::new());
        }
        let streams = ["one", "two"].map(|writer| input(writer, before.len(), 2000));
        let writers = streams.each_ref().map(|lines| Writer::of(&root, lines.concat()));
        let (first, second) = (times.next(), times.next());
        let [one, two] = writers.map(|writer| (writer.wait(), writer));
        let acknowledged = [(one, first), (two, second)]
            .map(|((acknowledged, writer), time)| acknowledged.into_iter().chain(writer.kill_after(time)));
        let now = stored(&root);
        assert!(now.starts_with(&before), "kill {kill} of seed {seed}: what was there is not");
        for (lines, acknowledged) in streams.iter().zip(acknowledged) {
            for seq in acknowledged {
                let (line, at) = (&lines[seq as usize - before.len()], seq as usize);
                assert_eq!(now.get(at), Some(line), "kill {kill} of seed {seed}: event {seq} was acknowledged");
            }
        }
        before = now;
    }
}

#[test]
fn whatever_a_killed_writer_acknowledged_is_there() {
    kill_one_writer(25, 1);
}

#[test]
fn of_two_writers_that_are_killed_each_finds_what_it_was_told() {
    kill_two_writers(25, 2);
}

/// For `cargo xtask torture`.
#[test]
#[ignore = "takes minutes; `cargo xtask torture` runs it"]
fn many_are_killed() {
    let kills = std::env::var("TORTURE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(500);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    kill_one_writer(kills, seed);
    kill_two_writers(kills / 2, seed);
    println!("{} writers killed, every acknowledged event is there", kills + kills / 2 * 2);
}
