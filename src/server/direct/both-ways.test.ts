import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDispatcher, type Dispatcher } from '../../rpc/index.ts';
import type { RunningServer } from '../index.ts';
import { startTestServer } from '../server.testing.ts';

/** A body for which the fuzz waits a turn, as for a call that takes its time. */
const LATER = '{"jsonrpc":"2.0","id":7,"method":"web3_clientVersion"}';

const call = (id: number, method: string): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
const oneCall = fc.oneof(
  fc.constantFrom(
    LATER,
    call(1, 'net_version'),
    call(2, 'no_such'),
    '{"jsonrpc":"2.0","id":3,"method":"web3_sha3","params":["0x68656c6c6f"]}',
    '{"jsonrpc":"2.0","id":4,"method":"web3_sha3","params":["größer"]}',
    '{"jsonrpc":"2.0","method":"net_version"}',
    '{"method":null}',
    '{}',
    'null',
  ),
);
const body = fc.oneof(
  { weight: 4, arbitrary: oneCall },
  { weight: 2, arbitrary: fc.array(oneCall, { maxLength: 4 }).map((calls) => `[${calls.join(', ')}]`) },
  { weight: 1, arbitrary: fc.constantFrom('', '{', '[', 'x'.repeat(300), '\u0000', '{"id":1}}') },
);

/** Fields that clients send besides the two that every request has. */
const ordinary = fc.constantFrom(
  'Content-Type: application/json',
  'content-type:text/plain',
  'User-Agent: fuzz/1.0 (any; thing)',
  'Accept: */*',
  'ACCEPT-ENCODING: gzip, br',
  'Connection: keep-alive',
  'connection: Keep-Alive',
  'Sec-Fetch-Site: none',
  'Sec-Fetch-Mode: cors',
);
/** Fields that change something, or that HTTP does not allow. */
const odd = fc.constantFrom(
  'X-Any: thing',
  'Ledgerd-Min-Block: 7',
  'ledgerd-min-block: 8',
  'Ledgerd-Min-Block: 0x7',
  'Origin: http://localhost:3000',
  'Origin: https://evil.example',
  'Sec-Fetch-Site: cross-site',
  'Connection: close',
  'Connection: keep-alive, close',
  'Content-Length: 1',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Host: localhost',
  'Host: evil.example',
  'Accept : */*',
  'Accept:\t*/*',
  'Accept:  */* ',
  'Accept:',
  'no colon',
  ' folded: line',
  'User-Agent: \u0001',
  'User-Agent: \u00e9',
  `X-Long: ${'x'.repeat(5_000)}`,
);
const line = fc.oneof(
  { weight: 12, arbitrary: fc.constant('POST / HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'POST / HTTP/1.0',
      'POST /?x=1 HTTP/1.1',
      'POST  / HTTP/1.1',
      'post / HTTP/1.1',
      'POST /x HTTP/1.1',
      'POST /%zz HTTP/1.1',
      'GET /openrpc.json HTTP/1.1',
      'HEAD / HTTP/1.1',
      'OPTIONS / HTTP/1.1',
      'PUT / HTTP/1.1',
      'GARBAGE',
    ),
  },
);
const host = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('localhost', '127.0.0.1:1', 'LOCALHOST:8545', '[::1]') },
  { weight: 1, arbitrary: fc.constantFrom('evil.example', '', 'a b', '::1') },
);
/** What is added to the true length of a body. */
const lengthError = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
);
const lineEnd = fc.oneof(
  { weight: 20, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\n\r\n') },
);
const optionalOdd = fc.oneof(
  { weight: 6, arbitrary: fc.constant<string[]>([]) },
  { weight: 1, arbitrary: fc.array(odd, { minLength: 1, maxLength: 2 }) },
);

/** One request, mostly in the common form. */
const request = fc
  .record({
    line,
    host,
    body,
    lengthError,
    lineEnd,
    fields: fc.array(ordinary, { maxLength: 4 }),
    oddFields: optionalOdd,
    name: fc.constantFrom('Host', 'host', 'HOST'),
    places: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
  })
  .map(({ line, host, body, lengthError, lineEnd, fields, oddFields, name, places }) => {
    const length = Math.max(0, Buffer.byteLength(body) + lengthError);
    const all = [`${name}: ${host}`, `Content-Length: ${length}`, ...fields, ...oddFields];
    const shuffled = all
      .map((text, index) => ({ text, place: places[index] ?? 0 }))
      .sort((one, other) => one.place - other.place)
      .map(({ text }) => text);
    return Buffer.concat([
      Buffer.from(`${[line, ...shuffled].join(lineEnd)}\r\n\r\n`, 'latin1'),
      Buffer.from(body),
    ]);
  });

const behind = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Uint8Array>(new Uint8Array()) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\r\n', 'POST / HT', 'garbage\r\n\r\n').map((text) => Buffer.from(text)),
  },
);
/** Where a piece ends, and whether requests come in pieces of their own or run on. */
const lengths = fc.oneof(
  { weight: 3, arbitrary: fc.constant<number[]>([]) },
  { weight: 1, arbitrary: fc.array(fc.nat({ max: 400 }), { maxLength: 3 }) },
);
const isJoined = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const part = fc.record({ request, lengths, isJoined });

/** A server that notes what it asks its dispatcher. */
async function startNoting(isDirect: boolean): Promise<RunningServer & { asked: string[] }> {
  const asked: string[] = [];
  const ledger = { network: { networkId: 255 }, onForgotten: () => undefined } as unknown as Parameters<
    typeof createDispatcher
  >[0]['ledger'];
  const inner = createDispatcher({ ledger, wallet: undefined, version: '1.0.0' });
  const dispatcher: Dispatcher = {
    ...inner,
    handle: (bytes, caller) => {
      const text = bytes.toString();
      asked.push(text);
      if (text !== LATER) return inner.handle(bytes, caller);
      return new Promise(setImmediate).then(() => inner.handle(bytes, caller));
    },
  };
  // Nothing here waits for a clock.
  const limits = {
    headerBytesMax: 4_096,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    blockWaitMs: 0,
  };
  return { ...(await startTestServer({ dispatcher, isDirect, limits })), asked };
}

/** Whatever came before it, a server closes the connection after this, or over it. */
const LAST = Buffer.from('POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'.repeat(2));

/** Sends pieces one after the other, and gives what comes back until the other side closes. */
async function exchangePieces(port: number, pieces: readonly Uint8Array[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that has refused something does not listen to the rest.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  for (const piece of pieces) {
    if (socket.readableEnded || socket.destroyed) break;
    socket.write(piece);
    await new Promise(setImmediate);
  }
  await closed;
  return Buffer.concat(chunks)
    .toString('latin1')
    .replace(/^Date: .*\r\n/gm, '');
}

/** Cuts what is sent into the pieces in which it is sent. */
function piecesOf(parts: readonly { request: Buffer; lengths: number[]; isJoined: boolean }[]): Buffer[] {
  const pieces: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for (const { request, lengths, isJoined } of parts) {
    rest = Buffer.concat([rest, request]);
    for (const length of lengths) {
      pieces.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    if (isJoined) continue;
    pieces.push(rest);
    rest = Buffer.alloc(0);
  }
  return [...pieces, rest].filter(({ length }) => length > 0);
}

test('behavior: the same bytes get the same answers directly and by the full server', async () => {
  const [direct, full] = [await startNoting(true), await startNoting(false)];
  const parts = fc.array(part, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(parts, behind, async (asked, garbage) => {
      for (const server of [direct, full]) server.asked.length = 0;
      const pieces = [...piecesOf(asked), Buffer.concat([garbage, LAST])];
      const answers = await exchangePieces(direct.port, pieces);
      expect(answers).toBe(await exchangePieces(full.port, pieces));
      expect(direct.asked).toEqual(full.asked);
    }),
    { numRuns: 300 },
  );
});
