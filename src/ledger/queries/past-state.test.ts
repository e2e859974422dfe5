import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  bytesToHex,
  contractAddress,
  contractId,
  hexToBytes,
  type Operation,
  toHash,
} from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import type { Ledger, LedgerQueries } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  testGenesis,
  transfer,
} from '../ledger.testing.ts';
import { deploying } from '../verification/busy-chain.testing.ts';

/** Adds 1 to its first slot, logs nothing, and returns the slot; with data it destroys itself. */
const COUNTER = deploying('361560075733ff5b60005460010160005560005460005260206000f3');
const ADDRESS = contractAddress(contractId(0));
const SLOT = toHash(new Uint8Array(32));

const call = (code = ''): Operation => ({
  type: 'contractCall',
  fee: core(100_000n),
  registrar: accountAt(0),
  value: core(0n),
  code,
  callee: contractId(0),
});

let store: Store;
let ledger: Ledger;

beforeEach(async () => {
  // Before Cancun a contract that destroys itself loses its storage.
  store = openStore({ durable: false });
  ({ ledger } = await openTestLedger({
    store,
    genesis: testGenesis({ hardfork: 'london' }),
    mining: 'manual',
  }));
});
afterEach(() => store.close());

function mine(...operations: Operation[]): void {
  if (operations.length > 0) ledger.pool.submit(sign(ledger, operations, [keyAt(0)]));
  ledger.miner.mine();
}

/** Reads all that these tests compare. */
function readOf(source: LedgerQueries) {
  return {
    head: source.blocks.head(),
    blocks: [1, 2, 3, 4, 5, 6].map((number) => source.blocks.blockByNumber(number)?.id),
    operations: [1, 2, 3, 4, 5, 6].map((number) => source.blocks.blockTransactions(number).length),
    balances: [0, 1, 2].map((index) => source.accounts.balanceOf(addressAt(index))),
    counts: [0, 1].map((index) => source.accounts.operationCount(addressAt(index))),
    code: bytesToHex(source.accounts.codeAt(ADDRESS)),
    slot: bytesToHex(source.accounts.storageAt(ADDRESS, SLOT)),
    hasStorage: source.accounts.hasStorage(ADDRESS),
    contract: source.accounts.contractIdAt(ADDRESS),
    called: source.calls.call({ to: ADDRESS }),
    logs: source.blocks.logs({ fromBlock: 0, toBlock: 100, addresses: [], topics: [] }, 100),
  };
}

/** Makes blocks of every kind, and returns the results read after each, by number. */
function makeBlocks(): ReturnType<typeof readOf>[] {
  const read = [readOf(ledger)];
  const blocks: Operation[][] = [
    [createContract(0, COUNTER), transfer(0, accountAt(1), 7n)],
    [call(), call()],
    [],
    [call('01')],
    [transfer(0, accountAt(2), 5n)],
  ];
  for (const operations of blocks) {
    mine(...operations);
    read.push(readOf(ledger));
  }
  return read;
}

describe('the state before a block', () => {
  test('default: it returns the results of the ledger when the block before was its head', () => {
    const read = makeBlocks();
    expect(read[2]?.slot).toBe(`${'00'.repeat(31)}02`);
    expect(read[4]?.code).toBe('');
    expect(read.map(({ hasStorage }) => hasStorage)).toEqual([false, false, true, true, false, false]);
    for (const [number, then] of read.entries())
      expect(readOf(ledger.history.stateBefore(number + 1))).toEqual(then);
  });

  test('behavior: it stays the same while blocks are added', () => {
    const read = makeBlocks();
    const [third, now] = [ledger.history.stateBefore(3), ledger.history.stateBefore(6)];
    expect(third.accounts.balanceOf(addressAt(1))).toBe(read[2]?.balances[1]);
    mine(transfer(0, accountAt(1), 100n));
    mine(transfer(0, accountAt(1), 100n));
    expect([readOf(third), readOf(now)]).toEqual([read[2], read[5]]);
    expect(readOf(ledger.history.stateBefore(3))).toEqual(read[2]);
  });

  test('behavior: interleaved calls on several past states do not affect each other', () => {
    makeBlocks();
    const expected = [2, 3, 5].map((block) => ledger.history.stateBefore(block).calls.call({ to: ADDRESS }));
    for (let round = 0; round < 3; round += 1) {
      expect([2, 3, 5].map((block) => ledger.history.stateBefore(block).calls.call({ to: ADDRESS }))).toEqual(
        expected,
      );
      expect(
        ledger.history.stateBefore(3).calls.estimateGas({ to: addressAt(1), value: 1n }),
      ).toBeGreaterThan(0n);
      const override = { address: addressAt(3), balance: 5n, nonce: undefined, code: undefined };
      const overrides = { accounts: [{ ...override, storage: undefined }], block: {} };
      expect(ledger.history.stateBefore(2).calls.call({ to: ADDRESS, overrides })).toEqual(expected[0]);
    }
  });

  test('behavior: the state before a block differs after a reorg', () => {
    const read = makeBlocks();
    expect(readOf(ledger.history.stateBefore(5))).toEqual(read[4]);
    ledger.chain.revertTo(3);
    mine(transfer(0, accountAt(1), 50n));
    mine();
    expect(ledger.history.stateBefore(5).accounts.balanceOf(addressAt(1))).toBe(
      (read[3]?.balances[1] ?? 0n) + 50n,
    );
    expect(bytesToHex(ledger.history.stateBefore(5).accounts.codeAt(ADDRESS))).toBe(read[3]?.code);
    expect(readOf(ledger.history.stateBefore(4))).toEqual(read[3]);
  });

  test('behavior: a past state has earlier past states', () => {
    const read = makeBlocks();
    expect(readOf(ledger.history.stateBefore(5).history.stateBefore(3))).toEqual(read[2]);
    expect(() => ledger.history.stateBefore(5).history.stateBefore(6)).toThrow('there is no block 5');
  });

  test('behavior: all of its entries, in their order', () => {
    const contents: string[][] = [];
    const contentOf = (entries: ReturnType<Store['stateEntries']>): string[] =>
      Array.from(entries, ({ key, value }) => `${bytesToHex(key)} ${bytesToHex(value)}`);
    contents.push(contentOf(store.stateEntries()));
    for (const operations of [[createContract(0, COUNTER)], [call()], [call('01')]]) {
      mine(...operations);
      contents.push(contentOf(store.stateEntries()));
    }
    for (const [number, content] of contents.entries()) {
      const past = store.before(number + 1);
      expect(contentOf(past.stateEntries())).toEqual(content);
      const prefix = hexToBytes('02');
      expect(contentOf(past.stateEntries(prefix))).toEqual(content.filter((entry) => entry.startsWith('02')));
    }
  });

  test.each([0, 7, -1])('error: before block %d of 5', (number) => {
    makeBlocks();
    expect(() => ledger.history.stateBefore(number)).toThrow(
      `the state before block ${number} is not stored`,
    );
  });

  test('error: blocks without undo records', async () => {
    const some = openStore({ durable: false, undoBlocks: 2 });
    const opened = await openTestLedger({ store: some });
    for (let count = 0; count < 40; count += 1) opened.ledger.miner.mine();
    const { oldestState } = opened.ledger.history;
    const past = opened.ledger.history.stateBefore(oldestState + 1);
    expect(past.accounts.balanceOf(addressAt(0))).toBe(opened.ledger.accounts.balanceOf(addressAt(0)));
    const before = `the state before block ${oldestState} is not stored`;
    expect(() => opened.ledger.history.stateBefore(oldestState)).toThrow(before);
    await some.close();
  });
});
