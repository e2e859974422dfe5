import { beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/index.ts';
import {
  accountAt,
  keyAt,
  openTestLedger,
  PRODUCER_KEY,
  sign,
  transfer,
} from '../../src/ledger/ledger.testing.ts';
import { toPrefixedHex } from '../../src/protocol/index.ts';
import { SwitchedStore } from '../../src/store/switched-store.testing.ts';
import { systemTime } from '../../src/time/time.ts';
import { type StoredAccount, Wallet } from '../../src/wallet/index.ts';
import { clientOf, type TestClient } from '../filters/chain.ts';

let switched: SwitchedStore;
let ledger: Ledger;
/** The ledger of the other past, which has fewer blocks. */
let other: Ledger;
let client: TestClient;
let goBack: () => void;

const pay = (on: Ledger, amount: bigint) =>
  on.pool.submit(sign(on, [transfer(0, accountAt(1), amount)], [keyAt(0)]));

beforeEach(async () => {
  const { store } = await openTestLedger();
  switched = new SwitchedStore(store);
  ({ ledger } = await openTestLedger({ store: switched.store }));
  const opened = await openTestLedger();
  other = opened.ledger;
  client = clientOf(ledger);
  goBack = () => {
    switched.switchTo(opened.store);
    ledger.chain.handleReorg();
  };
  pay(other, 1n);
});

test('default: cached blocks, transactions and receipts are recomputed after a reorg', () => {
  const { hash } = pay(ledger, 1n);
  const gone = pay(ledger, 2n).hash;
  const answers = () => [
    client.call('eth_getTransactionByHash', toPrefixedHex(gone)),
    client.call('eth_getTransactionReceipt', toPrefixedHex(gone)),
    client.call('eth_getBlockByNumber', '0x2', true),
    client.call('eth_getBlockByNumber', '0x2', false),
    client.call('eth_blockNumber'),
  ];
  expect(answers()).not.toContain(null);
  const stays = client.call('eth_getTransactionReceipt', toPrefixedHex(hash));
  goBack();
  expect(answers()).toEqual([null, null, null, null, '0x1']);
  expect(client.call('eth_getTransactionReceipt', toPrefixedHex(hash))).toEqual(stays);
});

test('behavior: filters continue from the remaining head', () => {
  pay(ledger, 1n);
  const ids = [client.call('eth_newBlockFilter'), client.call('eth_newFilter', {})];
  for (const amount of [2n, 3n, 4n]) pay(ledger, amount);
  for (const id of ids) client.call('eth_getFilterChanges', id);
  goBack();
  expect(ids.map((id) => client.call('eth_getFilterChanges', id))).toEqual([[], []]);
  pay(ledger, 5n);
  const block = client.call('eth_getBlockByNumber', '0x2', false);
  expect(client.call('eth_getFilterChanges', ids[0])).toEqual([(block as { hash: string }).hash]);
});

test('behavior: the same operation at the same position with another result gets a new response', () => {
  const { hash } = pay(ledger, 1n);
  const before = client.call('eth_getTransactionByHash', toPrefixedHex(hash));
  ledger.chain.revertTo(0);
  expect(client.call('eth_getTransactionByHash', toPrefixedHex(hash))).toBeNull();
  ledger.miner.mine();
  pay(ledger, 1n);
  expect(client.call('eth_getBlockByNumber', '0x1', true)).toMatchObject({ transactions: [] });
  expect(client.call('eth_getTransactionByHash', toPrefixedHex(hash))).toBeNull();
  expect(before).not.toBeNull();
});

test('behavior: accounts of the wallet go with their registration', () => {
  const saved: (readonly StoredAccount[])[] = [];
  const wallet = new Wallet(ledger, [], {
    time: systemTime,
    registrar: { id: ledger.parameters.registrar, keys: PRODUCER_KEY },
    storage: { load: () => [], save: (accounts) => saved.push(accounts), isBehind: () => false },
  });
  const address = wallet.create('secret');
  expect(wallet.list()).toEqual([address]);
  goBack();
  expect([wallet.list(), saved.at(-1)]).toEqual([[], []]);
});
