import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PageFile, PageMissingError, readPage } from '../page/index.ts';
import type { RunningServer, ServerOptions } from './index.ts';
import { exchange, rawRequest, startTestServer } from './server.testing.ts';

const INDEX = '<!doctype html><title>page</title>'.padEnd(900, ' ');
const SCRIPT = 'console.log("page");'.repeat(40);
const SCRIPT_PATH = '/explorer/index-B1xy.js';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let folder = '';
let page: ReadonlyMap<string, () => PageFile>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-page-'));
  await mkdir(join(folder, 'explorer'));
  for (const [path, text] of [
    ['index.html', INDEX],
    [SCRIPT_PATH.slice(1), SCRIPT],
  ] as const) {
    writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, `${path}.gz`), gzipSync(text));
    writeFileSync(join(folder, `${path}.br`), brotliCompressSync(text));
  }
  writeFileSync(join(folder, 'notes.txt'), 'no part of the page');
  page = readPage(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

const start = (options: Partial<ServerOptions> = {}): Promise<RunningServer> =>
  startTestServer({ page, localOrigins: false, ...options });

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Sends a request with exactly these headers: `fetch` would add others, and decode the body. */
function ask(
  server: RunningServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: server.port, path, method, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    onTestFinished(() => void request.destroy());
    request.on('error', reject);
    request.end();
  });
}

describe('the page', () => {
  test('default: a browser receives the page, with headers that isolate it', async () => {
    const server = await start();
    const { status, headers, body } = await ask(server, '/', { accept: BROWSER });
    expect({ status, body: String(body) }).toEqual({ status: 200, body: INDEX });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        `connect-src 'self' ws://127.0.0.1:${server.port}; worker-src 'self'; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      vary: 'Origin, Accept, Accept-Encoding',
    });
  });

  test('behavior: immutable files are marked as such', async () => {
    const { status, headers, body } = await ask(await start(), SCRIPT_PATH);
    expect({ status, body: String(body) }).toEqual({ status: 200, body: SCRIPT });
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.001', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['deflate', undefined, (bytes: Buffer) => bytes],
    ['identity, gzip;q=0.5', undefined, (bytes: Buffer) => bytes],
    ['gzip;q=much', undefined, (bytes: Buffer) => bytes],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('args: Accept-Encoding: %s', async (accepted, encoding, decode) => {
    const { headers, body } = await ask(await start(), SCRIPT_PATH, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-length']).toBe(String(body.length));
    expect(String(decode(body))).toBe(SCRIPT);
  });

  test('behavior: HEAD has the same fields and no body', async () => {
    const server = await start();
    for (const path of ['/', SCRIPT_PATH]) {
      const fields = { accept: BROWSER, 'accept-encoding': 'gzip' };
      const [got, headOnly] = [await ask(server, path, fields), await ask(server, path, fields, 'HEAD')];
      expect(headOnly.status).toBe(200);
      expect(headOnly.body.length).toBe(0);
      expect({ ...headOnly.headers, date: '' }).toEqual({ ...got.headers, date: '' });
    }
  });

  test('behavior: a client with a matching ETag receives 304', async () => {
    const server = await start();
    const { headers } = await ask(server, '/', { accept: BROWSER, 'accept-encoding': 'gzip' });
    const tag = String(headers.etag);
    for (const list of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const fields = { accept: BROWSER, 'accept-encoding': 'gzip', 'if-none-match': list };
      const answer = await ask(server, '/', fields);
      expect([list, answer.status, answer.body.length]).toEqual([list, 304, 0]);
      expect(answer.headers).toMatchObject({ etag: tag, 'cache-control': 'no-cache' });
    }
    const other = { accept: BROWSER, 'accept-encoding': 'br', 'if-none-match': tag };
    expect((await ask(server, '/', other)).status).toBe(200);
  });

  test.each([
    '/explorer/index-other.js',
    '/explorer/',
    '/index.html',
    '/explorer/../index.html',
    '/notes.txt',
  ])('error: %s is not there', async (path) => {
    expect(await ask(await start(), path, { accept: BROWSER })).toMatchObject({ status: 404 });
  });

  test('error: a folder without a page', () => {
    expect(() => readPage(join(tmpdir(), 'no-such-folder'))).toThrow(PageMissingError);
  });
});

describe('clients other than browsers', () => {
  test.each([undefined, '*/*', 'application/json', 'text/html;q=0', 'text/*'])(
    'behavior: Accept: %s gets the same response as without a page',
    async (accept) => {
      const fields: Record<string, string> = accept === undefined ? {} : { accept };
      for (const method of ['GET', 'HEAD']) {
        const [withPage, without] = await Promise.all([
          ask(await start(), '/', fields, method),
          ask(await start({ page: undefined }), '/', fields, method),
        ]);
        expect(withPage.status).toBe(405);
        expect(withPage.body).toEqual(without.body);
        expect(withPage.headers.allow).toBe(without.headers.allow);
      }
    },
  );

  test('behavior: requests are answered as ever', async () => {
    const server = await start();
    const posted = await fetch(server.url, { method: 'POST', body: '[]', headers: { accept: BROWSER } });
    expect([posted.status, await posted.text()]).toEqual([200, '{"length":2}']);
  });

  test('behavior: without a page browsers get none', async () => {
    const server = await start({ page: undefined });
    expect((await ask(server, '/', { accept: BROWSER })).status).toBe(405);
    expect((await ask(server, SCRIPT_PATH)).status).toBe(404);
  });
});

describe('allowed origins', () => {
  const post = (port: number, host: string, origin: string): string =>
    `POST / HTTP/1.1\r\nHost: ${host.replace('PORT', String(port))}\r\n` +
    `Origin: ${origin.replace('PORT', String(port))}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`;

  test.each([
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['localhost:PORT', 'http://localhost:PORT'],
    ['node.example', 'http://node.example'],
    ['Node.Example', 'https://node.example'],
    ['[::1]:PORT', 'http://[::1]:PORT'],
  ])('behavior: a page at %s sends requests there', async (host, origin) => {
    const { port } = await start({ allowedHosts: ['node.example'] });
    expect(await exchange(port, post(port, host, origin))).toMatch(/^HTTP\/1.1 200 /);
    const { port: other } = await start({ allowedHosts: ['node.example'], page: undefined });
    expect(await exchange(other, post(other, host, origin))).toMatch(/^HTTP\/1.1 403 /);
  });

  test.each([
    ['127.0.0.1:PORT', 'http://127.0.0.1:1'],
    ['127.0.0.1:PORT', 'http://localhost:PORT'],
    ['127.0.0.1:PORT', 'https://evil.example'],
    ['127.0.0.1:PORT', 'null'],
    ['evil.example', 'http://evil.example'],
  ])('error: at %s a page of %s may not', async (host, origin) => {
    const { port } = await start();
    expect(await exchange(port, post(port, host, origin))).toMatch(/^HTTP\/1.1 403 /);
  });

  test('error: the page itself is not shown to a name that was rebound to this machine', async () => {
    const server = await start();
    for (const path of ['/', SCRIPT_PATH]) {
      expect((await ask(server, path, { accept: BROWSER, host: 'evil.example' })).status).toBe(403);
      const foreign = { accept: BROWSER, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
      expect((await ask(server, path, foreign)).status).toBe(403);
    }
  });

  test('behavior: a host that could end a directive is no part of the policy', async () => {
    const server = await start();
    const host = "x;script-src'unsafe-inline'.localhost";
    const { status, headers } = await ask(server, '/', { accept: BROWSER, host });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("connect-src 'self'; worker-src");
  });

  test('behavior: a request after a page on the same connection is answered', async () => {
    const { port } = await start();
    const both =
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/html\r\n\r\n` +
      rawRequest(port, ['Content-Length: 2', 'Connection: close'], '[]');
    expect(await exchange(port, both)).toMatch(/^HTTP\/1.1 200 [\s\S]*<title>page[\s\S]*\{"length":2\}$/);
  });
});
