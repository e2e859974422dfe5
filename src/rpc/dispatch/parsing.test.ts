import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RPC_LIMITS } from '../context/rpc-limits.ts';
import { checkJsonBounds } from '../json/json-scan.ts';
import { answerOf, stubDispatcher } from '../rpc.testing.ts';

const dispatcher = stubDispatcher();

function failure(body: string | Uint8Array): unknown {
  const answer = dispatcher.handle(body);
  return typeof answer === 'string' ? JSON.parse(answer) : answer;
}

function error(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

describe('parsing', () => {
  test('error: a body that is not JSON', () => {
    for (const body of ['{', '{"jsonrpc":"2.0",}', 'hello', "{'a':1}", '[1,2', '\u0000', 'NaN', '\ufeff{}']) {
      expect(failure(body)).toEqual(error(-32700, 'parse error: the body is not JSON'));
    }
  });

  test('error: an empty body', () => {
    for (const body of ['', ' ', '\n\t ', new Uint8Array()]) {
      expect(failure(body)).toEqual(error(-32700, 'parse error: the body is empty'));
    }
  });

  test('error: bytes that are not UTF-8', () => {
    expect(failure(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(
      error(-32700, 'parse error: the body is not UTF-8'),
    );
  });

  test('error: nesting', () => {
    const refused = error(-32005, 'the request is nested deeper than the limit of 64');
    expect(failure('['.repeat(100_000) + ']'.repeat(100_000))).toEqual(refused);
    expect(failure('['.repeat(100_000))).toEqual(refused);
    expect(failure('{"a":'.repeat(100_000))).toEqual(refused);
    expect(
      failure(`{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(64)}${']'.repeat(64)}}`),
    ).toEqual(refused);
  });

  test('behavior: nesting up to the limit passes', () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"net_version","params":${'['.repeat(63)}${']'.repeat(63)}}`;
    expect(failure(body)).toEqual({ jsonrpc: '2.0', id: 1, result: '255' });
  });

  test('behavior: brackets in strings do not count', () => {
    const id = `${'['.repeat(1000)}"\\${'{'.repeat(1000)}`;
    expect(answerOf(dispatcher, { jsonrpc: '2.0', id, method: 'net_version' })).toEqual({
      jsonrpc: '2.0',
      id,
      result: '255',
    });
  });

  test('behavior: of a key given twice the last one counts', () => {
    expect(failure('{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"net_version"}')).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: '255',
    });
  });

  test('error: more JSON values than a body may contain', () => {
    const padded = (values: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"net_version","padding":[${Array(values).fill('{}')}]}`;
    // Five for the object and its values; an empty object counts as two.
    const most = DEFAULT_RPC_LIMITS.jsonValuesMax / 2 - 3;
    expect(failure(padded(most))).toMatchObject({ result: '255' });
    const refused = error(-32005, 'the request holds more JSON values than the limit of 200000');
    expect(failure(padded(most + 1))).toEqual(refused);
    expect(failure(`[${padded(most + 1)}]`)).toEqual(refused);
    const text = `{"jsonrpc":"2.0","id":1,"method":"net_version","padding":"${'{},['.repeat(100_000)}"}`;
    expect(failure(text)).toMatchObject({ result: '255' });
  });

  test('behavior: nesting is counted alike for any number of brackets', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      ',',
      ':',
      '"a":',
      '[[[[',
      ']]]]',
      '"[{"',
      'ä',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(20), (pieces, limit) => {
        const body = pieces.join('');
        const limits = { jsonDepthMax: limit };
        const answer = JSON.parse(String(stubDispatcher({ limits }).handle(Buffer.from(body))));
        let isTooDeep = false;
        try {
          checkJsonBounds(Buffer.from(body), { ...DEFAULT_RPC_LIMITS, ...limits });
        } catch {
          isTooDeep = true;
        }
        const message = answer.error?.message ?? '';
        expect(message.startsWith('the request is nested deeper')).toBe(isTooDeep);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    '1',
    '-0',
    '1.0',
    '1e2',
    '9007199254740991',
    '-5',
    '"a\\u0041\\n"',
    '"😀\\ud800"',
    'null',
    '""',
  ])('args: an id of %s is echoed as it came', (id) => {
    const answer = dispatcher.handle(`{"jsonrpc":"2.0","id":${id},"method":"net_version"}`);
    expect(answer).toBe(`{"jsonrpc":"2.0","id":${id},"result":"255"}`);
  });

  test('behavior: a body as text and as bytes has the same response', () => {
    const body = '{"jsonrpc":"2.0","id":"ä€😀","method":"net_version"}';
    expect(dispatcher.handle(Buffer.from(body))).toBe(dispatcher.handle(body));
  });

  test('behavior: any text has a response, and never an internal error', () => {
    const almost = fc
      .json()
      .map((text) => `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":${text}}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), almost), (body) => {
        const answer = dispatcher.handle(body);
        expect(answer === undefined || typeof answer === 'string').toBe(true);
        expect(answer).not.toContain('-32603');
      }),
    );
  });

  test('behavior: any bytes have a response', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        expect(dispatcher.handle(body)).toContain('"error"');
      }),
    );
  });
});
