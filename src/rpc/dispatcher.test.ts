import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineMethod, METHODS } from './index.ts';
import { answerOf, stubDispatcher, stubLedger } from './rpc.testing.ts';

const dispatcher = stubDispatcher();

const slow = defineMethod({
  name: 'slow',
  summary: 'Answers later.',
  section: 'client',
  parameters: [{ name: 'value', schema: z.number() }],
  result: z.number(),
  handler: async (_context, value) => {
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

  test('behavior: ids are echoed as they came', () => {
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

  test('error: ids of other kinds', () => {
    const refused = invalid(null, 'id must be a string, a safe integer or null');
    for (const id of ['1.5', '9007199254740992', '1e400', '9'.repeat(400), 'true', '{}', '[]', '[1]']) {
      expect(answerOf(dispatcher, `{"jsonrpc":"2.0","id":${id},"method":"net_version"}`)).toEqual(refused);
    }
  });

  test('error: what is no request', () => {
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

  test('error: a failure of the node shows nothing and is reported', () => {
    const cause = new RangeError('/a/secret/path');
    const reported: unknown[] = [];
    const ledger = stubLedger({
      balanceOf: () => {
        throw cause;
      },
    });
    const failing = stubDispatcher({ ledger, onFailure: (method, error) => reported.push(method, error) });
    const params = [`0x${'00'.repeat(20)}`];
    expect(answerOf(failing, { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'internal error' },
    });
    expect(reported).toEqual(['eth_getBalance', cause]);
  });

  test('behavior: every failed call is told of, by its method and the message of the caller', async () => {
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

  test('behavior: a method that takes its time', async () => {
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
      balanceOf: () => {
        asked += 1;
        return 0n;
      },
    });
    const params = [`0x${'00'.repeat(20)}`];
    const counting = stubDispatcher({ ledger });
    expect(answerOf(counting, { jsonrpc: '2.0', method: 'eth_getBalance', params })).toBeUndefined();
    expect(asked).toBe(1);
  });

  test('error: a failed one is not answered either', () => {
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

  test('error: items that are no requests are answered one by one', () => {
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
    expect(answerOf(stubDispatcher({ limits: { batchSliceMsMax: 60_000 } }), batch.slice(1))).toHaveLength(
      1000,
    );
  });

  test('error: an answer larger than the limit', () => {
    const small = stubDispatcher({ limits: { batchResponseCharactersMax: 50 } });
    const refused = {
      code: -32005,
      message: 'the answer to the batch exceeds the limit of 50 characters',
    };
    const notification = { jsonrpc: '2.0', method: 'net_version' };
    expect(answerOf(small, [request(1), request(2), notification, request(3), null])).toEqual([
      response(1),
      response(2),
      { jsonrpc: '2.0', id: 3, error: refused },
      { jsonrpc: '2.0', id: null, error: refused },
    ]);
  });

  test('behavior: methods that take their time keep the order', async () => {
    const later = { jsonrpc: '2.0', id: 5, method: 'slow', params: [9] };
    const answer = await stubDispatcher({}, withSlow).handle(JSON.stringify([later, request(1), later]));
    expect(JSON.parse(answer ?? '')).toEqual([
      { jsonrpc: '2.0', id: 5, result: 9 },
      response(1),
      { jsonrpc: '2.0', id: 5, result: 9 },
    ]);
  });

  test('behavior: a long batch gives others their turn', async () => {
    const impatient = stubDispatcher({ limits: { batchSliceMsMax: 0 } });
    const answer = impatient.handle(JSON.stringify([request(1), request(2), request(3)]));
    expect(answer).toBeInstanceOf(Promise);
    expect(JSON.parse((await answer) ?? '')).toEqual([response(1), response(2), response(3)]);
  });
});
