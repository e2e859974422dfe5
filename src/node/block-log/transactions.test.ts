import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import { blobGenesis, sendBlobsBy } from '../../ledger/blobs.testing.ts';
import { ethereumGenesis, signedBy } from '../../ledger/ethereum.testing.ts';
import { submitEthereum } from '../../ledger/index.ts';
import { accountAt, KEYS, sign, transfer } from '../../ledger/ledger.testing.ts';
import { accountAddress, encode, signedTransactionCodec } from '../../protocol/index.ts';
import { Cluster, type ClusterNode, clusterGenesis, INTERVAL_MS, submit } from './cluster.testing.ts';
import { RELAY_QUEUE_MAX } from './transaction-relay.ts';

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

/** Counts a transaction in the blocks of a node. */
function countOf({ ledger }: ClusterNode, amount: bigint): number {
  let count = 0;
  for (let number = 1; number <= ledger.blocks.head().number; number += 1) {
    for (const { operations } of ledger.blocks.nativeBlock(number)?.transactions ?? []) {
      for (const operation of operations) {
        if (operation.type === 'transfer' && operation.amount.amount === amount) count += 1;
      }
    }
  }
  return count;
}

const traffic = ({ runtime }: ClusterNode) => runtime.status.blockLog?.()?.transactions;

test('default: a node without keys takes transactions, and each is in a block once', async () => {
  const nodes = await cluster.startThree();
  const edge = await cluster.start();
  for (let amount = 1n; amount <= 30n; amount += 1n) {
    submit(edge, amount);
    await cluster.time.pass(INTERVAL_MS / 7);
  }
  await cluster.time.pass(4 * INTERVAL_MS);
  cluster.expectOne();
  for (const node of [...nodes, edge]) {
    expect(node.ledger.pool.pendingCount).toBe(0);
    for (let amount = 1n; amount <= 30n; amount += 1n) expect(countOf(node, amount)).toBe(1);
  }
  expect(traffic(edge)).toMatchObject({ published: 30, republished: 0, received: 0 });
  expect(traffic(nodes[0])).toMatchObject({ published: 0, received: 30, taken: 30, refused: 0, dropped: 0 });
});

test('behavior: a lost transaction is sent again until it is included', async () => {
  const [first] = await cluster.startThree();
  const edge = await cluster.start();
  edge.log.isOut = true;
  submit(edge, 5n);
  edge.log.isOut = false;
  await cluster.time.pass(1_900);
  expect(countOf(first, 5n)).toBe(0);
  await cluster.time.pass(3 * INTERVAL_MS);
  expect([countOf(first, 5n), edge.ledger.pool.pendingCount, traffic(edge)?.republished]).toEqual([1, 0, 1]);
  await cluster.time.pass(10 * INTERVAL_MS);
  expect(traffic(edge)?.republished).toBe(1);
  cluster.expectOne();
});

test('behavior: a node that stops after its answer sends it when it is back', async () => {
  const edge = await cluster.start();
  edge.log.isOut = true;
  const { transaction } = submit(edge, 5n);
  await edge.stop();
  const [first] = await cluster.startThree();
  await cluster.time.pass(3 * INTERVAL_MS);
  const again = await cluster.start({ disk: edge.disk });
  expect(again.ledger.pool.isPending(transaction)).toBe(true);
  await cluster.time.pass(3 * INTERVAL_MS);
  expect([countOf(first, 5n), again.ledger.pool.pendingCount]).toEqual([1, 0]);
  cluster.expectOne();
});

test('behavior: one that expires is sent no more', async () => {
  const [first, second] = await cluster.startThree();
  const edge = await cluster.start();
  await cluster.time.pass(INTERVAL_MS);
  for (const node of [first, second]) node.log.isOut = true;
  edge.log.isOut = true;
  submit(edge, 5n);
  for (const node of [first, second, edge]) node.log.isOut = false;
  cluster.log.publish = () => undefined;
  await cluster.time.pass(70 * INTERVAL_MS);
  const sent = traffic(edge)?.republished ?? 0;
  expect(sent).toBeGreaterThan(20);
  expect(edge.ledger.pool.pendingCount).toBe(0);
  await cluster.time.pass(10 * INTERVAL_MS);
  expect(traffic(edge)?.republished).toBe(sent);
});

test('behavior: the same transaction at two nodes, and again and again, is in one block', async () => {
  const [first, second] = await cluster.startThree();
  const { transaction } = submit(first, 5n);
  second.ledger.pool.submit(transaction);
  for (let time = 0; time < 40; time += 1) {
    cluster.log.publish(encode(signedTransactionCodec, transaction), () => undefined);
    await cluster.time.pass(INTERVAL_MS / 4);
  }
  expect(countOf(first, 5n)).toBe(1);
  expect(traffic(second)).toMatchObject({ taken: 0, refused: 0 });
  expect(traffic(second)?.known).toBeGreaterThan(38);
  cluster.expectOne();
});

describe('error: invalid messages from peers', () => {
  const send = (bytes: Uint8Array): void => cluster.log.publish(bytes, () => undefined);

  test('default: invalid, oversized and forbidden transactions are rejected and change nothing', async () => {
    const [first] = await cluster.startThree();
    const testCall = {
      type: 'testCall',
      caller: accountAddress(accountAt(2)),
      to: accountAddress(accountAt(3)),
      value: 7n,
      data: new Uint8Array(),
      gas: 100_000n,
    } as const;
    send(new Uint8Array());
    send(new Uint8Array(TRANSACTION_BYTES_MAX + 1));
    send(Uint8Array.of(1, 2, 3));
    send(encode(signedTransactionCodec, sign(first.ledger, [testCall], [])));
    send(
      encode(signedTransactionCodec, sign(first.ledger, [transfer(2, accountAt(3), 1n)], KEYS.slice(0, 1))),
    );
    await cluster.time.pass(3 * INTERVAL_MS);
    expect(traffic(first)).toMatchObject({ received: 5, refused: 5, taken: 0, known: 0, dropped: 0 });
    expect(first.ledger.pool.pendingCount).toBe(0);
    cluster.expectOne();
  });

  test('behavior: arbitrary bytes are rejected and leave nothing pending', async () => {
    const [first] = await cluster.startThree();
    const sound = encode(signedTransactionCodec, sign(first.ledger, [transfer(2, accountAt(3), 1n)], []));
    const damaged = fc
      .tuple(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }))
      .map(([at, bits]) => sound.map((byte, index) => (index === at ? byte ^ bits : byte)));
    const sent = fc.sample(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), 2_000);
    for (const bytes of sent) send(bytes);
    await cluster.time.pass(3 * INTERVAL_MS);
    expect(traffic(first)).toMatchObject({ received: 2_000, refused: 2_000, taken: 0 });
    cluster.expectOne();
  });

  test('behavior: more than is checked in time is dropped and counted', async () => {
    const [first] = await cluster.startThree();
    for (let count = 0; count < RELAY_QUEUE_MAX + 10; count += 1) send(Uint8Array.of(1));
    expect(traffic(first)).toMatchObject({ received: RELAY_QUEUE_MAX + 10, dropped: 10 });
    await cluster.time.pass(INTERVAL_MS);
    expect(traffic(first)).toMatchObject({ refused: RELAY_QUEUE_MAX, dropped: 10 });
  });
});

test('behavior: a transaction of Ethereum that a node without keys takes', async () => {
  await cluster.clean();
  const { producers, blockInterval } = clusterGenesis();
  cluster = new Cluster({ ...ethereumGenesis(), producers, blockInterval });
  const [first] = await cluster.startThree();
  const edge = await cluster.start();
  const hashes = [0, 1, 2].map(() =>
    submitEthereum(edge.ledger, signedBy(0, edge.ledger), { allowUnprotected: false }),
  );
  await cluster.time.pass(3 * INTERVAL_MS);
  cluster.expectOne();
  for (const hash of hashes) expect(first.ledger.pool.findOperation(hash)?.kind).toBe('included');
  expect(edge.ledger.pool.pendingCount).toBe(0);
});

test('behavior: the blobs of a transaction reach the other nodes', async () => {
  await cluster.clean();
  const { producers, blockInterval } = clusterGenesis();
  cluster = new Cluster({ ...blobGenesis(), producers, blockInterval });
  const nodes = await cluster.startThree();
  const edge = await cluster.start();
  const hash = sendBlobsBy(0, edge.ledger, { blobs: 2 });
  await cluster.time.pass(3 * INTERVAL_MS);
  cluster.expectOne();
  for (const { ledger } of [...nodes, edge]) {
    expect(ledger.pool.findOperation(hash)?.kind).toBe('included');
    expect(ledger.blobs.find(hash)?.blobs).toHaveLength(2);
  }
  expect(traffic(nodes[0])).toMatchObject({ taken: 1, refused: 0 });
});
