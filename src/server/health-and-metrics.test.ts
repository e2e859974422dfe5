import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { LimitError } from '../rpc/index.ts';
import type { HealthReport } from './health-and-metrics.ts';
import { dispatcherOf, exchange, open, send, startTestServer, testMetrics } from './server.testing.ts';

const WELL: HealthReport = { ok: true, problems: [], warnings: [], block: 7, blockAge: 2 };
const ILL: HealthReport = {
  ok: false,
  problems: ['the disk is full'],
  warnings: [],
  block: 7,
  blockAge: 900,
};

/** A request with a host that the rules refuse. */
function foreign(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
}

describe('GET /health', () => {
  test('default', async () => {
    const { url } = await startTestServer({ health: () => WELL });
    const response = await fetch(`${url}/health`);
    expect([response.status, await response.json()]).toEqual([200, WELL]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('behavior: a node that is not well', async () => {
    const { url } = await startTestServer({ health: () => ILL });
    const response = await fetch(`${url}/health`);
    expect([response.status, await response.json()]).toEqual([503, ILL]);
    expect((await fetch(`${url}/health`, { method: 'HEAD' })).status).toBe(503);
  });

  test('error: a health check that throws', async () => {
    const health = () => {
      throw new RangeError('/a/secret');
    };
    const { url } = await startTestServer({ health });
    const response = await fetch(`${url}/health`);
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  test('error: no health check, another host, another method', async () => {
    const { url, port } = await startTestServer({ health: () => WELL });
    expect(await exchange(port, foreign('/health'))).toMatch(/^HTTP\/1.1 403 /);
    const response = await fetch(`${url}/health`, { method: 'POST', body: '1' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const silent = await startTestServer();
    expect((await fetch(`${silent.url}/health`)).status).toBe(404);
  });
});

describe('GET /metrics', () => {
  test('default', async () => {
    const { url } = await startTestServer({ metrics: testMetrics() });
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toMatch(/^ledgerd_block_height 7$/m);
  });

  test('behavior: concurrent requests share a few generated texts', async () => {
    const metrics = testMetrics();
    const made = vi.spyOn(metrics, 'text');
    const { port } = await startTestServer({ metrics });
    const sockets = await Promise.all(Array.from({ length: 64 }, () => open(port)));
    const answers = sockets.map((socket) => once(socket, 'data'));
    const asked = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const socket of sockets) socket.write(asked);
    for (const [text] of await Promise.all(answers)) expect(String(text)).toMatch(/^HTTP\/1\.1 200 /);
    expect(made.mock.calls.length).toBeLessThan(32);
  });

  test('behavior: connections and refusals are counted', async () => {
    const metrics = testMetrics();
    const { url, port } = await startTestServer({ metrics, limits: { bodyBytesMax: 10 } });
    const idle = await open(port);
    await exchange(port, foreign('/'));
    await exchange(
      port,
      'GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n',
    );
    await exchange(port, 'hello\r\n\r\n');
    await exchange(port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    await fetch(url, { method: 'POST', body: 'x'.repeat(11) });
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const reason of ['host', 'origin', 'malformed', 'headerSize', 'bodySize']) {
      expect(text).toContain(`ledgerd_refused_total{reason="${reason}"} 1\n`);
    }
    expect(text).toMatch(/^ledgerd_connections [1-9]$/m);
    expect(text).toMatch(/^ledgerd_held_bytes\{kind="requests"\} 0$/m);
    expect(await send(idle, foreign('/'))).toMatch(/^HTTP\/1.1 403 /);
  });

  test('error: another host, no metrics', async () => {
    const { port } = await startTestServer({ metrics: testMetrics() });
    expect(await exchange(port, foreign('/metrics'))).toMatch(/^HTTP\/1.1 403 /);
    const silent = await startTestServer();
    expect((await fetch(`${silent.url}/metrics`)).status).toBe(404);
  });
});

describe('GET /blocks', () => {
  const blockFeed = (from: number) => ({
    head: 9,
    bytes: new Uint8Array(from > 9 ? 0 : 9 - from + 1).fill(from),
  });

  test('default', async () => {
    const { url } = await startTestServer({ blockFeed });
    const response = await fetch(`${url}/blocks?from=7`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('ledgerd-head')).toBe('9');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([7, 7, 7]);
  });

  test('behavior: no block yet', async () => {
    const { url } = await startTestServer({ blockFeed });
    const response = await fetch(`${url}/blocks?from=10`);
    expect([response.status, response.headers.get('ledgerd-head')]).toEqual([200, '9']);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  test('error: no number', async () => {
    const { url } = await startTestServer({ blockFeed });
    for (const query of [
      '',
      '?from=',
      '?from=-1',
      '?from=1.5',
      '?from=0x1',
      '?from=4294967296',
      '?from=1&from=2',
    ]) {
      const response = await fetch(`${url}/blocks${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({
        error: { code: -32600, message: 'give the number of the first block: /blocks?from=0' },
      });
    }
  });

  test('error: a client that makes more calls than it may', async () => {
    const { port } = await startTestServer({
      blockFeed,
      dispatcher: dispatcherOf((_body, caller) => `"${caller?.admit?.() instanceof LimitError}"`),
      limits: { callsPerSecondMax: 1 },
    });
    const socket = await open(port);
    const call = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1';
    const feed = 'GET /blocks?from=0 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(call + feed);
    await new Promise((resolve) => {
      socket.once('close', resolve);
    });
    const answers = Buffer.concat(chunks).toString();
    expect(answers).toContain('"false"');
    expect(answers).toMatch(/HTTP\/1.1 429 .*-32005.*1 calls per second/s);
  });

  test('error: another host, no block feed', async () => {
    const { port } = await startTestServer({ blockFeed });
    expect(await exchange(port, foreign('/blocks?from=0'))).toMatch(/^HTTP\/1.1 403 /);
    const silent = await startTestServer();
    const nothing = await fetch(`${silent.url}/blocks?from=0`);
    expect([nothing.status, await nothing.json()]).toMatchObject([
      404,
      { error: { code: -32600, message: 'no blocks are served: a chain in test mode cannot be followed' } },
    ]);
  });
});
