// Serves dist/ on this machine alone.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = new URL('../dist/', import.meta.url);
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A server of dist/ on a free port, or on the one that is wanted. */
export async function serve(port = 0) {
  const server = createServer(async (request, response) => {
    // The parser of URLs takes every `..` out of the path before it meets the folder.
    const { pathname } = new URL(request.url, 'http://localhost');
    try {
      const file = new URL(`.${pathname.endsWith('/') ? `${pathname}index.html` : pathname}`, dist);
      const content = await readFile(file);
      response.writeHead(200, { 'content-type': types[extname(file.pathname)] ?? 'application/octet-stream' });
      response.end(content);
    } catch {
      response.writeHead(404).end('not here');
    }
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!existsSync(dist)) {
    console.error('There is no dist/ yet: run `npm run build` first.');
    process.exit(1);
  }
  const { url } = await serve(Number(process.env.PORT ?? 8080));
  console.log(`the viewer is at ${url} (PORT=… chooses another port)`);
}
