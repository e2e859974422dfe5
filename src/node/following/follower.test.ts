import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Ledger, systemClock } from '../../ledger/index.ts';
import { type Block, frameBlocks } from '../../protocol/index.ts';
import { openStore, type Store, StoreError } from '../../store/index.ts';
import { chainGenesis, makeChain, TestFolders } from '../chain.testing.ts';
import type { NodeNotice } from '../events.ts';
import { answer, type FeedHandler, FeedServer, feedOfFolder } from './feed.testing.ts';
import { Follower, type FollowerOptions } from './follower.ts';

/** Blocks of the chain that is followed. */
const HEAD = 7;

const folders = new TestFolders();
let chain: ReturnType<typeof feedOfFolder>;

beforeAll(async () => {
  const folder = folders.folder();
  await makeChain(folder, { blocks: HEAD });
  chain = feedOfFolder(folder);
});

afterAll(async () => {
  await chain.close();
  folders.clean();
});

let store: Store;
let ledger: Ledger;
let follower: Follower | undefined;
const servers: FeedServer[] = [];
const notices: NodeNotice[] = [];
const failures: unknown[] = [];
const waiting: (() => void)[] = [];

beforeEach(async () => {
  store = openStore({ durable: false });
  ledger = await openLedger('producer');
});

afterEach(async () => {
  vi.useRealTimers();
  await follower?.close();
  for (const server of servers.splice(0)) await server.close();
  await store.close();
  notices.length = 0;
  failures.length = 0;
});

function openLedger(genesis: string): Promise<Ledger> {
  return Ledger.open({
    store,
    genesis: chainGenesis(genesis),
    clock: systemClock,
    keys: [],
    production: 'none',
    mining: true,
  });
}

async function serve(handler: FeedHandler, port = 0): Promise<FeedServer> {
  const server = await FeedServer.start(handler, port);
  servers.push(server);
  return server;
}

const serveAll: FeedHandler = (from, response) => answer(chain.feed(from), response);

function follow(urls: readonly string[], options: Partial<FollowerOptions> = {}): Follower {
  follower = new Follower({
    ledger,
    urls,
    intervalMs: 200,
    isPaused: () => false,
    onNotice: (notice) => tell(notices, notice),
    onFailure: (error) => tell(failures, error),
    ...options,
  });
  follower.start();
  return follower;
}

function tell<T>(list: T[], event: T): void {
  list.push(event);
  for (const wake of waiting.splice(0)) wake();
}

/** Waits until something is told of, or a block is there, that makes this true. */
async function until(isSo: () => boolean): Promise<void> {
  const forget = ledger.onBlock(() => {
    for (const wake of waiting.splice(0)) wake();
  });
  while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
  forget();
}

const noticed = (kind: NodeNotice['kind']) => (): boolean => notices.some((notice) => notice.kind === kind);

/** Blocks of the chain up to a number, one in each answer. */
function upTo(last: () => number): FeedHandler {
  return (from, response) => {
    const head = last();
    answer({ head, bytes: from > head ? new Uint8Array() : one(from) }, response);
  };
}

function one(number: number): Uint8Array {
  const { bytes } = chain.feed(number);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return bytes.slice(0, 4 + length);
}

describe('following', () => {
  test('default: it takes over the blocks, and stays up to date', async () => {
    const server = await serve(serveAll);
    const { isUpToDate, syncing, peerCount, problems } = methodsOf(follow([server.url]));
    expect(isUpToDate()).toBe(false);
    await until(() => ledger.head().number === HEAD);
    expect(notices).toEqual([{ kind: 'followedAnswers', url: server.url, head: HEAD }]);
    expect([isUpToDate(), syncing(), peerCount(), problems()]).toEqual([true, undefined, 1, []]);
    expect(failures).toEqual([]);
  });

  test('behavior: while it is behind it says so, and asks on without a pause', async () => {
    let last = HEAD - 2;
    const server = await serve(upTo(() => last));
    const { isUpToDate, syncing } = methodsOf(follow([server.url]));
    await until(() => ledger.head().number === 2);
    expect(syncing()).toEqual({ startingBlock: 0, currentBlock: 2, highestBlock: last });
    expect(isUpToDate()).toBe(false);
    await until(noticed('caughtUp'));
    expect(notices.map(({ kind }) => kind)).toEqual(['followedAnswers', 'catchingUp', 'caughtUp']);
    expect(syncing()).toBeUndefined();
    last = HEAD;
    await until(() => ledger.head().number === HEAD);
  });

  test('behavior: of several nodes each block is taken over once', async () => {
    const all = [await serve(serveAll), await serve(upTo(() => HEAD)), await serve(serveAll)];
    const { peerCount } = methodsOf(follow(all.map(({ url }) => url)));
    await until(() => notices.filter(({ kind }) => kind === 'followedAnswers').length === 3);
    await until(() => ledger.head().number === HEAD);
    expect([peerCount(), failures]).toEqual([3, []]);
  });

  test('behavior: without nodes to follow it is up to date', () => {
    const { isUpToDate, problems } = methodsOf(follow([]));
    expect([isUpToDate(), problems()]).toEqual([true, []]);
  });

  test('behavior: while paused nobody is asked, and nobody is silent', async () => {
    let isPaused = true;
    const server = await serve(serveAll);
    const { problems } = methodsOf(follow([server.url], { isPaused: () => isPaused }));
    expect(problems()).toEqual([]);
    isPaused = false;
    await until(() => ledger.head().number === HEAD);
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
  test('error: nobody listens; it is told of once, and asked until it answers', async () => {
    const gone = await serve(serveAll);
    const { port, url } = gone;
    await gone.close();
    servers.length = 0;
    const { peerCount, isUpToDate } = methodsOf(follow([url]));
    await until(noticed('followedSilent'));
    expect(notices).toEqual([
      { kind: 'followedSilent', url, reason: expect.stringContaining(`ECONNREFUSED 127.0.0.1:${port}`) },
    ]);
    expect([peerCount(), isUpToDate()]).toEqual([0, false]);
    await serve(serveAll, port);
    await until(() => ledger.head().number === HEAD);
    expect(notices.slice(1)).toEqual([{ kind: 'followedAnswers', url, head: HEAD }]);
  });

  test.each<[string, FeedHandler, string]>([
    [
      'a refused host',
      (_from, response) => void response.writeHead(403).end('{}'),
      'it answered HTTP 403: its --allow-host has to list the name in this URL',
    ],
    [
      'no such path',
      (_from, response) => void response.writeHead(404).end(),
      'it answered HTTP 404: it serves no blocks',
    ],
    [
      'another place',
      (_from, response) => void response.writeHead(302, { location: '/' }).end(),
      'unexpected redirect',
    ],
    [
      'something else',
      (_from, response) => void response.end('<html>'),
      'it answered without a block number in the header ledgerd-head',
    ],
    [
      'a head that is none',
      (_from, response) => void response.setHeader('ledgerd-head', '99999999999').end(),
      'it answered without a block number in the header ledgerd-head',
    ],
    [
      'a cut answer',
      (from, response) => answer({ head: HEAD, bytes: one(from).slice(0, -1) }, response),
      'its answer is no list of blocks: frames[0]',
    ],
    [
      'a head without its blocks',
      (_from, response) => answer({ head: HEAD, bytes: new Uint8Array() }, response),
      'its head is block 7, but it sent no block from 1 on',
    ],
    [
      'bytes that are no block',
      (_from, response) => answer({ head: HEAD, bytes: frameBlocks([Uint8Array.of(1)]) }, response),
      'it sent something that is no block',
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
    expect([peerCount(), ledger.head().number]).toEqual([0, 0]);
  });

  test('error: silence for long is a problem', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const server = await serve((_from, response) => void response.writeHead(500).end());
    const { problems } = methodsOf(follow([server.url]));
    await until(noticed('followedSilent'));
    vi.advanceTimersByTime(30_000);
    expect(problems()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(problems()).toEqual(['no followed node has answered for 31 s']);
    server.handler = serveAll;
    await until(() => ledger.head().number === HEAD);
    expect(problems()).toEqual([]);
  });
});

test('error: a head that was heard of and does not come is a problem', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const gone = await serve(upTo(() => HEAD));
  gone.handler = (from, response) => {
    answer({ head: HEAD, bytes: one(from) }, response);
    gone.handler = (_from, later) => void later.writeHead(500).end();
  };
  const behind = await serve(upTo(() => ledger.head().number));
  const { problems, isUpToDate } = methodsOf(follow([gone.url, behind.url]));
  await until(() => ledger.head().number === 1 && notices.length >= 3);
  vi.advanceTimersByTime(31_000);
  await behind.nextRequest();
  await behind.nextRequest();
  expect([problems(), isUpToDate()]).toEqual([['block 2 of 7 has not come for 31 s'], false]);
});

describe('a node with wrong blocks', () => {
  test('error: blocks of another chain; it is not asked again', async () => {
    await store.close();
    store = openStore({ durable: false });
    ledger = await openLedger('another producer');
    const server = await serve(serveAll);
    const { peerCount, problems, isUpToDate, syncing } = methodsOf(follow([server.url]));
    await until(noticed('followedRejected'));
    expect(notices.at(-1)).toMatchObject({
      url: server.url,
      reason: expect.stringContaining('block 1 rejected'),
    });
    expect(problems()).toEqual(['1 of 1 followed nodes sent blocks that are not of this chain']);
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
    expect(ledger.head().number).toBe(HEAD - 1);
    await follower?.close();
    const honest = await serve(serveAll);
    follow([honest.url]);
    await until(() => ledger.head().number === HEAD);
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

test('error: a block that cannot be stored is tried again', async () => {
  const server = await serve(serveAll);
  let failing = true;
  const flaky: FollowerOptions['ledger'] = {
    head: () => ledger.head(),
    blockByNumber: (number) => ledger.blockByNumber(number),
    importBlock: (block: Block) => {
      if (failing) throw new StoreError('STORE_COMMIT_FAILED', 'disk full');
      return ledger.importBlock(block);
    },
  };
  const { peerCount } = methodsOf(follow([server.url], { ledger: flaky }));
  await until(() => failures.length > 0);
  expect([failures[0], peerCount()]).toEqual([expect.objectContaining({ code: 'STORE_COMMIT_FAILED' }), 1]);
  failing = false;
  await until(() => ledger.head().number === HEAD);
});

/** The questions to a follower, as functions. */
function methodsOf(asked: Follower) {
  return {
    isUpToDate: () => asked.isUpToDate(),
    syncing: () => asked.syncing(),
    peerCount: () => asked.peerCount(),
    problems: () => asked.problems(),
  };
}
