import { describe, expect, test } from 'vitest';
import { exchange, startTestServer } from './server.testing.ts';

function request(host: string, headers: readonly string[] = []): string {
  const head = ['POST / HTTP/1.1', `Host: ${host}`, 'Content-Length: 1', 'Connection: close', ...headers];
  return `${head.join('\r\n')}\r\n\r\n1`;
}

const WELL = { ok: true, problems: [], warnings: [], block: 1, blockAge: 0 };

function statusOf(answer: string): string | undefined {
  return answer.split(' ')[1];
}

/** Returns the error message of a response. */
function messageOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('{'))).error.message;
}

/** The origin that may read a response. */
function readerOf(answer: string): string | undefined {
  return /^access-control-allow-origin: (.*)\r$/im.exec(answer)?.[1];
}

const FOREIGN_PAGE = 'a page of another origin sent no Origin header: only --cors * allows that';

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
      expect([statusOf(answer), messageOf(answer)]).toEqual([
        '403',
        `the host "${host}" is not allowed: --allow-host allows further ones`,
      ]);
    }
  });

  test('error: no host at all', async () => {
    const { port } = await startTestServer();
    for (const version of ['1.0', '1.1']) {
      const bytes = request('').replace('Host: \r\n', '').replace('HTTP/1.1', `HTTP/${version}`);
      const answer = await exchange(port, bytes);
      expect([version, statusOf(answer)]).toEqual([version, '400']);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'the Host header is missing: send the name of this host' },
      });
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
      'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
      'moz-extension://b7d2b9a8-0b1c-4d3e-9f00-1234567890ab',
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
      'safari-web-extension://abc',
      'https://chrome-extension',
      'null',
      '',
    ]) {
      const answer = await exchange(port, request('localhost', [`Origin: ${origin}`]));
      expect([statusOf(answer), messageOf(answer)]).toEqual([
        '403',
        `the origin "${origin}" is not allowed: --cors allows further ones`,
      ]);
    }
  });

  test('error: a page elsewhere that sends no origin', async () => {
    const { port } = await startTestServer({ health: () => WELL });
    for (const site of ['cross-site', 'same-site', 'CROSS-SITE', 'whatever', '']) {
      const answer = await exchange(port, request('localhost', [`Sec-Fetch-Site: ${site}`]));
      expect([site, statusOf(answer), messageOf(answer)]).toEqual([site, '403', FOREIGN_PAGE]);
    }
    // The request for a picture or a script of such a page.
    const image = request('localhost', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors']);
    expect(statusOf(await exchange(port, image.replace('POST /', 'GET /health')))).toBe('403');
    const form = request('localhost', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']);
    expect(statusOf(await exchange(port, form))).toBe('403');
  });

  test('behavior: no page, a page of its own, and a link that is followed', async () => {
    const { port } = await startTestServer({ health: () => WELL });
    for (const site of ['none', 'same-origin']) {
      const answer = await exchange(port, request('localhost', [`Sec-Fetch-Site: ${site}`]));
      expect([site, statusOf(answer)]).toEqual([site, '200']);
    }
    const link = request('localhost', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']);
    expect(statusOf(await exchange(port, link.replace('POST /', 'GET /health')))).toBe('200');
    const listed = ['Sec-Fetch-Site: cross-site', 'Origin: http://localhost:3000'];
    expect(statusOf(await exchange(port, request('127.0.0.1', listed)))).toBe('200');
  });

  test('args: listed origins', async () => {
    const { port } = await startTestServer({
      allowedOrigins: ['https://app.example'],
      localOrigins: false,
    });
    const status = async (origin: string) =>
      statusOf(await exchange(port, request('localhost', [`Origin: ${origin}`])));
    expect(await status('https://app.example')).toBe('200');
    expect(await status('http://app.example')).toBe('403');
    expect(await status('https://app.example:444')).toBe('403');
    expect(await status('http://localhost:3000')).toBe('403');
    expect(await status('chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn')).toBe('403');
  });

  test('args: every origin', async () => {
    const { port } = await startTestServer({ allowedOrigins: ['*'], localOrigins: false });
    for (const origin of ['https://app.example', 'null', 'chrome-extension://abc']) {
      const answer = await exchange(port, request('localhost', [`Origin: ${origin}`]));
      expect([statusOf(answer), readerOf(answer)]).toEqual(['200', origin]);
    }
    const unnamed = request('localhost', ['Sec-Fetch-Site: cross-site']);
    expect(statusOf(await exchange(port, unnamed))).toBe('200');
    expect(statusOf(await exchange(port, request('evil.example', ['Origin: null'])))).toBe('403');
  });

  test('behavior: a page of a refused origin can read only the reason', async () => {
    const { url, port } = await startTestServer({ health: () => WELL });
    const origin = 'https://evil.example';
    // A browser sends a preflight request first.
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    for (const line of ['POST /', 'GET /health', 'GET /nowhere']) {
      const bytes = request('localhost', [`Origin: ${origin}`]).replace('POST /', line);
      const answer = await exchange(port, bytes);
      expect([statusOf(answer), readerOf(answer)]).toEqual(['403', origin]);
      expect(messageOf(answer)).toMatch(/^the origin "https:\/\/evil.example" is not allowed: --cors /);
    }
  });

  test('behavior: a page that sends a request to a refused host can read the reason', async () => {
    const { port } = await startTestServer();
    const origin = 'http://localhost:3000';
    const bytes = request('node.example', [`Origin: ${origin}`]);
    const preflight = await exchange(port, bytes.replace('POST', 'OPTIONS'));
    expect([statusOf(preflight), readerOf(preflight)]).toEqual(['204', origin]);
    const answer = await exchange(port, bytes);
    expect([statusOf(answer), readerOf(answer)]).toEqual(['403', origin]);
    expect(messageOf(answer)).toBe(
      'the host "node.example" is not allowed: --allow-host allows further ones',
    );
  });

  test('behavior: header values in error messages are truncated and escaped', async () => {
    const { port } = await startTestServer();
    const odd = await exchange(port, request('localhost', ['Origin: a"\\\t\xe9</script>']));
    expect(messageOf(odd)).toBe(
      'the origin "a\\"\\\\\\t\\u00c3\\u00a9</script>" is not allowed: --cors allows further ones',
    );
    const long = await exchange(port, request(`${'h'.repeat(5_000)}.example`));
    expect(messageOf(long)).toBe(
      `the host "${'h'.repeat(100)}"… is not allowed: --allow-host allows further ones`,
    );
  });

  test('behavior: refused requests are logged, with a rate limit', async () => {
    const told: unknown[] = [];
    const { port } = await startTestServer({ onRequestRefused: (notice) => told.push(notice) });
    for (const origin of ['https://a.example', 'https://b.example', 'https://c.example']) {
      await exchange(port, request('localhost', [`Origin: ${origin}`]));
    }
    await exchange(port, request('evil.example'));
    await exchange(port, request('').replace('Host: \r\n', ''));
    expect(told).toEqual([
      { message: expect.stringContaining('"https://a.example"'), others: 0 },
      { message: expect.stringContaining('"evil.example"'), others: 0 },
    ]);
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
    expect(response.headers.get('access-control-allow-headers')).toBe('Content-Type, Ledgerd-Min-Block');
    expect(response.headers.get('access-control-max-age')).toBe('600');
  });
});
