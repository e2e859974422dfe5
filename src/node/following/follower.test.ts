import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../test/free-ports.js';
import { type Block, frameBlocks } from '../../protocol/index.ts';
import { StoreError } from '../../store/index.ts';
import { answer, type FeedHandler } from './feed.testing.ts';
import {
  beginAnew,
  chain,
  failures,
  follow,
  follower,
  HEAD,
  ledger,
  methodsOf,
  noticed,
  notices,
  one,
  serve,
  serveAll,
  until,
  upTo,
  useFollowers,
} from './follower.testing.ts';
import type { FollowerOptions } from './follower.ts';

useFollowers();

/** Gives a stream the next frames of one byte each, without end. */
function endless(this: Readable): void {
  this.push(Buffer.alloc(5 * 10_000).fill(Uint8Array.of(1, 0, 0, 0, 0)));
}

describe('following', () => {
  test('default: it takes over the blocks, and stays up to date', async () => {
    const server = await serve(serveAll);
    const { isUpToDate, syncing, peerCount, problems } = methodsOf(follow([server.url]));
    expect(isUpToDate()).toBe(false);
    await until(() => ledger.blocks.head().number === HEAD);
    expect(notices).toEqual([{ kind: 'followedAnswers', url: server.url, head: HEAD }]);
    expect([isUpToDate(), syncing(), peerCount(), problems()]).toEqual([true, undefined, 1, []]);
    expect(failures).toEqual([]);
  });

  test('behavior: a follower that lags reports syncing, and keeps fetching without a pause', async () => {
    let last = HEAD - 2;
    const server = await serve(upTo(() => last));
    const { isUpToDate, syncing } = methodsOf(follow([server.url]));
    await until(() => ledger.blocks.head().number === 2);
    expect(syncing()).toEqual({ startingBlock: 0, currentBlock: 2, highestBlock: last });
    expect(isUpToDate()).toBe(false);
    await until(noticed('caughtUp'));
    expect(notices.map(({ kind }) => kind)).toEqual(['followedAnswers', 'catchingUp', 'caughtUp']);
    expect(syncing()).toBeUndefined();
    last = HEAD;
    await until(() => ledger.blocks.head().number === HEAD);
  });

  test('behavior: of several nodes each block is taken over once', async () => {
    const all = [await serve(serveAll), await serve(upTo(() => HEAD)), await serve(serveAll)];
    const { peerCount } = methodsOf(follow(all.map(({ url }) => url)));
    await until(() => notices.filter(({ kind }) => kind === 'followedAnswers').length === 3);
    await until(() => ledger.blocks.head().number === HEAD);
    expect([peerCount(), failures]).toEqual([3, []]);
  });

  test('behavior: without nodes to follow it is up to date', () => {
    const { isUpToDate, problems } = methodsOf(follow([]));
    expect([isUpToDate(), problems()]).toEqual([true, []]);
  });

  test('behavior: a paused follower sends no requests, and reports no unresponsive node', async () => {
    let isPaused = true;
    const server = await serve(serveAll);
    const { problems } = methodsOf(follow([server.url], { isPaused: () => isPaused }));
    expect(problems()).toEqual([]);
    isPaused = false;
    await until(() => ledger.blocks.head().number === HEAD);
    expect(server.asked[0]).toBe(1);
  });

  test('behavior: closing ends a request that is not answered', async () => {
    const server = await serve(() => undefined);
    const asked = server.nextRequest();
    const running = follow([server.url]);
    await asked;
    await running.close();
    expect(notices).toEqual([]);
  });
});

describe('a node that does not answer', () => {
  test('error: an unreachable node is logged once, and retried until it responds', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { peerCount, isUpToDate } = methodsOf(follow([url]));
    await until(noticed('followedSilent'));
    expect(notices).toEqual([
      { kind: 'followedSilent', url, reason: expect.stringContaining(`ECONNREFUSED 127.0.0.1:${port}`) },
    ]);
    expect([peerCount(), isUpToDate()]).toEqual([0, false]);
    await serve(serveAll, port);
    await until(() => ledger.blocks.head().number === HEAD);
    expect(notices.slice(1)).toEqual([{ kind: 'followedAnswers', url, head: HEAD }]);
  });

  test.each<[string, FeedHandler, string]>([
    [
      'a refused host',
      (_from, response) => void response.writeHead(403).end('{}'),
      'it responded with HTTP 403: its --allow-host must list the name in this URL',
    ],
    [
      'no such path',
      (_from, response) => void response.writeHead(404).end(),
      'it responded with HTTP 404: it serves no blocks, as a node in test mode does not',
    ],
    [
      'another place',
      (_from, response) => void response.writeHead(302, { location: '/' }).end(),
      'unexpected redirect',
    ],
    [
      'something else',
      (_from, response) => void response.end('<html>'),
      'its response has no block number in the header ledgerd-head',
    ],
    [
      'a head that is none',
      (_from, response) => void response.setHeader('ledgerd-head', '99999999999').end(),
      'its response has no block number in the header ledgerd-head',
    ],
    [
      'a cut answer',
      (from, response) => answer({ head: HEAD, bytes: one(from).slice(0, -1) }, response),
      'its response is not a list of blocks: frames[0]',
    ],
    [
      'a head without its blocks',
      (_from, response) => answer({ head: HEAD, bytes: new Uint8Array() }, response),
      'its head is block 7, but it sent no block from 1 on',
    ],
    [
      'bytes that are no block',
      (_from, response) => answer({ head: HEAD, bytes: frameBlocks([Uint8Array.of(1)]) }, response),
      'it sent an invalid block',
    ],
    [
      'an endless answer of what is no block',
      (_from, response) => {
        response.setHeader('ledgerd-head', '7');
        new Readable({ read: endless }).pipe(response);
      },
      'it sent an invalid block',
    ],
    [
      'an answer that is compressed',
      (from, response) => {
        response.setHeader('content-encoding', 'gzip');
        answer({ head: HEAD, bytes: gzipSync(chain.feed(from).bytes) }, response);
      },
      'its response is compressed, which was not requested',
    ],
    [
      'a block that is beyond the bound',
      (from, response) => {
        const bytes = one(from);
        new DataView(bytes.buffer).setUint32(0, 256 * 1024 * 1024, true);
        answer({ head: HEAD, bytes }, response);
      },
      'its response is not a list of blocks: frames[0] at byte 4: a block of 268435456 bytes, ' +
        'and none has more than 134217728',
    ],
  ])('error: %s', async (_title, handler, reason) => {
    const server = await serve(handler);
    const { peerCount } = methodsOf(follow([server.url]));
    await until(noticed('followedSilent'));
    expect(notices.at(-1)).toEqual({
      kind: 'followedSilent',
      url: server.url,
      reason: expect.stringContaining(reason),
    });
    expect([peerCount(), ledger.blocks.head().number]).toEqual([0, 0]);
  });

  test('error: silence for long is a problem', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const server = await serve((_from, response) => void response.writeHead(500).end());
    const { problems } = methodsOf(follow([server.url]));
    await until(noticed('followedSilent'));
    vi.advanceTimersByTime(30_000);
    expect(problems()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(problems()).toEqual(['no followed node has responded for 31 s']);
    server.handler = serveAll;
    await until(() => ledger.blocks.head().number === HEAD);
    expect(problems()).toEqual([]);
  });
});

describe('a node with wrong blocks', () => {
  test('error: a node that sends blocks of another chain is not queried again', async () => {
    await beginAnew('another producer');
    const server = await serve(serveAll);
    const { peerCount, problems, isUpToDate, syncing } = methodsOf(follow([server.url]));
    await until(noticed('followedRejected'));
    expect(notices.at(-1)).toMatchObject({
      url: server.url,
      reason: expect.stringContaining('block 1 rejected'),
    });
    expect(problems()).toEqual([
      expect.stringMatching(/^1 of 1 followed nodes sent blocks that are not of this chain: http:.*block 1/),
    ]);
    expect([peerCount(), syncing(), isUpToDate()]).toEqual([0, undefined, true]);
    await follower?.close();
    expect(server.asked).toEqual([1]);
  });

  test('error: a changed block; the blocks before it stay, and others are followed on', async () => {
    const liar = await serve((from, response) => {
      const { head, bytes } = chain.feed(from);
      // The last byte belongs to the last block.
      answer({ head, bytes: bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1) }, response);
    });
    const { peerCount, problems } = methodsOf(follow([liar.url]));
    await until(noticed('followedRejected'));
    expect(ledger.blocks.head().number).toBe(HEAD - 1);
    await follower?.close();
    const honest = await serve(serveAll);
    follow([honest.url]);
    await until(() => ledger.blocks.head().number === HEAD);
    expect([peerCount(), problems()]).toEqual([0, [expect.stringContaining('1 of 1 followed nodes')]]);
  });

  test('error: another block of a number that is there already', async () => {
    const bytes = one(5);
    const changed = { head: HEAD + 1, bytes: bytes.with(100, (bytes[100] ?? 0) ^ 1) };
    const parts = [chain.feed(1), changed];
    const server = await serve((_from, response) => answer(parts.shift() ?? chain.feed(8), response));
    follow([server.url]);
    await until(noticed('followedRejected'));
    expect(notices.at(-1)).toMatchObject({ reason: expect.stringContaining('another block of this number') });
  });
});

test('behavior: whatever a node answers, it is refused, or its sound blocks are taken', async () => {
  const sound = chain.feed(1).bytes;
  const garbled = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 0, max: 255 })), {
    maxLength: 3,
  });
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(garbled, fc.nat(sound.length)).map(([changes, cut]) => {
      const bytes = sound.slice(0, cut);
      for (const [offset, byte] of changes) if (offset < cut) bytes[offset] = byte;
      return bytes;
    }),
  );
  const server = await serve(serveAll);
  await fc.assert(
    fc.asyncProperty(bodies, fc.nat(2 ** 32 - 1), async (bytes, head) => {
      notices.length = 0;
      await beginAnew();
      server.handler = (_from, response) => answer({ head, bytes }, response);
      follow([server.url]);
      await until(() => notices.length > 0 || failures.length > 0);
      await follower?.close();
      expect(failures).toEqual([]);
      expect(ledger.blocks.head().number).toBeLessThanOrEqual(HEAD);
    }),
    { numRuns: 40 },
  );
});

test('error: a block that cannot be stored is tried again', async () => {
  const server = await serve(serveAll);
  let failing = true;
  const flaky: FollowerOptions['pipeline'] = {
    importBlock: (block: Block) => {
      if (failing) throw new StoreError('STORE_COMMIT_FAILED', 'disk full');
      return ledger.chain.importBlock(block);
    },
    whenIdle: () => undefined,
  };
  const { peerCount } = methodsOf(follow([server.url], { pipeline: flaky }));
  await until(() => failures.length > 0);
  expect([failures[0], peerCount()]).toEqual([expect.objectContaining({ code: 'STORE_COMMIT_FAILED' }), 1]);
  failing = false;
  await until(() => ledger.blocks.head().number === HEAD);
});
