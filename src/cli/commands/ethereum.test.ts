import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Wallet as Key } from 'ethers';
import { afterEach, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../../consensus.ts';
import { submitEthereum } from '../../ledger/index.ts';
import { DEFAULT_NODE_CONFIGURATION, startNode } from '../../node/index.ts';
import { hexToBytes, toAddress } from '../../protocol/index.ts';
import { CommandFolders, run } from './chain.testing.ts';
import { DRAWN_CHAIN_ID_MAX, DRAWN_CHAIN_ID_MIN } from './init.ts';

const KEY = new Key('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ETHER = 10n ** 18n;

const folders = new CommandFolders();
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
  folders.clean();
});

/** Begins a chain that knows Ethereum, in which the key has 10.5 ether. */
async function init(...words: readonly string[]) {
  const dataDir = folders.unused('node');
  const funded = ['--ethereum', '--ethereum-account', `${KEY.address}=10.5`];
  const { status, output, errors } = await run(['init', '--data-dir', dataDir, ...funded, ...words]);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  return { dataDir, output, genesis: JSON.parse(readFileSync(join(dataDir, 'genesis.json'), 'utf8')) };
}

/** Starts the node of a folder; `reached` waits for a block of it. */
async function start(dataDir: string, changes: Partial<typeof DEFAULT_NODE_CONFIGURATION> = {}) {
  const waiting = new Set<() => void>();
  const configuration = { ...DEFAULT_NODE_CONFIGURATION, port: 0, minFreeBytes: 0, dataDir, ...changes };
  const node = await startNode(configuration, {
    onBlock: () => {
      for (const look of waiting) look();
    },
  });
  running.push(node);
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (isSo()) resolve();
      };
      waiting.add(look);
      look();
    });
  return { ...node, until };
}

test('default: init draws a chain id, funds keys out of the supply, and puts the known contracts there', async () => {
  const { genesis, output } = await init();
  const { chainId, name } = genesis.network;
  expect([name, genesis.network.networkId]).toEqual(['private', chainId]);
  expect(chainId).toBeGreaterThanOrEqual(DRAWN_CHAIN_ID_MIN);
  expect(chainId).toBeLessThanOrEqual(DRAWN_CHAIN_ID_MAX);
  expect(genesis.ethereum).toMatchObject({ weiPerUnit: '10000000000', blockGasLimit: '45000000' });
  expect(genesis.ethereum.accounts).toEqual([{ address: KEY.address.toLowerCase(), balance: '1050000000' }]);
  expect(genesis.ethereum.contracts).toHaveLength(18);
  const balances: { balance: string | number }[] = [...genesis.accounts, ...genesis.ethereum.accounts];
  expect(balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(10n ** 18n);
  expect(output).toMatch(/^Ethereum +wallets and tools work at the path \/ethereum; with the contracts/m);
  expect(output).toMatch(/^ +random chain id from 1073741824 to 2147483647/m);
  expect(output).toContain(`${KEY.address}, 10.5 ether\n`);
});

test('args: a chain id, and no contracts', async () => {
  const { genesis, output } = await init('--chain-id', '7001', '--no-preinstalls');
  expect(genesis.network).toEqual({ name: 'private', chainId: 7_001, networkId: 7_001 });
  expect(genesis.ethereum.contracts).toEqual([]);
  expect(output).not.toContain('drawn');
  expect(output).toContain('without preinstalled contracts');
});

test('args: blobs, by the schedule of mainnet for the hard fork', async () => {
  const { genesis } = await init('--blobs', '--hardfork', 'cancun');
  expect(genesis.ethereum.blobSchedule).toEqual({ target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 });
});

test('args: init --root: the node of the folder has it, for both profiles', async () => {
  const { dataDir, output } = await init('--root', 'ethereum', '--gas-price', '0');
  expect(output).toMatch(/^Ethereum +wallets and tools work at the path \/; with the contracts/m);
  const config = JSON.parse((await run(['config', '--data-dir', dataDir])).output);
  expect(config.settings.root).toMatchObject({ value: 'ethereum' });
  const { url, description } = await start(dataDir, { root: 'ethereum' });
  const balance = async (path: string): Promise<unknown> => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBalance',
      params: [KEY.address, 'latest'],
    });
    return Object(await (await fetch(`${url}${path}`, { method: 'POST', body })).json()).result;
  };
  const wei = `0x${((ETHER * 21n) / 2n).toString(16)}`;
  const units = `0x${((ETHER * 21n) / 2n / WEI_PER_UNIT).toString(16)}`;
  expect([await balance('/'), await balance('/ethereum'), await balance('/ledger')]).toEqual([
    wei,
    wei,
    units,
  ]);
  expect(description).toMatchObject({ ethereumUrl: url, ledgerUrl: `${url}/ledger` });
});

test('error: --root ethereum on a chain without Ethereum', async () => {
  const dataDir = folders.unused('plain');
  expect((await run(['init', '--data-dir', dataDir])).status).toBe(0);
  const { status, errors } = await run(['start', '--data-dir', dataDir, '--port', '0', '--root', 'ethereum']);
  expect(status).not.toBe(0);
  expect(errors).toContain(
    'the interface of Ethereum cannot be at /: the genesis of this chain has no Ethereum; create',
  );
  const started = await run(['start', '--data-dir', dataDir, '--ethereum']);
  expect(started.errors).toContain('give --test, or create a chain by ledgerd init --ethereum');
});

test.each([
  [['--ethereum', '--chain-id', '222'], 'the chain id 222 belongs to another public chain'],
  [['--ethereum', '--network', 'default'], '--network default: the chain id 255 belongs to another'],
  [['--ethereum', '--network', 'mine'], '--network mine: give it a --chain-id'],
  [['--ethereum-account', `${KEY.address}=1`], '--ethereum-account needs --ethereum'],
  [['--no-preinstalls'], '--no-preinstalls needs --ethereum'],
  [['--root', 'ethereum'], '--root ethereum needs --ethereum'],
  [['--state-trie'], '--state-trie needs --ethereum'],
  [['--blobs'], '--blobs needs --ethereum'],
  [['--ethereum', '--blobs', '--hardfork', 'shanghai'], '--blobs needs --hardfork cancun or later'],
  [['--ethereum', '--ethereum-account', `${KEY.address}=0.000000001`], 'expected ADDRESS=ETHER, such as'],
  [
    ['--ethereum', '--ethereum-account', `${KEY.address.replace('f39F', 'F39F')}=1`],
    'expected ADDRESS=ETHER',
  ],
  [['--ethereum', '--supply', '5', '--ethereum-account', `${KEY.address}=1`], 'exceed the supply of 5'],
])('error: %j', async (words, message) => {
  const { status, output, errors } = await run(['init', '--data-dir', folders.unused('node'), ...words]);
  expect({ status, output }).toEqual({ status: 2, output: '' });
  expect(errors).toContain(message);
});

test.each([
  { words: [], features: '', facts: { blobSchedule: null, stateTrie: false } },
  {
    words: ['--blobs', '--state-trie'],
    features: '; with blobs; with a state trie',
    facts: { blobSchedule: { target: 14, max: 21 }, stateTrie: true },
  },
])(
  'default: a node runs the chain, a follower syncs it, and all maintenance commands work on it: $words',
  async ({ words, features, facts }) => {
    const { dataDir, genesis } = await init('--block-interval', '0.1', ...words);
    const producer = await start(dataDir);
    const followerDir = folders.unused('follower');
    const genesisFile = join(dataDir, 'genesis.json');
    const follower = await start(followerDir, { genesisFile, follow: [producer.url] });
    const to = toAddress(new Uint8Array(20).fill(7));
    for (let nonce = 0; nonce < 3; nonce += 1) {
      const raw = await KEY.signTransaction({
        ...{
          chainId: genesis.network.chainId,
          type: 2,
          nonce,
          to: `0x${'07'.repeat(20)}`,
          value: ETHER + 1n,
        },
        ...{ gasLimit: 21_000, maxFeePerGas: 2n * WEI_PER_UNIT, maxPriorityFeePerGas: 0n },
      });
      submitEthereum(producer.ledger, hexToBytes(raw.slice(2)), { allowUnprotected: false });
    }
    await follower.until(() => follower.ledger.accounts.weiBalanceOf(to) === 3n * ETHER + 3n);
    const last = follower.ledger.blocks.head().number;
    expect(follower.ledger.blocks.blockByNumber(last)?.id).toEqual(
      producer.ledger.blocks.blockByNumber(last)?.id,
    );
    for (const node of running.splice(0)) await node.close();

    const done = async (...words: readonly string[]): Promise<string> => {
      const { status, output, errors } = await run(words);
      expect({ words, status, errors }).toEqual({ words, status: 0, errors: '' });
      return output;
    };
    for (const folder of [dataDir, followerDir]) await done('verify', '--data-dir', folder);
    const archive = folders.unused('archive');
    await done('export', '--data-dir', dataDir, archive);
    const imported = folders.unused('imported');
    await done('import', '--data-dir', imported, archive);
    await done('verify', '--data-dir', imported);
    const backup = folders.unused('backup');
    await done('backup', '--data-dir', dataDir, '--to', backup);
    await done('verify', '--data-dir', backup);
    await done('rollback', '--data-dir', backup, '--to', '0');
    await done('verify', '--data-dir', backup);
    const info = await done('info', '--data-dir', dataDir);
    expect(/^Ethereum +(.*)$/m.exec(info)?.[1]).toBe(
      'at the path /ethereum; gas price 1000000000 wei, and tips; block gas limit 45000000; ' +
        `genesis with 1 accounts of keys and 18 contracts${features}`,
    );
    const described = JSON.parse(await done('info', '--data-dir', dataDir, '--json'));
    expect(described).toMatchObject({
      supply: '1000000000000000000',
      ethereum: {
        blockGasLimit: '45000000',
        genesisAccounts: 1,
        genesisContracts: 18,
        ...facts,
      },
    });
  },
);
