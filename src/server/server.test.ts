import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createDispatcher } from '../rpc/index.ts';
import { dispatcherOf, exchange, rawRequest, startTestServer, testMetrics } from './server.testing.ts';

const LIMIT_BODY = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32005, message: 'the body exceeds the limit of 5242880 bytes' },
};

function post(
  url: string,
  body?: RequestInit['body'],
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
}

describe('POST /', () => {
  test('default', async () => {
    const { url, port } = await startTestServer();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const response = await post(url, '12345', { 'content-type': 'application/json' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.has('x-powered-by')).toBe(false);
    expect(await response.json()).toEqual({ length: 5 });
  });

  test('args: any content type, or none', async () => {
    const { url } = await startTestServer();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'x',
      ';;;',
      'application/json; charset=x',
    ]) {
      const response = await post(url, '123', { 'content-type': type });
      expect([type, response.status, await response.json()]).toEqual([type, 200, { length: 3 }]);
    }
    expect(await (await post(url, Buffer.from('123'))).json()).toEqual({ length: 3 });
  });

  test('behavior: no body', async () => {
    const { url, port } = await startTestServer();
    expect(await (await post(url)).json()).toEqual({ length: 0 });
    expect(await exchange(port, rawRequest(port, ['Connection: close']))).toContain('{"length":0}');
  });

  test('behavior: an empty response is sent as 204', async () => {
    const { url } = await startTestServer();
    const response = await post(url, 'notify');
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test('behavior: a query is ignored', async () => {
    const { url } = await startTestServer();
    expect((await post(`${url}/?key=x`, '1')).status).toBe(200);
  });

  test('behavior: an answer that takes its time', async () => {
    const dispatcher = dispatcherOf(() => Promise.resolve('"later"'));
    const { url } = await startTestServer({ dispatcher });
    expect(await (await post(url, '1')).json()).toBe('later');
  });

  test.each([
    [
      'throws',
      (error: Error) => {
        throw error;
      },
    ],
    ['rejects', (error: Error) => Promise.reject(error)],
  ])(
    'error: a dispatcher that %s is reported and counted, and its message is not leaked',
    async (_title, fail) => {
      const error = new RangeError('/a/secret');
      const failures: unknown[] = [];
      const metrics = testMetrics();
      const { url } = await startTestServer({
        dispatcher: dispatcherOf(() => fail(error)),
        onFailure: (failure) => failures.push(failure),
        metrics,
      });
      const response = await post(url, '1');
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32603, message: 'internal error' },
      });
      expect(failures).toEqual([error]);
      expect(await metrics.text()).toContain('ledgerd_calls_total{method="other",outcome="failed"} 1');
    },
  );
});

describe('a body that is too large', () => {
  test('default', async () => {
    const { url } = await startTestServer();
    const response = await post(url, ' '.repeat(10 * 1024 * 1024));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(LIMIT_BODY);
    expect((await post(url, '1')).status).toBe(200);
  });

  test('behavior: the limit itself passes', async () => {
    const { url } = await startTestServer({ limits: { bodyBytesMax: 100 } });
    expect((await post(url, 'x'.repeat(100))).status).toBe(200);
    expect((await post(url, 'x'.repeat(101))).status).toBe(413);
  });

  test('behavior: chunks are counted', async () => {
    const { port } = await startTestServer({ limits: { bodyBytesMax: 100 } });
    const chunk = `40\r\n${'x'.repeat(64)}\r\n`;
    const headers = ['Transfer-Encoding: chunked', 'Connection: close'];
    expect(await exchange(port, rawRequest(port, headers, `${chunk}0\r\n\r\n`))).toContain('{"length":64}');
    expect(await exchange(port, rawRequest(port, headers, `${chunk}${chunk}0\r\n\r\n`))).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  test('behavior: a client that reads only after sending everything still receives the 413', async () => {
    const { port } = await startTestServer();
    const socket = connect({ port, host: '127.0.0.1' });
    const closed = once(socket, 'close');
    const body = ' '.repeat(20 * 1024 * 1024);
    const answer: Buffer[] = [];
    socket.end(rawRequest(port, [`Content-Length: ${body.length}`], body), () => {
      socket.on('data', (bytes: Buffer) => answer.push(bytes));
    });
    await closed;
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1.1 413 /);
  });

  test('behavior: an absurd length is rejected immediately', async () => {
    const { port } = await startTestServer();
    for (const length of ['99999999999999', '9'.repeat(40)]) {
      const answer = await exchange(port, rawRequest(port, [`Content-Length: ${length}`], '{}'));
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
      expect(answer).toContain(JSON.stringify(LIMIT_BODY));
    }
  });
});

describe('other routes', () => {
  test('error: another path', async () => {
    const { url } = await startTestServer();
    for (const path of ['/rpc', '//', '/../x', '/%00']) {
      const response = await post(`${url}${path}`, '1');
      expect([response.status, await response.json()]).toEqual([
        404,
        {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32600,
            message: "not found: send native requests to /ledger, those of Ethereum's tools to /ethereum",
          },
        },
      ]);
    }
  });

  test('error: a path that cannot be decoded', async () => {
    const { url } = await startTestServer();
    const response = await post(`${url}/%zz`, '1');
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
  });

  test('error: another method', async () => {
    const { url } = await startTestServer();
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(url, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
      expect(await response.json()).toMatchObject({
        error: { code: -32600, message: `${method} is not served here: send requests by POST` },
      });
    }
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(405);
  });

  test('error: bytes that are no request', async () => {
    const { port } = await startTestServer();
    expect(await exchange(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request\r\n.*-32600/s);
    expect(await exchange(port, rawRequest(port, [`X: ${'x'.repeat(100_000)}`]))).toMatch(/^HTTP\/1.1 431 /);
  });

  test('error: both Content-Length and chunked encoding', async () => {
    const { port } = await startTestServer();
    const headers = ['Content-Length: 5', 'Transfer-Encoding: chunked'];
    expect(await exchange(port, rawRequest(port, headers, '0\r\n\r\n'))).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('GET /openrpc.json', () => {
  const described = dispatcherOf(
    (body) =>
      `{"jsonrpc":"2.0","id":1,"result":{"asked":${JSON.stringify(JSON.parse(body.toString()).method)}}}`,
  );

  test('default', async () => {
    const { url } = await startTestServer({ dispatcher: described });
    const response = await fetch(`${url}/openrpc.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ asked: 'rpc_discover' });
  });

  test('behavior: the dispatcher is called once, and again only after a failure', async () => {
    const answers = ['{"error":{}}', '{"result":{"number":1}}', '{"result":{"number":2}}'];
    const { url } = await startTestServer({ dispatcher: dispatcherOf(() => answers.shift()) });
    const failed = await fetch(`${url}/openrpc.json`);
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: { code: -32603 } }]);
    for (const _ of ['first', 'second']) {
      expect(await (await fetch(`${url}/openrpc.json`)).json()).toEqual({ number: 1 });
    }
  });

  test('behavior: HEAD, and a query', async () => {
    const { url } = await startTestServer({ dispatcher: described });
    const response = await fetch(`${url}/openrpc.json?x=1`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('error: another host, another origin', async () => {
    const { port } = await startTestServer({ dispatcher: described });
    const request = (headers: string) => `GET /openrpc.json HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
    expect(await exchange(port, request('Host: evil.example\r\n'))).toMatch(/^HTTP\/1.1 403 /);
    const origin = 'Host: localhost\r\nOrigin: https://evil.example\r\n';
    expect(await exchange(port, request(origin))).toMatch(/^HTTP\/1.1 403 /);
  });

  test('error: another method', async () => {
    const { url } = await startTestServer({ dispatcher: described });
    const response = await post(`${url}/openrpc.json`, '{}');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await response.json()).toMatchObject({
      error: { message: 'POST is not served here: use GET' },
    });
  });
});

describe('with the dispatcher of a node', () => {
  const ledger = {
    parameters: { network: { networkId: 255 } },
    pool: { together: (action: () => unknown) => action() },
    history: { onReorg: () => undefined },
  } as unknown as Parameters<typeof createDispatcher>[0]['ledger'];
  const dispatcher = createDispatcher({ ledger, wallet: undefined, version: '1.0.0' });

  test('default', async () => {
    const { url } = await startTestServer({ dispatcher });
    const answers = [
      ['', -32700],
      ['[]', -32600],
      ['{"method":null}', -32600],
      [' '.repeat(1024), -32700],
      ['['.repeat(100_000), -32005],
      [`[${'{},'.repeat(1000)}{}]`, -32005],
    ] as const;
    for (const [body, code] of answers) {
      const response = await post(url, body);
      expect([response.status, await response.json()]).toMatchObject([200, { id: null, error: { code } }]);
    }
    expect(await (await post(url, '[null]')).json()).toMatchObject([{ error: { code: -32600 } }]);
  });

  test('behavior: the description equals the result of rpc_discover', async () => {
    const { url } = await startTestServer({ dispatcher });
    const answer = await post(url, '{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}');
    const { result }: { result?: unknown } = JSON.parse(await answer.text());
    expect(result).toMatchObject({ openrpc: '1.3.2', info: { version: '1.0.0' } });
    expect(await (await fetch(`${url}/openrpc.json`)).json()).toEqual(result);
  });

  test('behavior: requests one after the other on one connection', async () => {
    const { port } = await startTestServer({ dispatcher });
    const body = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';
    const one = rawRequest(port, [`Content-Length: ${body.length}`], body);
    const last = rawRequest(port, [`Content-Length: ${body.length}`, 'Connection: close'], body);
    const answer = await exchange(port, `${one}${one}${last}`);
    expect(answer.match(/"result":"255"/g)).toHaveLength(3);
  });
});
