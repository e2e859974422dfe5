import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METHODS } from '../../rpc/index.ts';
import type { TestNode } from '../index.ts';
import { ALICE, call, closeNodes, expectTimeOfDay, send, startNode } from './test-chain.testing.ts';

const COINBASE = '0x00000000000000000000000000000000000003ff';
const TOKEN = '0x1111111111111111111111111111111111111111';
const HASH = `0x${'11'.repeat(32)}`;

/** A method by an action that each peer has a name for, what else it is called, and what it answers to parameters. */
interface Row {
  readonly action: string;
  readonly others?: readonly string[];
  readonly params?: readonly unknown[];
  readonly result: unknown;
  /** Results of peers that differ. */
  readonly resultOf?: Readonly<Record<string, unknown>>;
}

const ROWS: readonly Row[] = [
  // Before anything has moved the time.
  { action: 'increaseTime', others: ['evm_increaseTime'], params: ['0x0'], result: '0x0' },
  { action: 'mine', result: null },
  { action: 'mine', params: ['0x3'], result: null },
  { action: 'mine', params: [2, '0xa'], result: null },
  { action: 'mine', params: ['0x0'], result: null },
  {
    action: 'mine_detailed',
    others: ['evm_mine_detailed'],
    result: [expect.objectContaining({ transactions: [] })],
  },
  { action: 'intervalMine', result: true },
  { action: 'setAutomine', others: ['evm_setAutomine'], params: [false], result: null },
  { action: 'getAutomine', result: false },
  { action: 'setAutomine', others: ['evm_setAutomine'], params: [true], result: null },
  { action: 'getAutomine', result: true },
  { action: 'setIntervalMining', others: ['evm_setIntervalMining'], params: [3_600], result: null },
  { action: 'getIntervalMining', result: 3_600 },
  { action: 'setIntervalMining', others: ['evm_setIntervalMining'], params: ['0x0'], result: null },
  { action: 'getIntervalMining', result: null },
  { action: 'setBlockTimestampInterval', params: [12], result: null },
  { action: 'removeBlockTimestampInterval', result: expect.any(Boolean) },
  { action: 'setBlockGasLimit', others: ['evm_setBlockGasLimit'], params: ['0x1c9c380'], result: true },
  { action: 'setMinGasPrice', others: ['miner_setGasPrice'], params: ['0x1'], result: null },
  { action: 'setNextBlockBaseFeePerGas', params: ['0x0'], result: null },
  { action: 'dropTransaction', params: [HASH], result: null, resultOf: { hardhat: false } },
  { action: 'dropAllTransactions', others: ['debug_clearTxpool'], result: null },
  { action: 'removePoolTransactions', params: [ALICE], result: null },
  { action: 'addCompilationResult', params: ['0.8.37', {}, {}], result: true },
  { action: 'setLoggingEnabled', params: [true], result: null },
  { action: 'getGenesisTime', result: expect.any(Number) },
  { action: 'getLastBlockWallTime', result: expect.any(Number) },
  { action: 'getBlobByHash', params: [HASH], result: null },
  { action: 'getBlobsByTransactionHash', params: [HASH], result: null },
  { action: 'metadata', result: expect.objectContaining({ chainId: 255, snapshots: {} }) },
  { action: 'setCoinbase', others: ['miner_setEtherbase'], params: [COINBASE], result: null },
  {
    action: 'setBalance',
    others: ['tenderly_setBalance', 'evm_setAccountBalance'],
    params: [[ALICE, TOKEN], '0xde0b6b3a7640000'],
    result: null,
  },
  { action: 'addBalance', others: ['tenderly_addBalance'], params: [ALICE, '0x1'], result: null },
  {
    action: 'setCode',
    others: ['evm_setAccountCode'],
    // Answers what the slot 7 holds, whatever it is asked for.
    params: [TOKEN, '0x60075460005260206000f3'],
    result: null,
  },
  {
    action: 'setStorageAt',
    others: ['evm_setAccountStorageAt'],
    params: [TOKEN, '0x1', '0x2'],
    result: true,
  },
  { action: 'setNonce', others: ['evm_setAccountNonce'], params: [ALICE, '0x5'], result: null },
  { action: 'dealERC20', params: [ALICE, TOKEN, '0x5'], result: null },
  { action: 'setERC20Balance', params: [ALICE, TOKEN, '0x6'], result: null },
  { action: 'setERC20Allowance', params: [ALICE, ALICE, TOKEN, '0x7'], result: null },
  { action: 'setNextBlockPrevRandao', params: [HASH], result: null },
  { action: 'setPrevRandao', params: ['0x1'], result: null },
  {
    action: 'setCoinbase',
    others: ['miner_setEtherbase'],
    params: [ALICE],
    result: { code: -32000, message: 'the producer of the genesis signs each block' },
  },
  {
    action: 'setChainId',
    params: ['0x1'],
    result: { code: -32000, message: 'the chain id is part of the genesis' },
  },
  {
    action: 'impersonateSignature',
    params: [`0x${'00'.repeat(65)}`, ALICE],
    result: { code: -32000, message: 'not supported: the precompile is part of the replay' },
  },
  {
    action: 'setRpcUrl',
    params: ['http://127.0.0.1:1'],
    result: { code: -32000, message: 'the chain is no fork: name the jsonRpcUrl of a remote node' },
  },
];

/** Tried by each of their names in `test/node/snapshots.test.ts`. */
const TAKING_BACK = ['snapshot', 'revert', 'rollback', 'reorg', 'reset', 'dumpState', 'loadState'];

const namesOf = ({ action, others = [] }: Row): string[] => [
  ...['anvil', 'hardhat', 'ganache'].map((peer) => `${peer}_${action}`),
  ...others,
];

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
});

afterAll(closeNodes);

describe('the names of a method', () => {
  test.each(ROWS)('default: $action $params by each of its names', async (row) => {
    for (const name of namesOf(row)) {
      const { [name.split('_')[0] ?? '']: result = row.result } = row.resultOf ?? {};
      expect([name, await call(node, name, ...(row.params ?? []))]).toEqual([name, result]);
    }
  });

  test('default: every name sets the time, relative to that of the newest block', async () => {
    for (const name of [
      ...namesOf({ action: 'setNextBlockTimestamp', result: null }),
      'evm_setNextBlockTimestamp',
    ]) {
      const { timestamp } = node.ledger.blocks.head().header;
      expect(await call(node, name, timestamp + 100)).toBeNull();
      await call(node, 'evm_mine');
      expect(node.ledger.blocks.head().header.timestamp).toBe(timestamp + 100);
    }
    for (const name of [...namesOf({ action: 'setTime', result: null }), 'evm_setTime']) {
      const [now, began] = [node.ledger.clock.now(), performance.now()];
      // By how much the time of day is moved, and so what it was before.
      const moved = Number(await call(node, name, now + 1_000));
      expectTimeOfDay(now + 1_000 - moved, now, began);
    }
  });

  test('behavior: every name of a controlling method is tried', () => {
    const tried = new Set([
      ...ROWS.flatMap(namesOf),
      ...['setNextBlockTimestamp', 'setTime'].flatMap((action) =>
        namesOf({ action, others: [`evm_${action}`], result: null }),
      ),
      ...['status', 'content', 'contentFrom', 'inspect'].map((action) => `txpool_${action}`),
      ...['evm_mine', 'ledger_addArtifact'],
      ...TAKING_BACK.flatMap((action) => namesOf({ action, others: [`evm_${action}`], result: null })),
    ]);
    const controlling = [...METHODS].filter(([, { section }]) => section === 'control');
    expect(controlling.map(([name]) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  test('behavior: surplus parameters are rejected', async () => {
    await send(node);
    for (const name of ['anvil_mine', 'hardhat_mine', 'ganache_mine']) {
      expect(await call(node, name, '0x1', '0x0', 'more')).toEqual({
        code: -32602,
        message: `too many parameters: ${name} takes at most 2, got 3`,
      });
    }
  });
});
