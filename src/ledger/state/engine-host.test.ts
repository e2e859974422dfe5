import { beforeEach, expect, test } from 'vitest';
import { type Address, contractAddress, contractId, invariant } from '../../protocol/index.ts';
import type { ChainReader, Store } from '../../store/index.ts';
import { OverridingHost } from '../calls/overrides.ts';
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

test('behavior: the head of a store excludes storage, the past does not', () => {
  ledger.pool.submit(sign(ledger, [createContract(0, '6001600755')], [keyAt(0)]));
  const mayHaveStorage = (reader: ChainReader, address: Address): boolean =>
    new StoreHost(reader, new Chain(store), new NativeState(store), ledger.parameters.rules).mayHaveStorage(
      address,
    );
  const [written, unused] = [0, 1].map((instance) => contractAddress(contractId(instance)));
  invariant(written !== undefined && unused !== undefined, 'two addresses');
  expect([mayHaveStorage(store, written), mayHaveStorage(store, unused)]).toEqual([true, false]);
  expect(mayHaveStorage(store.before(1), unused)).toBe(true);
});

test('behavior: a host that overrides an account is asked for each slot, but not for recording accesses', () => {
  const native = new NativeState(store);
  const host = new OverridingHost(store, new Chain(store), native, ledger.parameters.rules);
  const address = addressAt(0);
  invariant(address !== undefined, 'an address');
  expect(host.mayHaveStorage(address)).toBe(false);
  host.use({ accounts: [] }, { accounts: [], created: [] });
  expect(host.mayHaveStorage(address)).toBe(false);
  const code = new Uint8Array(0);
  host.use({ accounts: [{ address, balance: undefined, nonce: undefined, code, storage: undefined }] });
  expect(host.mayHaveStorage(address)).toBe(true);
});
