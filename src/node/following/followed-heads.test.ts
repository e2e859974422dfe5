import { describe, expect, test, vi } from 'vitest';
import { systemTime } from '../../time/time.ts';
import { answer, type FeedHandler } from './feed.testing.ts';
import { httpBlockSource } from './fetch-blocks.ts';
import { FollowedNode } from './followed-node.ts';
import {
  beginAnew,
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

test('behavior: the pauses between failed polls grow until a poll succeeds', () => {
  const node = new FollowedNode(httpBlockSource('http://127.0.0.1:1/'), 200, systemTime);
  const pause = (): number => node.recordFailure('a lie').waitMs;
  expect([pause(), pause()]).toEqual([500, 1_000]);
  node.recordResponse();
  expect([pause(), pause(), pause(), pause()]).toEqual([2_000, 4_000, 8_000, 10_000]);
  node.recordEnd();
  expect(pause()).toBe(500);
});

describe('the head that a node reports', () => {
  /** Says that it has all blocks that there can be, and sends one that is here already, or what is none. */
  const lie =
    (bytes: () => Uint8Array): FeedHandler =>
    (_from, response) =>
      answer({ head: 4_000_000_000, bytes: bytes() }, response);

  test.each<[string, () => Uint8Array]>([
    ['without a block', () => new Uint8Array()],
    ['with what is no block', () => Uint8Array.of(1, 0, 0, 0, 7)],
    ['with a block that is here already', () => one(HEAD)],
  ])('error: a lie %s does not count', async (_title, bytes) => {
    const server = await serve(serveAll);
    const { isUpToDate, syncing } = methodsOf(follow([server.url]));
    await until(() => ledger.blocks.head().number === HEAD);
    server.handler = lie(bytes);
    await until(noticed('followedSilent'));
    expect([isUpToDate(), syncing()]).toEqual([true, undefined]);
  });

  test('behavior: a reported head counts while blocks arrive, and is discarded when they stop', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const server = await serve(serveAll);
    const { isUpToDate, syncing } = methodsOf(follow([server.url]));
    await until(() => ledger.blocks.head().number === HEAD);
    await follower?.close();
    await beginAnew();
    server.handler = (from, response) => {
      answer({ head: 4_000_000_000, bytes: one(from) }, response);
      server.handler = () => undefined;
    };
    const again = methodsOf(follow([server.url]));
    await until(noticed('catchingUp'));
    expect(again.syncing()).toMatchObject({ currentBlock: 1, highestBlock: 4_000_000_000 });
    vi.advanceTimersByTime(2_000);
    expect(again.syncing()).toBeUndefined();
    expect([isUpToDate(), syncing()]).toEqual([true, undefined]);
  });

  test('behavior: every followed node must respond once, and the unreachable ones are reported', async () => {
    const lagging = await serve(upTo(() => 2));
    const slow = await serve((_from, response) => void response.writeHead(503).end());
    const { isUpToDate, unheard } = methodsOf(follow([lagging.url, slow.url]));
    await until(() => ledger.blocks.head().number === 2 && noticed('followedSilent')());
    expect([isUpToDate(), unheard()]).toEqual([
      false,
      [expect.objectContaining({ url: slow.url, reason: 'it responded with HTTP 503' })],
    ]);
    slow.handler = serveAll;
    await until(() => ledger.blocks.head().number === HEAD);
    expect([isUpToDate(), unheard()]).toEqual([true, []]);
    lagging.handler = (_from, response) => void response.writeHead(503).end();
    await until(() => notices.filter(({ kind }) => kind === 'followedSilent').length === 2);
    expect([isUpToDate(), unheard()]).toEqual([true, []]);
  });

  test('error: a block from the future is rejected, and the node is queried again', async () => {
    const server = await serve(serveAll);
    let now = 0;
    const early: FollowerOptions['ledger'] = {
      ...ledger,
      clock: { now: () => now },
    };
    const { isUpToDate } = methodsOf(follow([server.url], { ledger: early }));
    await until(noticed('followedSilent'));
    expect([ledger.blocks.head().number, isUpToDate()]).toEqual([0, false]);
    expect(notices.at(-1)).toMatchObject({
      reason: expect.stringMatching(
        /^the time of its block 1 is \d+ s ahead of this machine's clock, and may be 60 s ahead of it$/,
      ),
    });
    now = ledger.clock.now();
    await until(() => ledger.blocks.head().number === HEAD);
  });
});
