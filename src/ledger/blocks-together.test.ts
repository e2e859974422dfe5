import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bytesToHex } from '../protocol/index.ts';
import { openStore, openStoreForReading, type Store, StoreError } from '../store/index.ts';
import type { Ledger } from './index.ts';
import { accountAt, addressAt, keyAt, openTestLedger, rootByScan, sign, transfer } from './ledger.testing.ts';

let folder: string;
let store: Store;
let ledger: Ledger;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-together-'));
  store = openStore({ path: join(folder, 'chain'), durable: true, writesLater: 'together' });
  ({ ledger } = await openTestLedger({ store }));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function pay(amount: bigint): string {
  return bytesToHex(ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)])).hash);
}

/** Returns the head as another process reads it. */
function headInFile(): number | undefined {
  const reader = openStoreForReading(store.path);
  try {
    return reader.head();
  } finally {
    void reader.close();
  }
}

test('behavior: transactions that arrive together get one block each, which one commit stores', () => {
  const heads = ledger.pool.together(() => {
    pay(1n);
    pay(2n);
    return [ledger.blocks.head().number, headInFile()];
  });
  expect(heads).toEqual([2, 0]);
  expect([ledger.blocks.head().number, headInFile()]).toEqual([2, 2]);
  expect([1, 2].map((number) => ledger.blocks.blockByNumber(number)?.operationCount)).toEqual([1, 1]);
});

test('error: if the commit fails, the chain is that of the file, and continues from it', () => {
  ledger.miner.stopMining();
  const pending = pay(1n);
  const balance = ledger.accounts.balanceOf(addressAt(1));
  const root = rootByScan(store);
  const events: string[] = [];
  ledger.chain.onReverting((last) => events.push(`reverting to ${last} from ${ledger.blocks.head().number}`));
  ledger.history.onReorg(() => events.push(`reverted to ${ledger.blocks.head().number}`));
  const failure = new StoreError('STORE_COMMIT_FAILED', 'no space left on device');
  const fail = (): never => {
    throw failure;
  };
  Object.defineProperty(store, 'write', { value: fail, configurable: true });
  const sending = (): void =>
    ledger.pool.together(() => {
      ledger.miner.startMining();
      pay(2n);
      pay(3n);
    });
  expect(sending).toThrow(failure);
  expect(events).toEqual(['reverting to 0 from 3', 'reverted to 0']);
  expect([ledger.blocks.head().number, headInFile(), ledger.history.reorgCount]).toEqual([0, 0, 1]);
  expect(ledger.pool.pendingOperations().map(({ hash }) => bytesToHex(hash))).toEqual([pending]);
  expect(ledger.accounts.balanceOf(addressAt(1))).toBe(balance);
  expect(rootByScan(store)).toEqual(root);
  Reflect.deleteProperty(store, 'write');
  ledger.miner.minePending();
  pay(2n);
  expect([ledger.blocks.head().number, headInFile()]).toEqual([2, 2]);
  expect(ledger.accounts.balanceOf(addressAt(1))).toBe(balance + 3n);
});
