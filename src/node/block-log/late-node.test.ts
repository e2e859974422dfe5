import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignatureCheck } from '../../ledger/index.ts';
import { blockCodec, decode, encode } from '../../protocol/index.ts';
import { Cluster, Disk, INTERVAL_MS, PRODUCERS, submit } from './cluster.testing.ts';

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

/** A disk that tells how many blocks were stored together each time. */
function countingDisk(): { readonly disk: Disk; readonly together: number[] } {
  const disk = new Disk();
  const together: number[] = [];
  const store = disk.store.inOneCommit.bind(disk.store);
  Object.assign(disk.store, {
    inOneCommit: (count: number, action: () => unknown) => {
      together.push(count);
      return store(count, action);
    },
  });
  return { disk, together };
}

test('default: blocks without transactions are stored in batches, others one by one', async () => {
  const first = await cluster.start({ keys: PRODUCERS });
  await cluster.time.pass(40 * INTERVAL_MS);
  submit(first, 1n);
  await cluster.time.pass(20 * INTERVAL_MS);
  const { disk, together } = countingDisk();
  const late = await cluster.start({ disk });
  await cluster.time.pass(INTERVAL_MS);
  cluster.expectOne();
  expect(late.ledger.blocks.head().number).toBeGreaterThan(59);
  expect(together.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
  expect(together.length).toBeLessThan(10);
});

test('behavior: a late node has other threads check the signatures of the next block', async () => {
  const first = await cluster.start({ keys: PRODUCERS });
  const signatures: unknown[] = [];
  for (const amount of [1n, 2n, 3n]) {
    signatures.push(submit(first, amount).transaction.signatures[0]);
    await cluster.time.pass(INTERVAL_MS);
  }
  const queued: unknown[] = [];
  const queue = (check: SignatureCheck) => {
    if (check.kind === 'verify') queued.push(check.signature);
    return { take: () => undefined };
  };
  await cluster.start({ signatureThreads: { queue } });
  await cluster.time.pass(INTERVAL_MS);
  cluster.expectOne();
  // The first block arrives alone, and each block's first transaction is checked at once.
  expect(queued).toEqual(signatures.slice(2));
});

test('error: a forged block in a batch: earlier blocks are imported, and the rejection is reported', async () => {
  await cluster.start({ keys: PRODUCERS });
  await cluster.time.pass(40 * INTERVAL_MS);
  const { blocks } = cluster.log;
  const block = decode(blockCodec, blocks[29] ?? new Uint8Array());
  blocks[29] = encode(blockCodec, { ...block, timestamp: block.timestamp + 1 });
  const late = await cluster.start();
  await cluster.time.pass(2 * INTERVAL_MS);
  expect(late.ledger.blocks.head().number).toBe(29);
  expect(late.runtime.status.blockLog?.()?.halted).toContain('block 30 rejected: ed_signature');
});

test('behavior: blocks are imported even if storing a batch fails once', async () => {
  await cluster.start({ keys: PRODUCERS });
  await cluster.time.pass(40 * INTERVAL_MS);
  const { disk } = countingDisk();
  Object.assign(disk.store, {
    together: () => {
      throw new Error('not now');
    },
  });
  const late = await cluster.start({ disk });
  await cluster.time.pass(2 * INTERVAL_MS);
  cluster.expectOne();
  expect(late.ledger.blocks.head().number).toBeGreaterThan(39);
});
