import { describe, expect, test } from 'vitest';
import { exchange, startTestServer } from './server.testing.ts';

function request(host: string, headers: readonly string[] = []): string {
  const head = ['POST / HTTP/1.1', `Host: ${host}`, 'Content-Length: 1', 'Connection: close', ...headers];
  return `${head.join('\r\n')}\r\n\r\n1`;
}

function statusOf(answer: string): string | undefined {
  return answer.split(' ')[1];
}

const REFUSED_HOST =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the host is not allowed"}}';
const REFUSED_ORIGIN =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the origin is not allowed"}}';

describe('the Host header', () => {
  test('default', async () => {
    const { port } = await startTestServer();
    for (const host of [
      `127.0.0.1:${port}`,
      '127.0.0.1',
      '127.1.2.3:1',
      'localhost',
      'LOCALHOST:8545',
      'localhost.:8545',
      'a.localhost',
      `[::1]:${port}`,
      '[::1]',
      '[::ffff:127.0.0.1]:80',
    ]) {
      expect([host, statusOf(await exchange(port, request(host)))]).toEqual([host, '200']);
    }
  });

  test('error: other hosts', async () => {
    const { port } = await startTestServer();
    for (const host of [
      'evil.example',
      'evil.example:8545',
      'localhost.evil.example',
      'evillocalhost',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '0.0.0.0',
      '[::2]',
      '[::1',
      '::1',
      'user@localhost',
      'localhost:x',
      '',
    ]) {
      const answer = await exchange(port, request(host));
      expect([host, statusOf(answer), answer.endsWith(REFUSED_HOST)]).toEqual([host, '403', true]);
    }
  });

  test('args: listed hosts', async () => {
    const { port } = await startTestServer({ allowedHosts: ['Node.Example', '10.0.0.1'] });
    for (const host of ['node.example', 'NODE.example:99', '10.0.0.1:5']) {
      expect([host, statusOf(await exchange(port, request(host)))]).toEqual([host, '200']);
    }
    expect(statusOf(await exchange(port, request('other.example')))).toBe('403');
  });

  test('behavior: unknown paths are refused too', async () => {
    const { port } = await startTestServer();
    expect(statusOf(await exchange(port, request('evil.example').replace('POST /', 'POST /x')))).toBe('403');
  });
});

describe('the Origin header', () => {
  test('default', async () => {
    const { port } = await startTestServer();
    for (const origin of [
      'http://localhost',
      'http://localhost:3000',
      'https://127.0.0.1:1',
      'http://[::1]:3000',
    ]) {
      const answer = await exchange(port, request('localhost', [`Origin: ${origin}`]));
      expect(statusOf(answer)).toBe('200');
      expect(answer.toLowerCase()).toContain(`access-control-allow-origin: ${origin}\r\n`);
      expect(answer.toLowerCase()).toContain('vary: origin\r\n');
    }
  });

  test('error: other origins', async () => {
    const { port } = await startTestServer();
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'http://evil.example#http://localhost',
      'http://localhost@evil.example',
      'file://localhost',
      'ftp://localhost',
      'null',
      '',
    ]) {
      const answer = await exchange(port, request('localhost', [`Origin: ${origin}`]));
      expect([origin, statusOf(answer), answer.endsWith(REFUSED_ORIGIN)]).toEqual([origin, '403', true]);
      expect(answer.toLowerCase()).not.toContain('access-control-allow-origin');
    }
  });

  test('args: listed origins', async () => {
    const { port } = await startTestServer({
      allowedOrigins: ['https://app.example'],
      loopbackOrigins: false,
    });
    const status = async (origin: string) =>
      statusOf(await exchange(port, request('localhost', [`Origin: ${origin}`])));
    expect(await status('https://app.example')).toBe('200');
    expect(await status('http://app.example')).toBe('403');
    expect(await status('https://app.example:444')).toBe('403');
    expect(await status('http://localhost:3000')).toBe('403');
  });

  test('behavior: a preflight request', async () => {
    const { url } = await startTestServer();
    const headers = {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const response = await fetch(url, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toBe('Content-Type');
    expect(response.headers.get('access-control-max-age')).toBe('600');
  });

  test('error: a preflight request of another origin', async () => {
    const { url } = await startTestServer();
    const response = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(response.status).toBe(403);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });
});
