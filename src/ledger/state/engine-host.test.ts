import { beforeEach, expect, test } from 'vitest';
import { contractAddress, contractId } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import { Chain } from '../chain/chain.ts';
import type { Ledger } from '../index.ts';
import { addressAt, createContract, keyAt, openTestLedger, sign } from '../ledger.testing.ts';
import { StoreHost } from './engine-host.ts';
import { NativeState } from './native-state.ts';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
});

test('default: which addresses have storage', () => {
  // Its init code writes one slot, which the second contract's does not.
  for (const code of ['6001600755', '00']) {
    ledger.pool.submit(sign(ledger, [createContract(0, code)], [keyAt(0)]));
  }
  const host = new StoreHost(store, new Chain(store), new NativeState(store), ledger.parameters.rules);
  const [written, unwritten, unused] = [0, 1, 2].map((instance) => contractAddress(contractId(instance)));
  const addresses = { written, unwritten, unused, account: addressAt(0) };
  const found = Object.entries(addresses).map(([name, address]) => [
    name,
    address !== undefined && host.hasStorage(address),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    written: true,
    unwritten: false,
    unused: false,
    account: false,
  });
});
