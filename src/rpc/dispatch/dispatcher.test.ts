import { describe, expect, test } from 'vitest';
import { shape } from '../../formatters/index.ts';
import { HistoryDisabledError } from '../../ledger/index.ts';
import { type Caller, LimitError, METHODS } from '../index.ts';
import { defineMethod } from '../method.ts';
import { numberSchema } from '../parameters/plain.ts';
import { answerOf, stubDispatcher, stubLedger } from '../rpc.testing.ts';

const dispatcher = stubDispatcher();

const slow = defineMethod({
  name: 'slow',
  summary: 'Returns a value later.',
  section: 'client',
  parameters: [{ name: 'value', schema: numberSchema }],
  scheduling: 'turn',
  beforeFork: 'local',
  result: shape.number,
  handler: async (_context, [value]) => {
    if (value < 0) throw new RangeError('a secret');
    return value;
  },
});
const withSlow = new Map([...METHODS, ['slow', slow]]);

function invalid(id: unknown, detail: string) {
  return { jsonrpc: '2.0', id, error: { code: -32600, message: `invalid request: ${detail}` } };
}

describe('a single request', () => {
  test('default', () => {
    expect(dispatcher.handle('{"jsonrpc":"2.0","id":7,"method":"net_version","params":[]}')).toBe(
      '{"jsonrpc":"2.0","id":7,"result":"255"}',
    );
  });

  test('behavior: ids are echoed unchanged', () => {
    for (const id of [
      0,
      -1,
      1,
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      '',
      'a',
      '1',
      '\ud800',
      null,
    ]) {
      expect(answerOf(dispatcher, { jsonrpc: '2.0', id, method: 'net_version' })).toMatchObject({ id });
    }
  });

  test.each(['true', '{}', '[1]'])('error: ids of other kinds: %s', (id) => {
    const message = expect.stringContaining('id must be a string, a number or null, got ');
    const request = `{"jsonrpc":"2.0","id":${id},"method":"net_version"}`;
    expect(answerOf(dispatcher, request)).toMatchObject({ id: null, error: { code: -32600, message } });
  });

  test('error: not a request', () => {
    expect(answerOf(dispatcher, 'null')).toEqual(invalid(null, 'expected an object, got null'));
    expect(answerOf(dispatcher, '1')).toEqual(invalid(null, 'expected an object, got a number'));
    expect(answerOf(dispatcher, '"x"')).toEqual(invalid(null, 'expected an object, got a string'));
    expect(answerOf(dispatcher, '{}')).toEqual(invalid(null, 'jsonrpc must be the string "2.0"'));
    expect(answerOf(dispatcher, { jsonrpc: '1.0', id: 3, method: 'net_version' })).toEqual(
      invalid(3, 'jsonrpc must be the string "2.0"'),
    );
    expect(answerOf(dispatcher, { jsonrpc: '2.0', method: null })).toEqual(
      invalid(null, 'method must be a string, got null'),
    );
    expect(answerOf(dispatcher, { jsonrpc: '2.0', id: 3, method: 'net_version', params: 'x' })).toEqual(
      invalid(3, 'params must be an array, got a string'),
    );
  });

  test('error: names of the prototype are no methods', () => {
    for (const method of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
      expect(answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method })).toMatchObject({
        error: { code: -32601, message: `the method ${method} does not exist/is not available` },
      });
    }
  });

  test('error: the name of an unknown method is shortened', () => {
    expect(answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method: 'x'.repeat(1000) })).toMatchObject({
      error: { message: `the method ${'x'.repeat(64)}… does not exist/is not available` },
    });
  });

  test('error: an internal failure reveals no details and is reported', () => {
    const cause = new RangeError('/a/secret/path');
    const reported: unknown[] = [];
    const balanceOf = () => {
      throw cause;
    };
    const ledger = stubLedger({ accounts: { balanceOf } });
    const failing = stubDispatcher({ ledger, onFailure: (method, error) => reported.push(method, error) });
    const params = [`0x${'00'.repeat(20)}`];
    expect(answerOf(failing, { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'internal error' },
    });
    expect(reported).toEqual(['eth_getBalance', cause]);
  });

  test('behavior: every failed call is reported with its method and its message', async () => {
    const failed: string[] = [];
    const watched = stubDispatcher(
      { onFailedCall: (method, message) => failed.push(`${method}: ${message}`) },
      withSlow,
    );
    await watched.handle('{"jsonrpc":"2.0","id":1,"method":"slow","params":[4]}');
    expect(failed).toEqual([]);
    await watched.handle('{"jsonrpc":"2.0","id":1,"method":"slow","params":[-4]}');
    await watched.handle(
      '[{"jsonrpc":"2.0","method":"nothing"},{"jsonrpc":"2.0","id":"a","method":"slow"},7]',
    );
    await watched.handle('{');
    expect(failed).toEqual([
      'slow: internal error',
      'nothing: the method nothing does not exist/is not available',
      'slow: missing parameter 1 (value)',
      expect.stringMatching(/^request: invalid request: /),
      expect.stringMatching(/^request: parse error/),
    ]);
  });

  test('behavior: a slow method', async () => {
    const answer = stubDispatcher({}, withSlow).handle(
      '{"jsonrpc":"2.0","id":1,"method":"slow","params":[4]}',
    );
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"result":4}');
  });

  test('error: a method that fails later', async () => {
    const answer = stubDispatcher({}, withSlow).handle(
      '{"jsonrpc":"2.0","id":1,"method":"slow","params":[-4]}',
    );
    expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}');
  });
});

describe('a notification', () => {
  test('default', () => {
    let asked = 0;
    const ledger = stubLedger({
      accounts: {
        balanceOf: () => {
          asked += 1;
          return 0n;
        },
      },
    });
    const params = [`0x${'00'.repeat(20)}`];
    const counting = stubDispatcher({ ledger });
    expect(answerOf(counting, { jsonrpc: '2.0', method: 'eth_getBalance', params })).toBeUndefined();
    expect(asked).toBe(1);
  });

  test('error: a failed notification has no response', () => {
    expect(answerOf(dispatcher, { jsonrpc: '2.0', method: 'unknown' })).toBeUndefined();
    expect(
      answerOf(dispatcher, { jsonrpc: '2.0', method: 'eth_getBalance', params: ['0x'] }),
    ).toBeUndefined();
  });
});

describe('a batch', () => {
  const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'net_version' });
  const response = (id: number) => ({ jsonrpc: '2.0', id, result: '255' });

  test('default', () => {
    expect(answerOf(dispatcher, [request(2), request(1), request(1)])).toEqual([
      response(2),
      response(1),
      response(1),
    ]);
  });

  test('behavior: one request', () => {
    expect(answerOf(dispatcher, [request(1)])).toEqual([response(1)]);
  });

  test('behavior: notifications are left out', () => {
    const notification = { jsonrpc: '2.0', method: 'net_version' };
    expect(answerOf(dispatcher, [notification, request(1), notification])).toEqual([response(1)]);
    expect(answerOf(dispatcher, [notification, notification])).toBeUndefined();
  });

  test('error: an empty batch', () => {
    expect(answerOf(dispatcher, [])).toEqual(invalid(null, 'the batch is empty'));
  });

  test('error: each malformed item has a response', () => {
    expect(answerOf(dispatcher, [null, 1, request(1), []])).toEqual([
      invalid(null, 'expected an object, got null'),
      invalid(null, 'expected an object, got a number'),
      response(1),
      invalid(null, 'expected an object, got an array'),
    ]);
  });

  test('error: more requests than the limit', () => {
    const batch = Array.from({ length: 1001 }, (_, id) => request(id));
    expect(answerOf(dispatcher, batch)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'the batch has 1001 requests, more than the limit of 1000' },
    });
    expect(answerOf(dispatcher, batch.slice(1))).toHaveLength(1000);
  });

  test('error: a response larger than the limit', () => {
    const small = stubDispatcher({ limits: { batchResponseCharactersMax: 50 } });
    const refused = {
      code: -32005,
      message: 'the response to the batch exceeds the limit of 50 characters',
    };
    const notification = { jsonrpc: '2.0', method: 'net_version' };
    expect(answerOf(small, [request(1), request(2), notification, request(3), null])).toEqual([
      response(1),
      response(2),
      { jsonrpc: '2.0', id: 3, error: refused },
      { jsonrpc: '2.0', id: null, error: refused },
    ]);
  });

  test('behavior: slow methods keep the order', async () => {
    const later = { jsonrpc: '2.0', id: 5, method: 'slow', params: [9] };
    const answer = await stubDispatcher({}, withSlow).handle(JSON.stringify([later, request(1), later]));
    expect(JSON.parse(String(answer))).toEqual([
      { jsonrpc: '2.0', id: 5, result: 9 },
      response(1),
      { jsonrpc: '2.0', id: 5, result: 9 },
    ]);
  });

  test('behavior: a long batch yields to other calls', async () => {
    const impatient = stubDispatcher({ limits: { timeSliceMsMax: 0 } });
    const answer = impatient.handle(JSON.stringify([request(1), request(2), request(3)]));
    expect(answer).toBeInstanceOf(Promise);
    expect(JSON.parse(String(await answer))).toEqual([response(1), response(2), response(3)]);
  });

  test('behavior: a large batch has the same responses as a small one', async () => {
    const large = (text: string) => JSON.parse(String(dispatcher.handle(Buffer.from(text))));
    const padding = ' '.repeat(20_000);
    const items = [request(1), 'a', [request(2)], request(3)].map((item) => JSON.stringify(item));
    const body = `[${items.join(`,${padding}`)}]`;
    expect(large(body)).toEqual([
      response(1),
      invalid(null, 'expected an object, got a string'),
      invalid(null, 'expected an object, got an array'),
      response(3),
    ]);
    expect(large(`${body.slice(0, -1)},`)).toMatchObject({ error: { code: -32700 } });
    expect(large(`[${padding}]`)).toEqual(invalid(null, 'the batch is empty'));
  });

  test('error: a batch that computes for too long', async () => {
    for (const limits of [{ batchTimeMsMax: 0 }, { batchTimeMsMax: 0, timeSliceMsMax: 0 }]) {
      const hasty = stubDispatcher({ limits });
      const message = 'the batch exceeds the limit of 0 seconds of computing: send smaller ones';
      const refused = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32005, message } });
      const answer = await hasty.handle(JSON.stringify([request(1), request(2), null]));
      expect(JSON.parse(String(answer))).toEqual([response(1), refused(2), refused(null)]);
    }
  });

  test('behavior: it ends when its caller disconnects', async () => {
    let asked = 0;
    const ledger = stubLedger({
      accounts: {
        balanceOf: () => {
          asked += 1;
          return 0n;
        },
      },
    });
    const impatient = stubDispatcher({ ledger, limits: { timeSliceMsMax: 0 } });
    const balance = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`] };
    const answer = impatient.handle(JSON.stringify([balance, balance, balance]), {
      client: 'a',
      isGone: () => asked === 2,
    });
    expect(await answer).toBeUndefined();
    expect(asked).toBe(2);
  });
});

describe('time slices', () => {
  const heavy = '{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}';
  const quick = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';
  const impatient = stubDispatcher({ limits: { timeSliceMsMax: 0 } });

  test('default', async () => {
    const answers: string[] = [];
    const waiting = Promise.resolve(impatient.handle(heavy)).then(() => answers.push('heavy'));
    expect(impatient.handle(quick)).toBe('{"jsonrpc":"2.0","id":1,"result":"255"}');
    answers.push('quick');
    await waiting;
    expect(answers).toEqual(['quick', 'heavy']);
  });

  test('behavior: a long body is parsed in a time slice', async () => {
    expect(impatient.handle(quick + ' '.repeat(100_000))).toBeInstanceOf(Promise);
  });

  test('behavior: no method runs for a disconnected caller', async () => {
    expect(await impatient.handle(heavy, { client: 'a', isGone: () => true })).toBeUndefined();
  });
});

describe('the calls of a caller', () => {
  /** Returns a caller that may make a number of calls. */
  function callerWith(calls: number): Caller {
    let left = calls;
    const admit = () => {
      left -= 1;
      return left < 0 ? new LimitError('the limit of calls') : undefined;
    };
    return { client: 'a', admit };
  }

  test('default', async () => {
    const caller = callerWith(5);
    const balance = { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice' };
    const codes: unknown[] = [];
    for (const body of ['{', '7', balance, [balance, null, balance], balance, '{', '[]']) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = JSON.parse(String(await dispatcher.handle(text, caller)));
      codes.push([answer].flat().map(({ error }) => error?.code));
    }
    const [parse, invalidRequest, limit] = [-32700, -32600, -32005];
    expect(codes).toEqual([
      [parse],
      [invalidRequest],
      [undefined],
      [undefined, invalidRequest, limit],
      [limit],
      [limit],
      [limit],
    ]);
  });
});

describe('onCall', () => {
  test('default', async () => {
    const calls: string[] = [];
    const ledger = stubLedger({
      calls: { call: () => ({ status: 'revert', output: new Uint8Array(0), gasUsed: 0n }) },
      accounts: {
        operationCount: () => {
          throw new HistoryDisabledError();
        },
      },
    });
    const onCall = (method: string, outcome: string, milliseconds: number) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      calls.push(`${method} ${outcome}`);
    };
    const watched = stubDispatcher({ ledger, onCall, onFailure: () => undefined }, withSlow);
    const address = `0x${'00'.repeat(20)}`;
    const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
    await watched.handle(JSON.stringify(call('net_version')));
    await watched.handle('{"jsonrpc":"2.0","method":"net_version"}');
    await watched.handle(
      JSON.stringify([
        call('eth_call', { to: address }),
        call('eth_getTransactionCount', address),
        call('eth_getBalance', 1),
        call('eth_getWork'),
        call('x'.repeat(1_000)),
        call('slow', 1),
        call('slow', -1),
        null,
      ]),
    );
    await watched.handle('{');
    await watched.handle('['.repeat(100));
    expect(calls).toEqual([
      'net_version result',
      'net_version result',
      'eth_call reverted',
      'eth_getTransactionCount refused',
      'eth_getBalance invalid',
      'other unknown',
      'other unknown',
      'slow result',
      'slow failed',
      'other invalid',
      'other invalid',
      'other limited',
    ]);
  });
});
