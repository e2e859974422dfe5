import { keccak256, numberToHex, pad } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { errorOf, type ReceiptObject, type TransactionObject } from '../json-rpc.ts';
import { signedTransactionBytes, transferBytes } from '../native/writer.ts';
import { type Program, startProgram } from '../program.ts';

/** Values, blocks, transactions and reads by docs/interface.md, sentence by sentence, over HTTP. */

const QUANTITY = expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/);
const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const ADDRESS = expect.stringMatching(/^0x[0-9a-f]{40}$/);
const BLOOM = expect.stringMatching(/^0x[0-9a-f]{512}$/);
const DATA = expect.stringMatching(/^0x([0-9a-f]{2})*$/);
const ZERO_HASH = `0x${'0'.repeat(64)}`;
const ABSENT = `0x${'ab'.repeat(32)}`;
/** Parameters that stand for the default block, which has no effect. */
const IGNORED = ['latest', 'earliest', 'pending', '0x1', 7];

let program: Program;
let probe: CompiledContract;
let alice = '';
let bob = '';
/** A contract that has noted 5 under the key 3. */
let contract = '';
let creation = '';
let noting = '';

beforeAll(async () => {
  [program, probe] = await Promise.all([startProgram(), compileContract('Probe')]);
  const accounts = await program.call<string[]>('eth_accounts');
  alice = accounts[0] ?? '';
  bob = accounts[1] ?? '';
  creation = await program.call('eth_sendTransaction', { from: alice, data: probe.bytecode });
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', creation);
  contract = receipt.contractAddress ?? '';
  noting = await program.call('eth_sendTransaction', { from: alice, to: contract, data: noteData(3, 5) });
});

afterAll(() => program.stop());

/** Calls note(uint256,uint256). */
function noteData(key: number, value: number): string {
  return selectorOf('note(uint256,uint256)') + word(key) + word(value);
}

function selectorOf(signature: string): string {
  return keccak256(Buffer.from(signature)).slice(0, 10);
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0');
}

test('default: 4.1, client and network', async () => {
  expect(await program.call('web3_clientVersion')).toMatch(/^[A-Za-z]+\/[\d.]+\/\w+\.(32|64)-bit$/);
  expect(await program.call('web3_sha3', '0x68656c6c6f20776f726c64')).toBe(
    '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
  );
  expect(await program.call('net_version')).toBe('255');
  expect(await program.call('net_listening')).toBe(true);
  expect(await program.call('net_peerCount')).toBe('0x0');
  expect(await program.call('eth_protocolVersion')).toBe('0x3f');
  expect(await program.call('eth_syncing')).toBe(false);
  expect(await program.call('eth_coinbase')).toBe('0x00000000000000000000000000000000000003ff');
  expect(await program.call('eth_gasPrice')).toBe('0x1');
  expect(await program.call('eth_chainId')).toBe(255);
});

test('default: 4.2, balances, counts and code', async () => {
  expect(await program.call('eth_blockNumber')).toEqual(QUANTITY);
  expect(await program.call('eth_getCode', contract, 'latest')).toMatch(/^0x60/);
  expect(await program.call('eth_getCode', contract, '0x2')).toMatch(/^0x60/);
  expect(await program.call('eth_getCode', alice, 'latest')).toBe('');
  for (const block of IGNORED) {
    expect(await program.call('eth_getBalance', bob, block)).toBe('0x16345785d8a0000');
    expect(await program.call('eth_getTransactionCount', bob, block)).toBe('0x0');
    expect(Number(await program.call('eth_getTransactionCount', alice, block))).toBeGreaterThanOrEqual(2);
  }
});

test('default: 4.2, storage', async () => {
  // The entry of a mapping: Keccak-256 of the padded key and the padded slot of the mapping, which is the first.
  const position = keccak256(`0x${word(3)}${word(0)}`);
  for (const block of IGNORED) {
    expect(await program.call('eth_getStorageAt', contract, position, block)).toBe(`0x${word(5)}`);
  }
  expect(await program.call('eth_getStorageAt', contract, '0x0', 'latest')).toBe(ZERO_HASH);
});

test('default: 4.2, operations of a block', async () => {
  const { blockHash, blockNumber } = await program.call<TransactionObject>(
    'eth_getTransactionByHash',
    noting,
  );
  expect(await program.call('eth_getBlockTransactionCountByHash', blockHash)).toBe('0x1');
  expect(await program.call('eth_getBlockTransactionCountByNumber', blockNumber)).toBe('0x1');
  expect(await program.call('eth_getBlockTransactionCountByNumber', 'earliest')).toBe('0x0');
  expect(await program.call('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x0');
});

test('default: 4.2, calls and estimates', async () => {
  const data = selectorOf('notes(uint256)') + word(3);
  const head = await program.call('eth_blockNumber');
  for (const call of [
    { to: contract, data },
    { from: alice, to: contract, value: '0x0', data },
  ]) {
    for (const block of IGNORED) expect(await program.call('eth_call', call, block)).toBe(`0x${word(5)}`);
  }
  expect(await program.call('eth_estimateGas', { from: alice, to: bob, value: '0x1' })).toBe('0x14');
  expect(await program.call('eth_estimateGas', { to: contract, data })).toEqual(QUANTITY);
  expect(await program.call('eth_estimateGas', {})).toEqual(QUANTITY);
  expect(await program.call('eth_blockNumber')).toBe(head);
});

test('default: 4.3 and 2.2, the block object', async () => {
  const { blockHash, blockNumber } = await program.call<TransactionObject>(
    'eth_getTransactionByHash',
    noting,
  );
  const block = await program.call<Record<string, unknown>>('eth_getBlockByHash', blockHash, false);
  expect(block).toEqual({
    number: blockNumber,
    hash: blockHash,
    parentHash: HASH,
    nonce: '0x0000000000000000',
    sha3Uncles: ZERO_HASH,
    logsBloom: `0x${'0'.repeat(512)}`,
    transactionsRoot: expect.stringMatching(/^0x0{24}[0-9a-f]{40}$/),
    stateRoot: HASH,
    receiptsRoot: ZERO_HASH,
    miner: ADDRESS,
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x00',
    size: QUANTITY,
    gasUsed: QUANTITY,
    gasLimit: block.gasUsed,
    baseFeePerGas: '0x0',
    mixHash: HASH,
    timestamp: QUANTITY,
    transactions: [noting],
    uncles: [],
  });
  expect(blockHash).toMatch(/^0x0{24}/);
  expect(Number(blockHash?.slice(26, 34).replace(/^/, '0x'))).toBe(Number(blockNumber));
  expect(await program.call('eth_getBlockByNumber', blockNumber, false)).toEqual(block);
  const full = await program.call<Record<string, unknown>>('eth_getBlockByHash', blockHash, true);
  expect(full.transactions).toEqual([await program.call('eth_getTransactionByHash', noting)]);
  expect(await program.call('eth_getBlockByHash', ABSENT, false)).toBeNull();
  expect(await program.call('eth_getBlockByNumber', 'pending', false)).toEqual(
    await program.call('eth_getBlockByNumber', 'latest', false),
  );
  expect(await program.call('eth_getBlockByNumber', 'earliest', true)).toMatchObject({ number: '0x0' });
});

test('default: 4.3 and 2.3, the transaction object', async () => {
  const transaction = await program.call<TransactionObject>('eth_getTransactionByHash', noting);
  expect(transaction).toEqual({
    blockHash: HASH,
    blockNumber: QUANTITY,
    blockTimestamp: QUANTITY,
    type: '0x0',
    from: alice,
    gas: QUANTITY,
    gasPrice: '0x1',
    hash: noting,
    input: noteData(3, 5),
    nonce: '0x0',
    to: contract,
    transactionIndex: '0x0',
    value: '0x0',
    ...{ v: '0x0', r: '0x0', s: '0x0' },
  });
  const { blockHash, blockNumber } = transaction;
  expect(await program.call('eth_getTransactionByBlockHashAndIndex', blockHash, '0x0')).toEqual(transaction);
  expect(await program.call('eth_getTransactionByBlockNumberAndIndex', blockNumber, '0x0')).toEqual(
    transaction,
  );
  for (const tag of ['latest', 'pending']) {
    const newest = await program.call('eth_getTransactionByBlockNumberAndIndex', tag, '0x0');
    expect(newest).toEqual(await program.call('eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0'));
  }
  expect(await program.call('eth_getTransactionByHash', creation)).toMatchObject({ to: null });
  expect(await program.call('eth_getTransactionByHash', ABSENT)).toBeNull();
  expect(await program.call('eth_getTransactionByBlockHashAndIndex', blockHash, '0x1')).toBeNull();
  expect(await program.call('eth_getTransactionByBlockHashAndIndex', ABSENT, '0x0')).toBeNull();
  expect(await program.call('eth_getTransactionByBlockNumberAndIndex', 'earliest', '0x0')).toBeNull();
});

test('default: 4.3 and 2.5, the receipt', async () => {
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', noting);
  const { blockHash, blockNumber, blockTimestamp } = await program.call<TransactionObject>(
    'eth_getTransactionByHash',
    noting,
  );
  const block = await program.call<{ timestamp: string }>('eth_getBlockByHash', blockHash, false);
  expect(blockTimestamp).toBe(block.timestamp);
  const place = { transactionHash: noting, transactionIndex: '0x0', blockHash, blockNumber };
  expect(receipt).toEqual({
    ...place,
    type: '0x0',
    from: alice,
    to: contract,
    cumulativeGasUsed: QUANTITY,
    gasUsed: receipt.cumulativeGasUsed,
    effectiveGasPrice: '0x1',
    contractAddress: null,
    logs: [
      {
        ...place,
        blockTimestamp,
        removed: false,
        logIndex: '0x0',
        address: contract,
        data: `0x${word(5)}`,
        topics: [
          keccak256(Buffer.from('Noted(address,uint256,uint256)')),
          pad(`0x${alice.slice(2)}`),
          pad(numberToHex(3)),
        ],
      },
    ],
    logsBloom: BLOOM,
    status: '0x1',
  });
  expect(await program.call('eth_getTransactionReceipt', creation)).toMatchObject({
    to: null,
    contractAddress: contract,
  });
  expect(await program.call('eth_getTransactionReceipt', ABSENT)).toBeNull();
});

test('default: 4.3, a signed native transaction, and the pending ones', async () => {
  const [, chainId = ''] = await program.printed(/^Native chain +([0-9a-f]{64})$/m);
  const [, key = ''] = await program.printed(/^(?:Native private|Private) keys\n\(0\) +0x([0-9a-f]{64})$/m);
  const head = await program.call<{ number: string; hash: string; timestamp: string }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  const frame = {
    refBlockNum: Number(head.number) % 2 ** 16,
    refBlockPrefix: Buffer.from(head.hash.slice(26), 'hex').readUInt32LE(4),
    expiration: Number(head.timestamp) + 60,
  };
  const transfer = transferBytes({ from: Number(alice), to: Number(bob), amount: 9n });
  const bytes = signedTransactionBytes(chainId, frame, [transfer], [key]);

  await program.call('miner_stop');
  const hash = await program.call<string>('eth_sendRawTransaction', `0x${bytes.toString('hex')}`);
  expect(hash).toMatch(/^0x0{24}[0-9a-f]{40}$/);
  const [waiting] = await program.call<TransactionObject[]>('eth_pendingTransactions');
  expect(waiting).toMatchObject({ hash, from: alice, to: bob, value: '0x9', input: DATA });
  expect(waiting).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null });
  expect(await program.call('eth_getTransactionReceipt', hash)).toBeNull();
  expect(await program.call('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x1');
  await program.call('miner_start');
  expect(await program.call('eth_pendingTransactions')).toEqual([]);
  expect(await program.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  expect(errorOf(await program.response('eth_sendRawTransaction', '0x00')).code).toBe(-32602);
});

test('behavior: the form of requests and responses', async () => {
  const response = await fetch(program.url, {
    method: 'POST',
    body: '{"jsonrpc":"2.0","method":"eth_gasPrice","params":[],"id":73}',
  });
  expect(await response.json()).toEqual({ id: 73, jsonrpc: '2.0', result: '0x1' });
});
