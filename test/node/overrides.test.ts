import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEI_OF_UNIT } from '../chain-kind.ts';
import { errorOf, type ReceiptObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** State and block overrides of `eth_call` and `eth_estimateGas`, and `eth_createAccessList`, over HTTP. */

/** Code that returns the word which the given code leaves on the stack. */
const returning = (code: string): string => `0x${code}60005260206000f3`;
const word = (value: number | bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

const LOAD_FIRST_SLOT = returning('600054');
const LOAD_SECOND_SLOT = returning('600154');
/** Calls SHA-256 for ever: the time is looked at in such calls. */
const ENDLESS = '0x5b602060006000600060025afa50600056';
const PRECOMPILE = '0x0000000000000000000000000000000000000004';
const NOBODY = `0x${'77'.repeat(20)}`;
const SELF_BALANCE = returning('47');
/** Creation code that stores 5 in slot 0, and deploys `LOAD_FIRST_SLOT`. */
const CREATION = `0x6005600055600b6014600039600b6000f3${'00'.repeat(3)}${LOAD_FIRST_SLOT.slice(2)}`;

let program: Program;
let alice = '';
let contract = '';

beforeAll(async () => {
  program = await startProgram('--call-timeout', '2', '--call-gas', '1000000000000');
  [alice = ''] = await program.call<string[]>('eth_accounts');
  const hash = await program.call('eth_sendTransaction', { from: alice, data: CREATION });
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
  contract = receipt.contractAddress ?? '';
});

afterAll(() => program.stop());

const call = (to: string, ...overrides: readonly unknown[]) =>
  program.call('eth_call', { to }, 'latest', ...overrides);

/** Checks that nothing has changed. */
async function expectUnchanged(): Promise<void> {
  expect(await call(contract)).toBe(word(5));
  expect(await call(NOBODY)).toBe('0x');
  expect(await call(contract, { [NOBODY]: { balance: 1 } })).toBe(word(5));
  expect(await program.call('eth_getCode', NOBODY)).toBe('');
  expect(await program.call('eth_getStorageAt', contract, 0)).toBe(word(5));
}

test('default: storage, as a whole or in part', async () => {
  const stateDiff = { '0x1': '0x7' };
  expect(await call(contract, { [contract]: { stateDiff } })).toBe(word(5));
  expect(await call(contract, { [contract]: { stateDiff, code: LOAD_SECOND_SLOT } })).toBe(word(7));
  expect(await call(contract, { [contract]: { stateDiff: { [word(0)]: word(9) } } })).toBe(word(9));
  expect(await call(contract, { [contract]: { state: stateDiff } })).toBe(word(0));
  expect(await call(contract, { [contract]: { state: {} } })).toBe(word(0));
  await expectUnchanged();
});

test('default: code and balance overrides of an empty address', async () => {
  expect(await call(NOBODY, { [NOBODY]: { code: SELF_BALANCE, balance: `0x${'f'.repeat(64)}` } })).toBe(
    word(2n ** 256n - 1n),
  );
  expect(await call(contract, { [contract]: { code: '0x' } })).toBe('0x');
  expect(await call(alice, { [alice]: { code: LOAD_FIRST_SLOT, stateDiff: { '0x0': '0x3' } } })).toBe(
    word(3),
  );
  await expectUnchanged();
});

test.each([
  ['number', '43', 9_000_000, word(9_000_000)],
  ['time', '42', '0xffffffff', word(0xffffffff)],
  ['gasLimit', '45', '0x64', word(100)],
  ['feeRecipient', '41', NOBODY, `0x${'0'.repeat(24)}${NOBODY.slice(2)}`],
  ['coinbase', '41', NOBODY, `0x${'0'.repeat(24)}${NOBODY.slice(2)}`],
  ['prevRandao', '44', word(77), word(77)],
  ['random', '44', word(78), word(78)],
  ['baseFeePerGas', '48', '0x9', word(9)],
  ['baseFee', '48', word(2n ** 200n), word(2n ** 200n)],
  ['blobBaseFee', '4a', '0x1', word(1)],
])('args: block override %s', async (key, opcode, given, seen) => {
  const state = { [NOBODY]: { code: returning(opcode) } };
  const truth = await call(NOBODY, state);
  expect(await call(NOBODY, state, { [key]: given })).toBe(seen);
  expect(await call(NOBODY, state, null)).toBe(truth);
});

test('default: eth_estimateGas', async () => {
  const message = { from: NOBODY, to: contract };
  const poor = errorOf(await program.response('eth_estimateGas', message));
  expect(poor.message).toBe('gas required exceeds allowance (0)');
  const plain = await program.call('eth_estimateGas', { to: contract });
  const rich = { [NOBODY]: { balance: '0xffffff' } };
  expect(await program.call('eth_estimateGas', message, 'latest', rich)).toBe(plain);
  const twice = `0x600054600154${LOAD_FIRST_SLOT.slice(2)}`;
  const dearer = { ...rich, [contract]: { code: twice } };
  expect(Number(await program.call('eth_estimateGas', message, 'latest', dearer))).toBeGreaterThan(
    Number(plain),
  );
  expect(
    Number(await program.call('eth_estimateGas', { to: NOBODY }, null, { [NOBODY]: { code: twice } })),
  ).toBeGreaterThan(21_000);
  expect(await program.call('eth_estimateGas', { to: contract })).toBe(plain);
});

test('default: precompiled contracts, moved or replaced by code', async () => {
  const input = { data: '0x1234' };
  const moved = { [PRECOMPILE]: { movePrecompileToAddress: NOBODY } };
  const run = (to: string, overrides: object): Promise<unknown> =>
    program.call('eth_call', { to, ...input }, 'latest', overrides);
  expect(await run(NOBODY, moved)).toBe('0x1234');
  expect(await run(PRECOMPILE, moved)).toBe('0x');
  expect(await run(PRECOMPILE, { [PRECOMPILE]: { code: LOAD_FIRST_SLOT, stateDiff: { '0x0': 7 } } })).toBe(
    word(7),
  );
  // By code, with the output as large as its data.
  const forward = `0x365f5f37365f365f5f73${NOBODY.slice(2)}5af1503d5f5f3e3d5ff3`;
  expect(await run(contract, { ...moved, [contract]: { code: forward } })).toBe('0x1234');
  const trace = await program.call<{ output: string }>(
    'debug_traceCall',
    { to: NOBODY, ...input },
    'latest',
    {
      tracer: 'callTracer',
      stateOverrides: moved,
    },
  );
  expect(trace.output).toBe('0x1234');
  const gas = await program.call('eth_estimateGas', { to: contract, ...input }, null, {
    ...moved,
    [contract]: { code: forward },
  });
  expect(Number(gas)).toBeGreaterThan(21_000);
  expect(await program.call('eth_call', { to: PRECOMPILE, ...input })).toBe('0x1234');
  expect(await program.call('eth_call', { to: NOBODY, ...input })).toBe('0x');
});

test('error: precompiled contracts that cannot be moved', async () => {
  const message = async (overrides: object): Promise<unknown> =>
    errorOf(await program.response('eth_call', { to: NOBODY }, 'latest', overrides));
  expect(await message({ [NOBODY]: { movePrecompileToAddress: contract } })).toEqual({
    code: -32000,
    message: `account ${NOBODY} is not a precompile`,
  });
  for (const overrides of [
    { [PRECOMPILE]: { movePrecompileToAddress: NOBODY }, [NOBODY]: { balance: 1 } },
    { [PRECOMPILE]: { movePrecompileToAddress: PRECOMPILE } },
  ]) {
    const { movePrecompileToAddress } = overrides[PRECOMPILE] ?? {};
    expect(await message(overrides)).toEqual({
      code: -32000,
      message: `account ${movePrecompileToAddress} is already overridden`,
    });
  }
});

test('default: the base fee of blobs', async () => {
  const code = returning('4a');
  expect(await call(NOBODY, { [NOBODY]: { code } }, { blobBaseFee: 7 })).toBe(word(7));
  expect(await call(NOBODY, { [NOBODY]: { code } })).toBe(word(1));
});

test('error: eth_call of a value that the overridden balance does not cover', async () => {
  const message = { from: alice, to: contract, value: '0x5' };
  const answer = await program.response('eth_call', message, 'latest', { [alice]: { balance: 3 } });
  expect(errorOf(answer)).toEqual({
    code: -32000,
    message: `insufficient funds for gas * price + value: address ${alice} have 3 want 5`,
  });
  await expectUnchanged();
});

test('error: a call that times out leaves no changes', async () => {
  const endless = { code: ENDLESS, balance: 9, stateDiff: { '0x0': 6 } };
  for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList']) {
    const overrides = { [contract]: endless, [NOBODY]: endless };
    const answer = await program.response(method, { to: contract, gas: '0xe8d4a51000' }, 'latest', overrides);
    // The gas of an operation, which an estimate ends at, may run out before the time does.
    const codes = method === 'eth_estimateGas' ? [-32005, -32000] : [-32005];
    expect([method, errorOf(answer).code]).toEqual([method, expect.toBeOneOf(codes)]);
    await expectUnchanged();
  }
});

test('error: a call that runs out of gas or reverts leaves no changes', async () => {
  const answers = [ENDLESS, '0x60006000fd'].map((code) =>
    program.response('eth_call', { to: NOBODY, gas: '0xffff' }, 'latest', { [NOBODY]: { code } }),
  );
  expect((await Promise.all(answers)).map((answer) => errorOf(answer).message)).toEqual([
    'out of gas',
    'execution reverted',
  ]);
  await expectUnchanged();
});

test.each<[string, unknown, unknown]>([
  ['state and stateDiff exclude each other', { [NOBODY]: { state: {}, stateDiff: {} } }, null],
  ['unknown key "storage"', { [NOBODY]: { storage: {} } }, null],
  ['expected 20 bytes of 0x-prefixed hex', { '0x01': {} }, null],
  [
    'nonce: expected at most 18446744073709551615 (a uint64), got 18446744073709551616',
    { [NOBODY]: { nonce: word(2n ** 64n) } },
    null,
  ],
  ['got 1048577', { [NOBODY]: { code: `0x${'00'.repeat(1_048_577)}` } }, null],
  ['invalid parameter 4 (blockOverrides): unknown key "withdrawals"', null, { withdrawals: [] }],
  ['two names of one thing', null, { baseFee: 1, baseFeePerGas: 2 }],
  ['expected at most 10000 accounts and slots, got 10001', { [NOBODY]: { state: slots(10_000) } }, null],
])('error: %s', async (message, state, block) => {
  const answer = await program.response('eth_call', { to: NOBODY }, 'latest', state, block);
  expect(errorOf(answer)).toMatchObject({ code: -32602, message: expect.stringContaining(message) });
});

test('default: eth_createAccessList', async () => {
  // Reads slot 1, the balance of nobody, and calls the contract.
  const callIt = `6000600060006000600073${contract.slice(2)}5af1`;
  const code = returning(`60015473${NOBODY.slice(2)}31${callIt}`);
  const answer = await program.call('eth_createAccessList', { from: alice, to: alice }, 'latest', {
    [alice]: { code },
  });
  expect(answer).toEqual({
    accessList: [
      { address: NOBODY, storageKeys: [] },
      { address: contract, storageKeys: [word(0)] },
      { address: alice, storageKeys: [word(1)] },
    ],
    gasUsed: expect.stringMatching(/^0x/),
  });
  await expectUnchanged();
});

test('args: eth_createAccessList: a transfer, a failure', async () => {
  expect(await program.call('eth_createAccessList', { from: alice, to: alice, value: 1 })).toEqual({
    accessList: [],
    gasUsed: '0x14',
  });
  const state = { [NOBODY]: { code: '0x60006000fd' } };
  expect(await program.call('eth_createAccessList', { to: NOBODY }, 'latest', state)).toMatchObject({
    accessList: [],
    error: 'execution reverted',
  });
  const creation = { from: alice, data: CREATION };
  expect(await program.call('eth_createAccessList', creation)).toMatchObject({
    accessList: [{ storageKeys: [word(0)] }],
  });
});

test('behavior: workers answer the same', async () => {
  const node = await startProgram('--workers', '1', '--call-timeout', '2', '--call-gas', '1000000000000');
  const ask = (...overrides: readonly unknown[]) =>
    node.response('eth_call', { to: NOBODY }, 'latest', ...overrides);
  for (let time = 0; time < 3; time += 1) {
    expect((await ask({ [NOBODY]: { code: SELF_BALANCE, balance: 7 } })).result).toBe(word(7n * WEI_OF_UNIT));
    expect((await ask({ [NOBODY]: { code: returning('42') } }, { time: 9 })).result).toBe(word(9));
    const endless = { [NOBODY]: { code: ENDLESS } };
    expect(
      errorOf(await node.response('eth_call', { to: NOBODY, gas: '0xe8d4a51000' }, null, endless)).code,
    ).toBe(-32005);
    expect((await ask()).result).toBe('0x');
  }
  expect(await node.stop()).toBe(0);
});

function slots(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`0x${index.toString(16)}`, 1]));
}
