import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { errorOf, type ReceiptObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** Requests of current clients over HTTP. */

const ABSENT = `0x${'ab'.repeat(32)}`;
const NOBODY = `0x${'00'.repeat(18)}abcd`;
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const QUANTITY = expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/);

let program: Program;
let probe: CompiledContract;
let alice = '';
let contract = '';
let creation = '';
let block = { hash: '', number: '', transactions: [] as readonly string[] };

beforeAll(async () => {
  [program, probe] = await Promise.all([startProgram(), compileContract('Probe')]);
  [alice = ''] = await program.call<string[]>('eth_accounts');
  creation = await program.call('eth_sendTransaction', { from: alice, data: probe.bytecode });
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', creation);
  contract = receipt.contractAddress ?? '';
  block = await program.call('eth_getBlockByHash', receipt.blockHash, false);
});

afterAll(() => program.stop());

describe('fees', () => {
  test('default: prices', async () => {
    expect(await program.call('eth_maxPriorityFeePerGas')).toBe('0x1');
    expect(await program.call('eth_baseFee')).toBe('0x0');
    expect(await program.call('eth_blobBaseFee')).toBe('0x1');
    expect(await program.call('eth_networkId')).toBe('255');
  });

  test('default: eth_feeHistory', async () => {
    expect(await program.call('eth_feeHistory', 2, block.number, [10, 90.5])).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: ['0x0', '0x0', '0x0'],
      gasUsedRatio: [0, 1],
      baseFeePerBlobGas: ['0x0', '0x0', '0x0'],
      blobGasUsedRatio: [0, 0],
      reward: [
        ['0x1', '0x1'],
        ['0x1', '0x1'],
      ],
    });
  });

  test('args: eth_feeHistory: the count is capped at the existing blocks, without rewards', async () => {
    const history = await program.call<object>('eth_feeHistory', '0x400', 'finalized');
    expect(history).toMatchObject({ oldestBlock: '0x0', blobGasUsedRatio: [0, 0] });
    expect(history).not.toHaveProperty('reward');
    expect(await program.call('eth_feeHistory', 0, 'latest', [])).toEqual({
      oldestBlock: '0x2',
      baseFeePerGas: ['0x0'],
      gasUsedRatio: [],
      baseFeePerBlobGas: ['0x0'],
      blobGasUsedRatio: [],
    });
  });

  test.each<[readonly unknown[], number, string]>([
    [[1_025, 'latest'], -32602, 'invalid parameter 1 (blockCount): expected at most 1024 blocks, got 1025'],
    [[1, '0x63'], -32000, 'request beyond head block: requested 99, head 1'],
    [[1, 'latest', [101]], -32602, 'expected percentiles from 0 to 100 in ascending order'],
    [[1, 'latest', [9, 3]], -32602, 'expected percentiles from 0 to 100 in ascending order'],
    [[1, 'latest', [3, 3]], -32602, 'in ascending order, each once'],
    [[1, 'latest', ['50']], -32602, 'expected a number, got a string'],
    [[1, 'latest', new Array(101).fill(1)], -32602, 'expected at most 100 percentiles, got 101'],
  ])('error: eth_feeHistory %j', async (parameters, code, message) => {
    const error = errorOf(await program.response('eth_feeHistory', ...parameters));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe('blocks', () => {
  test('default: eth_getBlockReceipts, by every form of a block', async () => {
    const receipts = [await program.call('eth_getTransactionReceipt', creation)];
    const { hash, number } = block;
    for (const one of [
      number,
      'latest',
      'pending',
      'safe',
      hash,
      { blockHash: hash },
      { blockNumber: number },
    ]) {
      expect(await program.call('eth_getBlockReceipts', one)).toEqual(receipts);
    }
    expect(await program.call('eth_getBlockReceipts', 'earliest')).toEqual([]);
    expect(await program.call('eth_getBlockReceipts', ABSENT)).toBeNull();
    expect(await program.call('eth_getBlockReceipts', '0x63')).toBeNull();
  });

  test('error: eth_getBlockReceipts: an invalid block parameter', async () => {
    for (const one of [true, 'newest', {}, null]) {
      const error = errorOf(await program.response('eth_getBlockReceipts', one));
      expect(error.code).toBe(-32602);
    }
  });

  test('default: headers', async () => {
    const { transactions: _, ...header } = await program.call<Record<string, unknown>>(
      'eth_getBlockByHash',
      block.hash,
      false,
    );
    expect(await program.call('eth_getHeaderByHash', block.hash)).toEqual(header);
    expect(await program.call('eth_getHeaderByNumber', block.number)).toEqual(header);
    expect(await program.call('erigon_getHeaderByNumber', 'safe')).toEqual(header);
    expect(await program.call('eth_getHeaderByHash', ABSENT)).toBeNull();
    expect(await program.call('eth_getHeaderByNumber', '0x63')).toBeNull();
  });

  test('behavior: safe and finalized are the head', async () => {
    for (const tag of ['safe', 'finalized']) {
      expect(await program.call('eth_getBlockByNumber', tag, false)).toEqual(block);
      expect(await program.call('eth_getBlockTransactionCountByNumber', tag)).toBe('0x1');
      expect(await program.call('eth_getLogs', { fromBlock: tag, toBlock: tag })).toEqual([]);
    }
  });

  test('default: returned raw transactions are accepted by eth_sendRawTransaction', async () => {
    const raw = await program.call<string>('eth_getRawTransactionByHash', creation);
    const { code, message } = errorOf(await program.response('eth_sendRawTransaction', raw));
    expect([code, message]).toEqual([-32000, 'already known: the transaction is in block 1']);
    expect(await program.call('eth_getRawTransactionByBlockHashAndIndex', block.hash, 0)).toBe(raw);
    expect(await program.call('eth_getRawTransactionByBlockNumberAndIndex', block.number, '0x0')).toBe(raw);
    expect(await program.call('eth_getRawTransactionByBlockNumberAndIndex', block.number, 1)).toBeNull();
    expect(await program.call('eth_getRawTransactionByBlockHashAndIndex', ABSENT, 0)).toBeNull();
    expect(await program.call('eth_getRawTransactionByHash', ABSENT)).toBeNull();
  });

  test('behavior: a raw transaction that waits', async () => {
    await program.call('miner_stop');
    const hash = await program.call('eth_sendTransaction', { from: alice, to: alice, value: 1 });
    const raw = await program.call<string>('eth_getRawTransactionByHash', hash);
    const answer = await program.response('eth_sendRawTransaction', raw);
    expect(answer.error?.message).toBe('already known: the transaction is pending');
    await program.call('miner_start');
    expect(await program.call('eth_getRawTransactionByHash', hash)).toBe(raw);
  });
});

describe('state', () => {
  test('default: eth_getAccountInfo', async () => {
    expect(await program.call('eth_getAccountInfo', alice, { blockHash: block.hash })).toEqual({
      balance: await program.call('eth_getBalance', alice),
      nonce: await program.call('eth_getTransactionCount', alice),
      code: '0x',
    });
    const code = await program.call('eth_getCode', contract);
    expect(await program.call('eth_getAccountInfo', contract)).toMatchObject({ nonce: '0x0', code });
  });

  test('default: eth_getAccount', async () => {
    const { balance, nonce } = await program.call<Record<string, string>>('eth_getAccountInfo', alice);
    const empty = { codeHash: await program.call('web3_sha3', '0x'), storageRoot: EMPTY_ROOT };
    expect(await program.call('eth_getAccount', alice, 'latest')).toEqual({ balance, nonce, ...empty });
    expect(await program.call('eth_getAccount', NOBODY)).toEqual({ balance: '0x0', nonce: '0x0', ...empty });
    const codeHash = await program.call('web3_sha3', await program.call('eth_getCode', contract));
    expect(await program.call('eth_getAccount', contract)).toMatchObject({
      codeHash,
      storageRoot: EMPTY_ROOT,
    });
    await program.call('anvil_setStorageAt', contract, '0x9', ABSENT);
    expect(await program.call('eth_getAccount', contract)).toMatchObject({ codeHash, storageRoot: null });
    await program.call('anvil_setStorageAt', contract, '0x9', `0x${'00'.repeat(32)}`);
  });

  test('default: eth_getStorageValues', async () => {
    const slots = [0, '0x01', ABSENT];
    const values = await Promise.all(slots.map((slot) => program.call('eth_getStorageAt', contract, slot)));
    expect(await program.call('eth_getStorageValues', { [contract]: slots, [alice]: [] }, 'latest')).toEqual({
      [contract]: values,
      [alice]: [],
    });
  });

  test.each<[object, string]>([
    [{ '0x01': [0] }, '0x01: expected 20 bytes of 0x-prefixed hex, got 1 byte'],
    [{ [`0x${'aa'.repeat(20)}`]: [0], [`0x${'AA'.repeat(20)}`]: [0] }, 'duplicate address'],
    [{ [`0x${'aa'.repeat(20)}`]: new Array(1_025).fill(0) }, 'expected at most 1024 slots, got 1025'],
    [{ [`0x${'aa'.repeat(20)}`]: ['zero'] }, 'expected a QUANTITY'],
    [[], 'expected an object, got an array'],
  ])('error: eth_getStorageValues: %#', async (positions, message) => {
    const error = errorOf(await program.response('eth_getStorageValues', positions));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(message) });
  });

  test('behavior: fields of local wallets are without effect', async () => {
    const fields = { chain: 'mainnet', hardfork: 'london', networkId: '0x1', blobVersionedHashes: [] };
    const message = { from: alice, to: alice, ...fields, authorizationList: [] };
    expect(await program.call('eth_call', message)).toBe('0x');
    const error = errorOf(await program.response('eth_call', { ...message, authorizationList: [{}] }));
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('authorizationList: expected an empty array'),
    });
  });
});

describe('the node', () => {
  test('default: eth_config', async () => {
    const { current } = await program.call<{ current: { precompiles: object } }>('eth_config');
    expect(current).toMatchObject({ activationTime: 0, chainId: '0xff', systemContracts: {} });
    expect(Object.keys(current.precompiles)).toHaveLength(18);
    expect(current.precompiles).toMatchObject({
      ECREC: '0x0000000000000000000000000000000000000001',
      P256VERIFY: '0x0000000000000000000000000000000000000100',
    });
  });

  test('default: eth_capabilities', async () => {
    const head = await program.call<{ number: string; hash: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    const all = { disabled: false, oldestBlock: '0x0' };
    expect(await program.call('eth_capabilities')).toEqual({
      head: { number: head.number, hash: head.hash },
      state: {
        disabled: false,
        oldestBlock: head.number,
        deleteStrategy: { type: 'window', retentionBlocks: '0x1' },
      },
      ...{ tx: all, logs: all, receipts: all, blocks: all },
      stateproofs: { disabled: true },
    });
  });

  test('default: rpc_modules', async () => {
    expect(await program.call('rpc_modules')).toMatchObject({
      eth: '1.0',
      net: '1.0',
      evm: '1.0',
      ledger: '1.0',
    });
  });

  test('default: ledger_getChain', async () => {
    const [, chainId = ''] = await program.printed(/^Native chain +([0-9a-f]{64})$/m);
    expect(await program.call('ledger_getChain')).toMatchObject({
      chainId: `0x${chainId}`,
      evmChainId: '0xff',
      network: 'default',
      keyPrefix: 'ECHO',
      reserved: { accounts: '0x400', contracts: '0x0' },
      fees: { basic: '0x14', accountCreate: '0x64' },
      limits: { expirationSeconds: '0x15180', operationGas: '0x1000000', amount: QUANTITY },
    });
  });
});
