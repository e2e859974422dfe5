import { expect, test } from 'vitest';
import { startCheckingProxy } from './checking-proxy.ts';
import { post } from './json-rpc.ts';
import { startProgram } from './program.ts';
import { problemsOf } from './response-check.ts';

function asked(method: string, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method });
}

function answered(members: object, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...members });
}

test('default', () => {
  expect(problemsOf(asked('eth_blockNumber'), answered({ result: '0x1' }))).toEqual([]);
  const [problem, ...others] = problemsOf(asked('eth_blockNumber'), answered({ result: '0x01' }));
  expect(problem).toMatch(/^eth_blockNumber: result: /);
  expect(others).toEqual([]);
});

test('behavior: declared errors and common errors are accepted, and others are reported', () => {
  const refused = { error: { code: -32000, message: 'x' } };
  expect(problemsOf(asked('eth_call'), answered(refused))).toEqual([]);
  expect(problemsOf(asked('eth_call'), answered({ error: { code: -32602, message: 'x' } }))).toEqual([]);
  expect(problemsOf(asked('eth_blockNumber'), answered(refused))).toEqual([
    'eth_blockNumber: the error -32000 x is not among those that it says it may respond with',
  ]);
  expect(problemsOf(asked('eth_call'), answered({ error: { code: -32603, message: 'x' } }))).toHaveLength(1);
});

test('behavior: a batch', () => {
  const request = `[${asked('eth_blockNumber', 1)},${asked('eth_chainId', 2)},null]`;
  const refused = answered({ error: { code: -32600, message: 'x' } }, null);
  const answer = (chainId: unknown) =>
    `[${answered({ result: chainId }, 2)},${answered({ result: '0x1' }, 1)},${refused}]`;
  expect(problemsOf(request, answer(255))).toEqual([]);
  expect(problemsOf(request, answer('0xff'))).toEqual([expect.stringMatching(/^eth_chainId: result/)]);
});

test('error: an invalid JSON-RPC response', () => {
  for (const answer of ['{}', 'null', answered({}), answered({ result: 1, error: {} })]) {
    expect(problemsOf(asked('eth_chainId'), answer)).toHaveLength(1);
  }
});

test('behavior: the proxy forwards responses and reports mismatches', async () => {
  const program = await startProgram();
  const proxy = await startCheckingProxy(program.url, (_request, response) => [`saw ${response}`]);
  const response = await post(proxy.url, asked('eth_chainId'));
  expect([response.status, response.response().result]).toEqual([200, 255]);
  expect(proxy.problems()).toEqual([`saw ${response.text}`]);
  await proxy.close();
  expect(await program.stop()).toBe(0);
});
