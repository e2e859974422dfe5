import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { Ledger, systemClock } from '../../ledger/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { systemTime } from '../../time/time.ts';
import { chainGenesis, makeChain, TestFolders } from '../chain.testing.ts';
import type { NodeNotice } from '../notices.ts';
import { answer, type FeedHandler, FeedServer, feedOfFolder } from './feed.testing.ts';
import { httpBlockSource } from './fetch-blocks.ts';
import { Follower, type FollowerOptions } from './follower.ts';

/** Blocks of the chain that is followed. */
export const HEAD = 7;

const folders = new TestFolders();
/** The feed of the chain that is followed. */
export let chain: ReturnType<typeof feedOfFolder>;

/** The ledger that follows, on a store of its own. */
export let ledger: Ledger;
export let follower: Follower | undefined;
let store: Store;
const servers: FeedServer[] = [];
export const notices: NodeNotice[] = [];
export const failures: unknown[] = [];
const waiting: (() => void)[] = [];

/** Sets up a chain for a file of tests, and for each test a ledger that is to follow it. */
export function useFollowers(): void {
  beforeAll(async () => {
    const folder = folders.folder();
    await makeChain(folder, { blocks: HEAD });
    chain = feedOfFolder(folder);
  });

  afterAll(async () => {
    await chain.close();
    folders.clean();
  });

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
}

/** Replaces the ledger by one that has no blocks, of this or of another genesis. */
export async function beginAnew(genesis = 'producer'): Promise<void> {
  await store.close();
  store = openStore({ durable: false });
  ledger = await openLedger(genesis);
}

function openLedger(genesis: string): Promise<Ledger> {
  return Ledger.open({
    store,
    genesis: chainGenesis(genesis),
    clock: systemClock,
    keys: [],
    mining: 'none',
  });
}

/** Starts a server that is closed after the test. */
export async function serve(handler: FeedHandler, port = 0): Promise<FeedServer> {
  const server = await FeedServer.start(handler, port);
  servers.push(server);
  return server;
}

/** Answers with all blocks of the chain. */
export const serveAll: FeedHandler = (from, response) => answer(chain.feed(from), response);

/** Follows nodes until the end of the test. */
export function follow(urls: readonly string[], options: Partial<FollowerOptions> = {}): Follower {
  follower = new Follower({
    ledger,
    pipeline: { importBlock: (block) => ledger.chain.importBlock(block), whenIdle: () => undefined },
    checkHeader: (header) => ledger.chain.checkNextHeader(header),
    sources: urls.map(httpBlockSource),
    time: systemTime,
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
export async function until(isSo: () => boolean): Promise<void> {
  const forget = ledger.chain.onBlock(() => {
    for (const wake of waiting.splice(0)) wake();
  });
  while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
  forget();
}

/** Returns a check for a notice of a kind. */
export const noticed = (kind: NodeNotice['kind']) => (): boolean =>
  notices.some((notice) => notice.kind === kind);

/** Blocks of the chain up to a number, one in each answer. */
export function upTo(last: () => number): FeedHandler {
  return (from, response) => {
    const head = last();
    answer({ head, bytes: from > head ? new Uint8Array() : one(from) }, response);
  };
}

/** The frame of one block of the chain. */
export function one(number: number): Uint8Array {
  const { bytes } = chain.feed(number);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return bytes.slice(0, 4 + length);
}

/** The questions to a follower, as functions. */
export function methodsOf(asked: Follower) {
  return {
    isUpToDate: () => asked.isUpToDate(),
    syncing: () => asked.syncing(),
    peerCount: () => asked.peerCount(),
    problems: () => asked.problems(),
    unheard: () => asked.unheard(),
  };
}
