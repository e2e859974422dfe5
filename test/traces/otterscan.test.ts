import { describe, expect, test } from 'vitest';
import { ethereumAddress, sendBy } from '../../src/ledger/ethereum.testing.ts';
import {
  accountAt,
  addressAt,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../../src/ledger/ledger.testing.ts';
import { createAddress, hexToBytes, toPrefixedHex } from '../../src/protocol/index.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../../src/rpc/ethereum/chain.testing.ts';
import { call, ethereumCall, stubDispatcher } from '../../src/rpc/rpc.testing.ts';
import { openStore } from '../../src/store/index.ts';

interface Found {
  readonly txs: readonly Readonly<Record<string, unknown>>[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

/** Code that makes a contract of a runtime of at most 255 bytes. */
const code = (runtime: string): Uint8Array => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return hexToBytes(`60${size}600c60003960${size}6000f3${runtime}`);
};

describe('the transactions of an address', () => {
  test('behavior: operations of one block are never split across pages, whatever the page size', async () => {
    const { ledger } = await openTestLedger({ mining: 'manual' });
    for (let block = 0; block < 3; block += 1) {
      for (const amount of [1n, 2n, 3n]) {
        const units = amount + 10n * BigInt(block);
        ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), units)], [keyAt(0)]));
      }
      ledger.miner.mine();
    }
    const dispatcher = stubDispatcher({ ledger });
    const search = (method: string, block: number): unknown => {
      const found = call(dispatcher, method, toPrefixedHex(addressAt(1)), block, 2) as Found;
      return [found.txs.map(({ value }) => value), found.firstPage, found.lastPage];
    };
    const [third, second, first] = [
      ['0x17', '0x16', '0x15'],
      ['0xd', '0xc', '0xb'],
      ['0x3', '0x2', '0x1'],
    ];
    expect(search('ots_searchTransactionsBefore', 0)).toEqual([third, true, false]);
    expect(search('ots_searchTransactionsBefore', 3)).toEqual([second, false, false]);
    expect(search('ots_searchTransactionsBefore', 2)).toEqual([first, false, true]);
    expect(search('ots_searchTransactionsBefore', 1)).toEqual([[], false, true]);
    expect(search('ots_searchTransactionsAfter', 0)).toEqual([first, false, true]);
    expect(search('ots_searchTransactionsAfter', 1)).toEqual([second, false, false]);
    expect(search('ots_searchTransactionsAfter', 2)).toEqual([third, true, false]);
    expect(search('ots_searchTransactionsAfter', 9)).toEqual([[], true, false]);
    ledger.chain.revertTo(1);
    expect(search('ots_searchTransactionsBefore', 0)).toEqual([first, true, true]);
  });

  test('error: a page size above the limit', () => {
    const answer = call(
      stubDispatcher(),
      'ots_searchTransactionsBefore',
      toPrefixedHex(addressAt(1)),
      0,
      101,
    );
    expect(answer).toMatchObject({
      code: -32602,
      message: expect.stringContaining('at most 100 transactions'),
    });
  });
});

describe('a page of a block', () => {
  test('behavior: page 0 has the last transactions, in their order', async () => {
    const { ledger } = await openTestLedger({ mining: 'manual' });
    for (const amount of [1n, 2n, 3n]) {
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
    }
    ledger.miner.mine();
    const dispatcher = stubDispatcher({ ledger });
    const valuesOf = (page: number): unknown => {
      const { fullblock } = call(dispatcher, 'ots_getBlockTransactions', 1, page, 2) as {
        fullblock: { transactions: { value: string }[] };
      };
      return fullblock.transactions.map(({ value }) => value);
    };
    expect([valuesOf(0), valuesOf(1), valuesOf(2)]).toEqual([['0x2', '0x3'], ['0x1'], []]);
    expect(call(dispatcher, 'ots_getBlockTransactions', 2, 0, 2)).toBeNull();
    expect(call(dispatcher, 'ots_getBlockDetails', 'latest')).toMatchObject({
      block: { transactionCount: 3 },
      totalFees: '0x3c',
    });
  });
});

describe('code execution', () => {
  test('behavior: reverted calls are no internal operations, and the revert data is returned', async () => {
    const chain = await openEthereumChain();
    const { ledger, dispatcher } = chain;
    const payer = createAddress(ethereumAddress(0), 0n);
    // Sends 1 wei to the address 0x77…77, and reverts with 32 zero bytes if it was called with a word.
    const reverting = `5f5f5f5f600173${'77'.repeat(20)}5af15036602357005b60205ffd`;
    sendBy(0, ledger, { to: undefined, data: code(reverting), value: 5n, gas: 300_000n });
    const paid = sendBy(0, ledger, { to: payer, gas: 100_000n });
    const reverted = sendBy(0, ledger, { to: payer, data: word(1), gas: 100_000n });
    expect(ethereumCall(dispatcher, 'ots_getInternalOperations', toPrefixedHex(paid))).toEqual([
      { type: 0, from: toPrefixedHex(payer), to: `0x${'77'.repeat(20)}`, value: '0x1' },
    ]);
    expect(ethereumCall(dispatcher, 'ots_getInternalOperations', toPrefixedHex(reverted))).toEqual([]);
    expect(ethereumCall(dispatcher, 'ots_getTransactionError', toPrefixedHex(reverted))).toBe(
      `0x${'00'.repeat(32)}`,
    );
    expect(ethereumCall(dispatcher, 'ots_traceTransaction', toPrefixedHex(reverted))).toMatchObject([
      { type: 'CALL', depth: 0 },
      { type: 'CALL', depth: 1, value: '0x1', output: '0x' },
    ]);
  });

  test('error: an unknown transaction', async () => {
    const { dispatcher } = await openEthereumChain();
    for (const method of ['ots_traceTransaction', 'ots_getInternalOperations', 'ots_getTransactionError']) {
      expect(ethereumCall(dispatcher, method, `0x${'77'.repeat(32)}`)).toMatchObject({
        code: -32000,
        message: 'transaction not found',
      });
    }
  });
});

describe('the creator of a contract', () => {
  /** Creates the contract that its call data is the creation code of. */
  const FACTORY = code('365f5f37365f5ff000');

  test('default: of a contract that code created, within the retained states', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    sendBy(0, ledger, { to: undefined, data: FACTORY, gas: 300_000n });
    const factory = createAddress(ethereumAddress(0), 0n);
    for (const amount of [1n, 2n]) sendBy(1, ledger, { to: ethereumAddress(2), value: amount });
    const hash = sendBy(0, ledger, { to: factory, data: LOGGING_CODE, gas: 300_000n });
    for (const amount of [3n, 4n]) sendBy(1, ledger, { to: ethereumAddress(2), value: amount });
    const child = toPrefixedHex(createAddress(factory, 1n));
    const creation = { hash: toPrefixedHex(hash), creator: toPrefixedHex(factory) };
    expect(ethereumCall(dispatcher, 'ots_getContractCreator', child)).toEqual(creation);
    expect(ethereumCall(dispatcher, 'ots_hasCode', child, '0x3')).toBe(false);
    expect(ethereumCall(dispatcher, 'ots_hasCode', child, '0x4')).toBe(true);
  });

  test('behavior: an address that received a transfer before its creation', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    const contract = createAddress(ethereumAddress(0), 0n);
    sendBy(1, ledger, { to: contract, value: 7n });
    const hash = sendBy(0, ledger, { to: undefined, data: FACTORY, gas: 300_000n });
    const creation = { hash: toPrefixedHex(hash), creator: toPrefixedHex(ethereumAddress(0)) };
    expect(ethereumCall(dispatcher, 'ots_getContractCreator', toPrefixedHex(contract))).toEqual(creation);
  });

  test('error: code created it before the retained states', async () => {
    const store = openStore({ durable: false, undoBlocks: 1 });
    const { ledger, dispatcher } = await openEthereumChain({ store });
    sendBy(0, ledger, { to: undefined, data: FACTORY, gas: 300_000n });
    const factory = createAddress(ethereumAddress(0), 0n);
    sendBy(0, ledger, { to: factory, data: LOGGING_CODE, gas: 300_000n });
    // Undo records are pruned for several blocks together.
    for (let count = 1n; count <= 100n; count += 1n)
      sendBy(1, ledger, { to: ethereumAddress(2), value: count });
    const child = toPrefixedHex(createAddress(factory, 1n));
    expect(ethereumCall(dispatcher, 'ots_getContractCreator', child)).toMatchObject({
      code: -32000,
      message: expect.stringContaining('the contract was created by code before block'),
    });
    await store.close();
  });
});

describe('eth_getTransactionBySenderAndNonce', () => {
  test('default: the earlier operations of the payer', async () => {
    const { ledger } = await openTestLedger();
    for (const amount of [5n, 6n, 7n]) {
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
    }
    const dispatcher = stubDispatcher({ ledger });
    const valueAt = (nonce: unknown): unknown =>
      call(dispatcher, 'eth_getTransactionBySenderAndNonce', toPrefixedHex(addressAt(0)), nonce);
    expect(valueAt(1)).toMatchObject({ value: '0x6', blockNumber: '0x2' });
    expect([valueAt(3), valueAt('0xffffffffffffffff')]).toEqual([null, null]);
    expect(call(dispatcher, 'eth_getTransactionBySenderAndNonce', toPrefixedHex(addressAt(1)), 0)).toBeNull();
  });

  test('error: operations are not counted', async () => {
    const store = openStore({ durable: false, history: false });
    const { ledger } = await openTestLedger({ store });
    const dispatcher = stubDispatcher({ ledger });
    for (const method of ['eth_getTransactionBySenderAndNonce', 'ots_getTransactionBySenderAndNonce']) {
      expect(call(dispatcher, method, toPrefixedHex(addressAt(0)), 0)).toMatchObject({
        code: -32000,
        message: expect.stringContaining('the history plugin is off'),
      });
    }
    await store.close();
  });
});
