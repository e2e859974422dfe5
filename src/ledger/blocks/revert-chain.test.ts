import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Hardfork } from '../../evm/index.ts';
import { bytesToHex, contractId, type Operation } from '../../protocol/index.ts';
import { META_KEYS, openStore, type Store, type StoreReader } from '../../store/index.ts';
import {
  ChainDamagedError,
  compareChains,
  type Ledger,
  referencePrefix,
  replayChain,
  verifyState,
} from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  keyOf,
  openTestLedger,
  sign,
  testGenesis,
  transfer,
} from '../ledger.testing.ts';
import { deploying, makeBusyChain } from '../verification/busy-chain.testing.ts';

/** Stores and logs the word it is called with, under that slot and the next. Without data it reverts after a write. */
const WRITER = deploying(
  '36600e57600160005560006000fd5b6000358060003555806000356001015560005260003560206000a100',
);
/** Stores the word in its call data. Without data it destroys itself. */
const MORTAL = deploying('3660065733ff5b6000356000355500');
/** Makes a child by CREATE, and one by CREATE2 with the call data as salt. */
const FACTORY = deploying('6001600052602060006000f050600035602060006000f55000');

const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function open(hardfork?: Hardfork): Promise<{ ledger: Ledger; store: Store }> {
  const store = openStore({ durable: false });
  stores.push(store);
  const { ledger } = await openTestLedger({
    store,
    genesis: testGenesis(hardfork === undefined ? {} : { hardfork }),
    mining: 'manual',
  });
  return { ledger, store };
}

/** The content of a store except the reorganisation count, as text. */
function contentOf(store: StoreReader): string[] {
  return [...store.tables()]
    .map(({ table, key, value }) => `${table} ${bytesToHex(key)} ${bytesToHex(value)}`)
    .filter((entry) => !entry.startsWith(`meta ${Buffer.from(META_KEYS.reorgCount).toString('hex')}`));
}

const word = (value: number): string => value.toString(16).padStart(64, '0');

const call = (from: number, callee: number, code: string, value = 0n): Operation => ({
  type: 'contractCall',
  fee: core(200_000n),
  registrar: accountAt(from),
  value: core(value),
  code,
  callee: contractId(callee),
});

const newAccount = (serial: number): Operation => ({
  type: 'accountCreate',
  fee: core(150n),
  registrar: accountAt(0),
  name: `serial-n${serial}`,
  active: { weightThreshold: 1, accountAuths: [[accountAt(1), 1]], keyAuths: [] },
  echorandKey: keyOf('new').publicKey,
  options: { delegatingAccount: accountAt(0), delegateShare: 1 },
});

/** An operation of a transaction. Some fail or are refused, depending on the ones before. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .tuple(fc.nat(3), fc.nat(3), fc.nat(50))
    .map(([from, to, amount]) => transfer(from, accountAt(to), BigInt(amount))),
  fc.constantFrom(WRITER, MORTAL, FACTORY).map((code) => createContract(0, code)),
  fc
    .tuple(fc.nat(3), fc.nat(6), fc.integer({ min: -1, max: 3 }), fc.nat(2))
    .map(([from, callee, data, value]) => call(from, callee, data < 0 ? '' : word(data), BigInt(value))),
  fc.nat(3).map(newAccount),
);

/** Blocks of a few transactions each, and the number of blocks to revert at the end. */
const rounds = fc.array(
  fc.record({
    blocks: fc.array(fc.array(operation, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
    back: fc.nat(8),
  }),
  { minLength: 1, maxLength: 5 },
);

function mine(ledger: Ledger, operations: readonly Operation[]): void {
  for (const [index, one] of operations.entries()) {
    const expiration = ledger.blocks.head().header.timestamp + 30 + index;
    const keys = [0, 1, 2, 3].filter((key) => signs(one, key)).map(keyAt);
    try {
      ledger.pool.submit(sign(ledger, [one], keys, { expiration }));
    } catch {
      // Refused by the rules, such as a call of an unknown contract.
    }
  }
  ledger.miner.mine();
}

function signs(operation: Operation, key: number): boolean {
  if (operation.type === 'transfer') return operation.from === accountAt(key);
  return 'registrar' in operation && operation.registrar === accountAt(key);
}

describe('a reverted chain', () => {
  test.each<Hardfork>(['london', 'osaka'])(
    'behavior: on %s all tables are as before, and a replay agrees',
    async (hardfork) => {
      await fc.assert(
        fc.asyncProperty(rounds, async (steps) => {
          const { ledger, store } = await open(hardfork);
          const contents = [contentOf(store)];
          for (const { blocks, back } of steps) {
            for (const operations of blocks) {
              mine(ledger, operations);
              contents.push(contentOf(store));
            }
            const to = Math.max(0, contents.length - 1 - back);
            if (to === contents.length - 1) continue;
            ledger.chain.revertTo(to);
            contents.length = to + 1;
            expect(contentOf(store)).toEqual(contents[to]);
          }
          await verifyState(store);
          const target = openStore({ durable: false });
          await replayChain({ source: store, target });
          expect(await compareChains(store, target)).toBeUndefined();
          await target.close();
          await store.close();
        }),
        { numRuns: 25 },
      );
    },
  );

  test('default: the chain equals one that never had the reverted blocks, and continues identically', async () => {
    const { ledger } = await open();
    const { ledger: other } = await open();
    for (const one of [ledger, other]) mine(one, [createContract(0, WRITER), transfer(0, accountAt(1), 7n)]);
    mine(ledger, [call(1, 0, word(1)), transfer(0, accountAt(1), 9n)]);
    mine(ledger, [newAccount(1)]);
    const notified: number[] = [];
    ledger.history.onReorg(() => notified.push(ledger.blocks.head().number, ledger.history.reorgCount));
    expect(ledger.accounts.balanceOf(addressAt(1))).not.toBe(other.accounts.balanceOf(addressAt(1)));
    ledger.chain.revertTo(1);
    expect(notified).toEqual([1, 1]);
    expect(ledger.blocks.blockByNumber(2)).toBeUndefined();
    expect(ledger.accounts.accountByName('serial-n1')).toBeUndefined();
    for (const one of [ledger, other]) mine(one, [call(1, 0, word(2))]);
    expect(ledger.blocks.head()).toEqual(other.blocks.head());
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(other.accounts.balanceOf(addressAt(1)));
  });

  test('behavior: pending transactions stay pending, transactions of reverted blocks are discarded', async () => {
    const { ledger } = await open();
    const reference = { refBlockNum: 0, refBlockPrefix: referencePrefix(ledger.blocks.head().id) };
    mine(ledger, [transfer(0, accountAt(1), 1n)]);
    ledger.pool.submit(sign(ledger, [transfer(2, accountAt(1), 1n)], [keyAt(2)], reference));
    ledger.chain.revertTo(0);
    expect(ledger.pool.pendingCount).toBe(1);
    ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect(ledger.pool.pendingCount).toBe(1);
    expect(ledger.miner.mine().operationCount).toBe(1);
  });

  test('behavior: reverted to its genesis', async () => {
    const { ledger, store } = await openTestLedger();
    stores.push(store);
    const before = contentOf(store);
    makeBusyChain(ledger);
    ledger.chain.revertTo(0);
    expect(contentOf(store)).toEqual(before);
  });
});

describe('a revert that fails leaves the chain unchanged', () => {
  test('error: the resulting state is not that of the block', async () => {
    const { ledger, store } = await open();
    mine(ledger, [transfer(0, accountAt(1), 1n)]);
    store.commitBlock({
      ...{ number: 2, block: new Uint8Array(), transactions: [], receipts: [], operationHashes: [] },
      ...{ logs: [], payers: [], accumulator: store.accumulator() ?? new Uint8Array() },
      state: [{ key: Uint8Array.of(2, 1), before: Uint8Array.of(7), after: undefined }],
    });
    const before = contentOf(store);
    expect(() => ledger.chain.revertTo(1)).toThrow(ChainDamagedError);
    expect(() => ledger.chain.revertTo(1)).toThrow(
      /the state root of block 1 is .* but reverting the later blocks gives/,
    );
    expect([contentOf(store), ledger.history.reorgCount]).toEqual([before, 0]);
  });

  test('error: blocks without undo records, and unknown blocks', async () => {
    const store = openStore({ durable: false, undoBlocks: 2 });
    stores.push(store);
    const { ledger } = await openTestLedger({ store });
    for (let block = 1; block <= 40; block += 1) ledger.miner.mine();
    const { oldestState } = ledger.history;
    expect(oldestState).toBeGreaterThan(0);
    expect(() => ledger.chain.revertTo(oldestState - 1)).toThrow(
      `the undo record of block ${oldestState} is not stored`,
    );
    expect(() => ledger.chain.revertTo(40)).toThrow('block 40 as its head cannot be reverted to block 40');
    expect([ledger.blocks.head().number, ledger.history.reorgCount]).toEqual([40, 0]);
    ledger.chain.revertTo(oldestState);
    expect([ledger.blocks.head().number, ledger.history.oldestState]).toEqual([oldestState, oldestState]);
  });

  test('error: while writes are paused', async () => {
    const { ledger } = await open();
    mine(ledger, []);
    ledger.chain.pauseWrites('the disk is full');
    expect(() => ledger.chain.revertTo(0)).toThrow('the disk is full');
  });
});
