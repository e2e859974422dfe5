import { describe, expect, test } from 'vitest';
import { SharedBound } from '../../caching/bounded-map.ts';
import { toHeader, toReceipt, toTransaction } from '../../formatters/index.ts';
import type {
  BlockSummary,
  IncludedOperation,
  OperationReceipt,
  PendingOperation,
} from '../../ledger/index.ts';
import {
  accountAddress,
  accountId,
  coreAmount,
  hexToBytes,
  type Operation,
  operationHash,
  pendingTransactionHash,
  processedTransactionHash,
  toAddress,
  toBlockId,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { stubDispatcher, stubLedger } from '../rpc.testing.ts';
import { ResponseBodyCache } from './response-cache.ts';

/** Block 3000, with as much of its header as a block object shows. */
const SUMMARY = {
  number: 3_000,
  id: toBlockId(hexToBytes('00000bb870e5fd1b147a3fa3cd693129cacdf680')),
  header: {
    round: 3_000n,
    previous: toBlockId(hexToBytes('00000bb70ca6b57b1a868a06ad0882694d70c41f')),
    transactionMerkleRoot: hexToBytes('eef2bb6be5f9a1051292d6de48e7094a7a20dd41'),
    vmRoot: ['ab'.repeat(64)],
    account: accountId(102),
    timestamp: 1_576_516_253,
    rand: hexToBytes('08aeb609ec58b4b59ce4e9f13c59f74825979115f06d89a3965dc478ec564502'),
  },
  size: 642,
  feesCollected: 20n,
  operationCount: 1,
} as unknown as BlockSummary;

const TRANSFER: Operation = {
  type: 'transfer',
  fee: coreAmount(20n),
  from: accountId(24),
  to: accountId(596),
  amount: coreAmount(5_000_000_000n),
};
const NATIVE_TRANSACTION = { refBlockNum: 2_998, refBlockPrefix: 3_266_335_494, expiration: 1_576_516_541 };
const HASH = operationHash(
  TRANSFER,
  NATIVE_TRANSACTION.refBlockNum,
  NATIVE_TRANSACTION.refBlockPrefix,
  NATIVE_TRANSACTION.expiration,
);
const SHOWN = { operation: TRANSFER, transaction: NATIVE_TRANSACTION, to: accountAddress(accountId(596)) };

const OPERATION: IncludedOperation = {
  ...SHOWN,
  kind: 'included',
  block: SUMMARY,
  index: 0,
  result: { type: 'nothing' },
  feesCollected: 20n,
  hash: processedTransactionHash(SUMMARY.number, 0, HASH),
};
const WAITING: PendingOperation = { ...SHOWN, kind: 'pending', hash: pendingTransactionHash(HASH) };

const RECEIPT: OperationReceipt = {
  status: 'success',
  gasUsed: 20n,
  contractAddress: undefined,
  logs: [{ address: toAddress(new Uint8Array(20)), topics: [], data: hexToBytes('00ff') }],
  firstLogIndex: 2,
  output: new Uint8Array(),
};

/** A node whose ledger knows one block with one operation, and finds that as it is told. */
function openNode() {
  const asked: string[] = [];
  const state: { found: IncludedOperation | PendingOperation | undefined } = { found: OPERATION };
  const note = <T>(what: string, value: T): T => {
    asked.push(what);
    return value;
  };
  const ledger = stubLedger({
    blocks: {
      head: () => SUMMARY,
      blockByNumber: (number) => note('block', number === SUMMARY.number ? SUMMARY : undefined),
      blockById: () => SUMMARY,
      operationsFrom: () => note('transactions', [OPERATION]),
      operationAt: () => note('operation', OPERATION),
      receiptOutlineOf: () => note('receipt', { ...RECEIPT, logCount: 1, logs: () => RECEIPT.logs }),
    },
    pool: { findOperation: () => note('operation', state.found) },
  });
  const dispatcher = stubDispatcher({ ledger });
  const ask = (method: string, ...params: readonly unknown[]) =>
    dispatcher.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return { asked, state, ask };
}

function answerWith(result: unknown): string {
  return `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(result)}}`;
}

describe('answers of blocks', () => {
  test.each([true, false])('args: a block, full %j', (isFull) => {
    const { ask, asked } = openNode();
    const transaction = isFull ? toTransaction(OPERATION) : toPrefixedHex(OPERATION.hash);
    const answer = answerWith({ ...toHeader(SUMMARY), transactions: [transaction] });
    const hash = JSON.parse(answer).result.hash;
    for (const selector of ['latest', SUMMARY.number, '0xbb8', 'pending']) {
      expect(ask('eth_getBlockByNumber', selector, isFull)).toBe(answer);
    }
    expect(ask('eth_getBlockByHash', hash, isFull)).toBe(answer);
    expect(asked).toEqual(['block', 'transactions']);
  });

  test('behavior: a missing block is not cached', () => {
    const { ask, asked } = openNode();
    for (const number of [0, 0, 4_000])
      expect(ask('eth_getBlockByNumber', number, true)).toBe(answerWith(null));
    expect(asked).toEqual(['block', 'block', 'block']);
  });
});

describe('answers of transactions', () => {
  test('default', () => {
    const { ask, asked } = openNode();
    const hash = toPrefixedHex(OPERATION.hash);
    for (const text of [hash, hash, `0x${hash.slice(2).toUpperCase()}`]) {
      expect(ask('eth_getTransactionByHash', text)).toBe(answerWith(toTransaction(OPERATION)));
      expect(ask('eth_getTransactionReceipt', text)).toBe(answerWith(toReceipt(OPERATION, RECEIPT)));
    }
    expect(asked).toEqual(['operation', 'operation', 'receipt']);
    expect(ask('eth_getTransactionByBlockNumberAndIndex', 'latest', 0)).toBe(
      answerWith(toTransaction(OPERATION)),
    );
  });

  test('behavior: a pending transaction is not cached', () => {
    const { ask, asked, state } = openNode();
    const hash = toPrefixedHex(WAITING.hash);
    state.found = undefined;
    expect(ask('eth_getTransactionByHash', hash)).toBe(answerWith(null));
    state.found = WAITING;
    expect(ask('eth_getTransactionByHash', hash)).toBe(answerWith(toTransaction(WAITING)));
    expect(ask('eth_getTransactionReceipt', hash)).toBe(answerWith(null));
    state.found = OPERATION;
    expect(ask('eth_getTransactionByHash', hash)).toBe(answerWith(toTransaction(OPERATION)));
    expect(ask('eth_getTransactionReceipt', hash)).toBe(answerWith(toReceipt(OPERATION, RECEIPT)));
    state.found = WAITING;
    expect(ask('eth_getTransactionByHash', hash)).toBe(answerWith(toTransaction(WAITING)));
    expect(ask('eth_getTransactionReceipt', hash)).toBe(answerWith(null));
    expect(asked.filter((what) => what === 'operation')).toHaveLength(7);
  });
});

describe('the cache', () => {
  const fill = (cache: ResponseBodyCache<number, string>, key: number, characters: number) =>
    cache.of(key, () => 'x'.repeat(characters));

  test('default', () => {
    const cache = new ResponseBodyCache<number, string>(new SharedBound(10_000));
    expect(cache.get(1)).toBeUndefined();
    expect(cache.of(1, () => 'first').text).toBe('"first"');
    expect(cache.of(1, () => 'second').text).toBe('"first"');
    expect(cache.get(1)?.text).toBe('"first"');
  });

  test('behavior: keeps recently used entries within the size limit', () => {
    const cache = new ResponseBodyCache<number, string>(new SharedBound(10_000));
    for (let key = 0; key < 1_000; key += 1) {
      fill(cache, key, 800);
      expect(cache.get(0)).toBeDefined();
    }
    const kept = Array.from({ length: 1_000 }, (_, key) => key).filter((key) => cache.get(key) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(kept.length).toBeGreaterThan(3);
  });

  test('behavior: an entry that exceeds the size limit is not cached', () => {
    const cache = new ResponseBodyCache<number, string>(new SharedBound(10_000));
    fill(cache, 1, 100);
    expect(fill(cache, 2, 6_000).text).toHaveLength(6_002);
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(1)).toBeDefined();
  });
});
