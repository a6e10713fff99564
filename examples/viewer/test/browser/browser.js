// The page in a real browser: what the tests and the screenshots have in common.

import { chromium as playwright } from 'playwright-core';
import { chromium } from '../../scripts/chromium.js';
import { serve } from '../../scripts/serve.js';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser and a server of dist/; `page(options)` opens the viewer. */
export async function start() {
  const server = await serve();
  const browser = await playwright.launch({ executablePath: chromium, args });
  return {
    url: server.url,
    async page(options = {}) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
      await page.goto(server.url);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** Drops a log onto the page, as a hand would, and waits until it is shown, or refused. */
export async function drop(page, content, name = 'log.jsonl') {
  const transfer = await page.evaluateHandle(
    ([text, name]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    [content.toString(), name],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await page.waitForFunction(() => document.body.dataset.phase !== 'reading');
  await page.locator('#timeline-list .row, #problem:not(:empty), #timeline .none:not([hidden])').first().waitFor();
}

/** The rows of a list that are in the page, from above. */
export async function rows(page, view = 'timeline') {
  const shown = await page.locator(`#${view}-list .row`).evaluateAll((rows) =>
    rows.map((row) => {
      const text = (part) => row.querySelector(`.${part}`).textContent;
      return {
        index: Number(row.dataset.index),
        seq: text('seq'),
        who: text('who'),
        text: text('text'),
        notes: row.querySelector('.notes').innerText,
      };
    }),
  );
  return shown.sort((a, b) => a.index - b.index);
}

/** The row that is selected. */
export async function selected(page) {
  const index = await page.locator('.panels section:not([hidden]) .row[aria-selected=true]').getAttribute('data-index');
  return (await rows(page)).find((row) => row.index === Number(index));
}
