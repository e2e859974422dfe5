import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BlockObject, errorOf, type ReceiptObject, type TransactionObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;
let accounts: string[] = [];

beforeEach(async () => {
  program = await startProgram();
  accounts = await program.call<string[]>('eth_accounts');
});

afterEach(() => program.stop());

/** Sends three transfers of different accounts; gives the hashes that the node answered. */
async function sendThree(): Promise<string[]> {
  const [receiver, ...senders] = accounts;
  const hashes: string[] = [];
  for (const from of senders.slice(0, 3)) {
    hashes.push(await program.call<string>('eth_sendTransaction', { from, to: receiver, value: '0x1' }));
  }
  return hashes;
}

test('default: transactions wait while mining is stopped', async () => {
  const head = await program.call('eth_blockNumber');
  expect(await program.call('miner_stop')).toBeNull();
  expect(await program.call('eth_mining')).toBe(false);
  const hashes = await sendThree();
  expect(hashes.map((hash) => hash.slice(0, 26))).toEqual(Array(3).fill(`0x${'0'.repeat(24)}`));
  expect(new Set(hashes).size).toBe(3);
  const pending = await program.call<TransactionObject[]>('eth_pendingTransactions');
  expect(pending.map(({ hash }) => hash)).toEqual(hashes);
  for (const transaction of pending) {
    expect(transaction).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      value: '0x1',
    });
    expect(await program.call('eth_getTransactionByHash', transaction.hash)).toEqual(transaction);
    expect(await program.call('eth_getTransactionReceipt', transaction.hash)).toBeNull();
  }
  expect(await program.call('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x3');
  expect(await program.call('eth_getTransactionCount', accounts[1])).toBe('0x0');
  expect(await program.call('eth_blockNumber')).toBe(head);
});

test('behavior: one block takes them all, and both hashes find them', async () => {
  await program.call('miner_stop');
  const pendingHashes = await sendThree();
  expect(await program.call('evm_mine')).toBeNull();
  expect(await program.call('eth_mining')).toBe(false);
  expect(await program.call('eth_pendingTransactions')).toEqual([]);
  const block = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  const number = Number(block.number).toString(16).padStart(8, '0');
  const processedHashes = pendingHashes.map(
    (hash, index) => `0x00000000${number}${String(index).padStart(8, '0')}${hash.slice(26)}`,
  );
  expect(block.transactions).toEqual(processedHashes);
  expect(await program.call('eth_getBlockTransactionCountByHash', block.hash)).toBe('0x3');
  for (const [index, hash] of pendingHashes.entries()) {
    const found = await program.call<TransactionObject>('eth_getTransactionByHash', hash);
    expect(found).toMatchObject({
      hash: processedHashes[index],
      blockHash: block.hash,
      transactionIndex: `0x${index}`,
    });
    expect(await program.call('eth_getTransactionByHash', processedHashes[index])).toEqual(found);
    expect(await program.call('eth_getTransactionByBlockHashAndIndex', block.hash, index)).toEqual(found);
    const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', hash);
    expect(receipt).toMatchObject({
      transactionHash: processedHashes[index],
      gasUsed: '0x14',
      status: '0x1',
    });
    expect(receipt.cumulativeGasUsed).toBe('0x14');
    expect(await program.call('eth_getTransactionReceipt', processedHashes[index])).toEqual(receipt);
  }
});

test('behavior: a hash is found at its own position only', async () => {
  await program.call('miner_stop');
  const [hash = ''] = await sendThree();
  await program.call('evm_mine');
  const { hash: processed } = await program.call<TransactionObject>('eth_getTransactionByHash', hash);
  for (const position of [18, 25, 60]) {
    const digit = processed[position] === '1' ? '2' : '1';
    const altered = processed.slice(0, position) + digit + processed.slice(position + 1);
    expect(await program.call('eth_getTransactionByHash', altered)).toBeNull();
  }
  const shifted = `0x00000001${processed.slice(10)}`;
  expect(await program.call('eth_getTransactionByHash', shifted)).toBeNull();
});

test('behavior: miner_start gives the waiting transactions their block', async () => {
  await program.call('miner_stop');
  const hashes = await sendThree();
  expect(await program.call('miner_start')).toBeNull();
  expect(await program.call('eth_mining')).toBe(true);
  const included = async () =>
    (await program.call<TransactionObject>('eth_getTransactionByHash', hashes[2])).blockNumber;
  await expect.poll(included).not.toBeNull();
  expect(await program.call('eth_pendingTransactions')).toEqual([]);
});

test('behavior: equal transactions in one second are both accepted', async () => {
  await program.call('miner_stop');
  const transfer = { from: accounts[1], to: accounts[2], value: '0x5' };
  const hashes = [
    await program.call('eth_sendTransaction', transfer),
    await program.call('eth_sendTransaction', transfer),
    await program.call('eth_sendTransaction', transfer),
  ];
  expect(new Set(hashes).size).toBe(3);
  const before = BigInt(await program.call<string>('eth_getBalance', accounts[2]));
  await program.call('evm_mine');
  expect(BigInt(await program.call<string>('eth_getBalance', accounts[2]))).toBe(before + 15n);
});

test('behavior: a pending transaction counts for the next one', async () => {
  await program.call('miner_stop');
  const [rich, poor] = [accounts[1], accounts[2]];
  const balance = BigInt(await program.call<string>('eth_getBalance', rich));
  const all = `0x${(balance - 20n).toString(16)}`;
  await program.call('eth_sendTransaction', { from: rich, to: poor, value: all });
  const error = errorOf(
    await program.response('eth_sendTransaction', { from: rich, to: poor, value: '0x1' }),
  );
  expect(error).toMatchObject({ code: -32000, message: expect.stringMatching(/insufficient/i) });
  const double = `0x${(balance * 2n - 40n).toString(16)}`;
  // The fee is given, since an estimate looks at the head.
  await program.call('eth_sendTransaction', { from: poor, to: rich, value: double, gas: '0x14' });
  await program.call('evm_mine');
  expect(await program.call('eth_getBalance', poor)).toBe('0x0');
});

test('behavior: an empty block is forced too', async () => {
  const before = Number(await program.call('eth_blockNumber'));
  await program.call('evm_mine');
  await program.call('evm_mine');
  expect(Number(await program.call('eth_blockNumber'))).toBe(before + 2);
});
