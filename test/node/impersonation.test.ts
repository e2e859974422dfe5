import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type AccountRecord, errorOf, type ReceiptObject, type TransactionObject } from '../json-rpc.ts';
import { type Program, runProgram, startProgram } from '../program.ts';
import { call } from '../rpc-client.js';

const WHALE = `0x${'d8'.repeat(20)}`;
const TOOLS = ['anvil', 'hardhat', 'ganache'];

let program: Program;
let token: CompiledContract;
let alice = '';
let bob = '';

beforeAll(async () => {
  [program, token] = await Promise.all([startProgram(), compileContract('Token')]);
  [alice = '', bob = ''] = await program.call<string[]>('eth_accounts');
});

afterAll(() => program.stop());

const receiptOf = (hash: unknown, at = program) => at.call<ReceiptObject>('eth_getTransactionReceipt', hash);

/** Creates a token whose supply is at once the deployer's. */
async function createToken(from = alice, at = program): Promise<string> {
  const supply = `${10n ** 24n}`;
  const data = `${token.bytecode}${constructorArguments(supply)}`;
  const receipt = await receiptOf(await at.call('eth_sendTransaction', { from, data }), at);
  expect(receipt.status).toBe('0x1');
  return receipt.contractAddress ?? '';
}

function constructorArguments(supply: string): string {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0');
  const text = (letters: string): string =>
    word(BigInt(letters.length)) + Buffer.from(letters).toString('hex').padEnd(64, '0');
  return word(0x60n) + word(0xa0n) + word(BigInt(supply)) + text('Token') + text('T');
}

const encoded = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: token.abi, functionName, args });

async function tokensOf(address: string, contract: string, at = program): Promise<bigint> {
  const to = getAddress(address);
  return BigInt(
    await at.call<string>('eth_call', { to: contract, data: encoded('balanceOf', to) }, 'latest'),
  );
}

describe('by each name', () => {
  test.each(TOOLS)('default: %s_impersonateAccount and %s_stopImpersonatingAccount', async (tool) => {
    const send = () => program.response('eth_sendTransaction', { from: WHALE, to: bob });
    expect(errorOf(await send())).toEqual({
      code: -32000,
      message: `unknown account ${WHALE}: it is not in the wallet`,
    });
    expect(await program.call(`${tool}_impersonateAccount`, WHALE)).toBeNull();
    expect(await program.call(`${tool}_impersonateAccount`, WHALE)).toBeNull();
    const { result: hash } = await send();
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1', gasUsed: '0x14' });
    expect(await program.call<TransactionObject>('eth_getTransactionByHash', hash)).toMatchObject({
      from: WHALE,
      to: bob,
      gas: '0x14',
      input: '0x',
    });
    expect(await program.call('eth_accounts')).not.toContain(WHALE);
    expect(await program.call(`${tool}_stopImpersonatingAccount`, WHALE)).toBeNull();
    expect(await program.call(`${tool}_stopImpersonatingAccount`, WHALE)).toBeNull();
    expect(errorOf(await send()).message).toContain('it is not in the wallet');
  });

  test.each(TOOLS)('default: %s_autoImpersonateAccount', async (tool) => {
    expect(await program.call(`${tool}_autoImpersonateAccount`, true)).toBeNull();
    const hash = await program.call('eth_sendTransaction', { from: WHALE, to: bob });
    expect((await receiptOf(hash)).status).toBe('0x1');
    expect(await program.call(`${tool}_autoImpersonateAccount`, false)).toBeNull();
    const refused = errorOf(await program.response('eth_sendTransaction', { from: WHALE, to: bob }));
    expect(refused.message).toContain('it is not in the wallet');
  });

  test.each(TOOLS)('error: %s_impersonateSignature', async (tool) => {
    const answer = await program.response(`${tool}_impersonateSignature`, `0x${'11'.repeat(65)}`, WHALE);
    expect(errorOf(answer)).toEqual({
      code: -32000,
      message: 'not supported: the precompile is part of the replay',
    });
  });

  test('default: eth_sendUnsignedTransaction', async () => {
    const hash = await program.call('eth_sendUnsignedTransaction', { from: WHALE, to: bob, value: '0x0' });
    expect((await receiptOf(hash)).status).toBe('0x1');
    expect(errorOf(await program.response('eth_sendTransaction', { from: WHALE, to: bob })).code).toBe(
      -32000,
    );
  });

  test('default: evm_addAccount and evm_removeAccount, as ganache has them', async () => {
    expect(await program.call('evm_addAccount', WHALE, 'secret')).toBe(true);
    expect(await program.call('evm_addAccount', WHALE, 'secret')).toBe(false);
    expect(await program.call('evm_addAccount', alice, '')).toBe(false);
    expect(await program.call('personal_unlockAccount', WHALE, 'secret', 0)).toBe(true);
    await program.call('eth_sendTransaction', { from: WHALE, to: bob });
    expect(await program.call('evm_removeAccount', WHALE, 'secret')).toBe(true);
    expect(await program.call('evm_removeAccount', WHALE, 'secret')).toBe(false);
  });

  test.each([
    ['with 0x', (key: string) => key],
    ['without 0x, as geth takes it', (key: string) => key.slice(2)],
  ])('default: personal_importRawKey %s', async (_, written) => {
    const key = generatePrivateKey();
    const address = await program.call<string>('personal_importRawKey', written(key), 'secret');
    const reference = await program.call('ledger_getAddressReference', privateKeyToAddress(key));
    expect(reference).toBe(address);
    const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
    expect(records.at(-1)).toMatchObject({ address, privkey: key, passphrase: 'secret', locked: true });
    const again = errorOf(await program.response('personal_importRawKey', written(key), 'secret'));
    expect(again).toMatchObject({ code: -32000, message: expect.stringContaining('is taken') });
  });

  test.each([
    ['too short', '0x12', 'expected 32 bytes of hex, with or without 0x'],
    ['zero', `0x${'0'.repeat(64)}`, 'the number is not a private key of secp256k1'],
    ['no text', 7, 'expected 32 bytes of hex, with or without 0x'],
  ])('error: a key that is %s', async (_, key, problem) => {
    expect(errorOf(await program.response('personal_importRawKey', key, ''))).toEqual({
      code: -32602,
      message: `invalid parameter 1 (key): ${problem}`,
    });
  });
});

describe('sending as an impersonated account', () => {
  test('default: a token leaves a contract', async () => {
    const [first, second] = [await createToken(), await createToken()];
    const transfer = (to: string, amount: bigint): Hex => encoded('transfer', getAddress(to), amount);
    await program.call('eth_sendTransaction', { from: alice, to: first, data: transfer(second, 500n) });
    expect(await tokensOf(second, first)).toBe(500n);
    await program.call('hardhat_impersonateAccount', second);
    const request = { from: second, to: first, data: transfer(bob, 200n) };
    const estimate = BigInt(await program.call<string>('eth_estimateGas', request));
    const producer = await program.call<string>('eth_coinbase');
    const before = await program.call('eth_getBalance', producer, 'latest');
    const receipt = await receiptOf(await program.call('eth_sendTransaction', request));
    expect(receipt).toMatchObject({ status: '0x1', from: second, to: first });
    expect(BigInt(receipt.gasUsed)).toBeLessThanOrEqual(estimate);
    expect(receipt.logs[0]?.topics[1]).toBe(`0x${second.slice(2).padStart(64, '0')}`);
    expect([await tokensOf(second, first), await tokensOf(bob, first)]).toEqual([300n, 200n]);
    expect(await program.call('eth_getBalance', second, 'latest')).toBe('0x0');
    expect(await program.call('eth_getBalance', producer, 'latest')).toBe(before);
    expect(await program.call('eth_getTransactionCount', second, 'latest')).toBe('0x1');
    await program.call('hardhat_stopImpersonatingAccount', second);
    expect(errorOf(await program.response('eth_estimateGas', request)).message).toContain('gas required');
  });

  test('default: an impersonated whale pays the value it sends, and no fee', async () => {
    const whale = await program.call<string>('eth_coinbase');
    const had = BigInt(await program.call<string>('eth_getBalance', whale, 'latest'));
    await program.call('anvil_impersonateAccount', whale);
    await program.call('eth_sendTransaction', { from: whale, to: bob, value: '0x64' });
    expect(BigInt(await program.call<string>('eth_getBalance', whale, 'latest'))).toBe(had - 100n);
    const all = { from: whale, to: bob, value: `0x${had.toString(16)}` };
    expect(errorOf(await program.response('eth_sendTransaction', all)).message).toBe(
      `insufficient funds for gas * price + value: address ${whale} have ${had - 100n} want ${had}`,
    );
    await program.call('anvil_stopImpersonatingAccount', whale);
  });

  test('behavior: without blocks it waits, and one takes it', async () => {
    await program.call('anvil_impersonateAccount', WHALE);
    await program.call('miner_stop');
    const hash = await program.call('eth_sendTransaction', { from: WHALE, to: bob });
    const waiting = await program.call<TransactionObject>('eth_getTransactionByHash', hash);
    expect(waiting).toMatchObject({ from: WHALE, blockNumber: null });
    expect(await program.call('eth_pendingTransactions')).toEqual([waiting]);
    await program.call('evm_mine');
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1', from: WHALE });
    await program.call('miner_start');
    await program.call('anvil_stopImpersonatingAccount', WHALE);
  });

  test('error: the EVM address of an account', async () => {
    const key = generatePrivateKey();
    const address = await program.call<string>('personal_importRawKey', key, '');
    const evmAddress = privateKeyToAddress(key).toLowerCase();
    const message = `unknown account ${evmAddress}: it is the EVM address of the account ${address}: give that address`;
    const calls = [
      ['anvil_impersonateAccount', evmAddress],
      ['evm_addAccount', evmAddress, ''],
      ['eth_sendUnsignedTransaction', { from: evmAddress, to: bob }],
    ] as const;
    for (const [method, ...parameters] of calls) {
      expect(errorOf(await program.response(method, ...parameters))).toEqual({ code: -32000, message });
    }
  });

  test('error: an unsigned transaction submitted by a client', async () => {
    await program.call('anvil_impersonateAccount', WHALE);
    const hash = await program.call('eth_sendTransaction', { from: WHALE, to: bob });
    const raw = await program.call('eth_getRawTransactionByHash', hash);
    const refused = errorOf(await program.response('eth_sendRawTransaction', raw));
    expect(refused.message).toContain('operation 0 is a test call and cannot be submitted');
    await program.call('anvil_stopImpersonatingAccount', WHALE);
  });
});

test('behavior: with interval mining a synchronous send waits for the next block', async () => {
  const slow = await startProgram('--block-time', '1');
  await slow.call('anvil_autoImpersonateAccount', true);
  const receipt = await slow.call('eth_sendTransactionSync', { from: WHALE, to: bob });
  expect(receipt).toMatchObject({ status: '0x1', from: WHALE });
  await slow.stop();
});

test('args: --auto-impersonate: from the start, after a reset and a revert, and on further chains', async () => {
  const node = await startProgram('--auto-impersonate');
  const sends = async (): Promise<boolean> => {
    const { result } = await node.response('eth_sendTransaction', { from: WHALE, to: bob });
    return result !== undefined;
  };
  expect(await sends()).toBe(true);
  await node.call('anvil_autoImpersonateAccount', false);
  const off = await node.call('evm_snapshot');
  await node.call('anvil_reset');
  expect(await sends()).toBe(true);
  const on = await node.call('evm_snapshot');
  await node.call('anvil_autoImpersonateAccount', false);
  expect(await sends()).toBe(false);
  expect(await node.call('evm_revert', on)).toBe(true);
  expect(await sends()).toBe(true);
  expect(await node.call('evm_revert', off)).toBe(false);
  await node.call('anvil_autoImpersonateAccount', false);
  const stays = await node.call('evm_snapshot');
  await node.call('anvil_autoImpersonateAccount', true);
  expect(await node.call('evm_revert', stays)).toBe(true);
  expect(await sends()).toBe(false);
  const further = await call(`${node.url}/chain/1`, 'eth_sendTransaction', { from: WHALE, to: bob });
  expect(further).toMatch(/^0x/);
  await node.stop();
});

test('behavior: with workers an estimate uses the impersonated accounts of the node', async () => {
  const other = await startProgram('--workers', '1');
  const contract = await createToken(alice, other);
  const request = { from: WHALE, to: contract, data: encoded('approve', getAddress(bob), 1n) };
  const estimate = () => other.response('eth_estimateGas', request);
  expect(errorOf(await estimate()).message).toBe('gas required exceeds allowance (0)');
  await other.call('anvil_impersonateAccount', WHALE);
  for (let times = 0; times < 5; times += 1) expect((await estimate()).result).toMatch(/^0x/);
  await other.call('anvil_stopImpersonatingAccount', WHALE);
  expect(errorOf(await estimate()).message).toBe('gas required exceeds allowance (0)');
  await other.stop();
});

test('behavior: impersonation persists with its chain, which is exported, imported and verified', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-impersonation-'));
  const [here, there, archive] = [join(folder, 'here'), join(folder, 'there'), join(folder, 'archive')];
  const start = () => startProgram('--test', '--data-dir', here);
  let node = await start();
  const contract = await createToken(alice, node);
  await node.call('anvil_impersonateAccount', contract);
  await node.call('eth_sendTransaction', {
    from: contract,
    to: contract,
    data: encoded('approve', getAddress(bob), 7n),
  });
  await node.call('eth_sendUnsignedTransaction', {
    from: WHALE,
    data: token.bytecode + constructorArguments('5'),
  });
  await node.call('miner_stop');
  const waiting = await node.call('eth_sendTransaction', { from: contract, to: bob });
  await node.stop();

  node = await start();
  expect(await receiptOf(waiting, node)).toMatchObject({ from: contract, status: '0x1' });
  await node.call('eth_sendTransaction', { from: contract, to: alice });
  await node.call('anvil_stopImpersonatingAccount', contract);
  await node.call('anvil_autoImpersonateAccount', true);
  await node.stop();

  node = await start();
  await node.call('eth_sendTransaction', { from: WHALE, to: alice });
  const head = await node.call('eth_blockNumber');
  await node.stop();

  for (const words of [
    ['verify', '--data-dir', here],
    ['export', '--data-dir', here, archive],
    ['import', '--data-dir', there, archive],
    ['verify', '--data-dir', there],
  ]) {
    const { status, errors } = await runProgram(...words);
    expect({ words, status, errors }).toEqual({ words, status: 0, errors: '' });
  }
  expect(head).toBe('0x6');
  rmSync(folder, { recursive: true, force: true });
});

test('behavior: a snapshot restores impersonated accounts, and a reset clears them', async () => {
  const at = await startProgram();
  try {
    const send = async () => (await at.response('eth_sendTransaction', { from: WHALE, to: alice })).error;
    await at.call('anvil_impersonateAccount', WHALE);
    const id = await at.call('evm_snapshot');
    await at.call('anvil_stopImpersonatingAccount', WHALE);
    expect(await send()).toMatchObject({ code: -32000 });
    expect(await at.call('evm_revert', id)).toBe(true);
    expect(await send()).toBeUndefined();
    await at.call('anvil_reset');
    expect(await send()).toMatchObject({ code: -32000 });
  } finally {
    await at.stop();
  }
});
