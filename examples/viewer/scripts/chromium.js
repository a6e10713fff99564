// Finds the Chromium that the tests drive, and installs Debian's where that is allowed.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Chromium is there, or the process ends and says what to do. */
function ensure() {
  if (existsSync(chromium)) return;
  if (process.getuid?.() === 0 && !process.env.CHROMIUM && existsSync('/usr/bin/apt-get')) {
    console.log("Chromium is missing; installing Debian's");
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (...args) => spawnSync('apt-get', ['-qq', ...args], { stdio: 'inherit', env: environment });
    run('update');
    run('install', '-y', '--no-install-recommends', 'chromium');
    if (existsSync(chromium)) return;
  }
  console.error(
    `There is no Chromium at ${chromium}. Install it (Debian: apt-get install chromium), or name one: CHROMIUM=/path npm test`,
  );
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) ensure();
