import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { accountAddress, accountId, toPrefixedHex } from '../protocol/index.ts';
import { headOf } from './chain.testing.ts';
import { DEFAULT_CONFIGURATION } from './configuration.ts';
import type { NodeEvents } from './events.ts';
import { changeGenesis, secretsOf, TestNodes, treasuryTransfer } from './node.testing.ts';
import { FREE_SPACE_CHECK_MS } from './space-watch.ts';
import { startTestNode } from './test-node.ts';

const nodes = new TestNodes();
afterEach(async () => {
  vi.useRealTimers();
  await nodes.clean();
});

const keyFile = (dataDir: string, name: string): string => join(dataDir, 'keys', `${name}.json`);

describe('startNode', () => {
  test('default: a node produces blocks, including empty ones, and describes itself correctly', async () => {
    const dataDir = await nodes.initialize(0.1);
    const node = await nodes.start(dataDir);
    await node.until(() => node.ledger.blocks.head().number >= 3);
    expect(node.description).toMatchObject({
      mode: 'node',
      dataDir,
      blockInterval: 0.1,
      producers: [1_023],
      registers: true,
      follow: [],
      headNumber: 0,
    });
    const answers = ['eth_mining', 'net_listening', 'net_peerCount', 'eth_syncing', 'eth_coinbase'].map(
      async (method) => [method, (await node.call(method)).result],
    );
    expect(Object.fromEntries(await Promise.all(answers))).toEqual({
      eth_mining: true,
      net_listening: true,
      net_peerCount: '0x0',
      eth_syncing: false,
      eth_coinbase: toPrefixedHex(accountAddress(accountId(1_023))),
    });
  });

  test('default: a transaction is included in the next block', async () => {
    const dataDir = await nodes.initialize(0.2);
    const node = await nodes.start(dataDir);
    const { result } = await node.call('eth_sendRawTransaction', treasuryTransfer(dataDir, node, 7n));
    await node.until(() => node.ledger.pool.pendingOperations().length === 0);
    expect(await node.call('eth_getTransactionReceipt', result)).toMatchObject({ result: { status: '0x1' } });
  });

  test('args: another interval than that of the genesis', async () => {
    const node = await nodes.start(await nodes.initialize(), { blockInterval: 0.1 });
    await node.until(() => node.ledger.blocks.head().number >= 2);
    expect(node.description.blockInterval).toBe(0.1);
  });

  test('args: history, a setting that is fixed when the chain is created', async () => {
    const address = toPrefixedHex(accountAddress(accountId(1_024)));
    const dataDir = await nodes.initialize();
    const node = await nodes.start(dataDir);
    expect(await node.call('eth_getTransactionCount', address)).toMatchObject({ result: '0x0' });
    await node.close();
    await expect(nodes.start(dataDir, { history: false })).rejects.toMatchObject({
      code: 'STORE_HISTORY_DIFFERS',
      message: expect.stringContaining('leave --no-history out'),
    });
    const without = await nodes.initialize(3_600, false);
    const plain = await nodes.start(without);
    expect((await plain.call('eth_getTransactionCount', address)).error?.message).toContain(
      '--plugin=history',
    );
    await plain.close();
    await expect(nodes.start(without, { history: true })).rejects.toMatchObject({
      code: 'STORE_HISTORY_DIFFERS',
      message: expect.stringContaining('"ledgerd import --history"'),
    });
  });

  test('behavior: methods of test mode do not exist', async () => {
    const node = await nodes.start(await nodes.initialize());
    for (const method of ['eth_accounts', 'personal_newAccount', 'eth_sign', 'evm_mine', 'miner_start']) {
      expect((await node.call(method)).error).toMatchObject({
        code: -32_601,
        message: expect.stringContaining('test mode'),
      });
    }
  });

  test('behavior: only a node with the registrar key registers accounts', async () => {
    const dataDir = await nodes.initialize();
    const node = await nodes.start(dataDir, { registrationDifficulty: 0, blockInterval: 0.1 });
    const { result } = await node.call('ledger_requestRegistrationTask');
    const { randNum } = result as { randNum: string };
    const key = 'ECHO4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
    const answer = await node.call('ledger_submitRegistrationSolution', 'alice', key, key, null, 0, randNum);
    expect(answer.result).toBe(toPrefixedHex(accountAddress(accountId(1_025))));
    await node.close();
    rmSync(keyFile(dataDir, 'registrar'));
    const other = await nodes.start(dataDir);
    expect(other.description.registers).toBe(false);
    expect((await other.call('ledger_requestRegistrationTask')).error).toMatchObject({ code: -32_000 });
  });

  test('behavior: a restart continues the chain and preserves pending transactions', async () => {
    const dataDir = await nodes.initialize();
    const first = await nodes.start(dataDir, { blockInterval: 0.1 });
    await first.until(() => first.ledger.blocks.head().number >= 2);
    await first.close();
    const second = await nodes.start(dataDir, { blockInterval: 3_600 });
    const { result } = await second.call('eth_sendRawTransaction', treasuryTransfer(dataDir, second, 9n));
    const head = second.ledger.blocks.head();
    await second.close();
    const third = await nodes.start(dataDir, { blockInterval: 0.2 });
    expect(third.ledger.blocks.blockByNumber(head.number)).toEqual(head);
    expect(await third.call('eth_getTransactionByHash', result)).toMatchObject({ result: { value: '0x9' } });
    await third.until(() => third.ledger.pool.pendingOperations().length === 0);
    expect(await third.call('eth_getTransactionReceipt', result)).toMatchObject({
      result: { status: '0x1' },
    });
  });

  test('behavior: without keys it refuses transactions and makes no blocks', async () => {
    const dataDir = await nodes.initialize(0.1);
    const copy = nodes.unused();
    cpSync(dataDir, copy, { recursive: true });
    rmSync(join(copy, 'keys'), { recursive: true });
    const node = await nodes.start(copy);
    expect(node.notices).toEqual([{ kind: 'keysLoaded', producers: [], registrar: false }]);
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    const { error } = await node.call('eth_sendRawTransaction', treasuryTransfer(dataDir, node, 1n));
    expect(error).toMatchObject({ code: -32_000 });
    expect(node.ledger.blocks.head().number).toBe(0);
  });

  test('behavior: the keys loaded and an unneeded key are logged', async () => {
    const dataDir = await nodes.initialize();
    const node = await nodes.start(dataDir);
    expect(node.notices).toEqual([
      { kind: 'keysLoaded', producers: [1_023], registrar: true },
      { kind: 'keyUnused', account: 1_024, path: keyFile(dataDir, 'treasury') },
    ]);
  });

  test('args: keys in another folder', async () => {
    const dataDir = await nodes.initialize();
    const keysFolder = nodes.unused();
    cpSync(join(dataDir, 'keys'), keysFolder, { recursive: true });
    rmSync(join(dataDir, 'keys'), { recursive: true });
    expect((await nodes.start(dataDir, { keysFolder })).description.producers).toEqual([1_023]);
  });

  test('args: a genesis file from another path starts a new chain, and the folder stores a copy', async () => {
    const genesisFile = join(await nodes.initialize(), 'genesis.json');
    const dataDir = nodes.unused();
    const node = await nodes.start(dataDir, { genesisFile });
    await node.close();
    expect(readdirSync(dataDir).sort()).toEqual(['genesis.json', 'ledger']);
    const again = await nodes.start(dataDir);
    expect(again.description.nativeChainId).toEqual(node.description.nativeChainId);
  });

  test('behavior: closing twice, and the folder is free', async () => {
    const dataDir = await nodes.initialize(0.1);
    const node = await nodes.start(dataDir);
    await Promise.all([node.close(), node.close()]);
    await expect(fetch(node.url)).rejects.toThrow();
    await nodes.start(dataDir);
  });
});

describe('too little free space', () => {
  test('behavior: transactions and blocks stop until disk space is free', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let free = 999;
    const dataDir = await nodes.initialize();
    const configuration = { blockInterval: 0.1, minFreeBytes: 1_000 };
    const node = await nodes.start(dataDir, configuration, {}, () => free);
    expect(node.notices.at(-1)).toEqual({
      kind: 'productionPaused',
      reason: '999 bytes of disk space are free, and at least 1000 are required',
    });
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    const raw = treasuryTransfer(dataDir, node, 3n);
    expect((await node.call('eth_sendRawTransaction', raw)).error).toMatchObject({
      code: -32_000,
      message: expect.stringContaining('too little free space'),
    });
    expect(await node.health()).toMatchObject({
      status: 503,
      report: { ok: false, problems: ['there is too little free space to write blocks'], block: 0 },
    });
    free = 2_000;
    vi.advanceTimersByTime(FREE_SPACE_CHECK_MS);
    await node.until(() => node.ledger.blocks.head().number > 0);
    expect(node.notices.at(-1)).toEqual({ kind: 'productionResumed' });
    expect(await node.call('eth_mining')).toMatchObject({ result: true });
    expect((await node.call('eth_sendRawTransaction', raw)).error).toBeUndefined();
    expect(await node.health()).toMatchObject({ status: 200, report: { ok: true, problems: [] } });
  });
});

describe('a folder that cannot be used', () => {
  test('error: no genesis and no chain, and nothing is created', async () => {
    const dataDir = nodes.unused();
    await expect(nodes.start(dataDir)).rejects.toMatchObject({
      reason: 'notInitialized',
      message: expect.stringContaining(`ledgerd init --data-dir ${dataDir}`),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('error: the chain of test mode', async () => {
    const dataDir = nodes.unused();
    const test = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, dataDir });
    await test.close();
    await expect(nodes.start(dataDir)).rejects.toMatchObject({ reason: 'testChain' });
    const genesisFile = join(await nodes.initialize(), 'genesis.json');
    await expect(nodes.start(dataDir, { genesisFile })).rejects.toMatchObject({ code: 'GENESIS_MISMATCH' });
    expect(existsSync(join(dataDir, 'genesis.json'))).toBe(false);
  });

  test('error: a node, for test mode', async () => {
    const dataDir = await nodes.initialize();
    const before = readdirSync(dataDir);
    await expect(startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, dataDir })).rejects.toMatchObject({
      reason: 'nodeChain',
    });
    expect(readdirSync(dataDir)).toEqual(before);
  });

  test('error: another genesis than that of the chain', async () => {
    const dataDir = await nodes.initialize(0.1);
    const node = await nodes.start(dataDir);
    // The key has a record of this chain then.
    await node.until(() => node.ledger.blocks.head().number > 0);
    await node.close();
    changeGenesis(dataDir, (genesis) => ({ ...genesis, blockInterval: 9 }));
    await expect(nodes.start(dataDir)).rejects.toMatchObject({ code: 'GENESIS_MISMATCH' });
    for (const producers of [[1_022, 1_024], [1_024]]) {
      const others = { registrar: accountId(1_023), producers: producers.map(accountId) };
      changeGenesis(dataDir, (genesis) => ({ ...genesis, ...others }));
      await expect(nodes.start(dataDir)).rejects.toMatchObject({ code: 'GENESIS_MISMATCH' });
    }
  });

  test('error: a genesis of another time than the chain', async () => {
    const dataDir = await nodes.initialize();
    await (await nodes.start(dataDir)).close();
    changeGenesis(dataDir, (genesis) => ({ ...genesis, timestamp: 1_000_000_000 }));
    await expect(nodes.start(dataDir)).rejects.toMatchObject({
      code: 'GENESIS_FILE',
      message: expect.stringContaining('and the genesis file has 2001-09-09T01:46:40Z'),
    });
  });

  test('error: another node runs on it', async () => {
    const dataDir = await nodes.initialize();
    await nodes.start(dataDir);
    await expect(nodes.start(dataDir)).rejects.toMatchObject({ reason: 'inUse' });
  });

  test('error: a port in use; the folder is free again', async () => {
    const { port } = await nodes.start(await nodes.initialize());
    const dataDir = await nodes.initialize(0.1);
    await expect(nodes.start(dataDir, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect((await nodes.start(dataDir)).description.headNumber).toBe(0);
  });

  test('error: a key that others can read', async () => {
    const dataDir = await nodes.initialize();
    chmodSync(keyFile(dataDir, 'producer'), 0o644);
    await expect(nodes.start(dataDir)).rejects.toMatchObject({ code: 'KEY_FILE' });
    expect(await headOf(dataDir)).toBeUndefined();
  });

  test('error: a named folder of keys that is not there', async () => {
    const keysFolder = nodes.unused();
    await expect(nodes.start(await nodes.initialize(), { keysFolder })).rejects.toThrow(
      `the key folder ${keysFolder} does not exist`,
    );
  });
});

test('behavior: no output of a node contains a private key', async () => {
  const dataDir = await nodes.initialize(0.1);
  const secrets = secretsOf(dataDir);
  const told: unknown[] = [];
  const note =
    (name: string) =>
    (...facts: readonly unknown[]): void => {
      told.push(name, ...facts);
    };
  const events: Required<NodeEvents> = {
    onBlock: note('block'),
    onDropped: note('dropped'),
    onFailedCall: note('call'),
    onConsole: note('console'),
    onFailedExecution: note('execution'),
    onInternalFailure: note('failure'),
    onNotice: note('notice'),
    onDiskFailure: note('disk'),
  };
  const node = await nodes.start(dataDir, {}, events);
  await node.until(() => node.ledger.blocks.head().number >= 1);
  const methods = ['personal_listRawAccounts', 'rpc_discover', 'eth_coinbase', 'web3_clientVersion'];
  for (const method of methods) told.push(await node.call(method));
  for (const seed of secrets)
    told.push(await node.call('eth_sendRawTransaction', treasuryTransfer(dataDir, node, 1n)), seed.length);
  told.push(node.description, node.notices);
  await node.close();
  for (const name of ['producer', 'registrar', 'treasury']) {
    writeFileSync(keyFile(dataDir, name), `{"seed":"${secrets.join('')}"`, { mode: 0o600 });
    told.push(await nodes.start(dataDir).catch((error: unknown) => error));
  }
  expect(statSync(keyFile(dataDir, 'producer')).mode & 0o777).toBe(0o600);
  const text = inspect(told, { depth: 12, maxStringLength: null, maxArrayLength: null });
  for (const seed of secrets) {
    expect(text).not.toContain(seed);
    expect(text).not.toContain(seed.slice(0, 12));
  }
});
