import { beforeEach, expect, test } from 'vitest';
import { blockCodec, encode } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import { type Ledger, serializedBlock, storedBlock } from '../index.ts';
import { accountAt, createContract, keyAt, openTestLedger, sign, transfer } from '../ledger.testing.ts';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
  ledger.pool.submit(
    sign(ledger, [createContract(0, '00'), transfer(1, accountAt(0), 7n)], [keyAt(0), keyAt(1)]),
  );
  ledger.miner.mine();
});

test('default: equals the blocks of the ledger, serialized as by their codec', () => {
  for (const number of [0, 1, 2]) {
    const block = ledger.blocks.nativeBlock(number);
    expect(block && encode(blockCodec, block)).toEqual(serializedBlock(store, number));
    expect(storedBlock(store, number)).toEqual(ledger.blocks.blockByNumber(number));
  }
});

test.each([3, -1, 0.5])('args: no block %d', (number) => {
  expect(serializedBlock(store, number)).toBeUndefined();
  expect(storedBlock(store, number)).toBeUndefined();
});
