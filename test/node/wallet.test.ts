import { recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountRecord, errorOf, type RpcResponse, type TransactionObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;
let sponsor = '';

beforeAll(async () => {
  program = await startProgram();
  sponsor = (await program.call<string[]>('eth_accounts'))[0] ?? '';
});

afterAll(() => program.stop());

async function newAccount(passphrase: string): Promise<string> {
  const address = await program.call<string>('personal_newAccount', passphrase);
  await program.call('eth_sendTransaction', { from: sponsor, to: address, value: '0x186a0' });
  return address;
}

function sendFrom(from: string): Promise<RpcResponse> {
  return program.response('eth_sendTransaction', { from, to: sponsor, value: '0x1' });
}

async function isLocked(address: string): Promise<boolean | undefined> {
  const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
  return records.find((record) => record.address === address)?.locked;
}

test('default: a new account has a key of its own and starts locked', async () => {
  const address = await newAccount('open sesame');
  expect(await program.call('personal_listAccounts')).toContain(address);
  const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
  const record = records.find((candidate) => candidate.address === address);
  expect(record).toMatchObject({ passphrase: 'open sesame', passprase: 'open sesame', locked: true });
  expect(record?.privkey).toMatch(/^0x[0-9a-f]{64}$/);
  expect(new Set(records.map(({ privkey }) => privkey)).size).toBe(records.length);
});

test('behavior: locked, unlocked, locked again', async () => {
  const address = await newAccount('open sesame');
  expect(errorOf(await sendFrom(address))).toEqual({ code: -32000, message: `account ${address} is locked` });
  expect(errorOf(await program.response('eth_sign', address, '0x00')).code).toBe(-32000);
  expect(await program.call('personal_unlockAccount', address, 'open barley')).toBe(false);
  expect(errorOf(await sendFrom(address)).code).toBe(-32000);
  expect(await program.call('personal_unlockAccount', address, 'open sesame')).toBe(true);
  expect((await sendFrom(address)).error).toBeUndefined();
  expect(await program.call('personal_lockAccount', address)).toBe(true);
  expect(errorOf(await sendFrom(address)).message).toContain('locked');
});

test('behavior: an account unlocked for a second locks itself', async () => {
  const address = await newAccount('for a second');
  expect(await program.call('personal_unlockAccount', address, 'for a second', '0x1')).toBe(true);
  await expect.poll(() => isLocked(address)).toBe(true);
  expect(errorOf(await sendFrom(address)).message).toContain('locked');
  expect(await program.call('personal_unlockAccount', address, 'for a second', 0)).toBe(true);
  expect(await isLocked(address)).toBe(false);
});

test('behavior: a send with the passphrase unlocks the account only for that send', async () => {
  const address = await newAccount('once');
  const transaction = { from: address, to: sponsor, value: '0x2' };
  const hash = await program.call<string>('personal_sendTransaction', transaction, 'once');
  expect(await program.call<TransactionObject>('eth_getTransactionByHash', hash)).toMatchObject({
    from: address,
  });
  expect(await isLocked(address)).toBe(true);
  expect(errorOf(await program.response('personal_sendTransaction', transaction, 'twice')).code).toBe(-32000);
});

test('behavior: a signature leads to the EVM address of the account', async () => {
  const signature = await program.call<`0x${string}`>('eth_sign', sponsor, '0x6c6564676572');
  expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/);
  const [, evmAddress] = await program.printed(/^EVM addresses\n\(0\) (0x[0-9a-f]{40})$/m);
  const signer = await recoverMessageAddress({ message: 'ledger', signature });
  expect(signer.toLowerCase()).toBe(evmAddress);
  expect(await program.call('eth_sign', sponsor, '0x6c6564676572')).toBe(signature);
});

test('behavior: a new account signs with its own key', async () => {
  const address = await newAccount('signer');
  await program.call('personal_unlockAccount', address, 'signer');
  const signature = await program.call<`0x${string}`>('eth_sign', address, '0x');
  const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
  const key = records.find((record) => record.address === address)?.privkey ?? '';
  const { address: expected } = privateKeyToAccount(`0x${key.slice(2)}`);
  expect(await recoverMessageAddress({ message: '', signature })).toBe(expected);
});

test('error: an account that the wallet does not have', async () => {
  const stranger = `0x${'0'.repeat(32)}00ffffff`;
  for (const [method, ...parameters] of [
    ['personal_lockAccount', stranger],
    ['personal_unlockAccount', stranger, ''],
    ['eth_sign', stranger, '0x00'],
    ['eth_sendTransaction', { from: stranger, to: sponsor, value: '0x1' }],
  ] as const) {
    const error = errorOf(await program.response(method, ...parameters));
    expect([method, error.code]).toEqual([method, -32000]);
    expect(error.message).toContain(stranger);
  }
});

test('error: a transaction that makes no sense', async () => {
  const refusal = async (change: object) =>
    errorOf(
      await program.response('eth_sendTransaction', { from: sponsor, to: sponsor, value: '0x1', ...change }),
    );
  expect((await refusal({ to: `0x${'0'.repeat(32)}00ffffff` })).code).toBe(-32000);
  expect((await refusal({ data: '0x01' })).code).toBe(-32000);
  expect((await refusal({ gas: '0x13' })).code).toBe(-32000);
  expect((await refusal({ colour: 'red' })).code).toBe(-32602);
  expect((await refusal({ data: '0x02', input: '0x01' })).code).toBe(-32602);
  expect((await refusal({ chainId: '0x1' })).message).toMatch(/chain/i);
  expect((await refusal({ from: null })).code).toBe(-32602);
  expect((await refusal({ value: '0x8000000000000000' })).code).toBeLessThan(-31999);
});

test('args: surplus fields of clients are ignored', async () => {
  const surplus = {
    gasPrice: '0x3b9aca00',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x1',
    nonce: '0x2a',
    type: '0x2',
    accessList: [],
    chainId: '0xff',
  };
  const hash = await program.call('eth_sendTransaction', {
    from: sponsor,
    to: sponsor,
    value: '0x1',
    ...surplus,
  });
  expect(await program.call('eth_getTransactionByHash', hash)).toMatchObject({
    gasPrice: '0x1',
    nonce: '0x0',
  });
});
