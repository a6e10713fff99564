import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { interrupted, lineOf, logOf, text, turn } from '../logs.js';
import { drop, rows, selected, start } from './browser.js';

let viewer;
let page;
before(async () => (viewer = await start()));
after(() => viewer.close());

/** Opens a log in a page of its own. */
async function open(content, name) {
  await page?.close();
  page = await viewer.page();
  await drop(page, content, name);
}

const session = logOf([...turn(1), ...turn(2, 'and the weather?'), ...turn(3)], 'three-turns');

test('a dropped log is shown as turns, steps, words and calls with their results', async () => {
  await open(session);
  assert.equal(await page.textContent('#name'), 'three-turns');
  assert.equal(await page.textContent('#marks'), 'Sound');
  const shown = await rows(page);
  assert.deepEqual(
    shown.slice(0, 5).map(({ who }) => who),
    ['Turn 1', 'User', 'Step 1', 'Assistant', 'read'],
  );
  assert.equal(shown[4].text, 'a.txtwhat it says 1');
  assert.match(shown[0].notes, /1 step\s+1 call\s+110 in\s+5 out/);
});

test('chunks are folded into their message, and each is a row among the events', async () => {
  await open(session);
  assert.match((await rows(page))[3].notes, /2 chunks/);
  await page.getByLabel('Events', { exact: true }).check();
  await page.locator('.row.is-event', { hasText: 'assistant/chunk' }).first().waitFor();
  assert.deepEqual(
    (await rows(page)).slice(2, 5).map(({ seq }) => seq),
    ['2', '3', '4'],
  );
});

test('at the level of turns a turn is unfolded by key and by mouse', async () => {
  await open(session);
  await page.getByLabel('Turns', { exact: true }).check();
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 3);
  assert.match((await rows(page))[1].text, /weather/);
  await page.locator('#timeline-list').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 7);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 3);
  await page.locator('.fold').nth(2).click();
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 7);
});

test("a row's detail holds its event byte for byte, laid out", async () => {
  const stored = '{"type":"x/odd","seq":0,"time":1,"data":{"n":12345678901234567890,"n":1.0,"s":"\\ud83d"}}';
  await open(`${logOf([])}${stored}\n`);
  await page.locator('#timeline-list .row').first().click();
  const code = page.locator('#detail .code');
  assert.equal((await code.textContent()).replace(/\s/g, ''), stored);
  assert.match(await code.textContent(), /\n {4}"n": 12345678901234567890,\n/);
  await page.getByRole('button', { name: 'As stored' }).click();
  assert.equal(await code.textContent(), stored);
});

test('a search shows the rows that fit, marks the place, and gives the rest back', async () => {
  await open(session);
  await page.keyboard.press('/');
  await page.keyboard.type('WEATHER');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 1);
  assert.equal(await page.textContent('#timeline-list mark'), 'weather');
  assert.match(await page.textContent('#status'), /^1 row of 15/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  assert.equal((await selected(page)).seq, '11');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 15);
  assert.equal((await selected(page)).seq, '11');
});

test('a search for nothing that is there says so', async () => {
  await open(session);
  await page.fill('#search', 'no such words');
  await page.locator('#timeline .none', { hasText: 'No row fits' }).waitFor();
});

test('a search finds types, and a filter shows one type alone', async () => {
  await open(session);
  await page.fill('#search', 'user/message');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 3);
  await page.fill('#search', '');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 15);
  await page.selectOption('#filter', 'type:tool/result');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 3);
  assert.deepEqual(
    (await rows(page)).map(({ who }) => who),
    ['read', 'read', 'read'],
  );
});

test('a sequence number is gone to, into the row that holds it, past a filter', async () => {
  await open(session);
  await page.selectOption('#filter', 'tools');
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 3);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.type('24');
  await page.keyboard.press('Enter');
  await page.locator('#timeline-list .row.is-assistant[aria-selected=true]').waitFor();
  assert.equal((await selected(page)).seq, '23');
  await page.locator('#detail .raw.asked .seq', { hasText: '24' }).waitFor();
  assert.equal(await page.inputValue('#filter'), 'all');
});

test('a number that is not there, or is none, is said to be so', async () => {
  await open(session);
  for (const [typed, said] of [
    ['999', /no event 999/],
    ['three', /digits alone/],
  ]) {
    await page.fill('#jump', typed);
    await page.press('#jump', 'Enter');
    await page.waitForFunction(
      (said) => new RegExp(said).test(document.querySelector('#status').textContent),
      said.source,
    );
  }
});

test('keys move the selection and open the detail', async () => {
  await open(session);
  for (const key of ['j', 'j', 'ArrowDown', 'k']) await page.keyboard.press(key);
  assert.equal((await selected(page)).who, 'User');
  await page.keyboard.press(']');
  await page.waitForFunction(() => document.querySelector('[aria-selected=true].row .who').textContent === 'Turn 2');
  await page.keyboard.press('End');
  assert.equal((await selected(page)).seq, '26');
  await page.keyboard.press('Home');
  assert.equal((await selected(page)).seq, '0');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'detail');
  await page.keyboard.press('j');
  await page.locator('#detail h2', { hasText: 'User' }).waitFor();
  await page.getByRole('button', { name: 'Copy' }).focus();
  await page.keyboard.press('j');
  await page.locator('#detail h2', { hasText: 'Step 1' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'detail');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'timeline-list');
});

test('a row that is clicked leaves the keyboard in the list', async () => {
  await open(session);
  await page.locator('#timeline-list .row').nth(1).click();
  await page.keyboard.press('ArrowDown');
  assert.equal((await selected(page)).who, 'Step 1');
});

test('the keys are told, and typing in a field is no command', async () => {
  await open(session);
  await page.keyboard.press('?');
  assert.ok(await page.locator('#keys').getByText('Go to a sequence number').isVisible());
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#keys').isVisible(), false);
  await page.keyboard.press('/');
  await page.keyboard.type('jgt3?');
  assert.equal(await page.inputValue('#search'), 'jgt3?');
  assert.ok(await page.locator('#timeline').isVisible());
});

test('lines can be pasted, and a file chosen', async () => {
  await page.close();
  page = await viewer.page();
  await page.evaluate((lines) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', lines);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, session);
  await page.locator('#timeline-list .row').first().waitFor();
  await page.setInputFiles('#file', {
    name: 'other.jsonl',
    mimeType: 'text/plain',
    buffer: Buffer.from(logOf(turn(9), 'chosen')),
  });
  await page.locator('#name', { hasText: 'chosen' }).waitFor();
});

test('events without a header are shown and judged all the same', async () => {
  await open(interrupted(1).map(lineOf).join('\n'), 'export.jsonl');
  assert.equal(await page.textContent('#name'), 'export.jsonl');
  assert.match(await page.textContent('#notice'), /without a header/);
  assert.match(await page.textContent('#marks'), /Interrupted turn/);
});

test('a log without events says that it has none', async () => {
  await open(logOf([]));
  assert.match(await page.textContent('#timeline .none'), /no events yet/);
});

test('a file that is no log is refused in words, and the next one is read', async () => {
  await open('milk\nbread\n', 'list.txt');
  assert.match(await page.textContent('#problem'), /Nothing in list\.txt reads as a line of a session log/);
  await drop(page, session);
  await page.locator('#name', { hasText: 'three-turns' }).waitFor();
});

test('a second log takes the place of the first whole', async () => {
  await open(session);
  await page.keyboard.press('End');
  await drop(page, logOf([['user/message', { content: text('alone') }]], 'second'));
  await page.locator('#name', { hasText: 'second' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('#timeline-list .row').length === 1);
  assert.equal((await rows(page))[0].text, 'alone');
  assert.doesNotMatch(await page.textContent('#detail'), /Turn 3/);
});
