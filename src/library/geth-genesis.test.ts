import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startTestNode, type TestNodeOptions } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledgerd-genesis-'));
afterAll(() => rm(folder, { recursive: true }));

const TIME = 1_700_000_000;
const HOLDER = `0x${'a1'.repeat(20)}`;
const STORING = `0x${'b2'.repeat(20)}`;
const KEY = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const MINER = `0x${'c3'.repeat(20)}`;
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

/** A genesis of geth: alloc without 0x, numbers in decimal and hexadecimal text. */
const GENESIS = {
  config: { chainId: 4_321, homesteadBlock: 0, londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 0 },
  nonce: '0x0',
  timestamp: `0x${TIME.toString(16)}`,
  extraData: '0x11',
  gasLimit: '0x1c9c380',
  difficulty: '0x1',
  coinbase: MINER,
  baseFeePerGas: '0x77359400',
  alloc: {
    [HOLDER.slice(2)]: { balance: '1000000000000000001' },
    [KEY]: { balance: '0x5' },
    [STORING]: {
      balance: '0',
      nonce: '0x1',
      // Returns slot 16.
      code: '0x60105460005260206000f3',
      storage: { [word(16).slice(2)]: '10', '0x01': '0x02' },
    },
  },
};

let files = 0;
function fileOf(genesis: unknown): string {
  files += 1;
  const path = join(folder, `genesis-${files}.json`);
  writeFileSync(path, typeof genesis === 'string' ? genesis : JSON.stringify(genesis));
  return path;
}

async function start(genesis: unknown, settings: object = {}, options: TestNodeOptions = {}) {
  const node = await startTestNode({
    root: 'ethereum',
    ...options,
    settings: { init: fileOf(genesis), ...settings },
  });
  onTestFinished(() => node.stop());
  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    node.provider.request({ method, params });
  const block = async (tag: string): Promise<Record<string, string>> =>
    Object(await ask('eth_getBlockByNumber', tag, false));
  return { node, ask, block };
}

test('default: the accounts, the chain id, the fork, the time, the prices and the coinbase', async () => {
  const { ask, block } = await start(GENESIS);
  expect(await ask('eth_chainId')).toBe('0x10e1');
  expect(await ask('eth_getBalance', HOLDER, 'latest')).toBe('0xde0b6b3a7640001');
  expect(await ask('eth_getBalance', KEY, 'latest')).toBe('0x5');
  expect(await ask('eth_getTransactionCount', STORING, 'latest')).toBe('0x1');
  expect(await ask('eth_call', { to: STORING }, 'latest')).toBe(word(16));
  expect(await ask('eth_getStorageAt', STORING, '0x1', 'latest')).toBe(word(2));
  const genesis = await block('0x0');
  expect([Number(genesis.timestamp), genesis.gasLimit, genesis.baseFeePerGas]).toEqual([
    ...[TIME, '0x1c9c380', '0x77359400'],
  ]);
  await ask('evm_mine');
  const first = await block('0x1');
  expect(first.miner).toBe(MINER);
  // The clock continues from the genesis, as in anvil.
  expect(Number(first.timestamp)).toBeGreaterThanOrEqual(TIME);
  expect(Number(first.timestamp)).toBeLessThan(TIME + 600);
  expect(await ask('anvil_nodeInfo')).toMatchObject({ hardFork: 'shanghai' });
  // The other funded keys are as in anvil.
  const [, other] = (await ask('eth_accounts')) as string[];
  expect(await ask('eth_getBalance', other, 'latest')).toBe('0x21e19e0c9bab2400000');
  expect(await ask('eth_sendTransaction', { from: other, to: HOLDER, value: '0x1' })).toMatch(/^0x/);
});

test('args: settings that are given count more than the file', async () => {
  const { ask, block } = await start(
    { ...GENESIS, gasLimit: '0x7a1200' },
    { 'chain-id': 7, 'base-fee': '9', 'disable-block-gas-limit': true },
    { hardfork: 'cancun' },
  );
  expect(await ask('eth_chainId')).toBe('0x7');
  expect(await block('0x0')).toMatchObject({ baseFeePerGas: '0x9', gasLimit: '0x1fffffffffffff' });
  await ask('evm_mine');
  expect(await block('0x1')).toMatchObject({ gasLimit: '0x1fffffffffffff' });
  expect(await ask('anvil_nodeInfo')).toMatchObject({ hardFork: 'cancun' });
});

test.each([
  ['0x7a1200', '0x7a1200'],
  ['0xffffffffffffffff', '0x7fffffffffffffff'],
])('args: a gas limit of %s holds from block 1 on', async (gasLimit, expected) => {
  const { ask, block } = await start({ ...GENESIS, gasLimit });
  await ask('evm_mine');
  expect((await block('0x1')).gasLimit).toBe(expected);
});

test('args: alloc alone: the newest rules, and the present time', async () => {
  const began = Math.floor(Date.now() / 1_000);
  const { ask, block } = await start({ alloc: {} });
  expect([await ask('eth_chainId'), Object(await ask('anvil_nodeInfo')).hardFork]).toEqual([
    '0x7a69',
    'osaka',
  ]);
  expect(Number((await block('0x0')).timestamp)).toBeGreaterThanOrEqual(began);
});

test('args: a great balance is cut, and precompiled contracts can have one', async () => {
  const precompile = `0x${'1'.padStart(40, '0')}`;
  const great = { balance: `0x2${'0'.repeat(62)}` };
  const { ask } = await start({ ...GENESIS, alloc: { [HOLDER]: great, [precompile]: { balance: '1' } } });
  expect(BigInt(String(await ask('eth_getBalance', HOLDER, 'latest')))).toBe((2n ** 63n - 1n) * 10n ** 10n);
  expect(await ask('eth_getBalance', precompile, 'latest')).toBe('0x1');
  const both = start({ ...GENESIS, alloc: { [HOLDER]: great, [MINER]: great } });
  await expect(both).rejects.toThrow('all balances together would be');
});

test('behavior: a data folder continues with the same file', async () => {
  const dataDir = join(folder, 'chain');
  const options = { dataDir };
  const first = await start(GENESIS, {}, options);
  await first.ask('anvil_setBalance', HOLDER, '0x7');
  await first.ask('evm_mine');
  await first.node.stop();
  const second = await start(GENESIS, {}, options);
  expect(await second.ask('eth_getBalance', HOLDER, 'latest')).toBe('0x7');
  expect(await second.ask('eth_call', { to: STORING }, 'latest')).toBe(word(16));
  expect(await second.ask('eth_blockNumber')).toBe('0x1');
  await second.node.stop();
  await expect(start({ ...GENESIS, config: { chainId: 5 } }, {}, options)).rejects.toThrow('network');
});

const config = (changes: object): object => ({ ...GENESIS, config: { ...GENESIS.config, ...changes } });

test.each<[unknown, string]>([
  ['{', 'the dump is not JSON'],
  ['[]', 'the dump: expected an object'],
  [{ config: {} }, 'alloc: expected an object, got nothing'],
  [{ ...GENESIS, alloc: { ab: {} } }, 'a name in alloc: expected 0x and 40 hexadecimal digits, got "0xab"'],
  [{ ...GENESIS, alloc: { [HOLDER]: { balance: '-1' } } }, `alloc["${HOLDER}"].balance: expected a number`],
  [{ ...GENESIS, alloc: { [HOLDER]: { balance: '0', code: '0x1' } } }, '.code: expected 0x and pairs'],
  [{ ...GENESIS, alloc: { [HOLDER]: { balance: '0', storage: { zz: '0' } } } }, 'a name in alloc['],
  [{ ...GENESIS, timestamp: '0xffffffffff' }, 'timestamp: expected a number from 0 to'],
  [{ ...GENESIS, gasLimit: 'many' }, 'gasLimit: expected a number'],
  [{ ...GENESIS, baseFeePerGas: 1.5 }, 'baseFeePerGas: expected a number'],
  [{ ...GENESIS, coinbase: 'me' }, 'coinbase: expected a number'],
  [
    { ...GENESIS, number: '0x5' },
    'number: expected 0, with which every chain of this program begins, got "0x5"',
  ],
  [{ ...GENESIS, excessBlobGas: 9 }, 'excessBlobGas: expected 0'],
  [{ ...GENESIS, config: 5 }, 'config: expected an object, got 5'],
  [config({ chainId: 'one' }), 'config.chainId: expected a number'],
  [
    config({ cancunTime: TIME + 1 }),
    `config.cancunTime: expected at most ${TIME}: a chain has the rules of one`,
  ],
  [config({ londonBlock: 9 }), 'config.londonBlock: expected 0: a chain has the rules of one fork, got 9'],
  [config({ amsterdamTime: 0 }), 'config.amsterdamTime: expected a fork up to osaka, got 0'],
])('error: %j', async (genesis, message) => {
  await expect(start(genesis)).rejects.toThrow(message);
});

test.each<[object, string]>([
  [{ init: 'missing.json' }, 'missing.json: cannot be read'],
  [{ 'load-state': 'a.json' }, 'settings["load-state"] contradicts settings["init"]'],
  [{ fork: 'http://a' }, 'settings["init"] contradicts settings["fork"]'],
])('error: with %j', async (settings, message) => {
  await expect(start(GENESIS, settings)).rejects.toThrow(message);
});
