import { describe, expect, test } from 'vitest';
import type { BlockSummary } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { ADDRESS, answerOf, call, stubDispatcher, stubLedger } from '../rpc.testing.ts';

const storageAt = (_address: Uint8Array, slot: Uint8Array) => slot;
const dispatcher = stubDispatcher({
  ledger: stubLedger({
    accounts: { storageAt },
    blocks: { blockByNumber: () => undefined, head: () => ({ number: 7 }) as BlockSummary },
  }),
});

const HASH = `0x${'ab'.repeat(32)}`;

function invalid(message: string) {
  return { code: -32602, message };
}

describe('parameters', () => {
  test('default', () => {
    expect(call(dispatcher, 'eth_getBalance', ADDRESS, 'latest')).toBe('0x5');
  });

  test('behavior: a method without parameters ignores extra parameters', () => {
    expect(call(dispatcher, 'net_version', 1, {}, 'x')).toBe('255');
    expect(answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method: 'net_version' })).toMatchObject({
      result: '255',
    });
    expect(
      answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method: 'net_version', params: null }),
    ).toMatchObject({
      result: '255',
    });
  });

  test('error: by name', () => {
    for (const method of ['eth_getBalance', 'net_version']) {
      expect(
        answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method, params: { address: ADDRESS } }),
      ).toMatchObject({
        error: invalid('invalid parameters: expected an array, parameters by name are not supported'),
      });
    }
  });

  test('error: missing parameters', () => {
    expect(call(dispatcher, 'eth_getBalance')).toEqual(invalid('missing parameter 1 (address)'));
    expect(call(dispatcher, 'eth_getStorageAt', ADDRESS)).toEqual(invalid('missing parameter 2 (position)'));
    expect(call(dispatcher, 'eth_getBlockByNumber', 'latest')).toEqual(
      invalid('missing parameter 2 (fullTransactions)'),
    );
  });

  test('error: too many', () => {
    expect(call(dispatcher, 'eth_getBalance', ADDRESS, 'latest', 1)).toEqual(
      invalid('too many parameters: eth_getBalance takes at most 2, got 3'),
    );
  });

  test('behavior: the default block parameter has no effect', () => {
    for (const block of ['latest', 'nonsense', '', '0x', '0xffffffffffff', 5, -1, 1.5, null]) {
      expect(call(dispatcher, 'eth_getBalance', ADDRESS, block)).toBe('0x5');
    }
    expect(call(dispatcher, 'eth_getBalance', ADDRESS)).toBe('0x5');
  });

  test('behavior: it has none whatever it is', () => {
    const given = [
      ...[true, false, [], {}, [[1]], { blockNumber: '0x1' }, { blockHash: HASH, requireCanonical: true }],
      ...[{ blockNumber: '0x1', blockHash: HASH }, { blockHash: '0x01' }, { number: 1 }],
    ];
    for (const block of given) expect(call(dispatcher, 'eth_getBalance', ADDRESS, block)).toBe('0x5');
  });
});

describe('an address', () => {
  test('behavior: letters of either case', () => {
    expect(call(dispatcher, 'eth_getBalance', `0x${'aB'.repeat(20)}`)).toBe('0x5');
  });

  test.each([
    ['0x010203', '3 bytes'],
    ['0x01', '1 byte'],
    ['0x', '0 bytes'],
    [`0x${'00'.repeat(21)}`, '21 bytes'],
    [`0x${'00'.repeat(1_000_000)}`, '1000000 bytes'],
    [`0x${'0'.repeat(39)}`, '39 digits, which is odd'],
    [`0x${'zz'.repeat(20)}`, 'a string that is not hex'],
    ['00'.repeat(19), 'a string without 0x'],
    [`0X${'00'.repeat(20)}`, 'a string without 0x'],
    ['', 'a string without 0x'],
    [5, 'a number'],
    [null, 'null'],
    [{}, 'an object'],
    [[], 'an array'],
    [false, 'false'],
  ])('error: %j', (address, got) => {
    expect(call(dispatcher, 'eth_getBalance', address)).toEqual(
      invalid(`invalid parameter 1 (address): expected 20 bytes of 0x-prefixed hex, got ${got}`),
    );
  });

  test('behavior: without 0x, as clients of this ledger send it', () => {
    expect(call(dispatcher, 'eth_getBalance', 'aB'.repeat(20))).toBe('0x5');
  });
});

describe('data', () => {
  test('behavior: no bytes', () => {
    expect(call(dispatcher, 'web3_sha3', '0x')).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });

  test('behavior: without 0x, but for what could be a text', () => {
    expect(call(dispatcher, 'eth_sendRawTransaction', '00')).toEqual(
      call(dispatcher, 'eth_sendRawTransaction', '0x00'),
    );
    expect(call(dispatcher, 'web3_sha3', 'abcd')).toEqual(
      invalid('invalid parameter 1 (data): expected 0x-prefixed hex, got a string without 0x'),
    );
  });

  test('error: an odd number of digits', () => {
    expect(call(dispatcher, 'web3_sha3', '0xabc')).toEqual(
      invalid('invalid parameter 1 (data): expected 0x-prefixed hex, got 3 digits, which is odd'),
    );
  });
});

describe('a quantity', () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

  test.each([
    ['0x0', 0n],
    ['0x00', 0n],
    ['0x0005', 5n],
    ['0xFf', 255n],
    [`0x${'0'.repeat(63)}7`, 7n],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
    [0, 0n],
    [5, 5n],
    [Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
  ])('args: %j', (position, value) => {
    expect(call(dispatcher, 'eth_getStorageAt', ADDRESS, position)).toBe(word(value));
  });

  test.each([
    ['"5"', 'a string without 0x'],
    ['"-0x5"', 'a negative number'],
    ['"0x-5"', 'a string that is not hex'],
    ['"0x"', 'no digits'],
    ['""', 'a string without 0x'],
    ['"0x5 "', 'a string that is not hex'],
    [`"0x${'0'.repeat(65)}"`, 'more than 66 characters'],
    ['-1', 'a negative number'],
    ['1.5', 'a fraction'],
    ['9007199254740992', 'a number above 2^53 - 1, which only hex can hold'],
    ['1e308', 'a number above 2^53 - 1, which only hex can hold'],
    ['9'.repeat(400), 'a number that is too large'],
    ['null', 'null'],
    ['true', 'true'],
    ['[]', 'an array'],
    ['{}', 'an object'],
  ])('error: %s', (position, got) => {
    const params = `["${ADDRESS}",${position}]`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":${params}}`;
    const expected = 'expected a QUANTITY (0x-prefixed hex or a whole number)';
    expect(answerOf(dispatcher, body)).toMatchObject({
      error: invalid(`invalid parameter 2 (position): ${expected}, got ${got}`),
    });
  });
});

describe('a block selector', () => {
  test('behavior: numbers that no block has', () => {
    for (const number of ['0xffffffff', '0x100000000', `0x${'f'.repeat(64)}`, 2 ** 52]) {
      expect(call(dispatcher, 'eth_getBlockByNumber', number, true)).toBeNull();
    }
  });

  test('error: other texts', () => {
    for (const text of ['newest', 'LATEST', '', '5']) {
      expect(call(dispatcher, 'eth_getBlockByNumber', text, true)).toEqual(
        invalid(
          'invalid parameter 1 (block): expected a QUANTITY or one of earliest, latest, pending, safe, finalized, ' +
            `got ${JSON.stringify(text)}`,
        ),
      );
    }
    expect(call(dispatcher, 'eth_getBlockByNumber', '0xg', true)).toEqual(
      invalid(
        'invalid parameter 1 (block): expected a QUANTITY (0x-prefixed hex or a whole number), ' +
          'got a string that is not hex',
      ),
    );
  });

  test('error: a flag that is no boolean', () => {
    expect(call(dispatcher, 'eth_getBlockByNumber', 'latest', 'true')).toEqual(
      invalid('invalid parameter 2 (fullTransactions): expected true or false, got a string'),
    );
  });
});

describe('a call object', () => {
  const echo = stubDispatcher({
    ledger: stubLedger({
      calls: {
        call: (message) => {
          const { from, to, value, data, gas } = message;
          const hex = (bytes: Uint8Array | undefined) =>
            bytes === undefined ? undefined : bytesToHex(bytes);
          const text = JSON.stringify([hex(from), hex(to), value?.toString(), hex(data), gas?.toString()]);
          return { status: 'success', output: Buffer.from(text), gasUsed: 0n, halt: undefined };
        },
      },
    }),
  });
  const received = (request: unknown): unknown => {
    const result = call(echo, 'eth_call', request);
    return typeof result === 'string' ? JSON.parse(Buffer.from(result.slice(2), 'hex').toString()) : result;
  };

  test('default', () => {
    expect(received({ from: ADDRESS, to: ADDRESS, value: '0x07', data: '0x0102', gas: 100 })).toEqual([
      ADDRESS.slice(2),
      ADDRESS.slice(2),
      '7',
      '0102',
      '100',
    ]);
  });

  test('behavior: all fields are optional, null stands for absent, and gas has a limit', () => {
    expect(received({})).toEqual([null, null, null, null, '50000000']);
    expect(received({ from: null, to: null, value: null, data: null, gas: null })).toEqual(received({}));
    expect(received({ gas: '0xffffffffffffffff' })).toEqual(received({}));
  });

  test('behavior: fields that clients add have no effect', () => {
    const added = {
      ...{ gasPrice: '0x1', maxFeePerGas: 'x', maxPriorityFeePerGas: null, nonce: -1, type: '0x2' },
      accessList: [],
      chainId: '0xff',
    };
    expect(received(added)).toEqual(received({}));
  });

  test('behavior: input is accepted as an alias of data, which must be empty or equal if given, too', () => {
    expect(received({ input: '0xab' })).toEqual(received({ data: '0xab' }));
    expect(received({ input: '0xab', data: '0xAB' })).toEqual(received({ data: '0xab' }));
    expect(received({ input: '0xab', data: null })).toEqual(received({ data: '0xab' }));
    expect(received({ input: '0xab', data: '0x' })).toEqual(received({ data: '0xab' }));
    expect(received({ input: '0xab', data: '0xac' })).toEqual(
      invalid('invalid parameter 1 (transaction): data and input differ: give one of them'),
    );
  });

  test.each([
    [{ form: ADDRESS }, 'unknown key "form"'],
    [{ [`__${'x'.repeat(100)}`]: 1 }, `unknown key "__${'x'.repeat(62)}…"`],
    [{ to: '0x01' }, 'to: expected 20 bytes of 0x-prefixed hex, got 1 byte'],
    [{ value: -1 }, 'value: expected a QUANTITY (0x-prefixed hex or a whole number), got a negative number'],
    [{ chainId: 1 }, 'chainId: expected 255, the id of this chain, got 1'],
    ['0x', 'expected an object, got a string'],
    [[], 'expected an object, got an array'],
    [null, 'expected an object, got null'],
  ])('error: %j', (request, message) => {
    expect(received(request)).toEqual(invalid(`invalid parameter 1 (transaction): ${message}`));
  });

  test('error: keys of the prototype', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"${key}":{"to":"${ADDRESS}"}}]}`;
      expect(answerOf(echo, body)).toMatchObject({
        error: invalid(`invalid parameter 1 (transaction): unknown key "${key}"`),
      });
    }
  });
});
