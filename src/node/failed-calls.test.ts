import { describe, expect, test } from 'vitest';
import { watchFailedCalls } from './failed-calls.ts';

type Answer = string | undefined | Promise<string | undefined>;

const failure = (id: unknown, message: string) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } });
const success = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result });
const call = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method, params: [] });

/** What a watched dispatcher answers and reports for a body that it answers in this way. */
async function watched(body: string | Uint8Array, answer: Answer): Promise<[string | undefined, string[]]> {
  const reported: string[] = [];
  const dispatcher = watchFailedCalls({ handle: () => answer }, (method, message) => {
    reported.push(`${method}: ${message}`);
  });
  return [await dispatcher.handle(body), reported];
}

describe('watchFailedCalls', () => {
  test('default: the method and the message of a failed call', async () => {
    const answer = JSON.stringify(failure(1, 'locked'));
    expect(await watched(JSON.stringify(call(1, 'eth_sign')), answer)).toEqual([
      answer,
      ['eth_sign: locked'],
    ]);
  });

  test('behavior: bytes and a promise are as good as a text', async () => {
    const body = Buffer.from(JSON.stringify(call('a', 'evm_mine')));
    const answer = JSON.stringify(failure('a', 'no'));
    expect(await watched(body, Promise.resolve(answer))).toEqual([answer, ['evm_mine: no']]);
  });

  test('behavior: a synchronous answer stays synchronous', () => {
    const dispatcher = watchFailedCalls({ handle: () => 'x' }, () => undefined);
    expect(dispatcher.handle('')).toBe('x');
  });

  test('behavior: the failed calls of a batch', async () => {
    const body = JSON.stringify([call(1, 'one'), call(2, 'two'), call(3, 'three')]);
    const answer = JSON.stringify([success(1, true), failure(2, 'b'), failure(3, 'c')]);
    expect(await watched(body, answer)).toEqual([answer, ['two: b', 'three: c']]);
  });

  test('behavior: a body that is no JSON, and a response without an id', async () => {
    const answer = JSON.stringify(failure(null, 'parse error'));
    expect(await watched('{', answer)).toEqual([answer, ['request: parse error']]);
  });

  test.each([
    ['a success', JSON.stringify(success(1, 'x'))],
    ['a success that looks like a failure', JSON.stringify(success(1, { error: { code: 1, message: 'x' } }))],
    ['no response', undefined],
  ])('behavior: %s reports nothing', async (_title, answer) => {
    expect(await watched(JSON.stringify(call(1, 'eth_call')), answer)).toEqual([answer, []]);
  });
});
