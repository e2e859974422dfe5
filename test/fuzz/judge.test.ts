import { expect, test } from 'vitest';
import { DEFAULT_SERVER_LIMITS } from '../../src/server/server-limits.ts';
import { judge } from './judge.ts';
import { Random } from './random.ts';

const REQUEST = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}';
const NOTIFICATION = '{"jsonrpc":"2.0","method":"eth_chainId"}';

function problemsOf(body: string | Uint8Array, answer: string | undefined): readonly string[] {
  return judge(typeof body === 'string' ? Buffer.from(body) : body, answer, true).problems;
}

/** An answer to the request that is an error. */
function error(code: number, message = 'refused', more = ''): string {
  return `{"jsonrpc":"2.0","id":7,"error":{"code":${code},"message":${JSON.stringify(message)}${more}}}`;
}

test('default: answers that are as they must be', () => {
  const whole = (code: number) => `{"jsonrpc":"2.0","id":null,"error":{"code":${code},"message":"no"}}`;
  const fine: readonly (readonly [body: string | Uint8Array, answer: string | undefined])[] = [
    [REQUEST, '{"jsonrpc":"2.0","id":7,"result":255}'],
    [REQUEST, error(-32602)],
    [REQUEST, error(3, 'execution reverted', ',"data":"0x"')],
    [REQUEST.replace('chainId', 'nothing'), error(-32601)],
    [REQUEST.replace('2.0', '1.0'), error(-32600)],
    [NOTIFICATION, undefined],
    [`[${NOTIFICATION}]`, undefined],
    [`[${NOTIFICATION},${REQUEST}]`, '[{"jsonrpc":"2.0","id":7,"result":255}]'],
    ['[]', whole(-32600)],
    ['{', whole(-32700)],
    [Uint8Array.of(0xff), whole(-32700)],
    ['['.repeat(65) + ']'.repeat(65), whole(-32005)],
    [' '.repeat(DEFAULT_SERVER_LIMITS.bodyBytesMax + 1), whole(-32005)],
  ];
  for (const [body, answer] of fine) expect([body, problemsOf(body, answer)]).toEqual([body, []]);
});

test('error: answers that must not be', () => {
  const wrong: readonly (readonly [body: string, answer: string | undefined])[] = [
    [REQUEST, undefined],
    [REQUEST, ''],
    [REQUEST, 'null'],
    [REQUEST, '{"jsonrpc":"2.0","id":8,"result":255}'],
    [REQUEST, '{"jsonrpc":"2.0","id":"7","result":255}'],
    [REQUEST, '{"jsonrpc":"2.0","id":7}'],
    [REQUEST, '{"jsonrpc":"2.0","id":7,"result":255,"more":1}'],
    [REQUEST, '{"jsonrpc":"1.0","id":7,"result":255}'],
    [REQUEST, '{"jsonrpc":"2.0","id":7,"result":"0xff"}'],
    [REQUEST, '[{"jsonrpc":"2.0","id":7,"result":255}]'],
    [REQUEST, error(-32603)],
    [REQUEST, error(-32700)],
    [REQUEST, error(-32602, '')],
    [REQUEST, error(-32602, 'x'.repeat(1_001))],
    [REQUEST, error(-32000, 'TypeError: x is undefined')],
    [REQUEST, error(-32000, 'refused', ',"data":"0x"')],
    [REQUEST, error(3)],
    [REQUEST.replace('chainId', 'nothing'), '{"jsonrpc":"2.0","id":7,"result":null}'],
    [NOTIFICATION, '{"jsonrpc":"2.0","id":null,"result":255}'],
    [`[${REQUEST},${REQUEST}]`, '[{"jsonrpc":"2.0","id":7,"result":255}]'],
    ['[]', '[]'],
    ['{', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'],
  ];
  for (const [body, answer] of wrong) {
    expect([body, answer, problemsOf(body, answer)]).not.toEqual([body, answer, []]);
  }
});

test('behavior: the same seed makes the same choices', () => {
  const choices = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 100 }, () => [random.next(), random.below(7), random.pick(['a', 'b', 'c'])]);
  };
  expect(choices(5)).toEqual(choices(5));
  expect(choices(5)).not.toEqual(choices(6));
  expect(new Set(choices(5).map(([, small]) => small)).size).toBe(7);
});
