import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogObject } from '../../src/formatters/index.ts';
import {
  clientOf,
  emit,
  emitter,
  hashOfBlock,
  logsOfBlock,
  openChain,
  pay,
  submit,
  type TestChain,
  type TestClient,
  word,
} from './chain.ts';

const [A, B, C, D] = [word(10), word(11), word(12), word(13)];
const HEAD = 5;

let chain: TestChain;
let client: TestClient;

/** Block 1 creates the contracts and 5 is the head; the data of each log is its number. */
beforeAll(async () => {
  chain = await openChain();
  client = clientOf(chain.ledger);
  const { ledger } = chain;
  submit(ledger, emit(0, [], 0), emit(1, [10], 1));
  submit(ledger, pay(1), emit(2, [10, 11], 2), emit(2, [11, 10], 3));
  submit(ledger, pay(2));
  submit(ledger, emit(3, [10, 11, 12, 13], 4), emit(2, [10, 10], 5));
});

afterAll(() => chain.close());

/** The numbers of the logs that a query finds, or its error. */
function find(...params: readonly unknown[]): unknown {
  const answer = client.call('eth_getLogs', ...params);
  return Array.isArray(answer) ? answer.map(({ data }: LogObject) => Number(data)) : answer;
}

/** The same over all blocks. */
const findAll = (options: object): unknown => find({ fromBlock: 'earliest', ...options });

const invalid = (problem: string) => ({ code: -32602, message: `invalid parameter 1 (options): ${problem}` });

test('default: the logs as their receipts have them', () => {
  const all = Array.from({ length: HEAD + 1 }, (_, number) => logsOfBlock(client, number)).flat();
  expect(all).toHaveLength(6);
  expect(client.call('eth_getLogs', { fromBlock: '0x0' })).toEqual(all);
  expect(all[2]).toEqual({
    removed: false,
    logIndex: '0x0',
    transactionIndex: '0x1',
    transactionHash: expect.stringMatching(/^0x00000000000000030000000[1-9a-f]/),
    blockHash: hashOfBlock(chain.ledger, 3),
    blockNumber: '0x3',
    blockTimestamp: `0x${chain.ledger.blocks.blockByNumber(3)?.header.timestamp.toString(16)}`,
    address: emitter(2),
    data: word(2),
    topics: [A, B],
  });
});

describe('no options', () => {
  test.each([[[]], [[null]], [[{}]], [[{ fromBlock: null, toBlock: null, address: null, topics: null }]]])(
    'default: the newest block: %j',
    (params) => {
      expect(find(...params)).toEqual([4, 5]);
    },
  );
});

describe('blocks', () => {
  test.each<[object, number[]]>([
    [{ fromBlock: 'earliest', toBlock: 'latest' }, [0, 1, 2, 3, 4, 5]],
    [{ fromBlock: 'earliest', toBlock: 'earliest' }, []],
    [{ fromBlock: '0x2', toBlock: '0x2' }, [0, 1]],
    [{ fromBlock: 2, toBlock: '0x0003' }, [0, 1, 2, 3]],
    [{ fromBlock: 3 }, [2, 3, 4, 5]],
    [{ fromBlock: 'pending', toBlock: 'pending' }, [4, 5]],
    [{ fromBlock: 'latest' }, [4, 5]],
    [{ fromBlock: 'earliest', toBlock: '0x3' }, [0, 1, 2, 3]],
    [{ fromBlock: 5, toBlock: 1_000 }, [4, 5]],
    [{ fromBlock: 0, toBlock: `0x${'f'.repeat(64)}` }, [0, 1, 2, 3, 4, 5]],
    [{ fromBlock: 6 }, []],
    [{ fromBlock: 6, toBlock: 'latest' }, []],
    [{ fromBlock: 7, toBlock: 9 }, []],
    [{ fromBlock: `0x${'f'.repeat(64)}` }, []],
  ])('args: %j', (options, expected) => {
    expect(find(options)).toEqual(expected);
  });

  test.each<[object, string]>([
    [{ fromBlock: 3, toBlock: 2 }, 'fromBlock 0x3 is after toBlock 0x2'],
    [{ fromBlock: 9, toBlock: 8 }, 'fromBlock 0x9 is after toBlock 0x8'],
    [{ toBlock: 2 }, 'fromBlock 0x5 is after toBlock 0x2'],
    [{ fromBlock: 'latest', toBlock: 'earliest' }, 'fromBlock 0x5 is after toBlock 0x0'],
    [{ fromBlock: '0x20000000000001', toBlock: '0x20000000000000' }, 'fromBlock 0x20000000000001 is after'],
  ])('error: a range that ends before it begins: %j', (options, problem) => {
    expect(find(options)).toEqual({
      code: -32602,
      message: expect.stringContaining(`(options): invalid block range params: ${problem}`),
    });
  });
});

describe('one block', () => {
  test.each(['blockhash', 'blockHash'])('args: %s', (key) => {
    const hash = hashOfBlock(chain.ledger, 3);
    expect(find({ [key]: hash })).toEqual([2, 3]);
    expect(find({ [key]: hash, topics: [B] })).toEqual([3]);
    expect(find({ [key]: hash, address: emitter(0) })).toEqual([]);
    expect(find({ [key]: hash, fromBlock: null, toBlock: null })).toEqual([2, 3]);
  });

  test('args: both spellings', () => {
    const [two, three] = [hashOfBlock(chain.ledger, 2), hashOfBlock(chain.ledger, 3)];
    expect(find({ blockhash: two, blockHash: two })).toEqual([0, 1]);
    expect(find({ blockhash: two, blockHash: null })).toEqual([0, 1]);
    expect(find({ blockhash: two, blockHash: three })).toEqual(
      invalid('blockhash and blockHash differ: give one of them'),
    );
  });

  test('error: an unknown hash', () => {
    for (const blockHash of [word(0), word(3), `0x${'ff'.repeat(32)}`]) {
      expect(find({ blockHash })).toEqual({ code: -32000, message: 'unknown block' });
    }
  });

  test.each(['blockhash', 'blockHash'])('error: %s combined with a block range', (key) => {
    const hash = hashOfBlock(chain.ledger, 3);
    for (const range of [{ fromBlock: 3 }, { toBlock: 'latest' }, { fromBlock: 'earliest', toBlock: 3 }]) {
      expect(find({ [key]: hash, ...range })).toEqual(
        invalid('fromBlock and toBlock are not allowed beside the hash of a block'),
      );
    }
  });

  test('error: no hash', () => {
    expect(find({ blockHash: '0x05' })).toEqual(
      invalid('blockHash: expected 32 bytes of 0x-prefixed hex, got 1 byte'),
    );
  });
});

describe('addresses', () => {
  test('args: one, some, none', () => {
    expect(findAll({ address: emitter(2) })).toEqual([2, 3, 5]);
    expect(findAll({ address: [emitter(2)] })).toEqual([2, 3, 5]);
    expect(findAll({ address: [emitter(3), emitter(0), emitter(3)] })).toEqual([0, 4]);
    expect(findAll({ address: [] })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(findAll({ address: word(5).replace('0'.repeat(24), '') })).toEqual([]);
    expect(findAll({ address: emitter(2).toUpperCase().replace('0X', '0x') })).toEqual([2, 3, 5]);
  });

  test.each<[unknown, string]>([
    ['0x05', 'expected 20 bytes of 0x-prefixed hex, got 1 byte'],
    [5, 'expected 20 bytes of 0x-prefixed hex, got a number'],
    [{}, 'expected 20 bytes of 0x-prefixed hex, got an object'],
    [[null], 'entry 0: expected 20 bytes of 0x-prefixed hex, got null'],
    [[`0x${'00'.repeat(20)}`, 'x'], 'entry 1: expected 20 bytes of 0x-prefixed hex, got a string without 0x'],
    [[[]], 'entry 0: expected 20 bytes of 0x-prefixed hex, got an array'],
  ])('error: %j', (address, problem) => {
    expect(findAll({ address })).toEqual(invalid(`address: ${problem}`));
  });

  test('behavior: as many as there may be', () => {
    expect(findAll({ address: Array.from({ length: 1_000 }, () => emitter(0)) })).toEqual([0]);
  });

  test('error: more than that', () => {
    expect(findAll({ address: Array.from({ length: 1_001 }, () => emitter(0)) })).toEqual(
      invalid('address: expected at most 1000 addresses, got 1001'),
    );
  });
});

describe('topics', () => {
  test.each<[unknown[], number[]]>([
    [[], [0, 1, 2, 3, 4, 5]],
    // geth (eth/filters, `includes`): a log with fewer topics than there are positions does not match.
    [[null], [1, 2, 3, 4, 5]],
    [[[]], [1, 2, 3, 4, 5]],
    [[[null]], [1, 2, 3, 4, 5]],
    [
      [null, null],
      [2, 3, 4, 5],
    ],
    [[null, [], [null]], [4]],
    [[null, null, null, null], [4]],
    [
      [A, null],
      [2, 4, 5],
    ],
    [[A], [1, 2, 4, 5]],
    [[[A]], [1, 2, 4, 5]],
    [
      [null, B],
      [2, 4],
    ],
    [
      [A, B],
      [2, 4],
    ],
    [[B, A], [3]],
    [
      [
        [A, B],
        [A, B],
      ],
      [2, 3, 4, 5],
    ],
    [[[A, null]], [1, 2, 3, 4, 5]],
    [
      [A, [C, null, D]],
      [2, 4, 5],
    ],
    [[A, null, C], [4]],
    [[null, null, null, D], [4]],
    [[A, B, C, D], [4]],
    [[A, A, null, null], []],
    [[D], []],
  ])('args: %j', (topics, expected) => {
    expect(findAll({ topics })).toEqual(expected);
  });

  test('args: with an address', () => {
    expect(findAll({ topics: [A], address: emitter(2) })).toEqual([2, 5]);
    expect(findAll({ topics: [[A, B], null], address: [emitter(1), emitter(2)] })).toEqual([2, 3, 5]);
  });

  test.each<[unknown, string]>([
    [A, 'topics: expected an array, got a string'],
    [[null, null, null, null, null], 'topics: expected at most 4 positions, got 5'],
    [['0x0a'], 'topics.0: expected 32 bytes of 0x-prefixed hex, got 1 byte'],
    [[null, 7], 'topics.1: expected 32 bytes of 0x-prefixed hex, got a number'],
    [[null, [A, '0x']], 'topics.1: entry 1: expected 32 bytes of 0x-prefixed hex, got 0 bytes'],
    [[[[A]]], 'topics.0: entry 0: expected 32 bytes of 0x-prefixed hex, got an array'],
  ])('error: %j', (topics, problem) => {
    expect(findAll({ topics })).toEqual(invalid(problem));
  });

  test('error: more than a position may have', () => {
    expect(findAll({ topics: [Array.from({ length: 1_001 }, () => A)] })).toEqual(
      invalid('topics.0: expected at most 1000 topics for one position, got 1001'),
    );
  });
});

describe('malformed options', () => {
  test.each<[unknown, string]>([
    [5, 'expected an object, got a number'],
    ['latest', 'expected an object, got a string'],
    [[], 'expected an object, got an array'],
    [{ address: emitter(0), topic: [] }, 'unknown key "topic"'],
    [
      { fromBlock: 'newest' },
      'fromBlock: expected a QUANTITY or one of earliest, latest, pending, safe, finalized, got "newest"',
    ],
    [
      { toBlock: -1 },
      'toBlock: expected a QUANTITY (0x-prefixed hex or a whole number), got a negative number',
    ],
    [JSON.parse('{"__proto__": null}'), 'unknown key "__proto__"'],
  ])('error: %j', (options, problem) => {
    expect(find(options)).toEqual(invalid(problem));
  });

  test('error: more than one parameter', () => {
    expect(find({}, {})).toMatchObject({ code: -32602 });
  });
});

describe('the limit', () => {
  const few = (options: object) =>
    clientOf(chain.ledger, { logsMax: 3 }).call('eth_getLogs', { fromBlock: 'earliest', ...options });

  test('default', () => {
    expect(few({ address: emitter(2) })).toHaveLength(3);
    expect(few({ toBlock: 2 })).toHaveLength(2);
  });

  test('error: more logs than that', () => {
    expect(few({})).toEqual({
      code: -32005,
      message:
        'more than 3 logs match, the limit of one response (--max-logs): request a narrower range of blocks',
    });
    expect(few({ topics: [A] })).toMatchObject({ code: -32005 });
  });
});
