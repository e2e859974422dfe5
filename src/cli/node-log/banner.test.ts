import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { networkOf } from '../../ledger/index.ts';
import type { NodeDescription, TestNodeDescription } from '../../node/index.ts';
import { accountId, toHash } from '../../protocol/index.ts';
import { deriveTestAccounts } from '../../wallet/index.ts';
import { coloured, plain } from '../text.ts';
import { banner } from './banner.ts';

function description(accounts: number, changes: Partial<TestNodeDescription> = {}): TestNodeDescription {
  return {
    mode: 'test',
    version: '1.2.3',
    url: 'http://127.0.0.1:8545',
    root: 'ledger',
    ledgerUrl: 'http://127.0.0.1:8545',
    network: networkOf('default'),
    nativeChainId: toHash(new Uint8Array(32).fill(0xab)),
    hardfork: 'cancun',
    genesisTime: 1_700_000_000,
    headNumber: 0,
    dataDir: undefined,
    blockTime: undefined,
    mining: true,
    mixedMining: false,
    exposed: false,
    ethereumUrl: undefined,
    explorerUrl: undefined,
    ipc: undefined,
    ethereum: undefined,
    fork: undefined,
    accounts: deriveTestAccounts('banner', accounts).map(({ seed, evmAddress }, index) => ({
      id: accountId(1_024 + index),
      balance: 100n,
      seed,
      evmAddress,
    })),
    ...changes,
  };
}

const line = (text: string, label: string) =>
  text.split('\n').find((candidate) => candidate.startsWith(label));

describe('banner', () => {
  test('default', () => {
    expect(banner(description(1), plain)).toMatchInlineSnapshot(`
      "ledgerd 1.2.3

      Endpoint       http://127.0.0.1:8545
      Network        default, chain id 255, network id 255
      Native chain   abababababababababababababababababababababababababababababababab
      Hardfork       cancun
      Genesis        2023-11-14T22:13:20 (1700000000)
      Data           temporary, deleted when the node stops
      Mining         a block for every transaction

      Accounts
      (0) 1.2.1024  0x0000000000000000000000000000000000000400  100 (0.0000000000000001)

      Private keys
      (0) 0x8d84dd8d6f8db12757a636c4ca25ea39fd62fd0a495f11b548220c1b826781a9

      EVM addresses
      (0) 0x8ce0a36e7173a5ecdf21a25e2647d4b967309616

      Balances are in native units, then in what clients call ether.
      Every account above is unlocked; its passphrase is the empty text. Its key signs native transactions (Ed25519),
      and messages as its EVM address (secp256k1).
      This chain accepts no Ethereum transactions: send by eth_sendTransaction from the address of an account.
      For MetaMask, Foundry, Hardhat and others, with their usual keys: ledgerd start --root ethereum
      Warning: these keys are public. Anyone can derive them from the seed: never use them elsewhere.

      "
    `);
  });

  test('args: a chain that knows Ethereum', () => {
    const ethereumUrl = 'http://127.0.0.1:8545/ethereum';
    const ethereum = {
      mnemonic: 'test test junk',
      derivationPath: "m/44'/60'/0'/0",
      baseFee: 10n ** 9n,
      keyBalance: 10n ** 12n,
      blockGasLimit: 45_000_000n,
      hasStateTrie: false,
      accounts: deriveTestAccounts('banner', 23).map(({ seed, evmAddress }) => ({
        address: evmAddress,
        privateKey: seed,
        balance: 9_999_999_790_000_000_000_000n,
      })),
    };
    const lines = banner(description(2, { ethereum, ethereumUrl }), plain).split('\n');
    expect(
      lines.filter((text) =>
        /^(\(0\)|\(19\)|\(20\)|and|Mnemonic|Path|Ethereum |Wallets|An |For )/.test(text),
      ),
    ).toMatchInlineSnapshot(`
      [
        "Ethereum       http://127.0.0.1:8545/ethereum",
        "(0) 0x8ce0a36e7173A5Ecdf21a25e2647d4b967309616  9999.99979 ether",
        "(19) 0xF2E4A07C0A181d77D65Ce5e9A4a7F3eD2a4ce05A  9999.99979 ether",
        "and 3 more",
        "(0) 0x8d84dd8d6f8db12757a636c4ca25ea39fd62fd0a495f11b548220c1b826781a9",
        "(19) 0x8a287bec6ae28b64c7cd666b12e4e65a9bab041bb8aeaa79d46617f448263423",
        "and 3 more",
        "Mnemonic       test test junk",
        "Path           m/44'/60'/0'/0/<index>",
        "Wallets and tools of Ethereum use http://127.0.0.1:8545/ethereum and these keys: docs/ethereum.md.",
      ]
    `);
  });

  test('args: native accounts of a chain with Ethereum, in ether', () => {
    const ethereum = {
      mnemonic: 'test test junk',
      derivationPath: 'm',
      baseFee: 0n,
      keyBalance: 10n ** 12n,
      blockGasLimit: 45_000_000n,
      hasStateTrie: false,
      accounts: [],
    };
    const [hidden, shown] = [false, true].map((showsNative) =>
      banner(description(2, { ethereum, ethereumUrl: 'http://a/ethereum' }), plain, showsNative).split('\n'),
    );
    expect(hidden).toContain(
      'The accounts of the native ledger are 1.2.1024 to 1.2.1025: --native-accounts shows their keys.',
    );
    expect(hidden?.join()).not.toMatch(/ative private|0x8d84dd8d/);
    const native = shown?.indexOf('Native accounts') ?? -1;
    expect(native).toBeGreaterThan(shown?.indexOf("Ethereum's private keys") ?? -1);
    expect(shown?.[native + 1]).toBe(
      '(0) 1.2.1024  0x0000000000000000000000000000000000000400  0.000001 ether',
    );
    expect(shown?.join()).toMatch(/Native private keys,\(0\) 0x8d84dd8d/);
  });

  test.each<[string, Partial<TestNodeDescription>, string, string]>([
    [
      'args: the explorer',
      { explorerUrl: 'http://127.0.0.1:8545/' },
      'Explorer',
      'Explorer       http://127.0.0.1:8545/',
    ],
    ['args: a data folder', { dataDir: '/var/chain' }, 'Data', 'Data           /var/chain'],
    ['args: a chain that goes on', { headNumber: 7 }, 'Head', 'Head           block 7'],
    ['args: a block time', { blockTime: 5 }, 'Mining', 'Mining         a block every 5 s'],
    [
      'args: a block time, and mixed mining',
      { blockTime: 5, mixedMining: true },
      'Mining',
      'Mining         a block every 5 s, and a block for every transaction',
    ],
    [
      'args: mining stopped',
      { mining: false },
      'Mining',
      'Mining         stopped; once started by miner_start: a block for every transaction',
    ],
    [
      'args: the main network',
      { network: networkOf('main') },
      'Network',
      'Network        main, chain id 222, network id 1',
    ],
  ])('%s', (_title, changes, label, expected) => {
    expect(line(banner(description(1, changes), plain), label)).toBe(expected);
  });

  test('args: the node of a chain: no keys', () => {
    const { accounts: _accounts, mining: _mining, blockTime: _blockTime, ...service } = description(0);
    const node: NodeDescription = {
      ...service,
      mode: 'node',
      dataDir: '/var/lib/ledgerd',
      headNumber: 7,
      blockInterval: 3,
      producers: [accountId(1_023)],
      keys: [],
      registers: false,
      follow: ['http://a:1/', 'http://b:2/'],
      log: 'nats://a:4222,nats://b:4222',
    };
    expect(banner(node, plain)).toMatchInlineSnapshot(`
      "ledgerd 1.2.3

      Endpoint       http://127.0.0.1:8545
      Network        default, chain id 255, network id 255
      Native chain   abababababababababababababababababababababababababababababababab
      Hardfork       cancun
      Genesis        2023-11-14T22:13:20 (1700000000)
      Head           block 7
      Data           /var/lib/ledgerd
      Blocks         one every 3 s
      Produces as    1.2.1023
      Registers      no: it holds no key of the registrar
      Follows        http://a:1/, http://b:2/
      Log            nats://a:4222,nats://b:4222

      "
    `);
    expect(banner({ ...node, producers: [] }, plain)).toContain('nobody: it holds no producer key\n');
  });

  test('args: a fork', () => {
    const fork = {
      source: 'https://rpc.example/…',
      number: 21_000_000,
      hash: toHash(new Uint8Array(32).fill(0xcd)),
      withCode: 3,
    };
    const lines = banner(description(1, { fork }), plain).split('\n');
    const place = lines.indexOf('Fork           block 21000000 of https://rpc.example/…');
    expect(lines.slice(place + 1, place + 3)).toEqual([
      `               0x${'cd'.repeat(32)}`,
      '               the 0 funded accounts have no remote balance and code (3 had code)',
    ]);
    expect(banner(description(1, { fork: { ...fork, source: undefined } }), plain)).toContain(
      'Fork           block 21000000 of stored entries, without a remote node\n',
    );
  });

  test.each([
    [0n, '0'],
    [10n ** 17n, '0.1'],
    [10n ** 18n, '1'],
    [9_223_372_036_854_775_807n, '9.223372036854775807'],
    [2_000_000_000_000_000_100n, '2.0000000000000001'],
  ])('args: a balance of %s units', (balance, ether) => {
    const [account] = description(1).accounts;
    const accounts = account === undefined ? [] : [{ ...account, balance }];
    expect(line(banner(description(1, { accounts }), plain), '(0)')).toMatch(
      new RegExp(`  ${balance} \\(${ether.replace('.', '\\.')}\\)$`),
    );
  });

  test('behavior: an exposed node is warned of', () => {
    expect(banner(description(1, { exposed: true }), plain)).toContain('other machines can reach this node');
    expect(banner(description(1), plain)).not.toContain('other machines');
  });

  test('behavior: accounts beyond the twentieth are summarised', () => {
    const text = banner(description(23), plain);
    expect(text).toContain(
      '(19) 1.2.1043  0x0000000000000000000000000000000000000413  100 (0.0000000000000001)\n',
    );
    expect(text).not.toContain('(20)');
    expect(text.split('and 3 more: personal_listRawAccounts lists them all\n')).toHaveLength(4);
    expect(banner(description(20), plain)).not.toContain('more:');
  });

  test('behavior: colours do not change the text', () => {
    const painted = banner(description(2), coloured);
    expect(painted).toContain('\x1b[');
    expect(stripVTControlCharacters(painted)).toBe(banner(description(2), plain));
  });
});
