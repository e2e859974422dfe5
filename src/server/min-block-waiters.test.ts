import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../rpc/index.ts';
import type { WaitOutcome } from './metrics/metrics.ts';
import { BLOCK_WAITS_MAX, MinBlockWaiters, readBlockNumber } from './min-block-waiters.ts';
import {
  dispatcherOf,
  exchange,
  open,
  rawRequest,
  send,
  startTestServer,
  testMetrics,
} from './server.testing.ts';

/** A head that a test moves. */
function movedHead(block = 7) {
  const listeners = new Set<() => void>();
  return {
    number: () => block,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    moveTo: (next: number) => {
      block = next;
      for (const listener of listeners) listener();
    },
    listeners,
  };
}

/** Responds with the head at the time of the request. */
function serving(head: ReturnType<typeof movedHead>) {
  return dispatcherOf((body) => (body.toString() === 'notify' ? undefined : `"${head.number()}"`));
}

function post(port: number, block: string, body = '1', fields: readonly string[] = []): string {
  const headers = [`Content-Length: ${body.length}`, `Ledgerd-Min-Block: ${block}`, ...fields];
  return rawRequest(port, headers, body);
}

const FORMS: [string, string[]][] = [
  ['in the usual form', []],
  ['with a field of its own', ['X-Any: thing']],
];

describe.each(FORMS)('an answer to a request %s', (_form, fields) => {
  test('default: every response reports the newest block, even an empty one', async () => {
    const head = movedHead();
    const { port } = await startTestServer({ head, dispatcher: serving(head) });
    const socket = await open(port);
    const request = (body: string) => rawRequest(port, [`Content-Length: ${body.length}`, ...fields], body);
    expect(await send(socket, request('1'))).toMatch(
      /^HTTP\/1.1 200 OK\r\n.*\r\nledgerd-block: 7\r\n.*"7"$/s,
    );
    head.moveTo(8);
    expect(await send(socket, request('1'))).toMatch(/\r\nledgerd-block: 8\r\n.*"8"$/s);
    expect(await send(socket, request('notify'))).toMatch(/^HTTP\/1.1 204 .*\r\nledgerd-block: 8\r\n/s);
  });

  test('behavior: a request for an existing block is answered immediately', async () => {
    const head = movedHead();
    const { port } = await startTestServer({ head, dispatcher: serving(head) });
    expect(await send(await open(port), post(port, '7', '1', fields))).toMatch(
      /^HTTP\/1.1 200 OK\r\n.*"7"$/s,
    );
  });

  test('behavior: requests on a connection wait for their blocks one after the other', async () => {
    const head = movedHead();
    const metrics = testMetrics();
    const { port, url } = await startTestServer({ head, metrics, dispatcher: serving(head) });
    const socket = await open(port);
    for (const block of [8, 9]) {
      const answer = send(socket, post(port, String(block), '1', fields));
      await waiting(url, 1);
      head.moveTo(block);
      expect(await answer).toMatch(new RegExp(`\\r\\nledgerd-block: ${block}\\r\\n.*"${block}"$`, 's'));
    }
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'ledgerd_block_waits_total{outcome="reached"} 2\n',
    );
  });
});

describe.each(FORMS)('a refusal, %s', (_form, fields) => {
  test('error: the block does not arrive in time, and the connection stays usable', async () => {
    const head = movedHead();
    const limits = { blockWaitMs: 20 };
    const { port } = await startTestServer({ head, limits, dispatcher: serving(head) });
    const socket = await open(port);
    const answer = await send(socket, post(port, '8', '1', fields));
    expect(answer).toMatch(
      /^HTTP\/1.1 503 Service Unavailable\r\nvary: Origin\r\nledgerd-block: 7\r\nretry-after: 1\r\n/,
    );
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32000,
        message: 'block 8 has not come within 0.02 s: the newest one here is block 7',
      },
    });
    expect(await send(socket, post(port, '7', '1', fields))).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  test.each(['', '-1', '0x8', '1.5', '4294967296', '8, 8', 'latest'])(
    'error: no number: %j',
    async (text) => {
      const { port } = await startTestServer();
      const answer = await send(await open(port), post(port, text, '1', fields));
      expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
      expect(answer).toContain('the header Ledgerd-Min-Block has to be the number of a block');
    },
  );

  test('error: a block twice', async () => {
    const { port } = await startTestServer();
    const answer = await send(await open(port), post(port, '7', '1', ['Ledgerd-Min-Block: 7', ...fields]));
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  });

  test('error: a client exceeds its call limit, to which a wait counts as one call', async () => {
    const { port } = await startTestServer({ limits: { callsPerSecondMax: 1, blockWaitMs: 5 } });
    const socket = await open(port);
    let answer = await send(socket, post(port, '8', '1', fields));
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    // Another one within the second is refused soon, even if the machine pauses in between.
    while (answer.startsWith('HTTP/1.1 503 ')) answer = await send(socket, post(port, '8', '1', fields));
    expect(answer).toMatch(/^HTTP\/1.1 429 .*1 calls per second/s);
  });

  test('behavior: closing the server rejects waiting requests', async () => {
    const head = movedHead();
    const metrics = testMetrics();
    const server = await startTestServer({ head, metrics, limits: { blockWaitMs: 60_000 } });
    const answer = exchange(server.port, post(server.port, '8', '1', fields));
    await waiting(server.url, 1);
    await server.close();
    expect(await answer).toMatch(/^HTTP\/1.1 503 .*this node is stopping/s);
    expect(head.listeners.size).toBe(0);
  });
});

/** Waits until so many requests wait for a block. */
async function waiting(url: string, count: number): Promise<void> {
  const now = async () =>
    /^ledgerd_block_waits (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  while ((await now()) !== String(count)) await new Promise(setImmediate);
}

test('behavior: a cross-origin page can request a minimum block and read the newest one', async () => {
  const { url } = await startTestServer();
  const origin = 'http://localhost:3000';
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin } });
  expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type, Ledgerd-Min-Block');
  const headers = { origin, 'content-type': 'application/json', 'ledgerd-min-block': '7' };
  const response = await fetch(url, { method: 'POST', headers, body: '1' });
  expect(response.headers.get('ledgerd-block')).toBe('7');
  expect(response.headers.get('access-control-expose-headers')).toBe('Ledgerd-Block');
});

describe('MinBlockWaiters', () => {
  function waitsOf(head: ReturnType<typeof movedHead>) {
    const outcomes: WaitOutcome[] = [];
    const waits = new MinBlockWaiters({
      head,
      waitMs: 60_000,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    onTestFinished(() => waits.close());
    return { waits, outcomes };
  }

  test('error: no client takes the last slots, and disconnected clients release theirs', async () => {
    const head = movedHead();
    const { waits, outcomes } = waitsOf(head);
    const gone = new Set<Caller>();
    const from = (client: string): Caller => {
      const caller: Caller = { client, isGone: () => gone.has(caller) };
      return caller;
    };
    const first = Array.from({ length: BLOCK_WAITS_MAX / 2 }, () => from('a'));
    const all = first.map((caller) => waits.reach(8, caller));
    expect(await waits.reach(8, from('a'))).toMatchObject({
      status: 503,
      body: expect.stringContaining(`limit of ${BLOCK_WAITS_MAX}`),
    });
    const other = waits.reach(9, from('b'));
    expect(waits.size).toBe(first.length + 1);
    for (const caller of first.slice(0, 10)) gone.add(caller);
    all.push(waits.reach(8, from('a')));
    expect(waits.size).toBe(first.length + 1 - 10 + 1);
    head.moveTo(8);
    expect((await Promise.all(all)).filter((refusal) => refusal === undefined)).toHaveLength(
      first.length - 9,
    );
    expect(waits.size).toBe(1);
    head.moveTo(12);
    expect(await other).toBeUndefined();
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'late')).toHaveLength(10);
  });

  test('behavior: reverted blocks do not affect the wait', async () => {
    const head = movedHead();
    const { waits } = waitsOf(head);
    const answer = waits.reach(9, { client: 'a' });
    for (const block of [8, 3, 8]) head.moveTo(block);
    expect(waits.size).toBe(1);
    head.moveTo(9);
    expect(await answer).toBeUndefined();
  });

  test('behavior: every request resumes at the block that it waits for', async () => {
    const heads = fc.array(fc.nat({ max: 30 }), { maxLength: 20 });
    const wanted = fc.array(fc.nat({ max: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(heads, wanted, async (moves, numbers) => {
        const head = movedHead(5);
        const { waits } = waitsOf(head);
        const reached = new Map<number, number>();
        const all = numbers.map((number, index) =>
          waits.reach(number, { client: String(index) }).then((refusal) => {
            if (refusal === undefined) reached.set(index, number);
          }),
        );
        for (const move of moves) head.moveTo(move);
        waits.close();
        await Promise.all(all);
        const highest = Math.max(5, ...moves);
        expect([...reached.values()].sort()).toEqual(numbers.filter((number) => number <= highest).sort());
      }),
    );
  });

  test('behavior: only numbers of blocks are read', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const number = readBlockNumber(text);
        expect(number === undefined || String(number) === text.replace(/^0+(?=\d)/, '')).toBe(true);
      }),
    );
    expect(['0', '007', '4294967295', '4294967296', '1e3', ' 1', ''].map(readBlockNumber)).toEqual([
      0,
      7,
      4_294_967_295,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
