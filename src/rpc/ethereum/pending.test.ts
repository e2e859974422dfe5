import { describe, expect, test } from 'vitest';
import { ethereumAddress, ethereumGenesis, MOVING_FEES, sendBy } from '../../ledger/ethereum.testing.ts';
import { createAddress, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { ETHEREUM_METHODS } from '../registries.ts';
import { ethereumAnswer } from '../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from './chain.testing.ts';

const [SENDER, RECEIVER] = [0, 1].map((index) => toPrefixedHex(ethereumAddress(index)));
const CONTRACT = createAddress(ethereumAddress(0), 0n);
const TO = toPrefixedHex(CONTRACT);

/** Opens a chain whose head is block 1, with pending transactions: a creation, a call of it, and a transfer. */
async function openPending() {
  const genesis = ethereumGenesis({ features: { ...MOVING_FEES, hasStateTrie: true } });
  const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual', genesis });
  ledger.miner.mine();
  const hashes = [
    sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n }),
    sendBy(0, ledger, { to: CONTRACT, data: word(7), gas: 100_000n }),
    sendBy(0, ledger, { value: 5n }),
  ].map(toPrefixedHex);
  const ask = (method: string, ...parameters: readonly unknown[]) =>
    ethereumAnswer(dispatcher, method, ...parameters);
  return { ledger, dispatcher, hashes, ask };
}

type Ask = Awaited<ReturnType<typeof openPending>>['ask'];
type Check = (ask: Ask, hashes: readonly string[]) => Promise<void>;

const READ = { from: SENDER, to: TO, data: toPrefixedHex(word(9)) };
const WORD = toPrefixedHex(word(7));
const ANYWHERE = '0x00000000000000000000000000000000000000ee';
/** Returns NUMBER. */
const NUMBER_CODE = '0x435f5260205ff3';
const SLOT = toPrefixedHex(word(0));

const refused = (message: string) => ({ code: -32000, message });

/** The behaviour of each method with a block on `pending`. Where geth serves the pending block, so does this. */
const BEHAVIOR: Readonly<Record<string, Check>> = {
  // The state after the pending block.
  eth_getBalance: async (ask) => {
    const before = BigInt(String(await ask('eth_getBalance', RECEIVER, 'latest')));
    expect(await ask('eth_getBalance', RECEIVER, 'pending')).toBe(quantity(before + 5n));
  },
  eth_getTransactionCount: async (ask) =>
    expect(await ask('eth_getTransactionCount', SENDER, 'pending')).toBe('0x3'),
  eth_getCode: async (ask) => expect(await ask('eth_getCode', TO, 'pending')).not.toBe('0x'),
  eth_getAccount: async (ask) => {
    const { nonce, storageRoot } = (await ask('eth_getAccount', TO, 'pending')) as Record<string, string>;
    const { storageHash } = (await ask('eth_getProof', TO, [], 'pending')) as Record<string, string>;
    expect([nonce, storageRoot]).toEqual(['0x1', storageHash]);
  },
  eth_getAccountInfo: async (ask) =>
    expect(await ask('eth_getAccountInfo', SENDER, { blockNumber: 'pending' })).toMatchObject({
      nonce: '0x3',
    }),
  eth_getStorageAt: async (ask) => expect(await ask('eth_getStorageAt', TO, '0x0', 'pending')).toBe(WORD),
  eth_getStorageValues: async (ask) =>
    expect(await ask('eth_getStorageValues', { [TO]: [SLOT] }, 'pending')).toEqual({ [TO]: [WORD] }),
  eth_getProof: async (ask) => {
    const proof = (await ask('eth_getProof', TO, ['0x0'], 'pending')) as { accountProof: string[] };
    expect(proof).toMatchObject({ nonce: '0x1', storageProof: [{ key: '0x0', value: '0x7' }] });
    expect(proof.accountProof.length).toBeGreaterThan(0);
  },
  ots_hasCode: async (ask) => expect(await ask('ots_hasCode', TO, 'pending')).toBe(true),
  debug_accountInfoAt: async (ask) => {
    expect(await ask('debug_accountInfoAt', 'pending', '0x0', TO)).toMatchObject({ nonce: '0x1' });
    expect(await ask('debug_accountInfoAt', 'pending', '0x0', SENDER)).toMatchObject({ nonce: '0x1' });
  },
  debug_getModifiedAccountsByNumber: async (ask) => {
    const modified = await ask('debug_getModifiedAccountsByNumber', 'pending');
    expect(modified).toEqual(await ask('debug_getModifiedAccountsByNumber', 'latest', 'pending'));
    expect(modified).toEqual(expect.arrayContaining([TO, SENDER, RECEIVER]));
  },
  // Calls in the pending block.
  eth_call: async (ask) => expect(await ask('eth_call', { to: TO, data: WORD }, 'pending')).toBe('0x'),
  eth_estimateGas: async (ask) =>
    expect(await ask('eth_estimateGas', READ, 'pending')).toBe(await ask('eth_estimateGas', READ)),
  eth_createAccessList: async (ask) =>
    expect(await ask('eth_createAccessList', READ, 'pending')).toMatchObject({
      accessList: [{ address: TO, storageKeys: [SLOT] }],
    }),
  eth_simulateV1: async (ask) =>
    expect(await ask('eth_simulateV1', { blockStateCalls: [{ calls: [READ] }] }, 'pending')).toMatchObject([
      { number: '0x3', calls: [{ status: '0x1', logs: [{ address: TO }] }] },
    ]),
  // Geth refuses it, since it keeps no such state; anvil serves it, as is done here.
  debug_traceCall: async (ask) =>
    expect(await ask('debug_traceCall', READ, 'pending', { tracer: 'callTracer' })).toMatchObject({ to: TO }),
  trace_call: async (ask) =>
    expect(await ask('trace_call', READ, ['stateDiff'], 'pending')).toMatchObject({
      stateDiff: { [TO]: { storage: { [SLOT]: { '*': { from: WORD } } } } },
    }),
  trace_callMany: async (ask) =>
    expect(await ask('trace_callMany', [[READ, ['trace']]], 'pending')).toMatchObject([
      { trace: [{ action: { to: TO }, result: {} }] },
    ]),
  eth_callMany: async (ask) => {
    const calls = [{ transactions: [{ to: ANYWHERE }] }];
    const overrides = { [ANYWHERE]: { code: NUMBER_CODE } };
    for (const context of ['pending', { blockNumber: 'pending' }]) {
      expect(await ask('eth_callMany', calls, context, overrides)).toEqual([
        [{ value: toPrefixedHex(word(2)) }],
      ]);
    }
  },
  eth_callBundle: async (ask, [, hash]) => {
    const raw = await ask('eth_getRawTransactionByHash', hash);
    const bundle = { txs: [raw], blockNumber: '0x3', stateBlockNumber: 'pending' };
    // Its nonce was used in the pending block.
    expect(await ask('eth_callBundle', bundle)).toMatchObject({
      message: expect.stringContaining('nonce too low'),
    });
  },
  // The block itself, without the fields that geth leaves out.
  eth_getBlockByNumber: async (ask, hashes) => {
    const block = (await ask('eth_getBlockByNumber', 'pending', true)) as Record<string, unknown>;
    const { hash, baseFeePerGas } = (await ask('eth_getBlockByNumber', 'latest', false)) as Record<
      string,
      string
    >;
    expect(block).toMatchObject({
      ...{ number: '0x2', hash: null, nonce: null, miner: null, parentHash: hash },
      transactions: hashes.map((one, index) => ({
        ...{ hash: one, blockNumber: '0x2', transactionIndex: quantity(index) },
      })),
    });
    expect(Number(block.baseFeePerGas)).toBeLessThan(Number(baseFeePerGas));
    expect(Number(block.gasUsed)).toBeGreaterThan(3 * 21_000);
  },
  eth_getHeaderByNumber: async (ask) => {
    const { number, hash, stateRoot } = (await ask('eth_getHeaderByNumber', 'pending')) as Record<
      string,
      string
    >;
    const { stateRoot: before } = (await ask('eth_getHeaderByNumber', 'latest')) as Record<string, string>;
    expect([number, hash]).toEqual(['0x2', null]);
    expect(stateRoot).not.toBe(before);
  },
  eth_getBlockReceipts: async (ask, hashes) =>
    expect(await ask('eth_getBlockReceipts', 'pending')).toMatchObject(
      hashes.map((transactionHash, index) => ({
        ...{ transactionHash, blockNumber: '0x2', status: '0x1' },
        logs: index === 1 ? [{ address: TO, data: WORD }] : [],
      })),
    ),
  eth_getBlockTransactionCountByNumber: async (ask) =>
    expect(await ask('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x3'),
  eth_getTransactionByBlockNumberAndIndex: async (ask, [, hash]) =>
    expect(await ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x1')).toMatchObject({ hash }),
  eth_getRawTransactionByBlockNumberAndIndex: async (ask, [, hash]) =>
    expect(await ask('eth_getRawTransactionByBlockNumberAndIndex', 'pending', '0x1')).toBe(
      await ask('eth_getRawTransactionByHash', hash),
    ),
  eth_feeHistory: async (ask) => {
    const { oldestBlock, baseFeePerGas } = (await ask('eth_feeHistory', 2, 'pending', [])) as Record<
      string,
      string[]
    >;
    const { baseFeePerGas: own } = (await ask('eth_getHeaderByNumber', 'pending')) as Record<string, string>;
    expect([oldestBlock, baseFeePerGas?.[1]]).toEqual(['0x1', own]);
  },
  debug_getRawReceipts: async (ask) => expect(await ask('debug_getRawReceipts', 'pending')).toHaveLength(3),
  debug_traceBlockByNumber: async (ask, hashes) =>
    expect(await ask('debug_traceBlockByNumber', 'pending', { tracer: 'callTracer' })).toMatchObject(
      hashes.map((txHash) => ({ txHash, result: { from: SENDER } })),
    ),
  trace_block: async (ask, hashes) =>
    expect(await ask('trace_block', 'pending')).toMatchObject(
      hashes.map((transactionHash) => ({ transactionHash, blockNumber: 2 })),
    ),
  trace_blockOpcodeGas: async (ask) =>
    expect(await ask('trace_blockOpcodeGas', 'pending')).toMatchObject({ blockNumber: 2 }),
  trace_replayBlockTransactions: async (ask) =>
    expect(await ask('trace_replayBlockTransactions', 'pending', ['trace'])).toHaveLength(3),
  ots_getBlockDetails: async (ask) =>
    expect(await ask('ots_getBlockDetails', 'pending')).toMatchObject({
      block: { number: '0x2', hash: null, transactionCount: 3 },
    }),
  ots_getBlockTransactions: async (ask) =>
    expect(await ask('ots_getBlockTransactions', 'pending', 0, 2)).toMatchObject({
      receipts: [{ transactionIndex: '0x1' }, { transactionIndex: '0x2' }],
    }),
  // Refused as by geth: a client would keep what may never exist.
  eth_getLogs: async (ask) => {
    const answer = refused('pending logs are not supported');
    expect(await ask('eth_getLogs', { fromBlock: 'pending' })).toEqual(answer);
    expect(await ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'pending' })).toEqual(answer);
  },
  eth_newFilter: async (ask) =>
    expect(await ask('eth_newFilter', { toBlock: 'pending' })).toEqual(
      refused('pending logs are not supported'),
    ),
  trace_filter: async (ask) =>
    expect(await ask('trace_filter', { toBlock: 'pending' })).toEqual(
      refused('pending traces are not supported'),
    ),
  // Refused: these bytes are native ones, and signed.
  debug_getRawBlock: async (ask) =>
    expect(await ask('debug_getRawBlock', 'pending')).toMatchObject({ code: -32000 }),
  debug_getRawHeader: async (ask) =>
    expect(await ask('debug_getRawHeader', 'pending')).toMatchObject({ code: -32000 }),
  // The block does not matter.
  eth_getUncleCountByBlockNumber: async (ask) =>
    expect(await ask('eth_getUncleCountByBlockNumber', 'pending')).toBe('0x0'),
  eth_getUncleByBlockNumberAndIndex: async (ask) =>
    expect(await ask('eth_getUncleByBlockNumberAndIndex', 'pending', '0x0')).toBe(null),
  // A subscription has no range, and by HTTP there are none.
  eth_subscribe: async (ask) =>
    expect(await ask('eth_subscribe', 'logs', {})).toMatchObject({ code: -32601 }),
};

/** The methods of `/ethereum` that take a block by its tag, also within an object. */
const METHODS = [...new Set(ETHEREUM_METHODS.values())].filter(({ parameters }) =>
  parameters.some(({ schema }) => {
    const components = new Map();
    const own = schema.describe(components);
    return JSON.stringify([own, ...components.values()]).includes('"pending"');
  }),
);

describe('pending means one block', () => {
  test('default: what each method does with it is stated', () => {
    expect(METHODS.map(({ name }) => name).sort()).toEqual(Object.keys(BEHAVIOR).sort());
  });

  test.each(Object.entries(BEHAVIOR))('behavior: %s', async (_method, check) => {
    const { ask, hashes, ledger } = await openPending();
    await check(ask, hashes);
    expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([1, 3]);
  });
});
