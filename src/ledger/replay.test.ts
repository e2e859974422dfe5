import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Block,
  blockCodec,
  bytesToHex,
  type ContractId,
  contractId,
  decode,
  encode,
  type Operation,
} from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { BlockRejectedError, type Ledger } from './index.ts';
import {
  accountAt,
  core,
  createContract,
  keyAt,
  keyOf,
  openTestLedger,
  rootByScan,
  sign,
  transfer,
} from './ledger.testing.ts';

/**
 * A contract that, called with a word, stores it under a fresh slot, logs it, and makes a child by CREATE and
 * one by CREATE2 whose salt is the word; an empty call reverts after it has stored something.
 */
const BUSY = [
  '36601057', // jump to 0x10 when there is call data
  '60015f555f5ffd', // store, then revert
  '0000000000', // padding to 0x10
  '5b', // 0x10
  '5f35805f35555f35', // SSTORE(word, word); the word stays on the stack
  '5f5260205fa1', // LOG1 with the word as data … and as topic of what is left
  '00',
].join('');

const WORD_STORE = '5f35600155600154600101600155600154600254015f5500';

/** CREATE and CREATE2 of an empty contract, the salt being the call data. */
const FACTORY = '60015f5260205f5ff0505f3560205f5ff55000';

const deploying = (runtime: string): string => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return `60${size}600c60003960${size}6000f3${runtime}`;
};

const word = (value: number): string => value.toString(16).padStart(64, '0');

let ledger: Ledger;
let store: Store;
let replica: Ledger;
let replicaStore: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
  ({ ledger: replica, store: replicaStore } = await openTestLedger({ keys: [] }));
});

afterEach(async () => {
  await store.close();
  await replicaStore.close();
});

const call = (from: number, callee: ContractId, code: string, value = 0n): Operation => ({
  type: 'contractCall',
  fee: core(200_000n),
  registrar: accountAt(from),
  value: core(value),
  code,
  callee,
});

/** Forty blocks with every kind of operation, failures, and several transactions in a block. */
function makeBusyChain(): void {
  ledger.submit(
    sign(
      ledger,
      [
        createContract(0, deploying(BUSY)),
        createContract(0, deploying(WORD_STORE)),
        createContract(1, deploying(FACTORY), 0n),
      ],
      [keyAt(0), keyAt(1)],
    ),
  );
  for (let round = 1; round <= 20; round += 1) {
    const key = keyOf(`account of round ${round}`);
    ledger.stopMining();
    const submit = (operations: readonly Operation[], ...keys: Parameters<typeof sign>[2][number][]) =>
      ledger.submit(sign(ledger, operations, keys));
    submit([transfer(0, accountAt(1), BigInt(round)), transfer(2, accountAt(3), 5n)], keyAt(0), keyAt(2));
    submit([call(1, contractId(1), word(round), 0n)], keyAt(1));
    submit([call(2, contractId(0), word(round))], keyAt(2));
    submit([call(3, contractId(0), '')], keyAt(3));
    submit([call(3, contractId(2), word(round))], keyAt(3));
    submit(
      [
        {
          type: 'accountCreate',
          fee: core(150n),
          registrar: accountAt(0),
          name: `round-${round}`.replace(/\d+/, (digits) => `n${digits}`),
          active: { weightThreshold: 1, accountAuths: [[accountAt(1), 1]], keyAuths: [[key.publicKey, 1]] },
          echorandKey: key.publicKey,
          options: { delegatingAccount: accountAt(0), delegateShare: round },
        },
      ],
      keyAt(0),
    );
    ledger.startMining();
    ledger.increaseTime(round);
    ledger.mine();
  }
}

/** A block as another node would get it. */
function transported(number: number): Block {
  const block = ledger.nativeBlock(number);
  if (block === undefined) throw new RangeError(`block ${number} exists`);
  return decode(blockCodec, encode(blockCodec, block));
}

test('default: a replayed chain has the same roots and the same tables', () => {
  makeBusyChain();
  const { number } = ledger.head();
  expect(number).toBe(41);
  const receipts = ledger.blockTransactions(2).map(({ index }) => ledger.receiptOf(2, index)?.status);
  expect(receipts).toContain('failure');
  expect(receipts).toContain('success');
  for (let block = 1; block <= number; block += 1) replica.importBlock(transported(block));
  expect(replica.head()).toEqual(ledger.head());
  expect(bytesToHex(rootByScan(replicaStore))).toBe(ledger.head().header.vmRoot[0]?.slice(0, 64));
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
    ledger.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    const before = [...replicaStore.tables()].length;
    let caught: unknown;
    try {
      replica.importBlock(change(transported(1)));
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(BlockRejectedError);
    expect((caught as BlockRejectedError).field).toBe(field);
    expect(replica.head().number).toBe(0);
    expect([...replicaStore.tables()].length).toBe(before);
    replica.importBlock(transported(1));
    expect(replica.head()).toEqual(ledger.head());
  });
});
