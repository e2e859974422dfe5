import { expect, test } from 'vitest';
import { REAL_BLOCKS, startRemote } from '../../fork/remote.testing.ts';
import { verifyChain, verifyNewestState } from '../maintenance/verify.ts';
import { type CalledNode, startFork, startNode, temporaryFolder } from './forked-nodes.testing.ts';

/** The greatest balance of an EVM account. */
const MOST = 2n ** 256n - 1n;
const WHALE = '0x00000000000000000000000000000000dead0001';
const GREAT = '0x00000000000000000000000000000000dead0002';
const RICH = '0x00000000000000000000000000000000dead0003';
/** Returns the balance of the address in its call data. */
const READER = '0x00000000000000000000000000000000dead0004';
/** Sends all that it has to the address in its call data, and returns the word of its success. */
const SENDER = '0x00000000000000000000000000000000dead0005';
/** Destroys itself for the address in its call data. */
const DESTROYED = '0x00000000000000000000000000000000dead0006';
const NOBODY = '0x00000000000000000000000000000000dead0007';

const BALANCES: Readonly<Record<string, bigint>> = {
  [WHALE]: MOST,
  [GREAT]: 10n ** 40n + 3n,
  [RICH]: 10n ** 29n,
  [SENDER]: 7n,
  [DESTROYED]: 9n,
};
const CODES: Readonly<Record<string, string>> = {
  [READER]: '0x6000353160005260206000f3',
  [SENDER]: '0x60006000600060004760003561fffff160005260206000f3',
  [DESTROYED]: '0x600035ff',
};

const hex = (value: bigint): string => `0x${value.toString(16)}`;
const inWord = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;

/** Starts a fork of a chain whose accounts have more than the native ledger's greatest amount. */
async function startGreatFork(dataDir?: string): Promise<CalledNode> {
  const remote = await startRemote((method, [first]) => {
    const name = String(first).toLowerCase();
    switch (method) {
      case 'eth_chainId':
        return '0x7a69';
      case 'eth_getBlockByNumber':
        return REAL_BLOCKS.find(({ number }) => number === first) ?? null;
      case 'eth_getBalance':
        return hex(BALANCES[name] ?? 0n);
      case 'eth_getCode':
        return CODES[name] ?? '0x';
    }
    return '0x0';
  });
  const source = { kind: 'remote', url: remote.url, block: 2 } as const;
  return startFork(source, { fork: { caches: false }, ...(dataDir !== undefined && { dataDir }) });
}

const balanceOf = async (node: CalledNode, address: string): Promise<bigint> =>
  BigInt(String(await node.call('eth_getBalance', address, 'latest')));

/** Sends a transaction as any account. Returns its receipt. */
async function send(node: CalledNode, transaction: object): Promise<Record<string, unknown>> {
  const hash = await node.call('eth_sendTransaction', { gas: '0x30000', ...transaction });
  return Object(await node.call('eth_getTransactionReceipt', hash));
}

test('default: reads and calls have the exact balance', async () => {
  const node = await startGreatFork();
  for (const [address, balance] of Object.entries(BALANCES)) {
    expect(await balanceOf(node, address)).toBe(balance);
    const data = inWord(address);
    expect(BigInt(String(await node.call('eth_call', { to: READER, data }, 'latest')))).toBe(balance);
  }
  const transfer = { from: WHALE, to: NOBODY, value: hex(MOST) };
  expect(await node.call('eth_call', transfer, 'latest')).toBe('0x');
  expect(await node.call('eth_estimateGas', { from: GREAT, to: NOBODY, value: hex(10n ** 40n) })).toMatch(
    /^0x/,
  );
});

test('default: sends from and to such accounts are exact, stored and verified', async () => {
  const dataDir = temporaryFolder();
  const node = await startGreatFork(dataDir);
  for (const address of [WHALE, GREAT, RICH]) await node.call('anvil_impersonateAccount', address);
  const [from] = (await node.call('eth_accounts')) as string[];
  const balances = new Map<string, bigint>();
  for (const [address, value] of [
    [WHALE, MOST - 10n ** 60n],
    [GREAT, 10n ** 39n],
    [RICH, 5n],
  ] as const) {
    const before = await balanceOf(node, NOBODY);
    const receipt = await send(node, { from: address, to: NOBODY, value: hex(value) });
    expect(receipt.status).toBe('0x1');
    expect((await balanceOf(node, NOBODY)) - before).toBe(value);
    const fee = (BALANCES[address] ?? 0n) - value - (await balanceOf(node, address));
    expect(fee > 0n && fee < 10n ** 18n).toBe(true);
  }
  const before = await balanceOf(node, GREAT);
  expect((await send(node, { from, to: GREAT, value: '0x5' })).status).toBe('0x1');
  expect(await balanceOf(node, GREAT)).toBe(before + 5n);
  for (const address of [WHALE, GREAT, RICH, NOBODY]) balances.set(address, await balanceOf(node, address));
  const snapshot = await node.call('evm_snapshot');
  await node.call('anvil_setBalance', GREAT, '0x5');
  await node.call('anvil_setBalance', RICH, '0x0');
  expect(await balanceOf(node, GREAT)).toBe(5n);
  expect(await node.call('evm_revert', snapshot)).toBe(true);
  await node.call('anvil_setBalance', WHALE, '0x7');
  balances.set(WHALE, 7n);
  await node.call('anvil_setBalance', NOBODY, hex(MOST));
  await node.call('anvil_addBalance', NOBODY, '0x1');
  balances.set(NOBODY, MOST);
  await node.close();
  const job = { stop: new AbortController().signal, onProgress: () => undefined };
  await verifyNewestState(dataDir, job);
  await verifyChain(dataDir, job);
  const again = await startNode({ dataDir });
  for (const [address, balance] of balances) expect(await balanceOf(again, address)).toBe(balance);
  await again.close();
});

test('behavior: a transfer beyond 256 bits fails, and moves nothing', async () => {
  const node = await startGreatFork();
  const [from] = (await node.call('eth_accounts')) as string[];
  const sent = await send(node, { from, to: WHALE, value: '0x1' });
  expect(sent.status).toBe('0x0');
  const called = await send(node, { from, to: SENDER, data: inWord(WHALE) });
  expect(called.status).toBe('0x1');
  expect(await node.call('eth_call', { to: SENDER, data: inWord(WHALE) }, 'latest')).toBe(inWord('0x0'));
  const destroyed = await send(node, { from, to: DESTROYED, data: inWord(WHALE) });
  expect(destroyed.status).toBe('0x0');
  expect(await balanceOf(node, WHALE)).toBe(MOST);
  expect([await balanceOf(node, SENDER), await balanceOf(node, DESTROYED)]).toEqual([7n, 9n]);
});
