//! Sessions as harnesses write them, drawn by lot and always the same: turns of steps, streamed text, tool calls with
//! arguments, results that quote source code.

use std::fmt::{Display, Write};
use std::ops::RangeInclusive;

use serde_json::json;

/// Data of an event whose line has 256 bytes while its `seq` has five digits.
pub const CHUNK: &str = r#"{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"A line of an answer as a model streams it, with more words in it, and so that there are two hundred and fifty-six bytes"}}"#;

const WORDS: [&str; 32] = [
    "the",
    "session",
    "is",
    "closed",
    "before",
    "a",
    "writer",
    "löst",
    "das",
    "größere",
    "Problem",
    "returns",
    "early",
    "when",
    "`length`",
    "differs,",
    "so",
    "we",
    "re-read",
    "it.",
    "日本語の",
    "行",
    "—",
    "and",
    "then",
    "\"append\"",
    "fails",
    "with",
    "naïve",
    "retries.",
    "✅",
    "See",
];

const SOURCE: &str = r#"impl Writer {
	/// Adds what `text` holds; "\n" ends a line.
	pub fn push(&mut self, text: &str) -> Result<(), Error> {
		for (at, line) in text.split('\n').enumerate() {
			if line.len() > LONGEST {
				return Err(Error::new(format!("line {at}: \"{line}\" is longer than {LONGEST}")));
			}
			self.lines.push(line.replace("\\t", "    ")); // naïve, but größer als nötig
		}
		Ok(())
	}
}
"#;

/// How much happens.
#[derive(Clone)]
pub struct Shape {
    /// In a turn; each but the last calls a tool.
    pub steps: RangeInclusive<u64>,
    /// In a step.
    pub chunks: RangeInclusive<u64>,
    /// Bytes that a tool answers, before they are escaped.
    pub result: RangeInclusive<u64>,
}

/// What a coding agent leaves: about 500 bytes an event.
pub const USUAL: Shape = Shape { steps: 1..=7, chunks: 8..=60, result: 500..=25_000 };

/// A session as it goes on.
pub struct Script {
    shape: Shape,
    seq: u64,
    turn: u64,
    random: u64,
}

impl Script {
    /// One that has not begun.
    pub fn new(shape: Shape) -> Self {
        Self { shape, seq: 0, turn: 0, random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// How many events there are so far.
    pub fn length(&self) -> u64 {
        self.seq
    }

    /// Whole turns until there are so many bytes or a few more.
    pub fn bytes(&mut self, bytes: usize) -> String {
        let mut lines = String::with_capacity(bytes + (1 << 20));
        while lines.len() < bytes {
            self.turn(&mut lines);
        }
        lines
    }

    /// One more turn, as JSON lines.
    pub fn turn(&mut self, lines: &mut String) {
        self.turn += 1;
        let turn = self.turn;
        self.event(lines, "turn/start", format_args!(r#"{{"turn":{turn}}}"#));
        let question = quoted(&self.words(12..=80));
        let content = format_args!(r#"[{{"type":"text","text":{question}}}]"#);
        self.event(lines, "user/message", format_args!(r#"{{"turn":{turn},"content":{content}}}"#));
        let steps = self.between(self.shape.steps.clone());
        for step in 1..=steps {
            self.step(lines, step, step < steps);
        }
        self.event(lines, "turn/end", format_args!(r#"{{"turn":{turn},"reason":{{"kind":"completed"}}}}"#));
    }

    fn step(&mut self, lines: &mut String, step: u64, calls_a_tool: bool) {
        let at = format!(r#""turn":{},"step":{step}"#, self.turn);
        self.event(lines, "step/start", format_args!("{{{at}}}"));
        let mut said = String::new();
        for _ in 0..self.between(self.shape.chunks.clone()) {
            let delta = self.words(3..=10);
            said.push_str(&delta);
            let chunk = format_args!(r#"{{"type":"text-delta","index":0,"text":{}}}"#, quoted(&delta));
            self.event(lines, "assistant/chunk", format_args!(r#"{{{at},"chunk":{chunk}}}"#));
        }
        let id = format!("call_{:016x}", self.draw());
        let arguments =
            json!({ "path": format!("src/{}.rs", self.draw() % 1000), "range": [1, 200], "pattern": "fn \\w+\\(\"" });
        let call = format!(r#"{{"type":"tool-call","id":"{id}","name":"read","arguments":{arguments}}}"#);
        let call = if calls_a_tool { format!(",{call}") } else { String::new() };
        let content = format_args!(r#"[{{"type":"text","text":{}}}{call}]"#, quoted(&said));
        let usage = format_args!(r#"{{"inputTokens":{},"outputTokens":{}}}"#, self.seq * 31, said.len() / 4);
        self.event(lines, "assistant/message", format_args!(r#"{{{at},"content":{content},"usage":{usage}}}"#));
        if calls_a_tool {
            let call = format_args!(r#"{{{at},"callId":"{id}","name":"read","arguments":{arguments}}}"#);
            self.event(lines, "tool/call", call);
            let content = format!(r#"[{{"type":"text","text":{}}}]"#, quoted(&self.source()));
            let result = format_args!(r#"{{{at},"callId":"{id}","content":{content},"isError":false}}"#);
            self.event(lines, "tool/result", result);
        }
        self.event(lines, "step/end", format_args!("{{{at}}}"));
    }

    fn event(&mut self, lines: &mut String, kind: &str, data: impl Display) {
        let (seq, time) = (self.seq, 1_763_681_581_550 + self.seq * 37);
        self.seq += 1;
        writeln!(lines, r#"{{"type":"{kind}","seq":{seq},"time":{time},"data":{data}}}"#)
            .expect("a text can be written");
    }

    fn words(&mut self, count: RangeInclusive<u64>) -> String {
        let mut text = String::new();
        for _ in 0..self.between(count) {
            text.push_str(WORDS[(self.draw() % 32) as usize]);
            text.push(' ');
        }
        text
    }

    fn source(&mut self) -> String {
        let length = self.between(self.shape.result.clone()) as usize;
        let mut text = String::with_capacity(length + SOURCE.len());
        while text.len() < length {
            text.push_str(SOURCE);
        }
        text
    }

    fn between(&mut self, range: RangeInclusive<u64>) -> u64 {
        range.start() + self.draw() % (range.end() - range.start() + 1)
    }

    /// Marsaglia's xorshift.
    fn draw(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}

/// The line of an event, for those who write it bare.
pub fn line(seq: u64, kind: &str, data: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1763681581550,\"data\":{data}}}\n")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use session_host::{Engine, Memory, Sessions};

    use super::*;

    #[test]
    fn a_chunk_has_256_bytes_on_its_line() {
        assert_eq!(line(10_000, "assistant/chunk", CHUNK).len(), 256);
    }

    #[test]
    fn a_session_keeps_every_rule_and_has_some_500_bytes_an_event() {
        let mut script = Script::new(USUAL);
        let lines = script.bytes(20_000_000);
        let size = lines.len() as u64 / script.length();
        assert!((450..550).contains(&size), "{size} bytes an event");

        let sessions = Sessions::new(&Engine::new().unwrap(), Memory::new());
        sessions.create("usual").unwrap();
        assert_eq!(sessions.append_lines("usual", &lines).unwrap(), script.length());
        assert_eq!(sessions.check("usual").unwrap(), [""; 0]);
    }

    #[test]
    fn the_same_is_drawn_again() {
        assert_eq!(Script::new(USUAL).bytes(10_000), Script::new(USUAL).bytes(10_000));
    }
}
