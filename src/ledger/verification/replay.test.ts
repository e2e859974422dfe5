import { beforeEach, describe, expect, test } from 'vitest';
import { type Block, bytesToHex } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import { BlockRejectedError, type Ledger } from '../index.ts';
import {
  accountAt,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  transfer,
  transported,
} from '../ledger.testing.ts';
import { makeBusyChain } from './busy-chain.testing.ts';

const word = (value: number): string => value.toString(16).padStart(64, '0');

let ledger: Ledger;
let store: Store;
let replica: Ledger;
let replicaStore: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
  ({ ledger: replica, store: replicaStore } = await openTestLedger({ keys: [] }));
});

test('default: a replayed chain has the same roots and the same tables', () => {
  makeBusyChain(ledger);
  const { number } = ledger.blocks.head();
  expect(number).toBe(41);
  const receipts = ledger.blocks
    .blockTransactions(2)
    .map(({ index }) => ledger.blocks.receiptOf(2, index)?.status);
  expect(receipts).toContain('failure');
  expect(receipts).toContain('success');
  for (let block = 1; block <= number; block += 1) replica.chain.importBlock(transported(ledger, block));
  expect(replica.blocks.head()).toEqual(ledger.blocks.head());
  expect(bytesToHex(rootByScan(replicaStore))).toBe(ledger.blocks.head().header.vmRoot[0]?.slice(0, 64));
  const here = [...store.tables()];
  const there = [...replicaStore.tables()];
  expect(here.filter(({ table }) => table === 'logs').length).toBeGreaterThan(20);
  expect(there.length).toBe(here.length);
  here.forEach((entry, index) => {
    const other = there[index];
    expect(other?.table).toBe(entry.table);
    expect(bytesToHex(other?.key ?? new Uint8Array())).toBe(bytesToHex(entry.key));
    expect(bytesToHex(other?.value ?? new Uint8Array())).toBe(bytesToHex(entry.value));
  });
});

describe('error: a block that does not follow from the rules', () => {
  const flip = <T extends Uint8Array>(bytes: T): T =>
    bytes.map((byte, index) => (index === 3 ? byte ^ 1 : byte)) as T;

  const CHANGES: readonly [string, (block: Block) => Block][] = [
    ['previous', (block) => ({ ...block, previous: flip(block.previous) })],
    ['round', (block) => ({ ...block, round: block.round + 1n })],
    ['attempt', (block) => ({ ...block, attempt: 1 })],
    ['timestamp', (block) => ({ ...block, timestamp: block.timestamp - 1_000 })],
    ['account', (block) => ({ ...block, account: accountAt(0) })],
    ['delegate', (block) => ({ ...block, delegate: accountAt(0) })],
    ['rand', (block) => ({ ...block, rand: flip(block.rand) })],
    ['ed_signature', (block) => ({ ...block, edSignature: flip(block.edSignature) })],
    ['ed_signature', (block) => ({ ...block, timestamp: block.timestamp + 1 })],
    ['ed_signature', (block) => ({ ...block, vmRoot: [word(0) + word(0)] })],
    ['transactions', (block) => ({ ...block, transactions: [...block.transactions, ...block.transactions] })],
    [
      'transactions[0]',
      (block) => ({
        ...block,
        transactions: block.transactions.map((one) => ({ ...one, feesCollected: 1n })),
      }),
    ],
    ['transaction_merkle_root', (block) => ({ ...block, transactions: [] })],
  ];

  test.each(CHANGES)('%s', (field, change) => {
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    const before = [...replicaStore.tables()].length;
    let caught: unknown;
    try {
      replica.chain.importBlock(change(transported(ledger, 1)));
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(BlockRejectedError);
    expect((caught as BlockRejectedError).field).toBe(field);
    expect(replica.blocks.head().number).toBe(0);
    expect([...replicaStore.tables()].length).toBe(before);
    replica.chain.importBlock(transported(ledger, 1));
    expect(replica.blocks.head()).toEqual(ledger.blocks.head());
  });
});
