import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogObject } from '../../src/formatters/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { accountAt, core, createContract } from '../../src/ledger/ledger.testing.ts';
import { contractId } from '../../src/protocol/index.ts';
import {
  clientOf,
  emit,
  emitter,
  hashOfBlock,
  openChain,
  pay,
  submit,
  type TestChain,
  type TestClient,
  word,
} from './chain.ts';

let chain: TestChain;
let ledger: Ledger;
let client: TestClient;

beforeEach(async () => {
  chain = await openChain();
  ledger = chain.ledger;
  client = clientOf(ledger);
});

afterEach(() => chain.close());

const changes = (id: unknown) => numbersOf(client.call('eth_getFilterChanges', id));
const logs = (id: unknown) => numbersOf(client.call('eth_getFilterLogs', id));
const newFilter = (options: object) => client.call('eth_newFilter', options);

/** Returns the numbers in the data of log objects; other results unchanged. */
function numbersOf(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((item: LogObject | string) => (typeof item === 'string' ? item : Number(item.data)));
}

const NOT_FOUND = { code: -32000, message: 'filter not found' };

describe('a log filter', () => {
  test('default: the logs of new blocks, once', () => {
    submit(ledger, emit(0, [], 1));
    const id = newFilter({});
    expect(id).toMatch(/^0x1[0-9a-f]{16}$/);
    expect(changes(id)).toEqual([]);
    submit(ledger, emit(0, [], 2), emit(1, [10], 3));
    submit(ledger, pay(1));
    submit(ledger, emit(2, [10, 11], 4));
    expect(changes(id)).toEqual([2, 3, 4]);
    expect(changes(id)).toEqual([]);
    submit(ledger, emit(0, [], 5));
    expect(changes(id)).toEqual([5]);
  });

  test('behavior: they are log objects as in eth_getLogs', () => {
    const id = newFilter({});
    submit(ledger, emit(2, [10, 11], 4));
    expect(client.call('eth_getFilterChanges', id)).toEqual(client.call('eth_getLogs'));
  });

  test('args: address and topics', () => {
    const id = newFilter({ address: emitter(2), topics: [null, [word(11), word(12)]] });
    submit(ledger, emit(2, [10, 11], 1), emit(2, [10, 13], 2), emit(3, [10, 11, 12, 13], 3));
    submit(ledger, emit(2, [11, 12], 4));
    expect(changes(id)).toEqual([1, 4]);
  });

  test.each<[object, unknown, unknown]>([
    [{ fromBlock: 'earliest' }, [3, 4], [1, 2, 3, 4]],
    [{ fromBlock: 'latest', toBlock: 'latest' }, [3, 4], [2, 3, 4]],
    [{ fromBlock: 'pending', toBlock: 'pending' }, [3, 4], [2, 3, 4]],
    [{ fromBlock: 2, toBlock: 4 }, [3], [1, 2, 3]],
    [{ fromBlock: 5 }, [4], [4]],
    [{ fromBlock: '0x5', toBlock: '0xffffffffffffffff' }, [4], [4]],
    [{ fromBlock: 2, toBlock: 2 }, [], [1]],
    [{ fromBlock: 'earliest', toBlock: 'earliest' }, [], []],
    [{ fromBlock: 6 }, [], []],
  ])('args: a range: %j', (range, changed, all) => {
    submit(ledger, emit(0, [], 1));
    submit(ledger, emit(0, [], 2));
    const id = newFilter(range);
    submit(ledger, emit(0, [], 3));
    submit(ledger, emit(0, [], 4));
    expect(logs(id)).toEqual(all);
    expect(changes(id)).toEqual(changed);
    expect(logs(id)).toEqual(all);
  });

  test('error: options', () => {
    const invalid = (problem: string) => ({
      code: -32602,
      message: `invalid parameter 1 (options): ${problem}`,
    });
    expect(client.call('eth_newFilter')).toEqual({ code: -32602, message: 'missing parameter 1 (options)' });
    expect(newFilter({ blockHash: word(1) })).toEqual(invalid('unknown key "blockHash"'));
    expect(newFilter({ blockhash: word(1) })).toEqual(invalid('unknown key "blockhash"'));
    expect(newFilter({ topics: [5] })).toMatchObject({ code: -32602 });
    expect(newFilter({ fromBlock: 5, toBlock: 4 })).toEqual(
      invalid('invalid block range params: fromBlock 0x5 is after toBlock 0x4'),
    );
    expect(newFilter({ toBlock: 'earliest' })).toMatchObject({ code: -32602 });
  });

  test('error: more logs than the response limit are rejected, and none is lost', () => {
    client = clientOf(ledger, { logsMax: 2 });
    const id = newFilter({});
    submit(ledger, emit(0, [], 1), emit(0, [], 2));
    expect(changes(id)).toEqual([1, 2]);
    submit(ledger, emit(0, [], 3));
    submit(ledger, emit(0, [], 4));
    submit(ledger, emit(0, [], 5));
    const tooMany = {
      code: -32005,
      message:
        'more than 2 logs match, the limit of one response (--max-logs): ' +
        'the filter stays at block 0x3; call eth_getLogs with narrower ranges from there',
    };
    expect(changes(id)).toEqual(tooMany);
    expect(changes(id)).toEqual(tooMany);
    expect(logs(id)).toEqual({
      code: -32005,
      message:
        'more than 2 logs match, the limit of one response (--max-logs): request a narrower range of blocks',
    });
    const range = (fromBlock: number, toBlock: number) =>
      numbersOf(client.call('eth_getLogs', { fromBlock, toBlock }));
    expect([range(3, 4), range(5, 5)]).toEqual([[3, 4], [5]]);
  });
});

describe('removed logs of a log filter', () => {
  /** Init code of a contract that writes as many logs without topics as its call data says. */
  const MANY = '6014600c60003960146000f35f355b80156012575f5fa0600190036002565b00';
  const writeMany = (count: number) => {
    const call = { type: 'contractCall' as const, registrar: accountAt(0), value: core(0n) };
    submit(ledger, { ...call, fee: core(16_000_000n), code: word(count).slice(2), callee: contractId(4) });
  };

  test('behavior: ranges limit them, and equal filters get them separately', () => {
    const create = () => newFilter({ fromBlock: 3 });
    const [one, other] = [create(), create()];
    for (const data of [1, 2, 3]) submit(ledger, emit(0, [], data));
    expect(changes(one)).toEqual([2, 3]);
    ledger.chain.revertTo(3);
    expect(changes(other)).toEqual([2]);
    ledger.chain.revertTo(1);
    submit(ledger, emit(0, [], 4));
    submit(ledger, emit(0, [], 5));
    const removedOf = (id: unknown) =>
      (client.call('eth_getFilterChanges', id) as LogObject[]).map(({ data, removed }) => [
        Number(data),
        removed,
      ]);
    expect(removedOf(one)).toEqual([
      [3, true],
      [2, true],
      [5, false],
    ]);
    expect(removedOf(other)).toEqual([
      [2, true],
      [5, false],
    ]);
  });

  test('error: more of them than the limit', () => {
    client = clientOf(ledger, { logsMax: 20_000 });
    submit(ledger, createContract(0, MANY));
    const [all, none] = [newFilter({}), newFilter({ topics: [word(1)] })];
    writeMany(10_001);
    expect(changes(all)).toHaveLength(10_001);
    expect(changes(none)).toEqual([]);
    ledger.chain.revertTo(2);
    const tooMany = {
      code: -32005,
      message: 'the reverted blocks had too many logs: install another filter, and call eth_getLogs',
    };
    expect(changes(all)).toEqual(tooMany);
    expect(changes(all)).toEqual(tooMany);
    expect(changes(none)).toEqual([]);
    expect(logs(all)).toEqual([]);
  });
});

describe('a block filter', () => {
  test('default: the hashes of new blocks, once', () => {
    const id = client.call('eth_newBlockFilter');
    expect(changes(id)).toEqual([]);
    submit(ledger, pay(1));
    ledger.miner.mine();
    expect(logs(id)).toEqual([hashOfBlock(ledger, 2), hashOfBlock(ledger, 3)]);
    expect(changes(id)).toEqual([hashOfBlock(ledger, 2), hashOfBlock(ledger, 3)]);
    expect(changes(id)).toEqual([]);
    expect(logs(id)).toEqual([]);
    ledger.miner.mine();
    expect(changes(id)).toEqual([hashOfBlock(ledger, 4)]);
  });

  test('error: more blocks than the response limit are rejected, and none is lost', () => {
    client = clientOf(ledger, { logsMax: 2 });
    const id = client.call('eth_newBlockFilter');
    for (let count = 0; count < 3; count += 1) ledger.miner.mine();
    const tooMany = {
      code: -32005,
      message:
        '3 blocks are new, more than the limit of 2 for one response (--max-logs): ' +
        'the filter stays at block 0x2; call eth_getBlockByNumber from there',
    };
    expect(changes(id)).toEqual(tooMany);
    expect(logs(id)).toEqual(tooMany);
    expect(changes(id)).toEqual(tooMany);
  });
});

describe('a pending-transaction filter', () => {
  test('default: every accepted operation once, pending or not', () => {
    submit(ledger, pay(1));
    const id = client.call('eth_newPendingTransactionFilter');
    const atOnce = submit(ledger, pay(2), pay(3));
    ledger.miner.stopMining();
    const waiting = [...submit(ledger, pay(4)), ...submit(ledger, pay(5))];
    expect(logs(id)).toEqual([...atOnce, ...waiting]);
    expect(changes(id)).toEqual([...atOnce, ...waiting]);
    ledger.miner.mine();
    expect(changes(id)).toEqual([]);
    expect(logs(id)).toEqual([]);
  });

  test('behavior: a transaction is found by the reported hash, before and after it gets its block', () => {
    const id = client.call('eth_newPendingTransactionFilter');
    ledger.miner.stopMining();
    submit(ledger, pay(7));
    const [hash] = changes(id) as string[];
    expect(client.call('eth_getTransactionByHash', hash)).toMatchObject({ value: '0x7', blockNumber: null });
    ledger.miner.mine();
    expect(client.call('eth_getTransactionByHash', hash)).toMatchObject({ value: '0x7', blockNumber: '0x2' });
  });

  test('behavior: rejected transactions are not reported', () => {
    const id = client.call('eth_newPendingTransactionFilter');
    expect(() => submit(ledger, pay(10 ** 15))).toThrow();
    expect(changes(id)).toEqual([]);
  });

  test('error: more hashes than the response limit are rejected, while another client keeps up', () => {
    client = clientOf(ledger, { logsMax: 2 });
    const late = client.call('eth_newPendingTransactionFilter');
    const early = client.call('eth_newPendingTransactionFilter');
    for (let amount = 1; amount <= 9; amount += 1) {
      const accepted = submit(ledger, pay(amount));
      expect(changes(early)).toEqual(accepted);
    }
    const tooMany = {
      code: -32005,
      message:
        '9 transactions are new, more than the limit of 2 for one response (--max-logs): ' +
        'the filter stays unchanged; the blocks and eth_pendingTransactions have them',
    };
    expect(changes(late)).toEqual(tooMany);
    expect(logs(late)).toEqual(tooMany);
    const accepted = submit(ledger, pay(10), pay(11));
    expect(changes(early)).toEqual(accepted);
    expect(changes(late)).toMatchObject({ code: -32005 });
  });
});

describe('eth_uninstallFilter', () => {
  test('default', () => {
    for (const method of ['eth_newBlockFilter', 'eth_newPendingTransactionFilter']) {
      const id = client.call(method);
      expect(client.call('eth_uninstallFilter', id)).toBe(true);
      expect(client.call('eth_uninstallFilter', id)).toBe(false);
      expect(changes(id)).toEqual(NOT_FOUND);
      expect(logs(id)).toEqual(NOT_FOUND);
    }
  });

  test('behavior: the other filters stay', () => {
    const [first, second] = [client.call('eth_newBlockFilter'), client.call('eth_newBlockFilter')];
    expect(client.call('eth_uninstallFilter', first)).toBe(true);
    ledger.miner.mine();
    expect(changes(second)).toEqual([hashOfBlock(ledger, 2)]);
  });
});

describe('an id', () => {
  test('args: with leading zeros', () => {
    const id = String(client.call('eth_newBlockFilter')).replace('0x', '0x000');
    expect(changes(id)).toEqual([]);
    expect(client.call('eth_uninstallFilter', id)).toBe(true);
  });

  test.each(['0x0', '0x1', 1, `0x${'f'.repeat(64)}`])('error: unknown: %s', (id) => {
    client.call('eth_newBlockFilter');
    expect(changes(id)).toEqual(NOT_FOUND);
    expect(logs(id)).toEqual(NOT_FOUND);
    expect(client.call('eth_uninstallFilter', id)).toBe(false);
  });

  test.each([null, 'x', -1, {}, []])('error: none: %j', (id) => {
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter']) {
      expect(client.call(method, id)).toMatchObject({
        code: -32602,
        message: expect.stringContaining('invalid parameter 1 (filterId): expected a QUANTITY'),
      });
    }
  });
});
