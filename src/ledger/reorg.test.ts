import { beforeEach, expect, test } from 'vitest';
import { contractAddress, contractId, type Operation, ZERO_HASH } from '../protocol/index.ts';
import type { StoreView } from '../store/index.ts';
import { SwitchedStore } from '../store/switched-store.testing.ts';
import { type Ledger, LedgerReader, referencePrefix, SYSTEM_TIMING } from './index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from './ledger.testing.ts';

/** Init code of a contract that adds 1 to its first slot. */
const COUNTER = '6007600c60003960076000f35f546001015f55';
const ADDRESS = contractAddress(contractId(0));
const CALL: Operation = {
  type: 'contractCall',
  fee: core(100_000n),
  registrar: accountAt(0),
  value: core(0n),
  code: '',
  callee: contractId(0),
};

let ledger: Ledger;
let other: Ledger;
let switched: SwitchedStore;
let switchOver: () => void;

function mine(on: Ledger, ...operations: Operation[]): void {
  on.pool.submit(sign(on, operations, [keyAt(0)]));
  on.miner.mine();
}

beforeEach(async () => {
  const { store } = await openTestLedger({ mining: 'manual' });
  switched = new SwitchedStore(store);
  ({ ledger } = await openTestLedger({ store: switched.store, mining: 'manual' }));
  const opened = await openTestLedger({ mining: 'manual' });
  other = opened.ledger;
  switchOver = () => switched.switchTo(opened.store);
  mine(ledger, createContract(0, COUNTER));
  mine(ledger, CALL);
  mine(ledger, CALL, transfer(0, accountAt(1), 5n));
  mine(other, createContract(0, COUNTER), CALL);
  mine(other, transfer(0, accountAt(1), 7n));
});

function readOf(source: Ledger | LedgerReader) {
  return {
    head: source.blocks.head(),
    blocks: [1, 2, 3].map((number) => source.blocks.blockByNumber(number)),
    count: source.accounts.storageAt(ADDRESS, ZERO_HASH).at(-1),
    balance: source.accounts.balanceOf(addressAt(1)),
    called: source.calls.call({ to: ADDRESS }).gasUsed,
    operations: [1, 2, 3].map((number) => source.blocks.blockTransactions(number)),
  };
}

test('default: after a reorg the ledger equals one that never had the reverted chain', () => {
  const before = readOf(ledger);
  const notified: unknown[] = [];
  ledger.history.onReorg(() => notified.push(ledger.blocks.head().number, ledger.history.reorgCount));
  switchOver();
  ledger.chain.handleReorg();
  expect(notified).toEqual([2, 1]);
  expect(readOf(ledger)).toEqual(readOf(other));
  expect(readOf(ledger)).not.toEqual(before);
  mine(ledger, CALL);
  expect([ledger.blocks.head().number, ledger.accounts.storageAt(ADDRESS, ZERO_HASH).at(-1)]).toEqual([3, 2]);
});

test('behavior: a reorg discards a block under construction, and executes pending transactions again', () => {
  ledger.pool.submit(sign(ledger, [CALL], [keyAt(0)]));
  const genesisBlock = ledger.blocks.blockByNumber(0);
  if (genesisBlock === undefined) throw new RangeError('the chain has a genesis block');
  const reference = { refBlockNum: 0, refBlockPrefix: referencePrefix(genesisBlock.id) };
  ledger.pool.submit(sign(ledger, [CALL, CALL], [keyAt(0)], reference));
  const steps = ledger.miner.beginBlock(Number.POSITIVE_INFINITY);
  steps.make(0);
  switchOver();
  ledger.chain.handleReorg();
  expect(() => steps.store(0)).toThrow('the chain was reorganised');
  const dropped: string[] = [];
  ledger.pool.onDropped(({ error }) => dropped.push(error.reason.code));
  expect(ledger.pool.refreshPending(Number.POSITIVE_INFINITY)).toBe(false);
  // Its reference is a block that vanished.
  expect(dropped).toEqual(['referenceBlockUnknown']);
  expect(ledger.pool.pendingCount).toBe(1);
});

test('behavior: a reader drops its caches when the reorganisation count of the writer rises', async () => {
  const view = new Proxy(switched.store, {
    get: (store, name) => (name === 'refresh' ? () => undefined : Reflect.get(store, name)),
  }) as unknown as StoreView;
  const reader = await LedgerReader.open(view, { now: () => ledger.clock.now() });
  expect(readOf(reader)).toEqual(readOf(ledger));
  switchOver();
  reader.refresh(SYSTEM_TIMING, 1);
  expect(readOf(reader)).toEqual(readOf(other));
});
