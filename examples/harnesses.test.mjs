// What a harness in one language leaves undone, one in another takes up.
// Run by `node --test examples/harnesses.test.mjs`, once all three and the command are built.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const harnesses = {
  Rust: here("../host/component/demo-harness.wasm"),
  JavaScript: here("harness-js/harness.wasm"),
  Python: here("harness-python/harness.wasm"),
};
const languages = Object.keys(harnesses);
const session = process.env.SESSION_BIN ?? here("../target/release/session");
// Compiled code is kept for the next time, where the other tests keep theirs.
const env = { ...process.env, XDG_CACHE_HOME: here("../target/tmp/session-tests-cache") };

/** A root for one test. */
class Root {
  constructor(t) {
    this.folder = mkdtempSync(join(tmpdir(), "harnesses-"));
    t.after(() => rmSync(this.folder, { recursive: true }));
  }

  /** What the command does: `{ status, stdout, stderr }`. */
  session(args, input) {
    return spawnSync(session, ["--root", this.folder, ...args], { env, input, encoding: "utf8" });
  }

  /** What it prints, as it has to end well. */
  done(args, input) {
    const { status, stdout, stderr, error } = this.session(args, input);
    assert.equal(status, 0, `${args.join(" ")}: ${error ?? stderr}`);
    return stdout;
  }

  /** A command that goes on while the test does. */
  start(t, args) {
    const child = spawn(session, ["--root", this.folder, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    return child;
  }

  run(language, ...told) {
    return this.done(["run", harnesses[language], "x", ...told]);
  }

  log() {
    return readFileSync(join(this.folder, "x.jsonl"), "utf8");
  }

  /** The log's records, as lines to be appended elsewhere. */
  records() {
    return this.log()
      .split("\n")
      .slice(1, -1)
      .map((event) => `${event}\n`);
  }

  /** A log that ends after so many of these records. */
  cut(records, length) {
    this.done(["append", "x", "--create"], records.slice(0, length).join(""));
  }

  /** What the assistant said in the last turn. */
  said() {
    const events = this.events();
    const turn = events.slice(events.findLastIndex(({ type }) => type === "turn/start"));
    return turn.filter(({ type }) => type === "assistant/message").map(({ data }) => data.content[0].text);
  }

  /** The tools that ran to their end, in the whole log. */
  ran() {
    const events = this.events();
    const blocks = events.flatMap(({ type, data }) => (type === "assistant/message" ? data.content : []));
    const results = events.filter(({ type, data }) => type === "tool/result" && !data.isError);
    return results.map(({ data }) => blocks.find(({ id }) => id === data.callId).name);
  }

  /** What happened, without when: all that every harness has to do alike. */
  events() {
    return lines(this.done(["show", "x", "--json"])).map(({ type, data }) => ({ type, data }));
  }

  /** The session is as good as any: no damage, no broken rule, the last turn completed, each call answered once. */
  isSound() {
    this.done(["verify", "x"]);
    this.done(["check", "x"]);
    assert.deepEqual(this.events().at(-1).data.reason, { kind: "completed" });
    const blocks = lines(this.done(["messages", "x", "--recorded", "--json"])).flatMap((message) => message.content);
    const calls = blocks.filter((block) => block.type === "tool-call").map((block) => block.id);
    const results = blocks.filter((block) => block.type === "tool-result").map((block) => block.toolCallId);
    assert.deepEqual(results, calls);
  }
}

const lines = (text) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const line = (seq, type, data) => `{"type":"${type}","seq":${seq},"time":${seq},"data":${data}}\n`;

/** Runs a harness until its tool hangs, and kills the process. */
async function kill(t, root, language) {
  root.done(["create", "x"]);
  const running = root.start(t, ["run", harnesses[language], "x", "--input", "stall", "--timeout", "1000"]);
  const ended = once(running, "exit");
  const follow = root.start(t, ["follow", "x", "--start", "0", "--json"]);
  const hangs = (async () => {
    for await (const event of createInterface({ input: follow.stdout }))
      if (event.includes('"tool/call"') && event.includes('"call-2"')) return;
  })();
  await Promise.race([hangs, ended]);
  follow.kill();
  assert.equal(root.session(["run", harnesses[language], "x"]).status, 4, "nobody else can write meanwhile");
  running.kill("SIGKILL");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
}

/** The records of a turn in which Rust hangs; the records, and the events, once it has finished the work in another. */
let stalled, whole, finished;

before(async (t) => {
  const root = new Root(t);
  await kill(t, root, "Rust");
  stalled = root.records();
  root.run("Rust", "--input", "Go on.");
  finished = root.events();
  whole = root.records();
  assert.equal(stalled.length, 10);
  assert.equal(whole.length, 24);
});

for (const first of languages) {
  for (const second of languages) {
    test(`a turn in which ${first} is killed is finished by ${second}`, async (t) => {
      const root = new Root(t);
      await kill(t, root, first);
      const left = root.log();
      const answer = root.run(second, "--input", "Go on.");
      assert.match(answer, /^Done, and the tests pass\. You asked: Rename the config key/);
      assert.ok(root.log().startsWith(left), "what was written stays");
      assert.deepEqual(root.events(), finished);
      root.isSound();
    });

    test(`a turn in which ${first} runs out of time is finished by ${second}`, (t) => {
      const root = new Root(t);
      const stopped = root.session(["run", harnesses[first], "x", "--input", "stall", "--timeout", "1"]);
      assert.equal(stopped.status, 1);
      assert.match(stopped.stderr, /ran for more than 1s and was stopped/);
      root.run(second, "--input", "Go on.");
      root.isSound();
    });
  }
}

/** What is to be said by the one who goes on after so many records of `whole`. */
function right(length) {
  const plan = "I'll rename the key first, then run the tests.";
  const now = (tool) => `\`${tool}\` was not started, so I do it now.`;
  const again = (tool) => `Nobody knows how \`${tool}\` ended; doing it twice does no harm, so I do it again.`;
  const question = "Rename the config key `retries` to `attempts` and run the tests.";
  const done = `Done, and the tests pass. You asked: ${question}${length < 15 ? "" : " Go on."}`;
  if (length < 2 || length === 24) return ["Nothing was left open."];
  if (length < 7) return [plan, done]; // the question, and perhaps a part of an answer
  if (length < 8) return [now("replace"), now("run_tests"), done]; // both calls
  if (length < 9) return [again("replace"), now("run_tests"), done]; // the first was started
  if (length < 10) return [now("run_tests"), done]; // and ended
  if (length < 19) return [again("run_tests"), done]; // the second was started, closed, made again, started again
  return [done]; // and ended
}

test("a turn that was cut off after any event is gone on with by what is right, by all alike", (t) => {
  for (let length = 1; length <= whole.length; length += 1) {
    const ends = languages.map((language) => {
      const where = `${language} after ${length} events`;
      const root = new Root(t);
      root.cut(whole, length);
      const answer = root.run(language);
      assert.deepEqual(root.said(), right(length), where);
      assert.equal(answer, `${right(length).at(-1)}\n`, where);
      assert.deepEqual(root.ran(), length < 2 ? [] : ["replace", "run_tests"], where);
      root.isSound();
      return root.events();
    });
    for (const end of ends) assert.deepEqual(end, ends[0], `after ${length} events`);
  }
});

test("work is not forgotten when the next one is killed too, after any event", (t) => {
  const second = new Root(t);
  second.cut(whole, 8); // one call was started, and one was not
  second.run("Rust");
  const records = second.records();
  for (let length = 9; length < records.length; length += 1) {
    const third = new Root(t);
    third.cut(records, length);
    const answer = third.run(languages[length % languages.length]);
    assert.match(answer, /^Done, and the tests pass\. You asked: Rename the config key/, `after ${length} events`);
    assert.deepEqual(third.ran(), ["replace", "run_tests"], `after ${length} events`);
    third.isSound();
  }
});

test("each attempt at a call has an id of its own", (t) => {
  let records = stalled;
  for (const language of languages) {
    const root = new Root(t);
    root.cut(records, records.length);
    root.run(language);
    root.isSound();
    const written = root.records();
    records = written.slice(0, written.findLastIndex((event) => event.includes('"tool/call"')) + 1);
  }
  const started = records.map((event) => JSON.parse(event)).filter(({ type }) => type === "tool/call");
  const ids = ["call-1", "call-2", "call-2-again", "call-2-again-again", "call-2-again-again-again"];
  assert.deepEqual(started.map(({ data }) => data.callId), ids);
});

test("a question that this harness has no line for is not passed over", (t) => {
  for (const language of languages) {
    const root = new Root(t);
    const log = [line(0, "turn/start", '{"turn":1}'), line(1, "user/message", '{"content":"Is it late?"}')];
    root.cut(log, 2);
    assert.equal(root.run(language), "I have no line for that. You asked: Is it late?\n");
    assert.equal(root.run(language), "Nothing was left open.\n", "as it is answered");
  }
});

test("turns are counted as far as every reader of JSON can", (t) => {
  const most = Number.MAX_SAFE_INTEGER;
  const beyond = ["18446744073709551615", "18446744073709551616", `${most + 1}`, "1.5", "-1", "1e400", "9".repeat(5_000)];
  const written = [["1.0", 2], ["1E2", 101], ["-0", 1]];
  for (const [turn, next] of [[most - 1, most], [most, most], ...written, ...beyond.map((turn) => [turn, 2])]) {
    for (const language of languages) {
      const root = new Root(t);
      root.cut([line(0, "turn/start", `{"turn":${turn}}`)], 1);
      root.run(language);
      assert.equal(root.events().at(-1).data.turn, next, `${language} after turn ${turn}`);
    }
  }
});

test("no work is forgotten for a neighbour that a language can't read", (t) => {
  const call = { type: "tool-call", id: "call-1", name: "replace", arguments: "{}" };
  const beside = ['"\\ud83d"', '"\\udc00\\ud83d\\udc00"', "1e400", "-1e400", "9".repeat(5_000)];
  for (const odd of beside) {
    const ends = languages.map((language) => {
      const root = new Root(t);
      const begins = line(0, "assistant/message", `{"odd":${odd},"content":[${odd},${JSON.stringify(call)}]}`);
      root.done(["append", "x", "--create"], begins + line(1, "user/message", `{"odd":${odd},"content":"And this."}`));
      return root.run(language);
    });
    for (const end of ends) assert.equal(end, "Done, and the tests pass. You asked: And this.\n", odd);
  }
});

for (const language of languages) {
  test(`${language} finds its place behind pages of other events`, (t) => {
    const root = new Root(t);
    const notes = Array.from({ length: 1_000 }, (_, seq) => line(seq, "note", "{}"));
    const turn = stalled.map((event, index) => event.replace(`"seq":${index},`, `"seq":${index + 1_000},`));
    root.done(["append", "x", "--create"], [...notes, ...turn].join(""));
    root.run(language, "--input", "Go on.");
    assert.deepEqual(root.events().slice(1_000), finished);
  });

  test(`${language} goes on in a log that holds any JSON`, (t) => {
    const root = new Root(t);
    const odd = ["null", "7", "[]", '"text"', "{}", '{"turn":-1,"callId":7,"error":[]}', "1e400", "9".repeat(5_000)];
    odd.push(`${"[".repeat(100)}${"]".repeat(100)}`, '{"turn":"\\ud83d","callId":"\\ud83d","name":{}}');
    const types = ["turn/start", "tool/call", "tool/result", "turn/end", "note"];
    const events = odd.flatMap((data) => types.map((type) => [type, data]));
    const question = ["user/message", '{"content":[{"type":"text","text":"All of it, please."},7]}'];
    const half = ["user/message", '{"content":[{"type":"text","text":"Half a pair: \\ud83d"}]}'];
    const log = [...events, question, half].map(([type, data], seq) => line(seq, type, data));
    const turn = stalled.filter((event) => !event.includes('"user/message"'));
    const hangs = turn.map((event, index) => event.replace(/"seq":\d+,/, `"seq":${index + log.length},`));
    root.done(["append", "x", "--create"], [...log, ...hangs].join(""));
    assert.match(root.run(language), /^Done, and the tests pass\. You asked: /);
    assert.deepEqual(root.events().at(-1).data, { reason: { kind: "completed" }, turn: 2 });
    root.done(["verify", "x"]);
  });

  test(`${language} says in words why it can't go on`, (t) => {
    const root = new Root(t);
    root.done(["append", "x", "--create"], line(0, "note", "{}"));
    const file = join(root.folder, "x.jsonl");
    const damaged = `${root.log()}no record\n${line(1, "note", "{}")}`;
    writeFileSync(file, damaged);
    const { status, stderr } = root.session(["run", harnesses[language], "x"]);
    assert.equal(status, 5);
    assert.match(stderr, /the harness gave up: can't wake x: its log is damaged from event 1 on/);
    assert.equal(root.log(), damaged);
  });
}
