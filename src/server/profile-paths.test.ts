import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { dispatcherOf, exchange, open, rawRequest, send, startTestServer } from './server.testing.ts';

/** Responds with the requested profile. */
const profiles = dispatcherOf((body, _caller, profile) => `"${body.toString()} ${profile}"`);

/** A request to a path. */
function post(port: number, path: string, body: string, headers: readonly string[] = []): string {
  const fields = [`Content-Length: ${body.length}`, ...headers];
  return rawRequest(port, fields, body).replace('POST /', `POST ${path}`);
}

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}

describe('the path selects the profile', () => {
  test('default: over one connection', async () => {
    const { port } = await startTestServer({ dispatcher: profiles });
    const socket = await open(port);
    for (const [path, profile] of [
      ['/', 'ledger'],
      ['/ethereum', 'ethereum'],
      ['/ethereum', 'ethereum'],
      ['/', 'ledger'],
    ]) {
      expect(bodyOf(await send(socket, post(port, String(path), 'x')))).toBe(`"x ${profile}"`);
    }
  });

  test('behavior: also of requests that were sent ahead', async () => {
    const { port } = await startTestServer({ dispatcher: profiles });
    const socket = await open(port);
    await send(socket, post(port, '/', 'a'));
    const ahead = `${post(port, '/ethereum', 'b')}${post(port, '/', 'c')}`;
    let text = await send(socket, ahead);
    while (!text.includes('"c')) text += String((await once(socket, 'data'))[0]);
    expect(text.match(/"\w \w+"/g)).toEqual(['"b ethereum"', '"c ledger"']);
  });

  test('behavior: with a query as without', async () => {
    const { port } = await startTestServer({ dispatcher: profiles });
    expect(bodyOf(await send(await open(port), post(port, '/ethereum?key=1', 'x')))).toBe('"x ethereum"');
  });

  test('behavior: with a slash at its end as without, also by WebSocket', async () => {
    const { port } = await startTestServer({ dispatcher: profiles });
    expect(bodyOf(await send(await open(port), post(port, '/ethereum/', 'x')))).toBe('"x ethereum"');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ethereum/`);
    await once(socket, 'open');
    socket.send('x');
    const [data] = await once(socket, 'message');
    expect(String(data)).toBe('"x ethereum"');
    socket.close();
  });

  test.each([
    ['ledger', 'ledger'],
    ['ethereum', 'ethereum'],
  ] as const)('args: root: %s', async (root, atRoot) => {
    const { port } = await startTestServer({ dispatcher: profiles, root });
    const socket = await open(port);
    for (const [path, profile] of [
      ['/', atRoot],
      ['/ledger', 'ledger'],
      ['/ledger/', 'ledger'],
      ['/ethereum', 'ethereum'],
      ['/ethereum/', 'ethereum'],
    ] as const) {
      expect([path, bodyOf(await send(socket, post(port, path, 'x')))]).toEqual([path, `"x ${profile}"`]);
      for (const below of [path, `${path.replace(/\/$/, '')}/ws`]) {
        const webSocket = new WebSocket(`ws://127.0.0.1:${port}${below}`);
        await once(webSocket, 'open');
        webSocket.send('x');
        const [data] = await once(webSocket, 'message');
        expect([below, String(data)]).toEqual([below, `"x ${profile}"`]);
        webSocket.close();
      }
    }
  });

  test('error: other paths and methods', async () => {
    const { url } = await startTestServer({ dispatcher: profiles });
    expect((await fetch(`${url}/ethereum/more`, { method: 'POST', body: 'x' })).status).toBe(404);
    expect((await fetch(`${url}/ethereums`, { method: 'POST', body: 'x' })).status).toBe(404);
    const got = await fetch(`${url}/ethereum`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('behavior: its description has a path of its own', async () => {
    const described = dispatcherOf((_body, _caller, profile) => `{"result":{"profile":"${profile}"}}`);
    const { url } = await startTestServer({ dispatcher: described });
    const at = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
    expect(await at('/ethereum/openrpc.json')).toEqual({ profile: 'ethereum' });
    expect(await at('/ledger/openrpc.json')).toEqual({ profile: 'ledger' });
    expect(await at('/openrpc.json')).toEqual({ profile: 'ledger' });
    const other = await startTestServer({ dispatcher: described, root: 'ethereum' });
    expect(await (await fetch(`${other.url}/openrpc.json`)).json()).toEqual({ profile: 'ethereum' });
  });
});

describe('browser extensions', () => {
  const statusOf = (answer: string): string | undefined => answer.split(' ')[1];
  const closing = 'Connection: close';

  test('default: are allowed at /ethereum, whatever origins are allowed elsewhere', async () => {
    const { port } = await startTestServer({ dispatcher: profiles, localOrigins: false });
    const status = async (path: string, origin: string): Promise<string | undefined> =>
      statusOf(await exchange(port, post(port, path, 'x', [`Origin: ${origin}`, closing])));
    for (const origin of ['chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'moz-extension://a-b']) {
      expect([await status('/ethereum', origin), await status('/', origin)]).toEqual(['200', '403']);
    }
    for (const origin of ['http://localhost:3000', 'https://app.example', 'null']) {
      expect([origin, await status('/ethereum', origin)]).toEqual([origin, '403']);
    }
  });

  test('behavior: are allowed at / where it serves Ethereum', async () => {
    const { port } = await startTestServer({ dispatcher: profiles, localOrigins: false, root: 'ethereum' });
    const fields = ['Origin: chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', closing];
    const statuses = ['/', '/ledger'].map(async (path) =>
      statusOf(await exchange(port, post(port, path, 'x', fields))),
    );
    expect(await Promise.all(statuses)).toEqual(['200', '403']);
  });

  test('behavior: a preflight is answered as on /', async () => {
    const { url } = await startTestServer({ dispatcher: profiles });
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const answer = await fetch(`${url}/ethereum`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'POST, OPTIONS',
    ]);
  });
});
