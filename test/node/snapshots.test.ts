import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestNode, type TestNode, type TestNodeOptions } from '../../src/library/index.ts';

let node: TestNode;
const nodes: TestNode[] = [];

async function start(options: TestNodeOptions = {}): Promise<TestNode> {
  const started = await startTestNode(options);
  nodes.push(started);
  return started;
}

beforeEach(async () => {
  node = await start();
});

afterEach(async () => {
  for (const started of nodes.splice(0)) await started.stop();
});

const call = (method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params });
const failure = (method: string, ...params: unknown[]): Promise<unknown> =>
  call(method, ...params).then(
    (result) => ({ result }),
    ({ code, message }) => `${code} ${message}`,
  );

const [FROM = '', TO = ''] = [
  '0x0000000000000000000000000000000000000400',
  '0x0000000000000000000000000000000000000401',
];
const pay = (value = '0x1'): Promise<unknown> => call('eth_sendTransaction', { from: FROM, to: TO, value });
const peers = (name: string, ...further: string[]): string[] => [
  ...['anvil', 'hardhat', 'ganache'].map((peer) => `${peer}_${name}`),
  ...further,
];
/** All that a client sees of the chain. */
const seen = async (): Promise<unknown> => ({
  block: await call('eth_getBlockByNumber', 'latest', true),
  balances: [await call('eth_getBalance', FROM), await call('eth_getBalance', TO)],
  count: await call('eth_getTransactionCount', FROM),
  pending: await call('eth_pendingTransactions'),
  mining: await call('eth_mining'),
  accounts: await call('personal_listRawAccounts'),
  ahead: await call('evm_increaseTime', 0),
});

const NO_FORK = '-32000 the chain is no fork: name the jsonRpcUrl of a remote node';

describe('snapshots', () => {
  test.each(
    peers('snapshot', 'evm_snapshot').flatMap((take) =>
      peers('revert', 'evm_revert').map((back) => [take, back]),
    ),
  )('default: %s, then %s', async (take, back) => {
    await pay();
    const before = await seen();
    expect(await call(take)).toBe('0x1');
    await pay('0x7');
    expect(await call(back, '0x1')).toBe(true);
    expect(await seen()).toEqual(before);
    expect([await call(back, '0x1'), await call(back, 1), await call(take)]).toEqual([false, false, '0x2']);
  });

  test('behavior: clock, mining, pending transactions, and wallet accounts and locks are restored', async () => {
    await call('miner_stop');
    await pay();
    await call('evm_increaseTime', 1_000);
    await call('personal_lockAccount', TO);
    const kept = await call('personal_newAccount', 'secret');
    const before = await seen();
    const id = await call('evm_snapshot');
    await call('personal_unlockAccount', TO, '', 0);
    await call('personal_unlockAccount', kept, 'secret', 0);
    const gone = await call('personal_newAccount', '');
    await call('evm_increaseTime', 5_000);
    await call('miner_start');
    await pay();
    expect(await call('evm_revert', id, { keep: true })).toBe(true);
    expect(await seen()).toEqual(before);
    expect(await failure('personal_lockAccount', gone)).toMatch(/^-32000 unknown account/);
    // The id of an account that is gone is the next one's, with another key.
    expect(await call('personal_newAccount', '')).toBe(gone);
    expect(await call('evm_revert', id)).toBe(true);
    expect(await seen()).toEqual(before);
  });

  test('args: keep: a kept snapshot can be reverted to repeatedly, and later ones are discarded', async () => {
    const [first, second] = [await call('evm_snapshot'), await call('evm_snapshot')];
    for (let round = 0; round < 3; round += 1) {
      await pay();
      expect(await call('evm_revert', first, { keep: true })).toBe(true);
      expect(await call('eth_blockNumber')).toBe('0x0');
    }
    expect([await call('evm_revert', second), await call('evm_revert', first, {})]).toEqual([false, true]);
    expect(await call('evm_revert', first)).toBe(false);
  });

  test('behavior: a reverted transaction can be sent again, and its result is recomputed', async () => {
    const id = await call('evm_snapshot');
    const hash = await pay();
    const receipt = await call('eth_getTransactionReceipt', hash);
    const filter = await call('eth_newBlockFilter');
    await call('evm_revert', id);
    expect([
      await call('eth_getTransactionReceipt', hash),
      await call('eth_getTransactionByHash', hash),
    ]).toEqual([null, null]);
    await call('evm_mine');
    const again = await pay();
    const { blockNumber } = (await call('eth_getTransactionReceipt', again)) as { blockNumber: unknown };
    expect([receipt, blockNumber]).toMatchObject([{ blockNumber: '0x1' }, '0x2']);
    expect(await call('eth_getFilterChanges', filter)).toHaveLength(2);
  });

  test('behavior: with a data folder they are there after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
    node = await start({ dataDir });
    await call('evm_setAutomine', false);
    await pay();
    await call('evm_increaseTime', 500);
    const before = await seen();
    const id = await call('evm_snapshot');
    await call('evm_mine');
    await call('evm_increaseTime', 500);
    await call('personal_newAccount', '');
    await node.stop();
    node = await start({ dataDir });
    expect(await call('evm_revert', id)).toBe(true);
    expect(await seen()).toEqual(before);
    expect(await call('evm_snapshot')).toBe('0x2');
    await node.stop();
    rmSync(dataDir, { recursive: true });
  });

  test.each([
    ['an id that is no number', ['x'], '-32602 invalid parameter 1 (id): expected a QUANTITY'],
    ['no id', [], '-32602 missing parameter 1 (id)'],
    [
      'an unknown option',
      ['0x1', { forever: true }],
      '-32602 invalid parameter 2 (options): unknown key "forever"',
    ],
  ])('error: %s', async (_title, params, message) => {
    expect(await failure('evm_revert', ...params)).toContain(message);
  });

  test.each(['0x0', '0x2', `0x${'f'.repeat(64)}`, 5])('behavior: unknown snapshot %s', async (id) => {
    await call('evm_snapshot');
    expect(await call('evm_revert', id)).toBe(false);
    expect(await call('evm_revert', '0x1')).toBe(true);
  });
});

describe('taking blocks back', () => {
  test.each(peers('rollback'))('default: %s reverts one block, or the requested number', async (method) => {
    for (let count = 0; count < 5; count += 1) await pay();
    const late = await call('evm_snapshot');
    expect(await call(method)).toBeNull();
    expect(await call('eth_blockNumber')).toBe('0x4');
    expect(await call(method, null)).toBeNull();
    expect(await call(method, '0x2')).toBeNull();
    expect([await call('eth_blockNumber'), await call('evm_revert', late)]).toEqual(['0x1', false]);
    expect(await failure(method, 2)).toBe(
      '-32602 invalid parameter 1 (depth): expected at most 1, the number of the latest block, got 2',
    );
  });

  test.each(peers('reorg'))(
    'default: %s makes other blocks, with the transactions that are given',
    async (method) => {
      const transaction = { from: FROM, to: TO, value: '0x9' };
      // On a reference block that stays.
      const raw = (await call('eth_signTransaction', { ...transaction, gas: '0x14', value: '0x3' })) as {
        raw?: string;
      };
      const dropped = await pay('0x5');
      for (let count = 0; count < 2; count += 1) await call('evm_mine');
      const former = (await call('eth_getBlockByNumber', '0x1', false)) as { hash: string };
      const pairs = [
        [transaction, 0],
        [transaction, 0],
        [typeof raw === 'string' ? raw : raw.raw, 2],
      ];
      const reorganized = method.startsWith('anvil')
        ? call(method, { depth: 3, tx_block_pairs: pairs })
        : call(method, 3, pairs);
      expect(await reorganized).toBeNull();
      expect([await call('eth_blockNumber'), await call('eth_getTransactionByHash', dropped)]).toEqual([
        '0x3',
        null,
      ]);
      const values = await Promise.all(
        ['0x1', '0x2', '0x3'].map(async (number) => {
          const block = (await call('eth_getBlockByNumber', number, true)) as {
            transactions: { value: string }[];
          };
          return block.transactions.map(({ value }) => value);
        }),
      );
      expect(values).toEqual([['0x9', '0x9'], [], ['0x3']]);
      expect((await call('eth_getBlockByNumber', '0x1', false)) as object).not.toMatchObject({
        hash: former.hash,
      });
    },
  );

  test('behavior: pending transactions stay pending, and a rejected transaction is reported', async () => {
    await call('miner_stop');
    await pay();
    // In a block of its own, whatever waits.
    await call('personal_newAccount', '');
    const much = { from: FROM, to: TO, value: '0x7fffffffffffffff', gas: '0x14' };
    expect(await failure('anvil_reorg', 1, [[much, 0]])).toMatch(/^-32000 insufficient funds/);
    expect([await call('eth_blockNumber'), await call('eth_pendingTransactions')]).toMatchObject([
      '0x1',
      [{}],
    ]);
    expect(await failure('anvil_reorg', 1, [[much, 1]])).toMatch(
      /^-32602 .*below 1, the number of new blocks, got 1/,
    );
    expect(await failure('anvil_reorg', 1, [['0x00', 0]])).toMatch(
      /^-32602 invalid parameter 2 \(pairs\): 0\.0: transaction\./,
    );
    expect(await failure('anvil_reorg', 2)).toMatch(/^-32602 .*expected at most 1/);
  });

  test.each(peers('reset'))('default: %s keeps the genesis and snapshot ids', async (method) => {
    const before = await seen();
    await call('evm_snapshot');
    await call('evm_increaseTime', 100);
    await pay();
    await call('personal_newAccount', '');
    await call('miner_stop');
    await pay();
    for (const params of [[], [null], [{}], [{ forking: null }], [{ forking: { blockNumber: null } }]]) {
      expect(await call(method, ...params)).toBeNull();
    }
    expect(await seen()).toEqual(before);
    expect([await call('evm_revert', '0x1'), await call('evm_snapshot')]).toEqual([false, '0x2']);
    for (const fork of [{ forking: { jsonRpcUrl: 'nowhere' } }, { jsonRpcUrl: 'nowhere', blockNumber: 1 }]) {
      expect(await failure(method, fork)).toBe('-32000 the URL of the remote node is not valid');
    }
    expect(await failure(method, { forking: { blockNumber: 1 } })).toBe(NO_FORK);
  });

  test.each(peers('setRpcUrl'))('error: %s', async (method) => {
    expect(await failure(method, 'http://127.0.0.1')).toBe(NO_FORK);
  });
});

describe('dumps', () => {
  test.each(peers('dumpState').map((name, index) => [name, peers('loadState')[index] ?? '']))(
    'default: what %s answers is taken up by %s, here and elsewhere',
    async (dump, load) => {
      const own = await call('personal_newAccount', '');
      for (let count = 0; count < 3; count += 1) await pay();
      const chain = await call('eth_getBlockByNumber', 'latest', true);
      const state = await call(dump);
      expect(await call(dump, true)).toBe(state);
      await pay();
      await call('evm_snapshot');
      await call('miner_stop');
      await pay();
      expect(await call(load, state)).toBe(true);
      expect(await call('eth_getBlockByNumber', 'latest', true)).toEqual(chain);
      expect([
        await call('eth_pendingTransactions'),
        await call('eth_mining'),
        await call('evm_revert', '0x1'),
      ]).toEqual([[], true, false]);
      expect(await call('eth_accounts')).toContain(own);
      node = await start();
      // Of that id there is another key on the other chain.
      expect(await call('personal_newAccount', '')).toBe(own);
      expect(await call(load, state)).toBe(true);
      expect(await call('eth_getBlockByNumber', 'latest', true)).toEqual(chain);
      expect(await call('eth_accounts')).not.toContain(own);
      await pay();
      expect(await call('eth_blockNumber')).toBe('0x5');
      expect(await call(dump)).not.toBe(state);
    },
  );

  test('error: an invalid or foreign dump changes no state', async () => {
    await pay();
    const before = await seen();
    const state = String(await call('anvil_dumpState'));
    const other = await start({ seed: 'another' });
    const foreign = await other.provider.request({ method: 'anvil_dumpState', params: [] });
    const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
    const zeros = gzipSync(Buffer.alloc(65 * 1024 * 1024));
    for (const wrong of ['0x', hexOf(Uint8Array.of(0, ...randomBytes(98))), hexOf(zeros)]) {
      expect(await failure('anvil_loadState', wrong)).toBe(
        '-32602 invalid parameter 1 (state): neither a ledgerd archive nor a state dump of anvil ' +
          '(JSON with "accounts", or gzip of it)',
      );
    }
    expect(await failure('anvil_loadState', hexOf(gzipSync('{"accounts":{}}')))).toMatch(
      /^-32000 a state dump of anvil needs a chain with Ethereum/,
    );
    expect(await failure('anvil_loadState', foreign)).toMatch(
      /^-32000 this node lacks the key that signs the blocks/,
    );
    expect(await failure('anvil_loadState', state.slice(0, -40))).toMatch(/^-32602 /);
    expect(await seen()).toEqual(before);
  });
});

test('behavior: with workers no response from a reverted block is seen after the revert', async () => {
  node = await start({ workers: 2 });
  for (let round = 0; round < 15; round += 1) {
    const id = await call('evm_snapshot');
    const former = await seenByWorkers();
    const hashes = [await pay('0x2'), await pay('0x3')];
    // Some of these are on their way when the blocks go.
    const asked = Array.from({ length: 12 }, () => seenByWorkers());
    await call('evm_revert', id);
    const after = await Promise.all([...Array.from({ length: 6 }, () => seenByWorkers()), seenByWorkers()]);
    for (const answer of after) expect(answer).toEqual(former);
    for (const hash of hashes) expect(await call('eth_getTransactionReceipt', hash)).toBeNull();
    await Promise.all(asked);
    await call('evm_mine');
  }
});

/** Reads through workers, before the node has learnt that the queries are short. */
async function seenByWorkers(): Promise<unknown> {
  return Promise.all([
    call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }),
    call('eth_getBlockByNumber', 'latest', true),
    call('eth_getBlockReceipts', 'latest'),
    call('eth_estimateGas', { from: FROM, to: TO, value: '0x1' }),
    call('eth_blockNumber'),
  ]);
}

describe('restoring chain controls', () => {
  const set = async (): Promise<void> => {
    await call('evm_setIntervalMining', 3_600);
    await call('evm_setBlockGasLimit', 123_456);
    await call('anvil_setBlockTimestampInterval', 12);
    await call('evm_setNextBlockTimestamp', 2_000_000_000);
  };
  const isAt = async (): Promise<unknown> => [
    await call('anvil_getIntervalMining'),
    await call('anvil_getAutomine'),
  ];

  test('default: mode, interval, gas limit and times are restored from the snapshot', async () => {
    const first = await isAt();
    const begin = await call('evm_snapshot');
    await set();
    const before = await isAt();
    const id = await call('evm_snapshot');
    await call('evm_mine');
    await call('evm_setAutomine', true);
    await call('evm_setBlockGasLimit', 1_000_000);
    await call('anvil_removeBlockTimestampInterval');
    await call('evm_revert', id, { keep: true });
    expect(await isAt()).toEqual(before);
    await call('evm_mine');
    const block = (await call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
    expect(Number(block.timestamp)).toBe(2_000_000_000);
    await call('evm_mine');
    expect(await call('eth_getBlockByNumber', 'latest', false)).toMatchObject({ timestamp: '0x7735940c' });
    await call('evm_revert', begin);
    expect(await isAt()).toEqual(first);
    await set();
    await call('anvil_reset');
    expect(await isAt()).toEqual(first);
  });

  test('behavior: a revert aborts a sliced mining call, and its blocks are discarded', async () => {
    const id = await call('evm_snapshot');
    const mining = failure('anvil_mine', 200_000);
    expect(await call('evm_revert', id)).toBe(true);
    expect(await mining).toBe('-32000 nothing is written for now: the chain was reverted meanwhile');
    expect(await call('eth_blockNumber')).toBe('0x0');
  });

  test('behavior: the metadata list the snapshots, and change their instance id on a reset', async () => {
    const metadata = async () =>
      (await call('hardhat_metadata')) as { snapshots: unknown; instanceId: string };
    const { instanceId, snapshots } = await metadata();
    const { hash } = (await call('eth_getBlockByNumber', 'latest', false)) as { hash: string };
    expect(snapshots).toEqual({});
    await call('evm_snapshot');
    expect(await metadata()).toMatchObject({ instanceId, snapshots: { '0x1': [0, hash] } });
    await call('anvil_reset');
    const after = await metadata();
    expect([after.snapshots, after.instanceId === instanceId]).toEqual([{}, false]);
  });
});
