import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { damagedLog, interrupted, logOf, text, turn } from '../logs.js';
import { drop, rows, selected, start } from './browser.js';

let viewer;
let page;
before(async () => {
  viewer = await start();
  page = await viewer.page();
});
after(() => viewer.close());

const report = () => page.locator('#recovery');

test('damage is named with its place, what was expected, and what waking would do', async () => {
  await drop(page, damagedLog());
  await page.keyboard.press('3');
  const told = await report().innerText();
  const offset = Buffer.from(damagedLog()).indexOf('{"type":"tool/result","seq":27,"ti\0');
  assert.match(told, /Malformed line/);
  assert.ok(told.includes(`byte ${offset.toLocaleString('en')}`), told);
  assert.match(told, /Expected there\s+event 27/);
  assert.match(told, /10 whole records/);
  assert.match(told, /Waking refuses/);
  assert.match(await page.textContent('#marks'), /Malformed line/);
});

test('the place of the damage is shown in the timeline, and what stands behind it', async () => {
  await drop(page, damagedLog());
  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'Show the place' }).click();
  await page.locator('.row.is-damage[aria-selected=true]').waitFor();
  const shown = await rows(page);
  const at = shown.findIndex(({ who }) => who === 'Damage');
  assert.deepEqual(
    shown.slice(at - 4, at).map(({ who }) => who),
    ['tool/result', 'tool/result', 'step/end', 'turn/end'],
  );
  assert.equal(shown[at + 1].who, 'no record');
  await page.locator('#detail', { hasText: 'Malformed line' }).waitFor();
  await page.keyboard.press('j');
  await page.locator('#detail .state', { hasText: 'behind the damage' }).waitFor();
  assert.match(await page.textContent('#detail .code'), /"tiU\+0000U\+0000U\+0000$/);
});

test('what waking would close is told event by event', async () => {
  await drop(page, logOf(interrupted(1)));
  await page.keyboard.press('3');
  const closers = report().locator('.closers li');
  assert.deepEqual(
    await closers
      .locator('summary')
      .allInnerTexts()
      .then((all) => all.map((line) => line.split('\n').slice(0, 2).join(' '))),
    ['7 tool/result', '8 tool/result', '9 step/end', '10 turn/end'],
  );
  assert.match(await closers.nth(0).innerText(), /outcome is unknown/);
  assert.match(await closers.nth(1).innerText(), /safe to make again/);
  await closers.nth(1).locator('summary').click();
  assert.match(await closers.nth(1).locator('pre').textContent(), /"TOOL_NOT_STARTED"/);
});

test('a sound log with no open turn says that there is nothing to do', async () => {
  await drop(page, logOf(turn(1)));
  await page.keyboard.press('3');
  await report().getByText('None: turns, steps and calls enclose').waitFor();
  assert.match(await report().innerText(), /Sound: 10 events.*\n[^]*Nothing: no turn is open/);
  assert.equal(await page.locator('#findings').isVisible(), false);
});

test('broken rules are listed, and lead to their events', async () => {
  await drop(page, logOf([...turn(1), ['turn/end', { turn: 1 }], ...turn(2)]));
  await page.keyboard.press('3');
  await report().locator('.rules').getByRole('button', { name: '10' }).click();
  await page.locator('.row[aria-selected=true]').waitFor();
  assert.equal((await selected(page)).who, 'turn/end');
  assert.match(await page.textContent('#marks'), /1 broken rule/);
});

test('a log whose header is no header is shown unjudged', async () => {
  await drop(page, `{"type":"sess\n${logOf(turn(1)).split('\n').slice(1).join('\n')}`);
  assert.match(await page.textContent('#notice'), /The first line is no header of a session/);
  assert.equal((await rows(page))[0].who, 'Turn 1');
  await page.keyboard.press('2');
  await page.locator('#messages .none', { hasText: 'There are no messages' }).waitFor();
  await page.keyboard.press('3');
  assert.match(await report().innerText(), /can't be checked/);
});

test('a log of another version is shown unjudged', async () => {
  await drop(page, logOf(turn(1)).replace('"version":0', '"version":7'));
  assert.match(await page.textContent('#notice'), /format version 7/);
  assert.equal(await page.textContent('#marks'), 'Unknown version');
});

test('messages are those a model would get, with results where providers demand them', async () => {
  await drop(
    page,
    logOf([...interrupted(1), ['step/end', {}], ['turn/end', {}], ['user/message', { content: text('go on') }]]),
  );
  await page.keyboard.press('2');
  await page.locator('#messages-list .row').nth(4).waitFor();
  assert.deepEqual(
    (await rows(page, 'messages')).map(({ who, seq }) => `${who} ${seq}`),
    ['User 1', 'Assistant 5', 'User 5', 'User 5', 'User 9'],
  );
  await page.getByLabel('Recorded').check();
  await page.waitForFunction(() => document.querySelectorAll('#messages-list .row').length === 3);
  assert.deepEqual(
    (await rows(page, 'messages')).map(({ who, seq }) => `${who} ${seq}`),
    ['User 1', 'Assistant 5', 'User 9'],
  );
});

test('a message shows its content as it is stored, and leads to its event', async () => {
  await drop(
    page,
    `${logOf([])}{"type":"user/message","seq":0,"time":1,"data":{"content":[{"type":"text","text":"hi","n":12345678901234567890}]}}\n`,
  );
  await page.keyboard.press('2');
  await page.locator('#messages-list .row').click();
  assert.match(await page.locator('#detail .code').textContent(), /12345678901234567890/);
  await page.locator('#detail').getByRole('button', { name: 'from event 0' }).click();
  await page.locator('#timeline-list .row[aria-selected=true]').waitFor();
});

test('messages are searched', async () => {
  await drop(page, logOf([...turn(1), ...turn(2)]));
  await page.keyboard.press('2');
  await page.locator('#messages-list .row').nth(5).waitFor();
  await page.fill('#search', 'it SAYS 2');
  await page.waitForFunction(() => document.querySelectorAll('#messages-list .row').length === 1);
  assert.equal(await page.textContent('#messages-list mark'), 'it says 2');
});

test('the sample opens, and shows what is wrong with it', async () => {
  await page.reload();
  await page.click('#sample');
  await page.locator('#timeline-list .row').first().waitFor();
  assert.match(await page.textContent('#marks'), /Torn tail.*Interrupted turn/);
});
