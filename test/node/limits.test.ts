import { afterEach, expect, test } from 'vitest';
import { errorOf, post } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** Init code that calls SHA-256 until its gas is used up. */
const ENDLESS = '0x5b602060006000600060025afa50600056';

let program: Program;

afterEach(() => program.stop());

test('error: a call that computes for longer than it may', async () => {
  program = await startProgram('--call-timeout', '0.02');
  for (const method of ['eth_call', 'eth_estimateGas']) {
    expect(errorOf(await program.response(method, { data: ENDLESS }))).toEqual({
      code: -32005,
      message:
        'execution aborted (timeout = 0.02s): it exceeds the limit of computing for one call (--call-timeout)',
    });
  }
  expect(await program.call('eth_blockNumber')).toBe('0x0');
});

test('error: a client that makes more calls than it may', async () => {
  program = await startProgram('--rate-limit', '3');
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
  const { status, text } = await post(program.url, [call, call, call, call]);
  const answers: { error?: { message: string } }[] = JSON.parse(text);
  expect([status, ...answers.map(({ error }) => error?.message)]).toEqual([
    200,
    undefined,
    undefined,
    undefined,
    'this client exceeds the limit of 3 calls per second (--rate-limit)',
  ]);
});

test('behavior: requests and rejections are counted', async () => {
  program = await startProgram();
  await program.call('eth_chainId');
  await program.response('eth_call', { data: '0xfe' });
  await program.response('no_such_method');
  await fetch(program.url, { method: 'POST', body: '{}', headers: { origin: 'https://evil.example' } });
  const text = await (await fetch(`${program.url}/metrics`)).text();
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'ledgerd_block_height 0',
      'ledgerd_calls_total{method="eth_chainId",outcome="result"} 1',
      'ledgerd_calls_total{method="eth_call",outcome="refused"} 1',
      'ledgerd_calls_total{method="other",outcome="unknown"} 1',
      'ledgerd_refused_total{reason="origin"} 1',
    ]),
  );
});
