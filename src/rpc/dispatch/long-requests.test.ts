import { describe, expect, test } from 'vitest';
import { LimitError, LongBody } from '../index.ts';
import { stubDispatcher, stubLedger } from '../rpc.testing.ts';

const BALANCE = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`] };
const QUICK = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';

/** A body in pieces of a hundred bytes. */
function longBody(value: unknown): LongBody {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const pieces = [];
  for (let start = 0; start < bytes.length; start += 100) pieces.push(bytes.subarray(start, start + 100));
  return new LongBody(pieces);
}

describe('a long body', () => {
  const impatient = stubDispatcher({ limits: { timeSliceMsMax: 0 } });
  const patient = stubDispatcher();

  test('default', async () => {
    const requests = [BALANCE, 'a', { ...BALANCE, id: 2 }, { jsonrpc: '2.0', method: 'net_version' }];
    const expected = await patient.handle(JSON.stringify(requests));
    expect(JSON.parse(String(expected))).toHaveLength(3);
    for (const dispatcher of [impatient, patient]) {
      expect(await dispatcher.handle(longBody(requests))).toBe(expected);
      expect(await dispatcher.handle(longBody(BALANCE))).toBe(await patient.handle(JSON.stringify(BALANCE)));
    }
  });

  test('behavior: other calls run while it is parsed', async () => {
    let isAnswered = false;
    const answer = Promise.resolve(impatient.handle(longBody(Array(100).fill(BALANCE)))).then(() => {
      isAnswered = true;
    });
    expect(impatient.handle(QUICK)).toBe('{"jsonrpc":"2.0","id":1,"result":"255"}');
    expect(isAnswered).toBe(false);
    await answer;
  });

  test('behavior: parsing stops when its caller disconnects', async () => {
    let asked = 0;
    let looks = 0;
    const ledger = stubLedger({
      accounts: {
        balanceOf: () => {
          asked += 1;
          return 0n;
        },
      },
    });
    const dispatcher = stubDispatcher({ ledger, limits: { timeSliceMsMax: 0 } });
    const isGone = (): boolean => {
      looks += 1;
      return looks > 5;
    };
    const caller = { client: 'a', isGone };
    expect(await dispatcher.handle(longBody(Array(100).fill(BALANCE)), caller)).toBeUndefined();
    expect(asked).toBe(0);
  });

  test.each([
    ['not JSON', '[1,', -32700],
    ['an empty batch', `[${' '.repeat(500)}]`, -32600],
    ['more requests than a batch may have', JSON.stringify(Array(1_001).fill(1)), -32005],
    ['more nested than it may be', '['.repeat(100), -32005],
  ])('error: %s', async (_, text, code) => {
    for (const dispatcher of [impatient, patient]) {
      const answer = JSON.parse(String(await dispatcher.handle(longBody(text))));
      expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    }
  });

  test('error: a malformed body counts as a call', async () => {
    let calls = 0;
    const caller = {
      client: 'a',
      admit: () => {
        calls += 1;
        return new LimitError('too many calls');
      },
    };
    const answer = await patient.handle(longBody('[1,'), caller);
    expect(JSON.parse(String(answer))).toMatchObject({ error: { message: 'too many calls' } });
    expect(calls).toBe(1);
  });
});
