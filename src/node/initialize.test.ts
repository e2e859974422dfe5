import {
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
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LATEST_HARDFORK } from '../evm/index.ts';
import { chainIdOf, networkOf } from '../ledger/index.ts';
import { equalBytes } from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import { lockFolder } from './folder-lock.ts';
import { readGenesisFile } from './genesis-file.ts';
import { type InitializeOptions, initializeFolder } from './initialize.ts';
import { generateKeys, readKeyFolder } from './keys/key-file.ts';

let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'ledgerd-init-'));
  dataDir = join(parent, 'node');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

function options(changes: Partial<InitializeOptions> = {}): InitializeOptions {
  return {
    dataDir,
    network: networkOf('default'),
    hardfork: LATEST_HARDFORK,
    supply: 1_000_000_000n,
    blockInterval: 3,
    history: true,
    accounts: [],
    ...changes,
  };
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('initializeFolder', () => {
  test('default: a genesis, and three keys that only the owner can read', async () => {
    const made = await initializeFolder(options());
    expect(readdirSync(dataDir).sort()).toEqual(['genesis.json', 'keys', 'ledger']);
    expect(readdirSync(join(dataDir, 'keys')).sort()).toEqual([
      'producer.json',
      'registrar.json',
      'treasury.json',
    ]);
    expect([dataDir, join(dataDir, 'keys')].map(modeOf)).toEqual([0o700, 0o700]);
    for (const { keyFile } of made.accounts) expect(modeOf(keyFile ?? '')).toBe(0o600);
    expect(modeOf(made.genesisFile)).toBe(0o644);
    expect(made).toMatchObject({ path: dataDir, genesisFile: join(dataDir, 'genesis.json') });
    expect(made.accounts.map(({ id, name, balance }) => [id, name, balance])).toEqual([
      [1_023, 'producer', 1_000n],
      [1_022, 'registrar', 1_000_000n],
      [1_024, 'treasury', 998_999_000n],
    ]);
  });

  test('default: the genesis uses the generated keys', async () => {
    const made = await initializeFolder(options({ blockInterval: 0.5 }));
    const genesis = readGenesisFile(made.genesisFile);
    expect(genesis).toMatchObject({
      network: networkOf('default'),
      producers: [1_023],
      registrar: 1_022,
      blockInterval: 0.5,
      reserved: { accounts: 1_024, contracts: 0 },
    });
    expect(chainIdOf(genesis)).toEqual(made.nativeChainId);
    const keys = readKeyFolder(join(dataDir, 'keys')) ?? [];
    for (const { account, keys: pair } of keys) {
      const inGenesis = genesis.accounts.find(({ id }) => id === account);
      expect(inGenesis && equalBytes(inGenesis.echorandKey, pair.publicKey)).toBe(true);
      expect(inGenesis?.active.keyAuths).toEqual([[pair.publicKey, 1]]);
    }
    expect(keys.map(({ account }) => account).sort()).toEqual([1_022, 1_023, 1_024]);
  });

  test('args: accounts with keys of their own take their balances from the supply', async () => {
    const { publicKey } = generateKeys();
    const accounts = [{ name: 'alice', publicKey, balance: 600_000_000n }];
    const made = await initializeFolder(options({ accounts }));
    expect(made.accounts.slice(2)).toMatchObject([
      { name: 'treasury', balance: 398_999_000n },
      { id: 1_025, name: 'alice', publicKey, balance: 600_000_000n, keyFile: undefined },
    ]);
    expect(readdirSync(join(dataDir, 'keys'))).toHaveLength(3);
  });

  test('args: a small supply', async () => {
    const made = await initializeFolder(options({ supply: 1_007n }));
    expect(made.accounts.map(({ balance }) => balance)).toEqual([1_000n, 7n, 0n]);
  });

  test.each([true, false])('args: history %s, as the store is to keep it', async (history) => {
    await initializeFolder(options({ history }));
    const store = openStore({ path: join(dataDir, 'ledger'), durable: true, historyOfNewFile: !history });
    expect([store.history, store.head()]).toEqual([history, undefined]);
    await store.close();
  });

  test('behavior: the result contains no secrets', async () => {
    const made = await initializeFolder(options());
    const told = JSON.stringify(made, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
    for (const { keyFile } of made.accounts) {
      const { seed } = JSON.parse(readFileSync(keyFile ?? '', 'utf8'));
      expect(seed).toMatch(/^[0-9a-f]{64}$/);
      expect(told).not.toContain(seed);
      expect(readFileSync(made.genesisFile, 'utf8')).not.toContain(seed);
    }
  });

  test('behavior: unrelated files in the folder are preserved', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'ledgerd.json'), '{}');
    await initializeFolder(options());
    expect(readFileSync(join(dataDir, 'ledgerd.json'), 'utf8')).toBe('{}');
  });

  test('behavior: leftovers of an interrupted run do not prevent initialization', async () => {
    mkdirSync(join(dataDir, '.initializing', 'keys'), { recursive: true });
    writeFileSync(join(dataDir, '.initializing', 'keys', 'producer.json'), 'half a k');
    await initializeFolder(options());
    expect(readdirSync(dataDir).sort()).toEqual(['genesis.json', 'keys', 'ledger']);
  });

  test.each(['genesis.json', 'keys', 'ledger', 'wallet.json', 'ethereum-keys.json'])(
    'error: %s already exists, and nothing is changed',
    async (name) => {
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, name), 'mine');
      await expect(initializeFolder(options())).rejects.toMatchObject({
        code: 'DATA_FOLDER',
        reason: 'occupied',
        message: expect.stringContaining(`${join(dataDir, name)} exists already, and nothing is overwritten`),
      });
      expect(readdirSync(dataDir)).toEqual([name]);
      expect(readFileSync(join(dataDir, name), 'utf8')).toBe('mine');
    },
  );

  test('error: a second time', async () => {
    const { genesisFile } = await initializeFolder(options());
    const before = readFileSync(genesisFile, 'utf8');
    await expect(initializeFolder(options())).rejects.toMatchObject({ reason: 'occupied' });
    expect(readFileSync(genesisFile, 'utf8')).toBe(before);
  });

  test('error: a folder in use', async () => {
    mkdirSync(dataDir);
    const letGo = await lockFolder(dataDir);
    await expect(initializeFolder(options())).rejects.toMatchObject({ reason: 'inUse' });
    await letGo();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test.each<[string, Partial<InitializeOptions>, string]>([
    ['balances beyond the supply', { supply: 5n }, 'accounts: their balances exceed the supply of 5'],
    ['a name twice', { accounts: [account('producer')] }, 'accounts[3].name: another account'],
    ['a name that is none', { accounts: [account('No')] }, 'accounts[3].name: must be 3 to 63 characters'],
    ['no time between blocks', { blockInterval: 0 }, 'parameters.blockInterval'],
  ])('error: %s, and nothing is written', async (_title, changes, message) => {
    const accounts = [account('alice')];
    await expect(initializeFolder(options({ accounts, ...changes }))).rejects.toMatchObject({
      code: 'INVALID_GENESIS',
      message: expect.stringContaining(message),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('error: a path that is not writable', async () => {
    writeFileSync(dataDir, '');
    await expect(initializeFolder(options())).rejects.toMatchObject({ reason: 'unusable' });
    expect(readFileSync(dataDir, 'utf8')).toBe('');
  });
});

function account(name: string): InitializeOptions['accounts'][number] {
  return { name, publicKey: generateKeys().publicKey, balance: 10n };
}
