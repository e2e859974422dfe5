import { JsonRpcProvider } from 'ethers';
import { createPublicClient, defineChain, type Hash, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/**
 * Waiting for a receipt where blocks come later than transactions: every nonce is zero, so that clients which look for
 * a replaced transaction by sender and nonce take another one of the same sender for it.
 */

let program: Program;
let alice: Hash;
let bob: Hash;

beforeAll(async () => {
  program = await startProgram('--block-time', '1');
  [alice = '0x', bob = '0x'] = await program.call<Hash[]>('eth_accounts');
});

afterAll(() => program.stop());

/** Sends two transactions of one account, which wait for one block; gives their hashes. */
async function sendTwo(): Promise<[Hash, Hash]> {
  const send = (value: number) => program.call<Hash>('eth_sendTransaction', { from: alice, to: bob, value });
  return [await send(1), await send(2)];
}

/** The value of an included transaction. */
async function amountOf(hash: string): Promise<number> {
  return Number((await program.call<{ value: string }>('eth_getTransactionByHash', hash)).value);
}

test('default: viem, without looking for replaced transactions', async () => {
  const chain = defineChain({
    id: 255,
    name: 'ledgerd',
    nativeCurrency: { name: 'unit', symbol: 'UNIT', decimals: 0 },
    rpcUrls: { default: { http: [program.clientUrl] } },
  });
  const client = createPublicClient({ chain, transport: http(program.clientUrl), pollingInterval: 50 });
  const hashes = await sendTwo();
  const receipts = await Promise.all(
    hashes.map((hash) => client.waitForTransactionReceipt({ hash, checkReplacement: false })),
  );
  expect(await Promise.all(receipts.map(({ transactionHash }) => amountOf(transactionHash)))).toEqual([1, 2]);
});

test('default: ethers, by the provider', async () => {
  const provider = new JsonRpcProvider(program.clientUrl, 255, { staticNetwork: true, pollingInterval: 50 });
  const hashes = await sendTwo();
  const receipts = await Promise.all(hashes.map((hash) => provider.waitForTransaction(hash)));
  expect(await Promise.all(receipts.map((receipt) => amountOf(receipt?.hash ?? '')))).toEqual([1, 2]);
  provider.destroy();
});

test('default: sends that wait themselves', async () => {
  const receipt = await program.call('eth_sendTransactionSync', { from: alice, to: bob, value: 3 });
  expect(receipt).toMatchObject({ status: '0x1', from: alice });
  const raw = await program.call('eth_signTransaction', { from: alice, to: bob, value: 4 });
  const { transactionHash } = await program.call<{ transactionHash: string }>(
    'eth_sendRawTransactionSync',
    raw,
    '0x2710',
  );
  expect(await amountOf(transactionHash)).toBe(4);
});

test('error: a synchronous send that times out leaves the transaction pending', async () => {
  await program.call('miner_stop');
  const answer = await program.response('eth_sendTransactionSync', { from: alice, to: bob, value: 5 }, 1);
  const { code, message, data } = errorOf(answer);
  expect([code, message]).toEqual([4, 'no block came within 1 ms: the transaction stays pending']);
  expect(await program.call('eth_getTransactionByHash', data)).toMatchObject({
    blockHash: null,
    value: '0x5',
  });
  const long = errorOf(await program.response('eth_sendTransactionSync', { from: alice, to: bob }, 60_001));
  expect(long).toMatchObject({
    code: -32602,
    message: expect.stringContaining('at most 60000 milliseconds'),
  });
  await program.call('miner_start');
});

test('error: a send that waits when the node stops', async () => {
  const node = await startProgram('--no-mining');
  const [from] = await node.call<Hash[]>('eth_accounts');
  const waiting = node.response('eth_sendTransactionSync', { from, to: from, value: 1 });
  await pendingOn(node);
  const status = node.stop();
  expect(errorOf(await waiting)).toMatchObject({
    code: 4,
    message: 'the node stops: the transaction stays pending',
  });
  expect(await status).toBe(0);
});

/** Waits until a node has a transaction that waits for its block. */
async function pendingOn(node: Program): Promise<void> {
  while ((await node.call<unknown[]>('eth_pendingTransactions')).length === 0);
}
