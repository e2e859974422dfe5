import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { errorOf, post, type ResponseError } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

// Whatever a test sent, the node goes on answering.
afterEach(async () => {
  expect(await program.call('eth_chainId')).toBe(255);
});

const DIGITS = '1'.repeat(400);

function requestWith(parameters: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":${parameters}}`;
}

/** The error of a body that is refused as a whole. */
async function refusal(body: string | Uint8Array): Promise<ResponseError & { readonly id: unknown }> {
  const response = await post(program.url, body);
  expect(response.status).toBe(200);
  const answer = response.response();
  expect(answer).toEqual({ jsonrpc: '2.0', id: answer.id, error: expect.anything() });
  return { ...errorOf(answer), id: answer.id };
}

async function codeOf(method: string, ...parameters: readonly unknown[]): Promise<number> {
  return errorOf(await program.response(method, ...parameters)).code;
}

test('error: not JSON', async () => {
  const bodies = [
    '',
    ' ',
    'hello',
    '{',
    '{"jsonrpc":"2.0"',
    '[1,',
    'NaN',
    "{'method':1}",
    '\u0000',
    '{}{}',
    '[] []',
    'nul',
  ];
  for (const body of bodies)
    expect([body, await refusal(body)]).toMatchObject([body, { code: -32700, id: null }]);
  expect(await refusal(Uint8Array.from([0x22, 0xff, 0xfe, 0x22]))).toMatchObject({ code: -32700, id: null });
});

test('error: JSON that is no request', async () => {
  const bodies = [
    'null',
    '1',
    '"eth_chainId"',
    'true',
    '{}',
    '[]',
    '{"method":null}',
    '{"id":1}',
    '{"method":5,"id":1}',
  ];
  for (const body of bodies) expect([body, (await refusal(body)).code]).toEqual([body, -32600]);
  expect((await refusal('[]')).id).toBeNull();
  expect((await refusal('{"method":null}')).id).toBeNull();
  const ids = ['{}', '[]', 'true'];
  for (const id of ids) {
    const error = await refusal(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId","params":[]}`);
    expect([id, error.code, error.id]).toEqual([id, -32600, null]);
  }
  for (const parameters of ['5', '"x"', 'true']) {
    const error = await refusal(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${parameters}}`);
    expect([parameters, error.code >= -32602 && error.code <= -32600]).toEqual([parameters, true]);
  }
});

test('error: members of a batch that are no requests', async () => {
  const response = await post(
    program.url,
    '[null, 1, {"jsonrpc":"2.0","id":7,"method":"eth_chainId"}, [], {}]',
  );
  expect(response.status).toBe(200);
  expect(response.responses().map(({ id, result, error }) => [id, result ?? error?.code])).toEqual([
    [null, -32600],
    [null, -32600],
    [7, 255],
    [null, -32600],
    [null, -32600],
  ]);
  expect((await post(program.url, '[null]')).responses()).toMatchObject([
    { id: null, error: { code: -32600 } },
  ]);
});

test('error: numbers of 400 digits', async () => {
  for (const number of [DIGITS, `-${DIGITS}`, `"0x${DIGITS}"`, `"${DIGITS}"`, '1e400', `0.${DIGITS}`]) {
    const error = await refusal(requestWith(`[${number}, false]`));
    expect([number, error.code]).toEqual([number, -32602]);
  }
  const response = await post(
    program.url,
    `{"jsonrpc":"2.0","id":${DIGITS},"method":"eth_chainId","params":[]}`,
  );
  expect([response.status, response.response().jsonrpc]).toEqual([200, '2.0']);
});

test('error: nested 100,000 deep', async () => {
  const depth = 100_000;
  for (const body of [
    '['.repeat(depth) + ']'.repeat(depth),
    '['.repeat(depth),
    requestWith('['.repeat(depth) + ']'.repeat(depth)),
    requestWith(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  ]) {
    const error = await refusal(body);
    expect(error).toMatchObject({ code: -32005, message: expect.stringMatching(/\b64\b/) });
  }
  const quoted = await refusal(requestWith(`["${'['.repeat(1_000)}", false]`));
  expect(quoted.code).toBe(-32602);
});

test('error: more than the limits', async () => {
  const large = await post(program.url, ' '.repeat(10 * 1024 * 1024)).catch((error: unknown) => error);
  // The node may close the connection while the body is still on its way.
  if (!(large instanceof Error)) expect(large).toMatchObject({ status: 413 });
  const member = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  const batch = await post(program.url, `[${Array(1_001).fill(member).join()}]`);
  expect(batch.status).toBe(200);
  const [first] = [batch.response()].flat();
  expect(first).toMatchObject({ error: { code: -32005, message: expect.stringMatching(/1,?000/) } });
  const full = await post(program.url, `[${Array(1_000).fill(member).join()}]`);
  expect(full.responses()).toHaveLength(1_000);
});

test('error: unknown methods', async () => {
  for (const method of [
    '',
    'eth_',
    'eth_chainid',
    'constructor',
    '__proto__',
    'toString',
    'eth_chainId ',
    '\u0000',
  ]) {
    expect([method, await codeOf(method)]).toEqual([method, -32601]);
  }
  expect(errorOf(await program.response('x'.repeat(100_000))).message.length).toBeLessThan(1_000);
});

test('error: methods that the ledger does not implement, with the reason', async () => {
  for (const method of ['eth_getUncleByBlockHashAndIndex', 'eth_getUncleCountByBlockNumber']) {
    expect(errorOf(await program.response(method))).toMatchObject({
      code: -32601,
      message: expect.stringMatching(/uncle/i),
    });
  }
  for (const method of ['eth_getProof', 'eth_hashrate', 'db_putString', 'shh_post', 'eth_compileSolidity']) {
    const error = errorOf(await program.response(method));
    expect(error).toMatchObject({ code: -32601, message: expect.stringMatching(/not implement/i) });
  }
});

test('error: too few parameters, too many, and of the wrong kind', async () => {
  const address = `0x${'0'.repeat(40)}`;
  const hash = `0x${'0'.repeat(64)}`;
  const calls: readonly (readonly [string, ...unknown[]])[] = [
    ['eth_getBalance'],
    ['eth_getBalance', null],
    ['eth_getBalance', 5],
    ['eth_getBalance', address.slice(0, -1)],
    ['eth_getBalance', `${address}00`],
    ['eth_getBlockByHash', hash],
    ['eth_getBlockByHash', hash, 'true'],
    ['eth_getBlockByHash', hash, true, 1],
    ['eth_getBlockByNumber', 'newest', false],
    ['eth_getBlockByNumber', '0x', false],
    ['eth_getBlockByNumber', -1, false],
    ['eth_getBlockByNumber', 1.5, false],
    ['eth_getTransactionByHash', `${hash}0`],
    ['eth_getTransactionByBlockHashAndIndex', hash],
    ['eth_getStorageAt', address],
    ['eth_call'],
    ['eth_call', []],
    ['eth_call', 'x'],
    ['eth_call', { to: address, data: '0x0' }],
    ['eth_call', { to: address, data: '0x00', input: '0x01' }],
    ['eth_call', { to: address, value: '-0x1' }],
    ['eth_call', { to: address, colour: 1 }],
    ['web3_sha3'],
    ['web3_sha3', '0x0'],
    ['web3_sha3', 'abc'],
    ['personal_unlockAccount', address],
  ];
  for (const [method, ...parameters] of calls) {
    const { error } = await program.response(method, ...parameters);
    expect([method, parameters, error?.code]).toEqual([method, parameters, -32602]);
  }
});

test('error: parameters by name', async () => {
  expect((await refusal(requestWith('{"block":"latest","full":false}'))).code).toBe(-32602);
});

test('behavior: the message names the parameter', async () => {
  expect(errorOf(await program.response('eth_getBalance')).message).toMatch(/address/i);
  expect(errorOf(await program.response('eth_call', { to: '0x12' })).message).toMatch(/\bto\b/);
});

test('behavior: surplus parameters of a method without any, and an ignored block parameter', async () => {
  expect(await program.call('eth_chainId', 1, 2, 3)).toBe(255);
  const [address] = await program.call<string[]>('eth_accounts');
  const balance = await program.call('eth_getBalance', address);
  for (const block of ['latest', 'nonsense', 5, null, '0x1']) {
    expect(await program.call('eth_getBalance', address, block)).toBe(balance);
  }
  expect(await codeOf('eth_getBalance', address, 'latest', 'more')).toBe(-32602);
});

test('error: hosts and origins that are not allowed', async () => {
  const status = async (headers: Record<string, string>): Promise<number> => {
    const request = httpRequest(program.url, { method: 'POST', headers });
    request.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}');
    const [response] = await once(request, 'response');
    await text(response);
    return response.statusCode;
  };
  expect(await status({ host: 'attacker.example' })).toBe(403);
  expect(await status({ host: 'localhost.attacker.example' })).toBe(403);
  expect(await status({ origin: 'https://attacker.example' })).toBe(403);
  expect(await status({ origin: 'null' })).toBe(403);
  expect(await status({ origin: 'http://localhost:3000' })).toBe(200);
  expect(await status({ host: 'localhost:1' })).toBe(200);
  expect(await status({ host: '[::1]:8545' })).toBe(200);
});

test('error: unsupported HTTP methods and paths', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(program.url, { method, body: '{}' });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  }
  expect((await fetch(`${program.url}/no/such/page`)).status).toBe(404);
});
