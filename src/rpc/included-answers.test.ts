import { describe, expect, test } from 'vitest';
import type { IncludedOperation, PendingOperation } from '../ledger/index.ts';
import { data, toBlock, toReceipt, toTransaction } from '../view/index.ts';
import { included, LIVE_SUMMARY, pending, RECEIPT, TRANSFER } from '../view/view.testing.ts';
import { AnswerCache } from './included-answers.ts';
import { stubDispatcher, stubLedger } from './rpc.testing.ts';

const OPERATION = included(TRANSFER);
const WAITING = pending(TRANSFER);

/** A node whose ledger knows one block with one operation, and finds that as it is told. */
function openNode() {
  const asked: string[] = [];
  const state: { found: IncludedOperation | PendingOperation | undefined } = { found: OPERATION };
  const note = <T>(what: string, value: T): T => {
    asked.push(what);
    return value;
  };
  const ledger = stubLedger({
    head: () => LIVE_SUMMARY,
    blockByNumber: (number) => note('block', number === LIVE_SUMMARY.number ? LIVE_SUMMARY : undefined),
    blockById: () => LIVE_SUMMARY,
    blockTransactions: () => note('transactions', [OPERATION]),
    operationAt: () => note('operation', OPERATION),
    findOperation: () => note('operation', state.found),
    receiptOf: () => note('receipt', RECEIPT),
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
    const answer = answerWith(toBlock(LIVE_SUMMARY, [OPERATION], isFull));
    const hash = JSON.parse(answer).result.hash;
    for (const selector of ['latest', LIVE_SUMMARY.number, '0xbb8', 'pending']) {
      expect(ask('eth_getBlockByNumber', selector, isFull)).toBe(answer);
    }
    expect(ask('eth_getBlockByHash', hash, isFull)).toBe(answer);
    expect(asked).toEqual(['block', 'transactions']);
  });

  test('behavior: what is not there is looked for again', () => {
    const { ask, asked } = openNode();
    for (const number of [0, 0, 4_000])
      expect(ask('eth_getBlockByNumber', number, true)).toBe(answerWith(null));
    expect(asked).toEqual(['block', 'block', 'block']);
  });
});

describe('answers of transactions', () => {
  test('default', () => {
    const { ask, asked } = openNode();
    const hash = data(OPERATION.hash);
    for (const text of [hash, hash, `0x${hash.slice(2).toUpperCase()}`]) {
      expect(ask('eth_getTransactionByHash', text)).toBe(answerWith(toTransaction(OPERATION)));
      expect(ask('eth_getTransactionReceipt', text)).toBe(answerWith(toReceipt(OPERATION, RECEIPT)));
    }
    expect(asked).toEqual(['operation', 'operation', 'receipt']);
    expect(ask('eth_getTransactionByBlockNumberAndIndex', 'latest', 0)).toBe(
      answerWith(toTransaction(OPERATION)),
    );
  });

  test('behavior: a pending transaction is looked for each time', () => {
    const { ask, asked, state } = openNode();
    const hash = data(WAITING.hash);
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
  const fill = (cache: AnswerCache<number, string>, key: number, characters: number) =>
    cache.of(key, () => 'x'.repeat(characters));

  test('default', () => {
    const cache = new AnswerCache<number, string>(10_000);
    expect(cache.get(1)).toBeUndefined();
    expect(cache.of(1, () => 'first').text).toBe('"first"');
    expect(cache.of(1, () => 'second').text).toBe('"first"');
    expect(cache.get(1)?.text).toBe('"first"');
  });

  test('behavior: keeps what is asked for, and no more than the bound', () => {
    const cache = new AnswerCache<number, string>(10_000);
    for (let key = 0; key < 1_000; key += 1) {
      fill(cache, key, 800);
      expect(cache.get(0)).toBeDefined();
    }
    const kept = Array.from({ length: 1_000 }, (_, key) => key).filter((key) => cache.get(key) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(kept.length).toBeGreaterThan(3);
  });

  test('behavior: what is too large for it is not kept', () => {
    const cache = new AnswerCache<number, string>(10_000);
    fill(cache, 1, 100);
    expect(fill(cache, 2, 6_000).text).toHaveLength(6_002);
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(1)).toBeDefined();
  });
});
