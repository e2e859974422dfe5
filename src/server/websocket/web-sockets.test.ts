import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import type { Subscriber } from '../../rpc/index.ts';
import type { Metrics } from '../metrics/metrics.ts';
import {
  dispatcherOf,
  echo,
  exchange,
  heldRequestBytes,
  open,
  send,
  startTestServer,
  testMetrics,
} from '../server.testing.ts';
import { handshake } from './frames.testing.ts';
import { FRAGMENT_BYTES } from './web-socket-connection.ts';

/** Opens a WebSocket, which ends with the test. */
async function connect(
  port: number,
  { path = '/', ...options }: WebSocket.ClientOptions & { path?: string } = {},
): Promise<WebSocket> {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  onTestFinished(() => webSocket.terminate());
  await once(webSocket, 'open');
  return webSocket;
}

/** Sends a message and gives the next one that comes. */
async function ask(webSocket: WebSocket, message: string): Promise<string> {
  const answer = once(webSocket, 'message');
  webSocket.send(message);
  return String((await answer)[0]);
}

/** Resolves to the code and reason of the end of a WebSocket. */
async function endOf(webSocket: WebSocket): Promise<readonly [number, string]> {
  const [code, reason] = await once(webSocket, 'close');
  return [code, String(reason)];
}

/** Waits until the end of one is counted, which is after its client has seen it. */
async function counted(metrics: Metrics, reason: string): Promise<void> {
  const count = `ledgerd_websockets_closed_total{reason="${reason}"} 1`;
  while (!(await metrics.text()).includes(count)) await new Promise(setImmediate);
}

describe('opening', () => {
  test.each(['/', '/ws', '/ethereum', '/ethereum/ws', '/?key=1'])('default: %s', async (path) => {
    const { port } = await startTestServer({
      dispatcher: dispatcherOf((body, _caller, profile) => `"${profile} ${body.length}"`),
    });
    const webSocket = await connect(port, { path });
    expect(await ask(webSocket, '{}')).toBe(`"${path.startsWith('/ethereum') ? 'ethereum' : 'ledger'} 2"`);
  });

  test('behavior: a handshake in two pieces, and one pipelined after a pending request', async () => {
    const { port } = await startTestServer();
    const whole = handshake('/ws');
    const socket = await open(port);
    socket.write(whole.slice(0, 30));
    expect(await send(socket, whole.slice(30))).toMatch(/^HTTP\/1\.1 101 /);
    const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1';
    const ahead = await open(port);
    ahead.write(`${post}${whole}`);
    let text = '';
    for await (const chunk of ahead) {
      text += chunk;
      if (text.includes('101 Switching')) break;
    }
    expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"length":1\}HTTP\/1\.1 101 /);
  });

  test.each([
    [
      'another origin',
      'Origin: https://evil.example',
      403,
      'the origin "https://evil.example" is not allowed',
    ],
    ['no origin of its own', 'Origin: null', 403, 'the origin "null" is not allowed'],
    ['a rebound host', 'Host: evil.example', 403, 'the host "evil.example" is not allowed'],
    [
      'a page that hides its origin',
      'Sec-Fetch-Site: cross-site',
      403,
      'a page of another origin sent no Origin',
    ],
  ])('error: %s', async (_name, header, status, message) => {
    const { port } = await startTestServer();
    const answer = await exchange(port, handshake('/', header));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('{'))).error.message).toContain(message);
  });

  test('error: another path', async () => {
    const { port } = await startTestServer();
    const answer = await exchange(port, handshake('/health'));
    expect(answer).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*WebSockets are at \/, \/ledger, \/ethereum, \/ws, \/ledger\/ws, \/ethereum\/ws/,
    );
  });

  test('error: no handshake of the protocol', async () => {
    const { port } = await startTestServer();
    const answer = await exchange(port, handshake('/').replace('Version: 13', 'Version: 1'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('behavior: a request to upgrade to another protocol is answered over HTTP/1.1', async () => {
    const { port } = await startTestServer();
    const head =
      'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nContent-Length: 3';
    const answer = await exchange(port, `POST / HTTP/1.1\r\n${head}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n123`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"length":3\}$/);
  });

  test('behavior: a handshake with a body is answered over HTTP, and so is the request after it', async () => {
    const { port } = await startTestServer();
    const withBody = handshake('/', 'Content-Length: 3').replace('GET', 'POST');
    const next = 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n\r\n1';
    const answer = await exchange(port, `${withBody}123${next}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"length":3\}HTTP\/1\.1 200 OK[\s\S]*\{"length":1\}$/);
  });

  test('error: more than there may be', async () => {
    const { port } = await startTestServer({ limits: { webSocketsMax: 4 } });
    await connect(port);
    await connect(port);
    const answer = await exchange(port, handshake('/'));
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toContain('this client has 2 WebSockets, its share of the limit of 4 (--max-websockets)');
  });

  test('behavior: WebSockets do not use up the connection limit of other clients', async () => {
    const { port } = await startTestServer({ limits: { connectionsMax: 1 } });
    const webSocket = await connect(port);
    const other = await connect(port);
    expect(await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '1' })).text()).toContain(
      '1',
    );
    expect([await ask(webSocket, '12'), await ask(other, '123')]).toEqual(['{"length":2}', '{"length":3}']);
  });
});

describe('messages', () => {
  test('behavior: answers may overtake each other, and batches do not', async () => {
    const releases = new Map<string, () => void>();
    const { port } = await startTestServer({
      dispatcher: dispatcherOf((body) => {
        const text = body.toString();
        if (!text.includes('slow')) return text;
        return new Promise((resolve) => releases.set(text, () => resolve(text)));
      }),
    });
    const webSocket = await connect(port);
    const answers: string[] = [];
    webSocket.on('message', (message) => answers.push(String(message)));
    for (const text of ['"slow"', '[1,"slow"]', ' [2]']) webSocket.send(text);
    expect(await ask(webSocket, '3')).toBe('3');
    releases.get('[1,"slow"]')?.();
    await once(webSocket, 'message');
    if (answers.length < 3) await once(webSocket, 'message');
    releases.get('"slow"')?.();
    await once(webSocket, 'message');
    expect(answers).toEqual(['3', '[1,"slow"]', ' [2]', '"slow"']);
  });

  test('behavior: no more is read while too many are not answered', async () => {
    const releases: (() => void)[] = [];
    const { port } = await startTestServer({
      dispatcher: dispatcherOf((body) => {
        const answer = body.toString();
        return new Promise((resolve) => releases.push(() => resolve(answer)));
      }),
    });
    const webSocket = await connect(port);
    const answers: string[] = [];
    webSocket.on('message', (message) => answers.push(String(message)));
    for (let count = 0; count < 250; count += 1) webSocket.send(String(count));
    // A ping is behind all of them, and not read either.
    const ponged = once(webSocket, 'pong');
    webSocket.ping();
    while (releases.length < 100) await new Promise(setImmediate);
    for (let answered = 0; answered < 250; answered += 1) {
      expect(releases.length - answered).toBeLessThanOrEqual(100);
      releases[answered]?.();
      if (answers.length <= answered) await once(webSocket, 'message');
    }
    await ponged;
    expect(answers).toEqual(Array.from({ length: 250 }, (_, index) => String(index)));
  });

  test('error: bytes', async () => {
    const { port } = await startTestServer();
    const webSocket = await connect(port);
    webSocket.send(Buffer.from('{}'));
    expect(await endOf(webSocket)).toEqual([1003, 'requests come as text']);
  });

  test('error: too long, in one piece and in many', async () => {
    const { port } = await startTestServer({ limits: { bodyBytesMax: 1_000 } });
    const webSocket = await connect(port);
    webSocket.send('1'.repeat(1_001));
    expect((await endOf(webSocket))[0]).toBe(1009);
    const other = await connect(port);
    for (let count = 0; count < 11; count += 1) other.send('1'.repeat(100), { fin: false });
    expect((await endOf(other))[0]).toBe(1009);
  });

  test('error: frames that are none', async () => {
    const metrics = testMetrics();
    const { port } = await startTestServer({ metrics });
    const socket = await open(port);
    await send(socket, handshake('/'));
    const closed = once(socket, 'close');
    // A text frame without a mask, which no client may send.
    socket.resume().write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
    await closed;
    await counted(metrics, 'malformed');
  });
});

describe('unresponsive clients', () => {
  /** A dispatcher with a subscriber that the test notifies. */
  function telling(): { dispatcher: ReturnType<typeof dispatcherOf>; subscriber: Promise<Subscriber> } {
    let give: (subscriber: Subscriber) => void = () => undefined;
    const subscriber = new Promise<Subscriber>((resolve) => {
      give = resolve;
    });
    const dispatcher = dispatcherOf((_body, caller) => {
      if (caller?.notifications !== undefined) give(caller.notifications.subscriber);
      return '"yes"';
    });
    return { dispatcher, subscriber };
  }

  test('behavior: a client that stopped reading gets no more notifications and is closed', async () => {
    const metrics = testMetrics();
    const { dispatcher, subscriber } = telling();
    const limits = { webSocketStalledMs: 50, webSocketCheckMs: 10 };
    const { port } = await startTestServer({ dispatcher, metrics, limits });
    const webSocket = await connect(port);
    await ask(webSocket, '1');
    const told = await subscriber;
    webSocket.pause();
    let count = 0;
    for (; !told.isBehind() && count < 1_000; count += 1) told.notify([[Buffer.alloc(1024 * 1024, 'x')]]);
    expect(count).toBeGreaterThan(8);
    expect(count).toBeLessThan(40);
    await counted(metrics, 'slow');
    expect(await metrics.text()).toContain('ledgerd_held_bytes{kind="unread"} 0');
  });

  test('behavior: notifications sent together arrive as separate messages of any length', async () => {
    const { dispatcher, subscriber } = telling();
    const { port } = await startTestServer({ dispatcher });
    const webSocket = await connect(port);
    await ask(webSocket, '1');
    const heard: string[] = [];
    webSocket.on('message', (message) => heard.push(String(message)));
    const told = await subscriber;
    const texts = [1, 125, 126, 65_535, 65_536, 200_000, 2].map((length) => 'é'.padEnd(length - 1, 'x'));
    told.notify(texts.map((text) => [Buffer.from(text.slice(0, 1)), Buffer.from(text.slice(1))]));
    // Behind all of them, by way of the library.
    while (heard.at(-1) !== '"yes"') await ask(webSocket, '1');
    expect(heard.slice(0, texts.length)).toEqual(texts);
  });

  test('behavior: a client that does not answer a ping is closed', async () => {
    const metrics = testMetrics();
    const limits = { webSocketPingMs: 20, webSocketCheckMs: 5 };
    const { port } = await startTestServer({ metrics, limits });
    const socket = await open(port);
    const closed = once(socket, 'close');
    await send(socket, handshake('/'));
    socket.resume();
    await closed;
    await counted(metrics, 'silent');
  });

  test('behavior: pings and pongs between the fragments of a message are not part of it', async () => {
    const metrics = testMetrics();
    const { port } = await startTestServer({ metrics });
    const webSocket = await connect(port);
    const pingPong = async (): Promise<void> => {
      const ponged = once(webSocket, 'pong');
      webSocket.pong('nobody asked');
      webSocket.ping('1');
      await ponged;
    };
    await pingPong();
    // Otherwise a subscriber would be closed for an incomplete message.
    expect(await heldRequestBytes(metrics)).toBe(0);
    webSocket.send('[', { fin: false });
    await pingPong();
    // One byte of the message, six of its frame, and the overhead of a fragment.
    expect(await heldRequestBytes(metrics)).toBe(7 + FRAGMENT_BYTES);
    webSocket.send(']', { fin: true });
    expect(String((await once(webSocket, 'message'))[0])).toBe('{"length":2}');
    expect(await heldRequestBytes(metrics)).toBe(0);
  });

  test('behavior: a message that does not end is not waited for', async () => {
    const metrics = testMetrics();
    const limits = { requestTimeoutMs: 100, webSocketCheckMs: 10 };
    const { port } = await startTestServer({ metrics, limits });
    const webSocket = await connect(port);
    webSocket.send('[', { fin: false });
    await endOf(webSocket);
    await counted(metrics, 'timeout');
  });

  test('behavior: a disconnected client receives the reason', async () => {
    const { dispatcher, subscriber } = telling();
    const { port } = await startTestServer({ dispatcher });
    const webSocket = await connect(port);
    await ask(webSocket, '1');
    const end = endOf(webSocket);
    (await subscriber).disconnect('too much was missed');
    expect(await end).toEqual([1013, 'too much was missed']);
  });

  test('behavior: clients receive a close frame when the server closes', async () => {
    const server = await startTestServer({ dispatcher: echo });
    const webSocket = await connect(server.port);
    const end = endOf(webSocket);
    await server.close();
    expect(await end).toEqual([1001, 'the node stops']);
  });
});
