import { hashMessage, recoverAddress } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AccountRecord, errorOf } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** Test mode, and what is not implemented, by docs/interface.md, sentence by sentence, over HTTP. */

let program: Program;
let alice = '';
let bob = '';

beforeEach(async () => {
  program = await startProgram();
  const accounts = await program.call<string[]>('personal_listAccounts');
  alice = accounts[0] ?? '';
  bob = accounts[1] ?? '';
});

afterEach(() => program.stop());

async function isLocked(address: string): Promise<boolean | undefined> {
  const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
  return records.find((record) => record.address === address)?.locked;
}

test('default: 3, an account is locked and unlocked', async () => {
  const transfer = { from: alice, to: bob, value: '0x1' };
  expect(await isLocked(alice)).toBe(false);
  expect(await program.call('personal_lockAccount', alice)).toBe(true);
  expect(await isLocked(alice)).toBe(true);
  for (const answer of [
    await program.response('eth_sendTransaction', transfer),
    await program.response('eth_sign', alice, '0x01'),
  ]) {
    expect(errorOf(answer)).toMatchObject({ code: -32000, message: expect.stringContaining('locked') });
  }
  expect(await program.call('personal_unlockAccount', alice, 'wrong')).toBe(false);
  expect(await isLocked(alice)).toBe(true);
  for (const duration of [[], ['0x1e'], [30]]) {
    await program.call('personal_lockAccount', alice);
    expect(await program.call('personal_unlockAccount', alice, '', ...duration)).toBe(true);
    expect(await isLocked(alice)).toBe(false);
    expect(await program.call('eth_sendTransaction', transfer)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await program.call('eth_sign', alice, '0x01')).toMatch(/^0x[0-9a-f]{130}$/);
  }
});

test('default: 3, blocks are generated, stopped and forced', async () => {
  expect(await program.call('eth_mining')).toBe(true);
  expect(await program.call('miner_stop')).toBeNull();
  expect(await program.call('eth_mining')).toBe(false);
  const head = Number(await program.call('eth_blockNumber'));
  await program.call('eth_sendTransaction', { from: alice, to: bob, value: '0x1' });
  expect(Number(await program.call('eth_blockNumber'))).toBe(head);
  expect(await program.call('evm_mine')).toBeNull();
  expect(await program.call('eth_mining')).toBe(false);
  expect(Number(await program.call('eth_blockNumber'))).toBe(head + 1);
  expect(await program.call('miner_start')).toBeNull();
  expect(await program.call('eth_mining')).toBe(true);
  expect(await program.call('evm_mine')).toBeNull();
  expect(await program.call('eth_mining')).toBe(true);
  expect(Number(await program.call('eth_blockNumber'))).toBe(head + 2);
});

test('default: 3, a transaction is pending and then included', async () => {
  await program.call('miner_stop');
  const hash = await program.call<string>('eth_sendTransaction', { from: alice, to: bob, value: '0x1' });
  expect(hash).toMatch(/^0x0{24}[0-9a-f]{40}$/);
  const nowhere = { blockHash: null, blockNumber: null, transactionIndex: null };
  expect(await program.call('eth_getTransactionByHash', hash)).toMatchObject({ hash, ...nowhere });
  expect(await program.call('eth_getTransactionReceipt', hash)).toBeNull();
  await program.call('evm_mine');
  const included = await program.call<{ hash: string }>('eth_getTransactionByHash', hash);
  expect(included).toMatchObject({ blockNumber: '0x1', transactionIndex: '0x0' });
  expect(included.hash).toBe(`0x000000000000000100000000${hash.slice(26)}`);
  expect(await program.call('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1' });
});

test('default: 3, a filter is installed and removed', async () => {
  for (const method of ['eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_newFilter']) {
    const id = await program.call(method, ...(method === 'eth_newFilter' ? [{}] : []));
    expect(await program.call('eth_getFilterChanges', id)).toEqual([]);
    expect(await program.call('eth_uninstallFilter', id)).toBe(true);
    expect(await program.call('eth_uninstallFilter', id)).toBe(false);
  }
});

test('default: 4.6, accounts', async () => {
  const address = await program.call<string>('personal_newAccount', 'a passphrase');
  expect(address).toMatch(/^0x[0-9a-f]{40}$/);
  const accounts = await program.call<string[]>('personal_listAccounts');
  expect(accounts).toHaveLength(11);
  expect(accounts.at(-1)).toBe(address);
  expect(await program.call('eth_accounts')).toEqual(accounts);
  const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
  expect(records.map((record) => record.address)).toEqual(accounts);
  expect(records.at(-1)).toEqual({
    address,
    privkey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    passphrase: 'a passphrase',
    passprase: 'a passphrase',
    locked: true,
  });
  expect(await program.call('personal_unlockAccount', address, 'a passphrase', '0x1e')).toBe(true);
  expect(await program.call('personal_lockAccount', address)).toBe(true);
});

test('default: 4.6, a signature', async () => {
  const [, evmAddress] = await program.printed(/^EVM addresses\n\(0\) (0x[0-9a-f]{40})$/m);
  const signature = await program.call<`0x${string}`>('eth_sign', alice, '0xdeadbeaf');
  const signer = await recoverAddress({ hash: hashMessage({ raw: '0xdeadbeaf' }), signature });
  expect(signer.toLowerCase()).toBe(evmAddress);
});

test('default: 4.6, transactions', async () => {
  const before = BigInt(await program.call<string>('eth_getBalance', bob));
  const request = { from: alice, to: bob, gas: '0x14', value: '0x5' };
  for (const hash of [
    await program.call('eth_sendTransaction', request),
    await program.call('personal_sendTransaction', request, ''),
  ]) {
    expect(await program.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  }
  expect(BigInt(await program.call<string>('eth_getBalance', bob))).toBe(before + 10n);
  const created = await program.call('eth_sendTransaction', { from: alice, data: '0x00' });
  expect(await program.call('eth_getTransactionReceipt', created)).toMatchObject({
    contractAddress: expect.stringMatching(/^0x01/),
  });
});

test('behavior: 4.6, a passphrase unlocks the account for one transaction alone', async () => {
  const address = await program.call<string>('personal_newAccount', 'a passphrase');
  await program.call('eth_sendTransaction', { from: alice, to: address, value: '0x64' });
  const request = { from: address, to: bob, value: '0x1' };
  expect(errorOf(await program.response('personal_sendTransaction', request, 'wrong')).code).toBe(-32000);
  expect(await program.call('personal_sendTransaction', request, 'a passphrase')).toMatch(/^0x/);
  expect(await isLocked(address)).toBe(true);
  expect(errorOf(await program.response('eth_sendTransaction', request)).code).toBe(-32000);
});

test('default: 4.6, time', async () => {
  expect(await program.call('evm_increaseTime', 60)).toBe('0x3c');
  expect(await program.call('evm_increaseTime', '0x3c')).toBe('0x78');
  expect(errorOf(await program.response('evm_increaseTime', -1)).code).toBe(-32602);
});

test('error: 4.7, unimplemented methods return the reason', async () => {
  const methods = {
    uncle: ['eth_getUncleByBlockHashAndIndex', 'eth_getUncleByBlockNumberAndIndex'],
    blocks: ['eth_getUncleCountByBlockHash', 'eth_getUncleCountByBlockNumber'],
    'proof of work': ['eth_hashrate', 'eth_getWork', 'eth_submitWork', 'eth_submitHashrate'],
    proofs: ['eth_getProof'],
    compile: ['eth_getCompilers', 'eth_compileSolidity', 'eth_compileLLL', 'eth_compileSerpent'],
    stores: ['db_putString', 'db_getString', 'db_putHex', 'db_getHex'],
    Whisper: [
      'shh_post',
      'shh_version',
      'shh_newIdentity',
      'shh_hasIdentity',
      'shh_newGroup',
      'shh_addToGroup',
    ],
    speak: ['shh_newFilter', 'shh_uninstallFilter', 'shh_getFilterChanges', 'shh_getMessages'],
  };
  for (const [reason, names] of Object.entries(methods)) {
    for (const name of names) {
      const message = expect.stringMatching(new RegExp(`${name} is not implemented: .*${reason}`));
      expect(errorOf(await program.response(name))).toEqual({ code: -32601, message });
    }
  }
});
