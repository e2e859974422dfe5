import { expect, test } from 'vitest';
import { systemTime } from '../time/time.ts';
import { HttpUpstream, type HttpUpstreamOptions, UpstreamError } from './index.ts';
import { end, endCompressed, type Faults, RemoteFault, serve, startRemote } from './remote.testing.ts';
import { FORK_CODE_BYTES_MAX, FORK_RESPONSE_BYTES_MAX, STORAGE_VALUES_MAX } from './response-bounds.ts';

/** Calls of a method that returns its parameter. */
const echoes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ method: 'echo', params: [index] }));
const results = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'result', result: index }));

const echo = (method: string, params: readonly unknown[]): unknown => {
  if (method !== 'echo') throw new RemoteFault(-32_601, `the method ${method} does not exist`, '0x1234');
  return params[0];
};

const connect = (url: string, options: Partial<HttpUpstreamOptions> = {}): HttpUpstream =>
  new HttpUpstream({ url, backoffMs: 1, ...options });

/** Numbers of calls in the requests to a remote node, in their order. */
const sizes = (bodies: readonly string[]): number[] =>
  bodies.map((body) => {
    const parsed: unknown = JSON.parse(body);
    return Array.isArray(parsed) ? parsed.length : 1;
  });

async function failureOf(promise: Promise<unknown>): Promise<UpstreamError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}

test('default: calls go in batches, and outcomes have the order of the calls', async () => {
  const remote = await startRemote(echo);
  const upstream = connect(remote.url);
  expect(await upstream.calls(echoes(1))).toEqual(results(1));
  expect(await upstream.calls(echoes(250))).toEqual(results(250));
  expect(sizes(remote.bodies).sort((left, right) => left - right)).toEqual([1, 50, 100, 100]);
  expect(upstream.counts).toMatchObject({ requests: 4, calls: 251 });
  expect(await upstream.calls([])).toEqual([]);
});

test('default: an error for one call is its outcome', async () => {
  const upstream = connect((await startRemote(echo)).url);
  const missing = { kind: 'error', code: -32_601, message: 'the method no does not exist', data: '0x1234' };
  expect(await upstream.calls([...echoes(1), { method: 'no', params: [] }])).toEqual([
    ...results(1),
    missing,
  ]);
  expect(await upstream.calls([{ method: 'no', params: [] }])).toEqual([missing]);
});

test('default: the words of a revert are no refusal', async () => {
  const words = 'execution reverted: rate limit of the batch';
  const upstream = connect(
    (
      await startRemote(() => {
        throw new RemoteFault(3, words, '0x');
      })
    ).url,
  );
  const revert = { kind: 'error', code: 3, message: words, data: '0x' };
  expect(await upstream.calls(echoes(2))).toEqual([revert, revert]);
  expect(upstream.counts.requests).toBe(1);
});

const FAULTS: readonly (readonly [string, Faults])[] = [
  ['one request in ten with HTTP 429', { rateLimited: 0.1 }],
  ['one response in fifty cut off', { cut: 0.02 }],
  ['many responses cut off', { cut: 0.3 }],
  ['wrong ids', { wrongId: 0.3 }],
  ['HTML', { html: 0.3 }],
  ['HTTP 503', { serverError: 0.3 }],
  ['calls without a result', { leftOut: 0.05 }],
  ['rate limits of single calls', { callLimited: 0.05 }],
  [
    'all of these',
    {
      latencyMs: 1,
      rateLimited: 0.1,
      cut: 0.1,
      wrongId: 0.1,
      html: 0.1,
      leftOut: 0.02,
      callLimited: 0.02,
      batchMax: 10,
    },
  ],
];

test.each(FAULTS)('behavior: complete outcomes in spite of %s', async (_name, faults) => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const remote = await startRemote(echo, faults, seed);
    const upstream = connect(remote.url, { retries: 20 });
    for (const count of [1, 7, 150]) expect(await upstream.calls(echoes(count))).toEqual(results(count));
  }
});

const REFUSALS = ['error', 'error in an array', 'status', 'first only', 'html'] as const;

test.each(REFUSALS)(
  'behavior: a remote node that refuses batches (%s) gets single calls from then on',
  async (refusal) => {
    const remote = await startRemote(echo, { batchMax: 1, refusal });
    const upstream = connect(remote.url, { retries: 0 });
    expect(await upstream.calls(echoes(30))).toEqual(results(30));
    const before = remote.bodies.length;
    expect(before).toBeLessThanOrEqual(31);
    expect(await upstream.calls(echoes(12))).toEqual(results(12));
    expect(sizes(remote.bodies.slice(before))).toEqual(new Array(12).fill(1));
  },
);

test.each(['error', 'error in an array', 'size status'] as const)(
  'behavior: a remote node that accepts batches of ten (%s) gets smaller ones from then on',
  async (refusal) => {
    const remote = await startRemote(echo, { batchMax: 10, refusal });
    const upstream = connect(remote.url, { retries: 0 });
    expect(await upstream.calls(echoes(100))).toEqual(results(100));
    const before = remote.bodies.length;
    expect(await upstream.calls(echoes(12))).toEqual(results(12));
    expect(sizes(remote.bodies.slice(before))).toEqual([6, 6]);
  },
);

/** Time in which pauses take no time of the machine. */
function withoutPauses() {
  const pauses: number[] = [];
  let now = 0;
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    // The timer of a request, which is cancelled.
    if (milliseconds > 20_000) return () => undefined;
    pauses.push(milliseconds);
    now += milliseconds;
    queueMicrotask(callback);
    return () => undefined;
  };
  return { pauses, time: { ...systemTime, now: () => now, after } };
}

test('behavior: the pause that the remote node asks for holds back all requests', async () => {
  let isFirst = true;
  const remote = await serve((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    if (isFirst) end(response, 429, '', { 'retry-after': '7' });
    else end(response, 200, JSON.stringify({ id, result: 0 }));
    isFirst = false;
  });
  const { pauses, time } = withoutPauses();
  expect(await connect(remote.url, { time }).calls(echoes(1))).toEqual(results(1));
  expect(pauses).toEqual([7_000]);
});

test('behavior: a rate spaces the requests', async () => {
  const remote = await startRemote(echo);
  const { pauses, time } = withoutPauses();
  const upstream = connect(remote.url, { rate: 10, time });
  for (let count = 0; count < 6; count += 1) await upstream.calls(echoes(1));
  expect(pauses).toEqual([100, 100, 100, 100, 100]);
});

test('error: a remote node that fails for ever is given up after the retries', async () => {
  const remote = await startRemote(echo, { rateLimited: 1 });
  const failure = await failureOf(connect(remote.url, { retries: 3 }).calls(echoes(1)));
  expect(failure).toMatchObject({ code: 'UPSTREAM', failure: 'rate limit', attempts: 4 });
  expect(failure.message).toMatch(
    /^the remote node http:\/\/127\.0\.0\.1:\d+ responded with HTTP 429: it limits/,
  );
  expect(failure.message).toMatch(
    /, at the last of 4 attempts in \d+\.\d s; lower --fork-rate, wait, or use another/,
  );
  expect(remote.bodies).toHaveLength(4);
});

test.each([
  ['redirects', 302, 'refused', 1],
  ['requires a key', 401, 'refused', 1],
  ['has no such path', 404, 'refused', 1],
  ['fails', 500, 'server error', 3],
] as const)('error: a remote node that %s', async (_name, status, failure, attempts) => {
  const remote = await serve((_body, response) =>
    end(response, status, '', { location: 'http://127.0.0.1:1/' }),
  );
  const error = await failureOf(connect(remote.url, { retries: 2 }).calls(echoes(1)));
  expect(error).toMatchObject({ failure, attempts });
  expect(remote.bodies).toHaveLength(attempts);
});

test('error: a node that nobody runs', async () => {
  const error = await failureOf(connect('http://127.0.0.1:1', { retries: 1 }).calls(echoes(3)));
  expect(error).toMatchObject({ failure: 'unreachable', attempts: 2 });
  expect(error.message).toContain('check the URL and the network');
});

test('error: no response within the time of a request', async () => {
  const remote = await serve(() => undefined);
  const error = await failureOf(connect(remote.url, { retries: 1, timeoutMs: 20 }).calls(echoes(1)));
  expect(error).toMatchObject({ failure: 'timeout', attempts: 2 });
});

test('error: an endless body is ended at the bound, and is not asked for again', async () => {
  let sent = 0;
  const remote = await serve((_body, response) => {
    const part = Buffer.alloc(1024 * 1024, ' ');
    const more = (): void => {
      while (!response.destroyed) {
        sent += part.length;
        if (!response.write(part)) break;
      }
    };
    response.on('drain', more);
    more();
  });
  const error = await failureOf(connect(remote.url).calls(echoes(1)));
  expect(error).toMatchObject({ failure: 'too long', attempts: 1 });
  expect(sent).toBeLessThan(FORK_RESPONSE_BYTES_MAX * 1.5);
});

test('error: a compressed body counts decompressed, and many small values as memory', async () => {
  const bomb = await serve((_body, response) =>
    endCompressed(response, Buffer.alloc(2 * FORK_RESPONSE_BYTES_MAX, ' ')),
  );
  expect(await failureOf(connect(bomb.url).calls(echoes(1)))).toMatchObject({ failure: 'too long' });
  const values = await serve((_body, response) => endCompressed(response, `[${'[],'.repeat(5_000_000)}[]]`));
  expect(await failureOf(connect(values.url).calls(echoes(1)))).toMatchObject({ failure: 'too long' });
});

const ADDRESS = `0x${'12'.repeat(20)}`;
const CODE_BYTES = 2 * FORK_CODE_BYTES_MAX;

test.each<[bytes: number, method: string, params: readonly unknown[]]>([
  [300_000, 'eth_chainId', []],
  [300_000, 'eth_getBalance', [ADDRESS, 'latest']],
  [300_000, 'eth_getTransactionCount', [ADDRESS, 'latest']],
  [300_000, 'eth_getStorageAt', [ADDRESS, '0x0', 'latest']],
  [2 * CODE_BYTES + 2_048, 'eth_getCode', [ADDRESS, 'latest']],
  [500_000, 'eth_getStorageValues', [{ [ADDRESS]: ['0x0'] }, 'latest']],
  [1_000_000, 'eth_getProof', [ADDRESS, ['0x0'], 'latest']],
  [5_000_000, 'eth_createAccessList', [{}, 'latest']],
  [5_000_000, 'eth_getBlockByNumber', ['0x1', false]],
  [FORK_RESPONSE_BYTES_MAX + 1, 'debug_traceTransaction', [ADDRESS]],
])('error: a result of %i bytes is too long for %s', async (bytes, method, params) => {
  const handler = (): string => ' '.repeat(bytes);
  const upstream = connect((await startRemote(handler)).url);
  const error = await failureOf(upstream.calls([{ method, params }]));
  expect(error).toMatchObject({ failure: 'too long', attempts: 1 });
  // Halves of a batch, down to single calls.
  expect(
    await failureOf(
      upstream.calls([
        { method: 'eth_chainId', params: [] },
        { method, params },
      ]),
    ),
  ).toMatchObject({
    failure: 'too long',
  });
});

test('default: results as long as their methods need', async () => {
  const lengths: Readonly<Record<string, number>> = {
    eth_getCode: CODE_BYTES,
    eth_getStorageValues: STORAGE_VALUES_MAX * 112,
    eth_getProof: 3 * 64 * 1_100,
    debug_traceTransaction: FORK_RESPONSE_BYTES_MAX - 1_024,
  };
  const upstream = connect((await startRemote((method) => ' '.repeat(lengths[method] ?? 0))).url);
  for (const [method, length] of Object.entries(lengths)) {
    const [outcome] = await upstream.calls([{ method, params: [ADDRESS, ['0x0', '0x1'], 'latest'] }]);
    expect(outcome).toEqual({ kind: 'result', result: ' '.repeat(length) });
  }
});

test('error: values nested too deep', async () => {
  const remote = await serve((_body, response) =>
    endCompressed(response, '['.repeat(100_000) + ']'.repeat(100_000)),
  );
  expect(await failureOf(connect(remote.url, { retries: 0 }).calls(echoes(1)))).toMatchObject({
    failure: 'malformed',
  });
});

test('error: requests in flight end when the connection is closed, and later ones are refused', async () => {
  let close = (): void => undefined;
  const remote = await serve(() => close());
  const upstream = connect(remote.url);
  close = () => void upstream.close();
  expect(await failureOf(upstream.calls(echoes(1)))).toMatchObject({ failure: 'closed' });
  expect(await failureOf(upstream.calls(echoes(1)))).toMatchObject({ failure: 'closed' });
});
