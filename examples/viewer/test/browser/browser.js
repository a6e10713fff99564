// The page in a real browser: what the tests and the screenshots have in common.

import { chromium as playwright } from 'playwright-core';
import { chromium } from '../../scripts/chromium.js';
import { serve } from '../../scripts/serve.js';

const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

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

/** Drops a log onto the page, as a hand would, and waits until it is shown. */
export async function drop(page, content, name = 'log.jsonl') {
  const transfer = await page.evaluateHandle(
    ([base64, name]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [Buffer.from(content).toString('base64'), name],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await page.locator('#timeline-list .row').first().or(page.locator('#problem:not(:empty)')).or(page.locator('#timeline .none:not([hidden])')).first().waitFor();
}
