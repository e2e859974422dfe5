import { afterEach, beforeEach, expect, test } from 'vitest';
import { clockOf, Ledger, serializedBlock } from '../ledger/index.ts';
import { invariant } from '../protocol/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { SwitchedStore } from '../store/switched-store.testing.ts';
import { ManualTime } from '../time/time.testing.ts';
import { chainGenesis, PRODUCER_KEY } from './chain.testing.ts';
import { type BlockSource, FollowError } from './following/block-source.ts';
import type { NodeNotice } from './notices.ts';
import { NodeRuntime } from './runtime.ts';

const INTERVAL_MS = 30_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A node without an interface, in this process. */
interface SmallNode {
  readonly store: SwitchedStore;
  readonly ledger: Ledger;
  readonly runtime: NodeRuntime;
  readonly notices: NodeNotice[];
  /** Its blocks, for other nodes; none while it is out of reach. */
  readonly source: BlockSource & { isOut: boolean };
}

let time: ManualTime;
let nodes: SmallNode[];

beforeEach(() => {
  time = new ManualTime(chainGenesis().timestamp * 1_000);
  nodes = [];
});

afterEach(async () => {
  for (const { runtime, store } of nodes) {
    await runtime.close();
    await store.close();
  }
});

async function start(name: string, follow: readonly BlockSource[], isProducer = false): Promise<SmallNode> {
  const store = new SwitchedStore(openStore({ durable: false }));
  const ledger = await Ledger.open({
    store: store.store,
    time,
    genesis: chainGenesis(),
    clock: clockOf(time),
    keys: isProducer ? [PRODUCER_KEY] : [],
    mining: isProducer ? 'interval' : 'none',
  });
  const notices: NodeNotice[] = [];
  const runtime = new NodeRuntime({
    ...{ ledger, time, backoff: new CpuBackoff(time), follow, intervalMs: INTERVAL_MS },
    produceWithoutHearing: false,
    freeBytes: () => 1,
    minFreeBytes: 1,
    events: { onNotice: (notice) => notices.push(notice) },
  });
  const node = { store, ledger, runtime, notices, source: sourceOf(name, store.store) };
  nodes.push(node);
  runtime.start();
  return node;
}

/** The blocks of a store in this process. */
function sourceOf(name: string, store: Store): SmallNode['source'] {
  return {
    url: name,
    isOut: false,
    async fetch({ from, checkHead }) {
      if (this.isOut) throw new FollowError('it is out of reach');
      const head = store.head() ?? 0;
      async function* blocks(): AsyncGenerator<Uint8Array> {
        for (let number = from; number <= head; number += 1) {
          const block = serializedBlock(store, number);
          invariant(block !== undefined, 'every block up to the head is there');
          checkHead(block);
          yield block;
        }
      }
      return { head, blocks: blocks() };
    },
  };
}

/** Takes a node's newest blocks away, so that its chain ends with a number. */
async function goBack({ ledger, store }: SmallNode, last: number): Promise<void> {
  const past = openStore({ durable: false });
  const options = { clock: clockOf(time), keys: [], mining: 'none' } as const;
  const shorter = await Ledger.open({ store: past, genesis: ledger.parameters.genesis, ...options });
  for (let number = 1; number <= last; number += 1) {
    const block = ledger.blocks.nativeBlock(number);
    invariant(block !== undefined, 'the chain has the blocks that are to stay');
    shorter.chain.importBlock(block);
  }
  store.switchTo(past);
  ledger.chain.handleReorg();
}

const kindsOf = ({ notices }: SmallNode): string[] => notices.map(({ kind }) => kind);

test('default: a producer and its followers, for two hours', async () => {
  const producer = await start('producer', [], true);
  const near = await start('near', [producer.source]);
  const far = await start('far', [near.source]);
  await time.pass(2 * HOUR_MS);
  expect(producer.ledger.blocks.head().number).toBe((2 * HOUR_MS) / INTERVAL_MS);
  await time.pass(INTERVAL_MS - 1);
  for (const { ledger, runtime, notices } of [near, far]) {
    expect(ledger.blocks.head()).toEqual(producer.ledger.blocks.head());
    expect(runtime.health().problems).toEqual([]);
    expect(notices.map(({ kind }) => kind)).toEqual(['followedAnswers']);
  }
});

test('behavior: an unreachable node is reported after half a minute, and its blocks are fetched later', async () => {
  const producer = await start('producer', [], true);
  const follower = await start('follower', [producer.source]);
  await time.pass(3 * INTERVAL_MS - 1);
  producer.source.isOut = true;
  await time.pass(10 * MINUTE_MS);
  expect(kindsOf(follower)).toEqual(['followedAnswers', 'followedSilent']);
  expect(follower.ledger.blocks.head().number).toBe(2);
  expect(follower.runtime.health().problems).toEqual([
    expect.stringMatching(/^block 3, for which 1\.2\.\d+ is scheduled, should have arrived \d+ s ago$/),
    expect.stringMatching(/^no followed node has responded for 60\d s$/),
  ]);
  producer.source.isOut = false;
  await time.pass(MINUTE_MS - 1);
  expect(follower.ledger.blocks.head()).toEqual(producer.ledger.blocks.head());
  expect(follower.runtime.health().problems).toEqual([]);
});

test('behavior: a clock jump makes a producer pause for a while', async () => {
  const producer = await start('producer', [], true);
  await time.pass(3 * INTERVAL_MS);
  time.wallAhead += HOUR_MS;
  await time.pass(INTERVAL_MS);
  expect([producer.ledger.blocks.head().number, kindsOf(producer)]).toEqual([3, ['productionWaits']]);
  await time.pass(10 * MINUTE_MS);
  expect(producer.ledger.blocks.head().number).toBeGreaterThan(3);
  expect(producer.runtime.health().problems).toEqual([]);
});

test('behavior: reverted blocks are fetched again, and the next one is produced an interval later', async () => {
  const producer = await start('producer', [], true);
  const follower = await start('follower', [producer.source]);
  await time.pass(7.5 * INTERVAL_MS);
  await goBack(follower, 2);
  expect([follower.ledger.blocks.head().number, follower.ledger.history.reorgCount]).toEqual([2, 1]);
  await time.pass(1_000);
  expect(follower.ledger.blocks.head()).toEqual(producer.ledger.blocks.head());
  expect(kindsOf(follower)).toEqual(['followedAnswers']);
  await follower.runtime.close();
  await goBack(producer, 3);
  await time.pass(INTERVAL_MS - 1);
  expect(producer.ledger.blocks.head().number).toBe(3);
  await time.pass(1);
  expect(producer.ledger.blocks.head().number).toBe(4);
});

test('behavior: blocks reverted while others arrive are not blamed on the sender', async () => {
  const producer = await start('producer', [], true);
  await time.pass(7.5 * INTERVAL_MS);
  const feed = producer.source;
  let isFirst = true;
  const follower: SmallNode = await start('follower', [
    {
      url: feed.url,
      async fetch(request) {
        const { head, blocks } = await feed.fetch(request);
        async function* interrupted(): AsyncGenerator<Uint8Array> {
          for await (const block of blocks) {
            yield block;
            if (!isFirst || follower.ledger.blocks.head().number < 5) continue;
            isFirst = false;
            await goBack(follower, 2);
          }
        }
        return { head, blocks: interrupted() };
      },
    },
  ]);
  await time.pass(1_000);
  expect([follower.ledger.history.reorgCount, follower.ledger.blocks.head().number]).toEqual([1, 7]);
  expect(kindsOf(follower)).toEqual(['followedAnswers']);
});
