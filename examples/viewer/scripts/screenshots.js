// Pictures of the page in its states, into screenshots/. A log may be named: `npm run screenshots -- LOG`.

import { mkdir, readFile } from 'node:fs/promises';
import { drop, start } from '../test/browser/browser.js';
import { damagedLog } from '../test/logs.js';

const folder = new URL('../screenshots/', import.meta.url);
await mkdir(folder, { recursive: true });
const given = process.argv[2] && (await readFile(process.argv[2]));
const viewer = await start();

const rest = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function picture(name, options, act) {
  const page = await viewer.page({ colorScheme: 'light', ...options });
  await act?.(page);
  await page.waitForTimeout(300);
  await rest(page);
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname });
  await page.close();
}

async function open(page) {
  if (given) return drop(page, given, 'given.jsonl');
  await page.click('#sample');
  await page.locator('#timeline-list .row').first().waitFor();
}

const dark = { colorScheme: 'dark' };
const narrow = { viewport: { width: 420, height: 800 } };

await picture('empty', {});
await picture('empty-dark', dark);
await picture('refused', {}, (page) => drop(page, 'a shopping list\nmilk\n', 'list.txt'));
for (const [name, options] of [
  ['light', {}],
  ['dark', dark],
]) {
  await picture(`timeline-${name}`, options, async (page) => {
    await open(page);
    for (let row = 0; row < 6; row += 1) await page.keyboard.press('j');
  });
  await picture(`messages-${name}`, options, async (page) => {
    await open(page);
    await page.keyboard.press('2');
    await page.locator('#messages-list .row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
  });
  await picture(`recovery-${name}`, options, async (page) => {
    await open(page);
    await page.keyboard.press('3');
  });
  await picture(`damaged-${name}`, options, async (page) => {
    await drop(page, damagedLog(), 'damaged.jsonl');
    await page.keyboard.press('3');
    await page.click('text=Show the place');
  });
}
await picture('turns', {}, async (page) => {
  await open(page);
  await page.getByLabel('Turns', { exact: true }).check();
  await page.locator('#timeline-list').focus();
  await page.keyboard.press('j');
});
await picture('events', {}, async (page) => {
  await open(page);
  await page.getByLabel('Events', { exact: true }).check();
  await page.locator('#timeline-list').focus();
  await page.keyboard.press('End');
});
await picture('end', {}, async (page) => {
  await open(page);
  await page.keyboard.press('End');
});
await picture('search', {}, async (page) => {
  await open(page);
  await page.keyboard.press('/');
  await page.keyboard.type('test');
});
await picture('keys', {}, async (page) => {
  await open(page);
  await page.keyboard.press('?');
});
await picture('narrow', narrow, open);
await picture('narrow-detail', narrow, async (page) => {
  await open(page);
  for (let row = 0; row < 6; row += 1) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
});
await picture('narrow-empty', narrow);
await picture('narrow-recovery', narrow, async (page) => {
  await open(page);
  await page.keyboard.press('3');
});

await viewer.close();
console.log(`the pictures are in ${folder.pathname}`);
