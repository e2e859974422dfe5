import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestNode } from '../../src/library/index.ts';
import { hexToBytes, signEthereumTransaction, toAddress, toPrefixedHex } from '../../src/protocol/index.ts';
import { ETHEREUM_METHODS } from '../../src/rpc/index.ts';
import { call, request } from '../rpc-client.js';
import { startFork } from './forked-pair.ts';

/** Stores the first word of the call in slot 0, and emits an event with topic 1. */
const CODE = '0x600e80600b6000396000f3600035600055600160006000a100';
const TOPIC = `0x${'00'.repeat(31)}01`;
const SLOT = `0x${'00'.repeat(32)}`;
/** Number of the block of the fork: the creation of a contract and calls of it. */
const FORK = 5;
/** A block before the fork, that of the fork, and one of the forked chain. */
const PLACES = [
  ['before', FORK - 2],
  ['at', FORK],
  ['after', FORK + 1],
] as const;

let remoteUrl: string;
let forkedUrl: string;
let contract: string;
let sender: string;
let transaction: string;
/** A free transaction of an account without ether. */
let signed: string;
const stops: (() => Promise<void>)[] = [];

/** Sends a call of the contract, which makes a block. */
function touch(url: string, word: number): Promise<string> {
  const data = `0x${word.toString(16).padStart(64, '0')}`;
  return call(url, 'eth_sendTransaction', { from: sender, to: contract, data, gas: '0x30000' });
}

async function freeTransaction(): Promise<string> {
  const shared = { nonce: 0n, gas: 100_000n, to: toAddress(hexToBytes(contract.slice(2))), value: 0n };
  const chainId = BigInt(await call(remoteUrl, 'eth_chainId'));
  const fields = { ...shared, type: 'legacy', chainId, gasPrice: 0n, data: new Uint8Array(32) } as const;
  return toPrefixedHex(signEthereumTransaction(fields, new Uint8Array(32).fill(1)));
}

beforeAll(async () => {
  const remote = await startTestNode({ ethereum: true });
  stops.push(() => remote.stop());
  remoteUrl = remote.ethereumUrl ?? '';
  [sender] = await call(remoteUrl, 'eth_accounts');
  const hash = await call(remoteUrl, 'eth_sendTransaction', { from: sender, data: CODE });
  contract = (await call(remoteUrl, 'eth_getTransactionReceipt', hash)).contractAddress;
  signed = await freeTransaction();
  for (let word = 2; word <= FORK; word += 1) transaction = await touch(remoteUrl, word);
  const forked = await startFork(remoteUrl);
  stops.unshift(() => forked.stop());
  forkedUrl = forked.ethereumUrl ?? '';
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

/** A method that names a block: its parameters, with the block among them. */
interface Row {
  readonly params: (block: unknown) => unknown[];
  /** The names of a block that the method takes. */
  readonly takes: 'number' | 'any' | 'hash';
  /** True if some fields of the result differ from those that the remote chain responds with. */
  readonly isOther?: boolean;
}

function row(takes: Row['takes'], params: Row['params'], isOther = false): Row {
  return { takes, params, isOther };
}

const message = () => ({ from: sender, to: contract, data: TOPIC, gas: 200_000, value: 0 });
const tracer = { tracer: 'callTracer' };

/** The methods with a block as a parameter. */
const BLOCK_ROWS: Readonly<Record<string, Row>> = {
  eth_getBlockByNumber: row('number', (block) => [block, true]),
  eth_getHeaderByNumber: row('number', (block) => [block]),
  eth_getBlockTransactionCountByNumber: row('number', (block) => [block]),
  eth_getTransactionByBlockNumberAndIndex: row('number', (block) => [block, 0]),
  eth_getRawTransactionByBlockNumberAndIndex: row('number', (block) => [block, 0]),
  eth_getUncleByBlockNumberAndIndex: row('number', (block) => [block, 0]),
  eth_getUncleCountByBlockNumber: row('number', (block) => [block]),
  debug_traceBlockByNumber: row('number', (block) => [block, tracer]),
  eth_feeHistory: row('number', (block) => [2, block, [50]]),
  debug_getModifiedAccountsByNumber: row('number', (block) => [block]),
  ots_getBlockDetails: row('number', (block) => [block], true),
  ots_getBlockTransactions: row('number', (block) => [block, 0, 5], true),
  eth_getBlockReceipts: row('any', (block) => [block]),
  debug_getRawBlock: row('any', (block) => [block]),
  debug_getRawHeader: row('any', (block) => [block]),
  debug_getRawReceipts: row('any', (block) => [block]),
  debug_accountInfoAt: row('any', (block) => [block, 0, contract]),
  trace_block: row('any', (block) => [block]),
  trace_blockOpcodeGas: row('any', (block) => [block]),
  eth_callMany: row('any', (block) => [[{ transactions: [message()] }], block]),
  eth_callBundle: row('any', (block) => [
    { txs: [signed], blockNumber: '0x9', stateBlockNumber: block, baseFee: '0x0' },
  ]),
  trace_replayBlockTransactions: row('any', (block) => [block, ['trace']]),
  eth_getBalance: row('any', (block) => [contract, block]),
  eth_getTransactionCount: row('any', (block) => [sender, block]),
  eth_getCode: row('any', (block) => [contract, block]),
  eth_getAccount: row('any', (block) => [contract, block], true),
  eth_getAccountInfo: row('any', (block) => [contract, block]),
  eth_getStorageAt: row('any', (block) => [contract, 0, block]),
  eth_getStorageValues: row('any', (block) => [{ [contract]: [0, SLOT] }, block]),
  eth_getProof: row('any', (block) => [contract, [], block], true),
  eth_call: row('any', (block) => [message(), block, { [contract]: { stateDiff: { '0x2': '0x3' } } }]),
  eth_estimateGas: row('any', (block) => [message(), block]),
  eth_createAccessList: row('any', (block) => [message(), block]),
  eth_simulateV1: row('any', (block) => [{ blockStateCalls: [{ calls: [message()] }] }, block], true),
  debug_traceCall: row('any', (block) => [message(), block, tracer]),
  trace_call: row('any', (block) => [message(), ['trace'], block]),
  trace_callMany: row('any', (block) => [[[message(), ['trace']]], block]),
  ots_hasCode: row('any', (block) => [contract, block]),
  eth_getBlockByHash: row('hash', (block) => [block, true]),
  eth_getHeaderByHash: row('hash', (block) => [block]),
  eth_getBlockTransactionCountByHash: row('hash', (block) => [block]),
  eth_getTransactionByBlockHashAndIndex: row('hash', (block) => [block, 0]),
  eth_getRawTransactionByBlockHashAndIndex: row('hash', (block) => [block, 0]),
  eth_getUncleByBlockHashAndIndex: row('hash', (block) => [block, 0]),
  eth_getUncleCountByBlockHash: row('hash', (block) => [block]),
  debug_traceBlockByHash: row('hash', (block) => [block, tracer]),
  debug_storageRangeAt: row('hash', (block) => [block, 0, contract, '0x0', 5], true),
  debug_getModifiedAccountsByHash: row('hash', (block) => [block]),
  ots_getBlockDetailsByHash: row('hash', (block) => [block], true),
};

/** The methods that continue before the fork, and name a transaction, a range or an address. */
const OTHER_ROWS: Readonly<Record<string, () => unknown[]>> = {
  eth_getTransactionByHash: () => [transaction],
  eth_getTransactionReceipt: () => [transaction],
  eth_getRawTransactionByHash: () => [transaction],
  debug_getRawTransaction: () => [transaction],
  debug_traceTransaction: () => [transaction, tracer],
  trace_transaction: () => [transaction],
  trace_transactionOpcodeGas: () => [transaction],
  trace_get: () => [transaction, []],
  trace_replayTransaction: () => [transaction, ['trace']],
  ots_getTransactionError: () => [transaction],
  ots_traceTransaction: () => [transaction],
  ots_getInternalOperations: () => [transaction],
  eth_getTransactionBySenderAndNonce: () => [sender, 2],
  ots_getTransactionBySenderAndNonce: () => [sender, 2],
  ots_getContractCreator: () => [contract],
  ots_searchTransactionsBefore: () => [sender, 3, 2],
  ots_searchTransactionsAfter: () => [sender, 1, 2],
  eth_getLogs: () => [{ fromBlock: 3, toBlock: 4, address: contract }],
  trace_filter: () => [{ fromBlock: 3, toBlock: 4, count: 1 }],
};

/** Methods of this chain alone with a parameter for a block, and the reason. */
const LOCAL_WITH_BLOCK: Readonly<Record<string, string>> = {
  debug_codeByHash: 'the block has no effect',
  eth_newFilter: 'it creates a filter, which eth_getFilterLogs reads',
  eth_subscribe: 'new logs alone',
};

test('behavior: each method of the registry has a row, or is of this chain alone', () => {
  const definitions = new Set(ETHEREUM_METHODS.values());
  const rows = new Set([...Object.keys(BLOCK_ROWS), ...Object.keys(OTHER_ROWS), 'eth_getFilterLogs']);
  const problems: string[] = [];
  for (const { name, readsRemote, parameters } of definitions) {
    if (readsRemote !== rows.has(name)) problems.push(`${name}: ${readsRemote ? 'no row' : 'has a row'}`);
    const components = new Map();
    for (const { schema } of parameters) schema.describe(components);
    const takesBlock = [...components.keys()].some((key) => /^Block(Parameter|Reference|Object)$/.test(key));
    const isTest = ETHEREUM_METHODS.get(name)?.chains === 'test';
    if (takesBlock && !readsRemote && !isTest && LOCAL_WITH_BLOCK[name] === undefined) {
      problems.push(`${name}: takes a block, and does not continue before the fork`);
    }
  }
  expect(problems).toEqual([]);
});

/** Returns the result of a call, or the text of its error. */
async function responseOf(url: string, method: string, params: unknown[]): Promise<unknown> {
  const { result, error } = await request(url, method, ...params);
  return error === undefined ? result : `${ERROR}: ${error.message}`;
}

const ERROR = 'error';
const NO_ERROR = expect.not.stringMatching(ERROR);

describe('without a block of the forked chain', () => {
  test.each(Object.entries(BLOCK_ROWS).filter(([, { takes }]) => takes !== 'hash'))(
    'args: %s has the block of the fork for each name of the newest one',
    async (method, { params }) => {
      const expected = await responseOf(forkedUrl, method, params(hex(FORK)));
      expect(String(expected)).toEqual(NO_ERROR);
      for (const name of ['latest', 'safe', 'finalized', FORK]) {
        expect([name, await responseOf(forkedUrl, method, params(name))]).toEqual([name, expected]);
      }
    },
  );

  test('args: logs and traces of each name of the newest block, and of none', async () => {
    const expected = await call(remoteUrl, 'eth_getLogs', {});
    expect(expected).toHaveLength(1);
    const traces = await call(remoteUrl, 'trace_filter', { fromBlock: 'latest' });
    expect(traces).toHaveLength(1);
    for (const fromBlock of [undefined, 'latest', 'safe', 'finalized', FORK, hex(FORK)]) {
      const criteria = fromBlock === undefined ? {} : { fromBlock, toBlock: fromBlock };
      expect(await call(forkedUrl, 'eth_getLogs', criteria)).toEqual(expected);
      const filter = await call(forkedUrl, 'eth_newFilter', criteria);
      expect(await call(forkedUrl, 'eth_getFilterLogs', filter)).toEqual(expected);
      if (fromBlock !== undefined) {
        expect(await call(forkedUrl, 'trace_filter', criteria)).toEqual(traces);
      }
    }
    expect(await call(forkedUrl, 'trace_filter', {})).toEqual(await call(remoteUrl, 'trace_filter', {}));
  });
});

describe('with blocks of the forked chain', () => {
  beforeAll(async () => {
    for (const word of [8, 9]) await touch(forkedUrl, word);
  });

  describe.each(PLACES)('args: %s the fork', (place, number) => {
    test.each(Object.entries(BLOCK_ROWS))('args: %s', async (method, { params, takes, isOther }) => {
      const { hash } = await call(forkedUrl, 'eth_getBlockByNumber', hex(number), false);
      const plain = takes === 'hash' ? hash : hex(number);
      const expected = await responseOf(forkedUrl, method, params(plain));
      expect(String(expected)).toEqual(NO_ERROR);
      if (place !== 'after' && isOther !== true) {
        expect(expected).toEqual(await responseOf(remoteUrl, method, params(plain)));
      }
      const names: unknown[] =
        takes === 'hash' ? [hash.toUpperCase().replace('0X', '0x')] : [number, `0x0${hex(number).slice(2)}`];
      if (takes === 'any')
        names.push(hash, { blockNumber: number }, { blockNumber: hex(number) }, { blockHash: hash });
      for (const name of names) {
        expect([name, await responseOf(forkedUrl, method, params(name))]).toEqual([name, expected]);
      }
    });
  });

  test.each(Object.entries(OTHER_ROWS))('args: %s with numbers', async (method, params) => {
    const given = params();
    const found = await responseOf(forkedUrl, method, given);
    expect(String(found)).toEqual(NO_ERROR);
    const inHex = JSON.parse(JSON.stringify(given), (_key, value) =>
      typeof value === 'number' ? hex(value) : value,
    );
    expect(found).toEqual(await responseOf(forkedUrl, method, inHex));
    if (!method.startsWith('ots_')) expect(found).toEqual(await responseOf(remoteUrl, method, given));
  });

  test('args: ranges that cross the fork', async () => {
    const logs = await call(forkedUrl, 'eth_getLogs', { fromBlock: 2, toBlock: FORK + 1, topics: [TOPIC] });
    expect(logs.map((log: { blockNumber: string }) => Number(log.blockNumber))).toEqual([2, 3, 4, 5, 6]);
    const filter = await call(forkedUrl, 'eth_newFilter', { fromBlock: 2, toBlock: FORK + 1 });
    expect(await call(forkedUrl, 'eth_getFilterLogs', filter)).toEqual(logs);
    const traces = await call(forkedUrl, 'trace_filter', {
      fromBlock: 2,
      toBlock: FORK + 1,
      after: 3,
      count: 2,
    });
    expect(traces.map((trace: { blockNumber: number }) => trace.blockNumber)).toEqual([5, 6]);
    const { oldestBlock, gasUsedRatio } = await call(forkedUrl, 'eth_feeHistory', 4, FORK + 1);
    expect([oldestBlock, gasUsedRatio.length]).toEqual(['0x3', 4]);
    const modified = request(forkedUrl, 'debug_getModifiedAccountsByNumber', FORK - 1, FORK + 1);
    expect((await modified).error?.message).toContain('on both sides of the fork, block 5');
    const own = await call(forkedUrl, 'debug_getModifiedAccountsByNumber', FORK, FORK + 1);
    expect(own).toContain(contract);
  });
});
