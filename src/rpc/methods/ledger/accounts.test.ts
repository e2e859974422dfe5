import { describe, expect, test } from 'vitest';
import { ArtifactRegistry, artifactOf } from '../../../contracts/index.ts';
import { ethereumAddress, sendBy } from '../../../ledger/ethereum.testing.ts';
import type { Ledger } from '../../../ledger/index.ts';
import {
  accountAt,
  addressAt,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../../../ledger/ledger.testing.ts';
import { createAddress, toPrefixedHex } from '../../../protocol/index.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../../ethereum/chain.testing.ts';
import { call, ethereumCall, stubDispatcher } from '../../rpc.testing.ts';

interface Page {
  readonly operations: readonly Readonly<Record<string, unknown>>[];
  readonly next: unknown;
}

/** A chain with five transfers from account 0 to account 1. */
async function transferring(): Promise<Ledger> {
  const { ledger } = await openTestLedger();
  for (const amount of [1n, 2n, 3n, 4n, 5n]) {
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
  }
  return ledger;
}

describe('ledger_getAccount', () => {
  test('default: an account by address, identifier and name', async () => {
    const ledger = await transferring();
    const dispatcher = stubDispatcher({ ledger });
    const account = call(dispatcher, 'ledger_getAccount', toPrefixedHex(addressAt(1))) as Record<
      string,
      unknown
    >;
    const name = ledger.accounts.account(accountAt(1))?.name;
    expect(account).toMatchObject({
      address: toPrefixedHex(addressAt(1)),
      kind: 'account',
      id: '1.2.1025',
      operationCount: '0x0',
      codeSize: '0x0',
      account: { name, threshold: 1, accounts: [], keys: [{ weight: 1 }] },
    });
    expect(call(dispatcher, 'ledger_getAccount', '1.2.1025')).toEqual(account);
    expect(call(dispatcher, 'ledger_getAccount', name)).toEqual(account);
    const { evmAddress } = account.account as Record<string, unknown>;
    expect(call(dispatcher, 'ledger_getAccount', evmAddress)).toMatchObject({
      kind: 'reference',
      referenceTo: toPrefixedHex(addressAt(1)),
      account: null,
    });
  });

  test('behavior: null for an unknown account, and a result for any address', async () => {
    const dispatcher = stubDispatcher({ ledger: await transferring() });
    for (const reference of ['1.2.99999', '1.11.99999', 'nobody-here']) {
      expect(call(dispatcher, 'ledger_getAccount', reference)).toBeNull();
    }
    expect(call(dispatcher, 'ledger_getAccount', `0x${'77'.repeat(20)}`)).toMatchObject({ kind: 'unused' });
  });

  test('behavior: a contract and a key, in the unit of each profile', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
    const contract = toPrefixedHex(createAddress(ethereumAddress(0), 0n));
    expect(ethereumCall(dispatcher, 'ledger_getAccount', contract)).toMatchObject({
      kind: 'contract',
      nonce: '0x1',
      codeSize: '0x16',
    });
    const key = toPrefixedHex(ethereumAddress(1));
    expect(call(dispatcher, 'ledger_getAccount', key)).toMatchObject({
      kind: 'key',
      balance: '0x174876e800',
    });
    expect(ethereumCall(dispatcher, 'ledger_getAccount', key)).toMatchObject({
      balance: '0x3635c9adc5dea00000',
    });
  });

  test.each(['', '1.2.x', '1.2.01', '1.3.0', '0x12', '<b>', 7])(
    'error: %j is not a valid account reference',
    (reference) => {
      expect(call(stubDispatcher(), 'ledger_getAccount', reference)).toMatchObject({ code: -32602 });
    },
  );
});

describe('ledger_getOperations', () => {
  test('default: the newest first, page by page', async () => {
    const dispatcher = stubDispatcher({ ledger: await transferring() });
    const page = (before: unknown): Page =>
      call(dispatcher, 'ledger_getOperations', '1.2.1025', before, 2) as Page;
    const first = page(null);
    const second = page(first.next);
    const third = page(second.next);
    const blocks = [first, second, third].map(({ operations }) => operations.map((each) => each.blockNumber));
    expect(blocks).toEqual([['0x5', '0x4'], ['0x3', '0x2'], ['0x1']]);
    expect(third.next).toBeNull();
    expect(first.operations[0]).toMatchObject({
      type: 'transfer',
      from: toPrefixedHex(addressAt(0)),
      to: toPrefixedHex(addressAt(1)),
      value: '0x5',
      status: '0x1',
      gasUsed: '0x14',
      isSender: false,
      selector: null,
    });
    const sent = call(dispatcher, 'ledger_getOperations', toPrefixedHex(addressAt(0))) as Page;
    expect(sent.operations.map(({ isSender }) => isSender)).toEqual([true, true, true, true, true]);
  });

  test('behavior: operations of reverted blocks are not returned', async () => {
    const ledger = await transferring();
    ledger.chain.revertTo(2);
    const { operations } = call(stubDispatcher({ ledger }), 'ledger_getOperations', '1.2.1025') as Page;
    expect(operations.map(({ blockNumber }) => blockNumber)).toEqual(['0x2', '0x1']);
  });

  test('behavior: an unused address has no operations', () => {
    return transferring().then((ledger) => {
      const answer = call(stubDispatcher({ ledger }), 'ledger_getOperations', `0x${'77'.repeat(20)}`);
      expect(answer).toEqual({ operations: [], next: null });
    });
  });

  test('error: an unknown account, and a limit above the maximum', async () => {
    const dispatcher = stubDispatcher({ ledger: await transferring() });
    const unknown = call(dispatcher, 'ledger_getOperations', 'nobody-here');
    expect(unknown).toMatchObject({ code: -32000, message: 'there is no such account or contract' });
    const many = call(dispatcher, 'ledger_getOperations', '1.2.1025', null, 101);
    expect(many).toMatchObject({ code: -32602, message: expect.stringContaining('at most 100 operations') });
  });
});

describe('ledger_getOperation', () => {
  test('default: returns the native form, and the addresses whose operation lists contain it', async () => {
    const ledger = await transferring();
    const dispatcher = stubDispatcher({ ledger });
    const [found] = ledger.blocks.blockTransactions(5);
    const operation = call(dispatcher, 'ledger_getOperation', found && toPrefixedHex(found.hash)) as Record<
      string,
      unknown
    >;
    expect(operation).toMatchObject({
      type: 'transfer',
      blockNumber: '0x5',
      addresses: [toPrefixedHex(addressAt(0)), toPrefixedHex(addressAt(1))],
      operation: [0, { from: '1.2.1024', to: '1.2.1025', amount: { amount: '5' } }],
      transaction: { operations: [[0, { from: '1.2.1024' }]], signatures: [expect.any(String)] },
      ethereumHash: null,
    });
    expect(call(dispatcher, 'ledger_getOperation', operation.pendingHash)).toEqual(operation);
  });

  test('behavior: one that waits, and none', async () => {
    const { ledger } = await openTestLedger({ mining: 'manual' });
    const { hash } = ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
    const dispatcher = stubDispatcher({ ledger });
    expect(call(dispatcher, 'ledger_getOperation', toPrefixedHex(hash))).toMatchObject({
      hash: toPrefixedHex(hash),
      pendingHash: toPrefixedHex(hash),
      blockNumber: null,
      status: null,
      result: null,
      addresses: [],
    });
    expect(call(dispatcher, 'ledger_getOperation', `0x${'77'.repeat(32)}`)).toBeNull();
  });

  test('behavior: an Ethereum transaction by either hash, on both profiles', async () => {
    const { ledger, dispatcher } = await openEthereumChain();
    sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
    const to = createAddress(ethereumAddress(0), 0n);
    const hash = toPrefixedHex(sendBy(0, ledger, { to, data: word(7), gas: 200_000n }));
    const shown = ethereumCall(dispatcher, 'ledger_getOperation', hash) as Record<string, unknown>;
    expect(shown).toMatchObject({
      hash,
      ethereumHash: hash,
      type: 'ethereum_transaction',
      selector: '0x00000000',
    });
    const native = call(dispatcher, 'ledger_getOperation', hash) as Record<string, unknown>;
    expect(native).toMatchObject({ ethereumHash: hash, pendingHash: shown.pendingHash });
    expect(native.hash).not.toBe(hash);
    expect(call(dispatcher, 'ledger_getOperation', native.hash)).toEqual(native);
    const { operations } = ethereumCall(dispatcher, 'ledger_getOperations', toPrefixedHex(to)) as Page;
    expect(operations.map((each) => each.hash)).toEqual([hash, expect.any(String)]);
  });
});

describe('ledger_getArtifact', () => {
  test('default: returns the registered artifact', async () => {
    const { ledger } = await openTestLedger();
    const abi = [{ type: 'function', name: 'f', inputs: [] }];
    const artifacts = new ArtifactRegistry();
    artifacts.add('test', [artifactOf({ name: 'Thing', abi, path: 'contracts/Thing.sol' })], addressAt(1));
    const dispatcher = stubDispatcher({ ledger, artifacts });
    expect(call(dispatcher, 'ledger_getArtifact', toPrefixedHex(addressAt(1)))).toEqual({
      name: 'Thing',
      abi,
      source: { path: 'contracts/Thing.sol', text: null },
    });
    expect(call(dispatcher, 'ledger_getArtifact', toPrefixedHex(addressAt(2)))).toBeNull();
  });

  test('behavior: null on a node that stores no artifacts', async () => {
    const { dispatcher } = await openEthereumChain();
    expect(ethereumCall(dispatcher, 'ledger_getArtifact', toPrefixedHex(addressAt(1)))).toBeNull();
  });
});

describe('ledger_findContracts', () => {
  test('default: contracts by their code and by their address, in any case, the newest first', async () => {
    const artifacts = new ArtifactRegistry();
    const { ledger } = await openEthereumChain();
    const dispatcher = stubDispatcher({ ledger, artifacts });
    for (const code of [LOGGING_CODE, LOGGING_CODE, LOGGING_CODE]) {
      sendBy(0, ledger, { to: undefined, data: code, gas: 200_000n });
    }
    const addressOf = (nonce: bigint) => createAddress(ethereumAddress(0), nonce);
    const found = (name: string) => call(dispatcher, 'ledger_findContracts', name);
    expect(found('Thing')).toEqual([]);
    const runtime = toPrefixedHex(ledger.accounts.codeAt(addressOf(0n)));
    artifacts.add('test', [artifactOf({ name: 'Thing', abi: [], runtime })]);
    artifacts.add('test', [artifactOf({ name: 'Other', abi: [] })], addressOf(1n));
    const [first, second, third] = [0n, 1n, 2n].map((nonce) => ({
      address: toPrefixedHex(addressOf(nonce)),
      id: `1.11.${nonce}`,
    }));
    expect(found('tHING')).toEqual([third, first]);
    expect(found('other')).toEqual([second]);
    expect(found('Thin')).toEqual([]);
  });

  test('behavior: an empty list on a node that stores no artifacts', async () => {
    const { dispatcher } = await openEthereumChain();
    expect(ethereumCall(dispatcher, 'ledger_findContracts', 'Thing')).toEqual([]);
  });
});
