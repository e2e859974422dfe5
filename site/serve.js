/** A server of the built pages on this machine. */

import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/**
 * Serves a folder at the loopback address.
 *
 * @param {string} folder
 * @param {{ base?: string, port?: number }} [options] `base`: path of the site; `port`: 0 for a free one
 * @returns {Promise<{ url: string, port: number, close: () => void }>}
 */
export async function serveSite(folder, { base = '/', port = 0 } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const found = pathname.startsWith(base)
      ? fileOf(folder, decodeURIComponent(pathname.slice(base.length)))
      : undefined;
    const file = found ?? join(folder, '404.html');
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': TYPES[extname(file)] ?? 'text/plain',
    });
    response.end(readFileSync(file));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}${base}`, port: address.port, close: () => server.close() };
}

function fileOf(folder, path) {
  if (path.split(/[/\\]/).includes('..')) return undefined;
  return [path, `${path}.html`, join(path, 'index.html')]
    .map((name) => join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
