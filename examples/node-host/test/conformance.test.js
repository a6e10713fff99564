// Every rule of the contract, as the component `conformance` has it, over each store of this package.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { JsonlFolder, Memory } from '../src/index.js';
import { instance } from '../src/component.js';
import { imports } from '../src/imports.js';
import { instantiate } from './component/conformance.js';
import { withFolder } from './helpers.js';

/** Each makes an empty place, and gives one holder on it. @type {Record<string, (use: (storage: JsonlFolder | Memory) => void) => void>} */
const STORES = {
  JsonlFolder: (use) => withFolder((root) => {
    const storage = new JsonlFolder(root);
    try {
      use(storage);
    } finally {
      storage.close();
    }
  }),
  Memory: (use) => use(new Memory()),
};

/** Cases that can't hold here, by name, each with its reason. @type {Record<string, string>} */
const EXEMPT = {};

/** @type {Map<string, WebAssembly.Module>} */
const modules = new Map();

/** @param {string} name */
function module(name) {
  const bytes = () => fs.readFileSync(new URL(`./component/${name}`, import.meta.url));
  return modules.get(name) ?? modules.set(name, new WebAssembly.Module(bytes())).get(name);
}

/** The component: one holder is its storage, its sessions stand upon another. @param {JsonlFolder | Memory} storage @param {JsonlFolder | Memory} sibling */
function conformance(storage, sibling) {
  const { sessionPersistence, messages } = instance(imports(sibling, Date.now));
  return instantiate(/** @type {any} */ (module), /** @type {any} */ ({
    ...imports(storage, Date.now),
    'agent:session/session-persistence': sessionPersistence,
    'agent:session/messages': messages,
  }));
}

const cases = conformance(new Memory(), new Memory()).cases();

for (const [name, withStore] of Object.entries(STORES)) {
  describe(`${name} keeps the rule`, () => {
    for (const rule of cases) {
      test(rule, { skip: EXEMPT[rule] ?? false }, () => withStore((storage) => {
        const sibling = storage.sibling();
        try {
          conformance(storage, sibling).run(rule);
        } catch (error) {
          assert.fail(/** @type {any} */ (error));
        } finally {
          sibling.close();
        }
      }));
    }
  });

  // A component can't try this: in its world no holder is ever dropped.
  test(`${name} keeps the rule: a claim is held until its holder is closed, and no longer`, () => withStore((storage) => {
    const [published, third, fourth] = [storage.sibling(), storage.sibling(), storage.sibling()];
    published.publish('x', [{ tag: 'content', val: Buffer.from('one\n') }]);
    third.close();
    assert.throws(() => fourth.acquire('x'), { code: 'busy' });
    published.close();
    fourth.acquire('x');
    fourth.append('x', 4, Buffer.from('two\n'));
    assert.throws(() => storage.acquire('x'), { code: 'busy' });
    fourth.close();
    storage.acquire('x');
    assert.equal(String(storage.read('x', 0, 99)), 'one\ntwo\n');
  }));
}

test('there are cases, and no exemption is for a case that is no more', () => {
  assert.ok(cases.length > 0);
  assert.deepEqual(Object.keys(EXEMPT).filter((rule) => !cases.includes(rule)), []);
});
