import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { REAL_BLOCKS, RemoteFault, startRemote } from '../../fork/remote.testing.ts';
import { bytesToHex, keccak256 } from '../../protocol/index.ts';
import type { StoreProcess } from '../../store/store-process.testing.ts';
import { testJob } from '../chain.testing.ts';
import { verifyChain } from '../maintenance/verify.ts';
import {
  callNode,
  startFork,
  startForkProcess,
  startUpstream,
  temporaryFolder,
  word,
} from './forked-nodes.testing.ts';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
const DISK_FULL = /^nothing is written for now: the disk is full$/;

/** A contract that returns the sum of as many of its slots as the call says, from slot 0 on. */
const SUMMER = '0xc0de00000000000000000000000000000000c0e0';
const SUMMER_CODE = '0x5f5f5b8054820191506001015f358110600257505f5260205ff3';
const CODE_BYTES = 10_000;
const HOLDERS = 400;

const holder = (index: number): string => `0x${'d0'.repeat(18)}${index.toString(16).padStart(4, '0')}`;
/** Code that depends on the address. */
const codeOf = (address: string): string =>
  `0x00${bytesToHex(keccak256(Buffer.from(address))).repeat(CODE_BYTES / 32)}`;

/** Results of a remote chain with large contracts. */
function respond(method: string, [first, second]: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x7a69';
    case 'eth_getBlockByNumber':
      return (
        REAL_BLOCKS.find(({ number }) => number === first || (first === 'latest' && number === '0x2')) ?? null
      );
    case 'eth_getBalance':
    case 'eth_getTransactionCount':
      return '0x5';
    case 'eth_getCode':
      return String(first).startsWith('0xd0d0') ? codeOf(String(first)) : '0x';
    case 'eth_getStorageAt':
      return word(Number(second) + 7);
  }
  throw new RemoteFault(-32_601, `the method ${method} does not exist`);
}

/** Limits the length of files, in place of a full disk: a write beyond it fails. */
function limitFiles({ processId }: StoreProcess, bytes: number | 'unlimited'): void {
  expect(spawnSync('prlimit', [`--pid=${processId}`, `--fsize=${bytes}:unlimited`]).status).toBe(0);
}

/** Returns the length of the longest file of a folder. */
function longestFile(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...names.map((name) => statSync(join(folder, name)).size));
}

/** Runs actions until one fails. Returns how many did not, and the message of the error. */
async function untilRefused(action: (index: number) => Promise<unknown>): Promise<[number, string]> {
  for (let index = 0; ; index += 1) {
    try {
      await action(index);
    } catch (error) {
      return [index, error instanceof Error ? error.message : String(error)];
    }
  }
}

test.runIf(canLimit)('error: a full disk while entries are fetched and blocks are stored', async () => {
  const remote = await startRemote(respond);
  const dataDir = join(temporaryFolder(), 'data');
  const child = startForkProcess(remote.url, dataDir);
  onTestFinished(() => child.kill());
  const { url } = await child.heard<{ url: string }>();
  const codeAt = (index: number) => callNode(url, 'eth_getCode', [holder(index), 'latest']);
  const [from] = (await callNode(url, 'eth_accounts', [])) as string[];
  const sent: string[] = [];
  const send = async (): Promise<void> => {
    const transaction = { from, to: holder(0), gas: '0x800000', data: `0x${'5a'.repeat(60_000)}` };
    sent.push(String(await callNode(url, 'eth_sendTransaction', [transaction])));
  };
  await codeAt(0);
  limitFiles(child, longestFile(dataDir));
  const [fetched, refusedFetch] = await untilRefused(codeAt);
  expect(refusedFetch).toMatch(DISK_FULL);
  const [, refusedBlock] = await untilRefused(send);
  expect(refusedBlock).toMatch(/disk is full|could not be written|cannot be written/);
  // What is here is served.
  expect(await codeAt(fetched - 1)).toBe(codeOf(holder(fetched - 1)));
  expect(Number(await callNode(url, 'eth_blockNumber', []))).toBeGreaterThanOrEqual(2);
  limitFiles(child, 'unlimited');
  for (const index of [0, fetched, fetched + 1]) expect(await codeAt(index)).toBe(codeOf(holder(index)));
  await send();
  for (const hash of sent)
    expect(await callNode(url, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
  child.tell('end');
  expect(await child.ended).toEqual({ status: 0, signal: null });
  expect((await verifyChain(dataDir, testJob())).head).toBeGreaterThanOrEqual(2 + sent.length);
});

test('behavior: a small heap, while thousands of entries are read', async () => {
  const remote = await startRemote(respond);
  const launcher = ['env', 'NODE_OPTIONS=--max-old-space-size=96'];
  const child = startForkProcess(remote.url, join(temporaryFolder(), 'data'), '', launcher);
  onTestFinished(() => child.kill());
  const { url } = await child.heard<{ url: string }>();
  for (let index = 0; index < HOLDERS; index += 40) {
    const group = Array.from({ length: 40 }, (_, more) => holder(index + more));
    const codes = await Promise.all(
      group.map((address) => callNode(url, 'eth_getCode', [address, 'latest'])),
    );
    expect(codes).toEqual(group.map(codeOf));
  }
  await callNode(url, 'anvil_setCode', [SUMMER, SUMMER_CODE]);
  for (const count of [10, 3_000, 12_000]) {
    const sum = await callNode(url, 'eth_call', [
      { to: SUMMER, data: word(count), gas: '0x2faf080' },
      'latest',
    ]);
    expect(BigInt(String(sum))).toBe(BigInt((count * (count - 1)) / 2 + 7 * count));
  }
  child.tell('end');
  expect(await child.ended).toEqual({ status: 0, signal: null });
});

test.each([
  ['behind', '2001-01-01'],
  ['ahead', '2090-01-01'],
])(
  'behavior: a local clock that is far %s of the remote chain: time continues from the remote block',
  async (_name, date) => {
    const { node: upstream, remote } = await startUpstream();
    const { timestamp } = Object(await upstream.call('eth_getBlockByNumber', 'latest', false));
    const began = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(date) });
    onTestFinished(() => void vi.useRealTimers());
    const dataDir = temporaryFolder();
    const times: number[] = [Number(timestamp)];
    const source = { kind: 'remote', url: remote.url, block: undefined } as const;
    const mine = async ({ call }: Awaited<ReturnType<typeof startFork>>): Promise<void> => {
      await call('evm_mine');
      times.push(Number(Object(await call('eth_getBlockByNumber', 'latest', false)).timestamp));
    };
    const first = await startFork(source, { dataDir });
    await mine(first);
    await first.close();
    // The clock is set right between two runs, and stays ahead or behind by as much as before.
    const second = await startFork(source, { dataDir });
    await mine(second);
    expect(times[1]).toBeLessThanOrEqual(Number(timestamp) + 60);
    expect(times).toEqual([...times].sort((left, right) => left - right));
    vi.setSystemTime(began);
    await second.close();
    const third = await startFork(source, { dataDir });
    await mine(third);
    expect(times).toEqual([...times].sort((left, right) => left - right));
    const sent = await third.call('eth_sendTransaction', {
      from: ((await third.call('eth_accounts')) as string[])[0],
      to: `0x${'77'.repeat(20)}`,
      value: '0x1',
    });
    expect(await third.call('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' });
  },
);
