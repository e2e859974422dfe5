import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LATEST_HARDFORK } from '../evm/index.ts';
import { chainIdOf, networkOf } from '../ledger/index.ts';
import { invariant } from '../protocol/index.ts';
import { readGenesisFile } from './genesis-file.ts';
import {
  INIT_PRODUCERS_MAX,
  type InitializeOptions,
  initializeCluster,
  makeKeys,
  newGenesis,
} from './initialize.ts';
import { generateKeys, readKeyFolder } from './keys/key-file.ts';
import { TestNodes } from './node.testing.ts';

const nodes = new TestNodes();
let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'ledgerd-init-'));
  dataDir = join(parent, 'cluster');
});

afterEach(async () => {
  await nodes.clean();
  rmSync(parent, { recursive: true, force: true });
});

function options(changes: Partial<InitializeOptions> = {}): InitializeOptions {
  return {
    dataDir,
    network: networkOf('default'),
    hardfork: LATEST_HARDFORK,
    supply: 1_000_000_000n,
    blockInterval: 0.1,
    history: true,
    accounts: [],
    ...changes,
  };
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('default: a folder for each node, with the key of its producer and of the registrar', async () => {
  const made = await initializeCluster(options(), 3);
  expect(readdirSync(dataDir).sort()).toEqual(['node-1', 'node-2', 'node-3', 'treasury.json']);
  expect(made.nodes).toEqual([
    { number: 1, path: join(dataDir, 'node-1'), producer: 1_023 },
    { number: 2, path: join(dataDir, 'node-2'), producer: 1_021 },
    { number: 3, path: join(dataDir, 'node-3'), producer: 1_020 },
  ]);
  for (const { number, path, producer } of made.nodes) {
    expect(readdirSync(path).sort()).toEqual(['genesis.json', 'keys', 'ledger']);
    const keys = readKeyFolder(join(path, 'keys')) ?? [];
    expect(keys.map(({ account }) => account).sort()).toEqual([producer, 1_022].sort());
    expect(keys.map((key) => basename(key.path)).sort()).toEqual([
      `producer-${number}.json`,
      'registrar.json',
    ]);
    for (const key of keys) expect(modeOf(key.path)).toBe(0o600);
    expect([path, join(path, 'keys')].map(modeOf)).toEqual([0o700, 0o700]);
    const genesis = readGenesisFile(join(path, 'genesis.json'));
    expect(genesis.producers).toEqual([1_023, 1_021, 1_020]);
    expect(chainIdOf(genesis)).toEqual(made.nativeChainId);
  }
  expect([modeOf(made.treasuryFile), made.treasuryFile]).toEqual([0o600, join(dataDir, 'treasury.json')]);
  expect(made.accounts.map(({ id, name, keyFile }) => [id, name, keyFile?.slice(dataDir.length)])).toEqual([
    [1_023, 'producer-1', '/node-1/keys/producer-1.json'],
    [1_021, 'producer-2', '/node-2/keys/producer-2.json'],
    [1_020, 'producer-3', '/node-3/keys/producer-3.json'],
    [1_022, 'registrar', undefined],
    [1_024, 'treasury', '/treasury.json'],
  ]);
});

test('behavior: each folder is one of the same chain, and with all keys a node makes all blocks', async () => {
  const { nodes: made, nativeChainId } = await initializeCluster(options(), 2);
  const [first, second] = made;
  invariant(first !== undefined && second !== undefined, 'there are two nodes');
  cpSync(join(second.path, 'keys', 'producer-2.json'), join(first.path, 'keys', 'producer-2.json'));
  const both = await nodes.start(first.path);
  expect(both.description).toMatchObject({ nativeChainId, producers: [1_023, 1_021], registers: true });
  await both.until(() => both.ledger.blocks.head().number >= 3);
  rmSync(join(second.path, 'keys'), { recursive: true });
  const reader = await nodes.start(second.path, { follow: [both.url] });
  await reader.until(() => reader.ledger.blocks.head().number >= 3);
});

test('args: as many producers as there may be', () => {
  const genesis = newGenesis(options(), makeKeys(INIT_PRODUCERS_MAX));
  expect(new Set(genesis.accounts.map(({ id }) => id)).size).toBe(INIT_PRODUCERS_MAX + 2);
  expect(genesis.producers).toHaveLength(INIT_PRODUCERS_MAX);
});

test.each(['node-2', 'treasury.json', 'genesis.json', 'keys'])(
  'error: %s already exists, and nothing is changed',
  async (name) => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, name), 'mine');
    await expect(initializeCluster(options(), 2)).rejects.toMatchObject({
      code: 'DATA_FOLDER',
      reason: 'occupied',
    });
    expect(readdirSync(dataDir)).toEqual([name]);
    expect(readFileSync(join(dataDir, name), 'utf8')).toBe('mine');
  },
);

test('error: balances above the supply, and nothing is written', async () => {
  const accounts = [{ name: 'alice', publicKey: generateKeys().publicKey, balance: 7n }];
  await expect(initializeCluster(options({ supply: 5n, accounts }), 2)).rejects.toMatchObject({
    code: 'INVALID_GENESIS',
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('behavior: the result contains no secrets', async () => {
  const cluster = await initializeCluster(options(), 2);
  const told = JSON.stringify(cluster, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
  for (const { keyFile } of cluster.accounts) {
    if (keyFile === undefined) continue;
    const { seed } = JSON.parse(readFileSync(keyFile, 'utf8'));
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
    expect(told).not.toContain(seed);
  }
});
