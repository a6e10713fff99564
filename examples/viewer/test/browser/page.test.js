import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { damagedLog, lineOf, logOf, turn } from '../logs.js';
import { drop, selected, start } from './browser.js';

let viewer;
before(async () => (viewer = await start()));
after(() => viewer.close());

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** What axe finds wrong with the page as it is. */
async function faults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join('; ')}`,
  );
}

for (const colorScheme of ['light', 'dark']) {
  test(`in ${colorScheme} no rule of accessibility is broken, nor one of contrast`, async () => {
    const page = await viewer.page({ colorScheme });
    assert.deepEqual(await faults(page), []);
    await drop(page, damagedLog());
    for (const key of ['j', 'j', 'j', 'j', 'j']) await page.keyboard.press(key);
    await page.locator('#detail .raw').first().waitFor();
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press('End');
    await page.locator('#detail .state').waitFor();
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press('2');
    await page.locator('#messages-list .row').first().waitFor();
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press('3');
    assert.deepEqual(await faults(page), []);
    await page.close();
  });
}

test('the page is dark where the system is, and as chosen from then on', async () => {
  const page = await viewer.page({ colorScheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  assert.notEqual(dark, light);
  await page.click('#theme');
  assert.equal(await ground(), dark);
  await page.reload();
  assert.equal(await ground(), dark);
  await page.keyboard.press('t');
  assert.equal(await ground(), light);
  await page.close();
});

test('in a narrow window the detail covers the list and is closed again', async () => {
  const page = await viewer.page({ viewport: { width: 420, height: 800 } });
  await drop(page, logOf(turn(1)));
  assert.equal(await page.locator('#detail').isVisible(), false);
  await page.locator('#timeline-list .row').nth(1).click();
  await page.locator('#detail h2', { hasText: 'User' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#detail').isVisible(), false);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Close the detail' }).click();
  assert.equal(await page.locator('#detail').isVisible(), false);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.close();
});

test('a hundred thousand events scroll from end to end with few of them in the page', async () => {
  const page = await viewer.page();
  const events = [];
  while (events.length < 100_000) events.push(...turn(events.length / 10 + 1));
  await drop(page, logOf(events));
  await page.getByLabel('Events', { exact: true }).check();
  await page.waitForFunction(() => document.querySelector('#timeline-list').dataset.level === 'events');
  const nodes = () => page.evaluate(() => document.querySelectorAll('#timeline-list *').length);
  for (const part of [0.1, 0.5, 0.9, 1]) {
    await page.evaluate((part) => {
      const list = document.querySelector('#timeline-list');
      list.scrollTop = part * list.scrollHeight;
    }, part);
    const seq = String(Math.round(part * 100_000) - 1);
    await page.waitForFunction(
      (seq) =>
        [...document.querySelectorAll('#timeline-list .seq')].some((cell) => Math.abs(cell.textContent - seq) < 60),
      seq,
    );
    assert.ok((await nodes()) < 600);
  }
  await page.locator('#timeline-list').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await page.waitForFunction(
    () => document.querySelector('#timeline-list .row[aria-selected=true] .seq')?.textContent === '99999',
  );
  await page.keyboard.press('g');
  await page.keyboard.type('50,000');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    () => document.querySelector('#timeline-list .row[aria-selected=true] .seq')?.textContent === '50000',
  );
  await page.close();
});

test('a list that is higher than a browser can make is scrolled to its last row', async () => {
  const page = await viewer.page();
  const lines = Array.from({ length: 300_000 }, (_, seq) => lineOf(['x', 1], seq)).join('\n');
  await drop(page, logOf([]) + lines);
  await page.keyboard.press('End');
  await page.waitForFunction(
    () => document.querySelector('#timeline-list .row[aria-selected=true] .seq')?.textContent === '299999',
  );
  const place = await page.locator('#timeline-list .row[aria-selected=true]').boundingBox();
  const list = await page.locator('#timeline-list').boundingBox();
  assert.ok(place.y >= list.y && place.y + place.height <= list.y + list.height + 1);
  await page.keyboard.press('k');
  assert.equal((await selected(page)).seq, '299998');
  await page.close();
});

test('of a very long event the beginning is shown, and more of it whenever that is wanted', async () => {
  const page = await viewer.page();
  const line = lineOf(['x', { list: Array.from({ length: 9000 }, (_, index) => index), text: 'a'.repeat(100_000) }], 0);
  await drop(page, `${logOf([])}${line}\n`);
  await page.locator('#timeline-list .row').click();
  const more = page.locator('#detail .more');
  await more.waitFor();
  assert.ok(await page.evaluate(() => document.querySelectorAll('#detail .code *').length < 5000));
  while (await more.count()) await more.click();
  assert.equal((await page.textContent('#detail .code')).replace(/\s/g, ''), line);
  await page.close();
});

test('of endless names, kinds and characters that show nothing no more is made than can be read', async () => {
  const page = await viewer.page();
  const nothing = '\u200b'.repeat(100_000);
  const kinds = Array.from({ length: 3000 }, (_, index) => ({ type: `kind ${index}` }));
  const events = [
    ...turn(1),
    [nothing, { text: nothing }],
    ['assistant/message', { content: kinds }],
    ['user/message', { content: nothing }],
  ];
  await drop(page, logOf(events));
  for (const seq of ['10', '12']) {
    await page.keyboard.press('g');
    await page.keyboard.type(seq);
    await page.keyboard.press('Enter');
    await page.locator('#detail .raw .seq', { hasText: seq }).waitFor();
    assert.ok(await page.evaluate(() => document.querySelectorAll('#detail *').length < 10_000));
    assert.ok(await page.locator('#detail .more').count());
  }
  await page.keyboard.press('2');
  await page.locator('#messages-list .row').first().waitFor();
  assert.ok(await page.evaluate(() => document.querySelectorAll('#messages-list *').length < 200));
  await page.close();
});

const hostile = [
  '<img src=x onerror="globalThis.hit=1">',
  '<script>globalThis.hit=1</script>',
  '"><svg onload=globalThis.hit=1>',
  'javascript:globalThis.hit=1',
  '{{constructor.constructor("hit=1")()}}',
  '\u202e<b>turned</b>',
  '__proto__',
  'constructor',
];

/** A log in which every text that a log can hold is one of the hostile ones. */
function hostileLog(text) {
  const events = [
    ['turn/start', { turn: text }],
    ['user/message', { content: text, source: text }],
    ['step/start', { step: text }],
    [
      'assistant/message',
      {
        content: [
          { type: 'text', text },
          { type: text, text },
          { type: 'tool-call', id: text, name: text, arguments: text },
        ],
        usage: { [text]: text },
      },
    ],
    ['tool/call', { callId: text, name: text, arguments: { [text]: text } }],
    ['tool/result', { callId: text, content: [{ type: 'text', text }], isError: true }],
    ['tool/result', { callId: text, content: text }],
    ['turn/end', { reason: { kind: text } }],
    [text, { [text]: text }],
    ['compact/summary', { summary: text, shadowedRange: { start: 0, end: 0 } }],
  ];
  return `${logOf(events, text)}${text}\n`;
}

test('nothing in a hostile log becomes part of the page', async () => {
  const page = await viewer.page();
  const dialogs = [];
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => dialogs.push(dialog.dismiss()));
  for (const text of hostile) {
    await drop(page, hostileLog(text), text);
    await page.locator('#marks li').first().waitFor();
    for (const level of ['Turns', 'Events', 'Steps']) {
      await page.getByLabel(level, { exact: true }).check();
      await page.waitForFunction(
        (level) => document.querySelector('#timeline-list').dataset.level === level,
        level.toLowerCase(),
      );
      await page.locator('#timeline-list').focus();
      await page.keyboard.press('Home');
      for (let row = 0; row < 14; row += 1) await page.keyboard.press('j');
    }
    await page.fill('#search', text);
    await page.click('#tab-messages');
    await page.locator('#messages-list .row').first().waitFor();
    for (let row = 0; row < 6; row += 1) await page.keyboard.press('j');
    await page.keyboard.press('3');
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    const foreign = await page.evaluate(
      () => document.querySelectorAll('img, body script, svg, iframe, a, object, b, style').length,
    );
    assert.equal(foreign, 0, text);
    await page.keyboard.press('1');
  }
  assert.deepEqual(dialogs, []);
  assert.deepEqual(faults, []);
  await page.close();
});

test('nothing is asked of the network once the page is there, and nothing can be', async () => {
  const page = await viewer.page();
  const asked = [];
  await drop(page, logOf(turn(1)));
  page.context().on('request', (request) => asked.push(request.url()));
  await drop(page, damagedLog());
  for (const key of ['j', '2', '3', '1', 't', '?']) await page.keyboard.press(key);
  const others = asked.filter((url) => !url.startsWith('blob:') && !url.startsWith(viewer.url));
  assert.deepEqual(others, []);
  const refused = await page.evaluate(async (url) => {
    const attempts = [
      () => fetch(url),
      () =>
        new Promise((resolve, reject) =>
          Object.assign(new WebSocket(url.replace('http', 'ws')), { onopen: resolve, onerror: reject }),
        ),
      () =>
        new Promise((resolve, reject) =>
          Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png', onload: resolve, onerror: reject }),
        ),
      async () => (document.body.innerHTML = '<p>markup</p>'),
    ];
    const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
    return outcomes.map(({ status }) => status);
  }, viewer.url);
  assert.deepEqual(refused, ['rejected', 'rejected', 'rejected', 'rejected']);
  await page.close();
});

test('a worker keeps to the policy of the page', async () => {
  const page = await viewer.page();
  const worker = page.waitForEvent('worker');
  await drop(page, logOf(turn(1)));
  assert.equal(
    await (
      await worker
    ).evaluate(
      (url) =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      viewer.url,
    ),
    'refused',
  );
  await page.close();
});

test('no fault shows in the console while a session is read', async () => {
  const page = await viewer.page();
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.reload();
  for (const log of [damagedLog(), logOf([]), 'nonsense', logOf(turn(1))]) {
    await drop(page, log);
    for (const key of [
      'j',
      'k',
      'Enter',
      'Escape',
      ']',
      '[',
      'ArrowLeft',
      'PageDown',
      '2',
      'j',
      ']',
      '3',
      '1',
      'Escape',
    ])
      await page.keyboard.press(key);
  }
  assert.deepEqual(faults, []);
  await page.close();
});
