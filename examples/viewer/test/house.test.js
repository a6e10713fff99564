import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const folder = new URL('../src/', import.meta.url);
const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
const sources = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') })),
);

test('no source writes markup, evaluates text, or asks the network', () => {
  const forbidden =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|createContextualFragment|srcdoc|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts/;
  assert.ok(sources.length > 20);
  for (const { name, text } of sources) assert.doesNotMatch(text, forbidden, name);
});

test('no source is longer than a reader can hold', () => {
  for (const { name, text } of sources) assert.ok(text.split('\n').length < 300, name);
});

test('logic needs no page', () => {
  for (const { name, text } of sources.filter(({ name }) => /^(log|text)\//.test(name)))
    assert.doesNotMatch(text, /\b(document|window)\./, name);
});

test("the page's policy allows nothing but its own scripts and styles", async () => {
  const page = await readFile(new URL('index.html', folder), 'utf8');
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page);
  const rules = Object.fromEntries(policy.split(';').map((rule) => rule.trim().split(/ (.*)/s)));
  assert.equal(rules['default-src'], "'none'");
  assert.equal(rules['connect-src'], undefined);
  assert.doesNotMatch(policy, /https?:|\*|unsafe-inline|'unsafe-eval'|data:/);
  assert.equal(rules['require-trusted-types-for'], "'script'");
});
