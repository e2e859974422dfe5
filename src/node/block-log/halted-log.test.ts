import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../ledger/ledger.testing.ts';
import { blockCodec, decode, encode } from '../../protocol/index.ts';
import { BlockLogUnsoundError } from './block-log.ts';
import { Cluster, type ClusterNode, INTERVAL_MS, PRODUCERS, submit } from './cluster.testing.ts';

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

/** Checks that a node does nothing any more, says why, and can be read from. */
async function expectHalted(node: ClusterNode, reason: string): Promise<void> {
  const { number } = node.ledger.blocks.head();
  await cluster.time.pass(5 * INTERVAL_MS);
  expect(node.runtime.health().problems).toContainEqual(
    expect.stringContaining(`the block log memory://log is not safe to use: ${reason}`),
  );
  expect(node.notices.filter(({ kind }) => kind === 'logHalted')).toHaveLength(1);
  expect(node.ledger.blocks.head().number).toBe(number);
  expect(node.runtime.status.mayProduce()).toBe(false);
  expect(node.runtime.status.blockLog?.()?.halted).toContain(reason);
  expect(() => submit(node, 1n)).toThrow('the block log of this node is not safe to use');
  expect(node.ledger.blocks.nativeBlock(number)?.round).toBe(BigInt(number));
}

describe('error: a store that is ahead of the log', () => {
  test('default: at the start', async () => {
    const first = await cluster.start({ keys: PRODUCERS });
    await cluster.time.pass(10 * INTERVAL_MS);
    await first.stop();
    cluster.log.blocks.length = 7;
    const again = await cluster.start({ keys: PRODUCERS, disk: first.disk });
    await expectHalted(again, 'this store has block 10, and the block log ends at block 7');
    expect(again.ledger.blocks.head().number).toBe(10);
    expect(again.runtime.health().problems.join()).toContain('"ledgerd block-log seed"');
  });

  test('behavior: an empty log is no log of this chain', async () => {
    const first = await cluster.start({ keys: PRODUCERS });
    await cluster.time.pass(2 * INTERVAL_MS);
    await first.stop();
    cluster.log.blocks.length = 0;
    const again = await cluster.start({ disk: first.disk });
    await expectHalted(again, 'this store has block 2, and the block log ends at block 0');
  });

  test('behavior: while it runs', async () => {
    const nodes = await cluster.startThree();
    await cluster.time.pass(10.5 * INTERVAL_MS);
    const { number } = nodes[0].ledger.blocks.head();
    cluster.log.blocks.length = 5;
    await cluster.time.pass(5 * INTERVAL_MS);
    for (const node of nodes) {
      await expectHalted(node, `this store has block ${number}, and the block log ends at block 5`);
    }
    expect(cluster.log.blocks).toHaveLength(5);
  });
});

describe('error: a log that is not sound', () => {
  const other = async () => {
    const another = new Cluster({ ...cluster.genesis, timestamp: cluster.genesis.timestamp - 1 });
    const node = await another.start({ keys: PRODUCERS });
    await another.time.pass(10 * INTERVAL_MS);
    await node.stop();
    await another.clean();
    return another.log.blocks;
  };

  test('default: the log of another chain', async () => {
    const first = await cluster.start({ keys: PRODUCERS });
    await cluster.time.pass(4 * INTERVAL_MS);
    await first.stop();
    cluster.log.blocks.splice(0, 4, ...(await other()));
    const again = await cluster.start({ keys: PRODUCERS, disk: first.disk });
    await expectHalted(again, 'block 4 of this store differs from that of the block log');
  });

  test.each<[string, (block: Uint8Array) => Uint8Array]>([
    ['block 5 rejected: ', (block) => encode(blockCodec, { ...decode(blockCodec, block), timestamp: 1 })],
    [
      'it has block 1000 at the position of block 5',
      (block) => encode(blockCodec, { ...decode(blockCodec, block), round: 1_000n }),
    ],
    ['its block 5 cannot be read', (block) => block.subarray(0, 50)],
    ['its block 5 cannot be read', () => new Uint8Array()],
  ])('args: a block in it: %s', async (reason, change) => {
    await cluster.start({ keys: PRODUCERS });
    await cluster.time.pass(8 * INTERVAL_MS);
    const { blocks } = cluster.log;
    blocks[4] = change(blocks[4] ?? new Uint8Array());
    const late = await cluster.start();
    await cluster.time.pass(INTERVAL_MS);
    await expectHalted(late, reason);
    expect(late.ledger.blocks.head().number).toBe(4);
  });

  test('behavior: a log that reports itself as unsound', async () => {
    const [first] = await cluster.startThree();
    await cluster.time.pass(3 * INTERVAL_MS);
    first.log.appending = () => Promise.reject(new BlockLogUnsoundError('its settings were changed'));
    await cluster.time.pass(10 * INTERVAL_MS);
    await expectHalted(first, 'its settings were changed');
  });
});

test('error: keys with signed blocks that the log lost: other producers continue without them', async () => {
  const first = await cluster.start({ keys: PRODUCERS.slice(0, 1) });
  first.disk.signed.record(PRODUCERS[0]?.publicKey ?? keyOf('nobody').publicKey, 9, new Uint8Array());
  await cluster.start({ keys: PRODUCERS.slice(1, 2) });
  await cluster.time.pass(2 * INTERVAL_MS);
  expect(first.runtime.health().problems).toEqual([
    expect.stringContaining('keys of this node have signed blocks up to 9, and the block log ends at block'),
  ]);
  await cluster.time.pass(40 * INTERVAL_MS);
  cluster.expectOne();
  expect(first.ledger.blocks.head().number).toBeGreaterThan(15);
  expect(first.runtime.health().problems).toEqual([]);
});

test('behavior: a block of the future waits in the log until it is time for it', async () => {
  const early = await cluster.start({ keys: PRODUCERS, clockAhead: 100_000 });
  await cluster.time.pass(3 * INTERVAL_MS);
  const here = await cluster.start();
  await cluster.time.pass(10 * INTERVAL_MS);
  const { number } = early.ledger.blocks.head();
  expect([number > 12, here.ledger.blocks.head().number]).toEqual([true, 0]);
  expect(here.runtime.status.blockLog?.()).toMatchObject({ halted: undefined });
  expect(here.runtime.status.blockLog?.()?.lagBlocks).toBeGreaterThan(11);
  expect(here.runtime.status.syncing()).toMatchObject({ startingBlock: 0, currentBlock: 0 });
  expect(here.runtime.status.blockLog?.()?.lagSeconds).toBeGreaterThan(9);
  await early.stop();
  await cluster.time.pass(60 * INTERVAL_MS);
  cluster.expectOne();
  expect(here.notices.map(({ kind }) => kind)).toEqual(['logAnswers', 'producerMissing']);
});
