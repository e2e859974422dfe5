import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeDeployData, encodeFunctionData, type Hex, pad, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../contracts/compile.ts';
import { freePort } from '../free-ports.js';
import { PROGRAM, startProgram } from '../program.ts';
import { call } from '../rpc-client.js';
import { anvilProgram } from '../traces/two-nodes.ts';

/** State dumps between this program and the released anvil: 50 contracts, compared by 400 reads. */
const anvil = anvilProgram();

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const HOLDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const CONTRACTS = 50;
const START_MS = 60_000;

type Call = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

interface Node {
  readonly call: Call;
  stop(): Promise<void>;
}

let folder: string;
const running: Node[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
});

afterAll(async () => {
  for (const { stop } of running.splice(0)) await stop();
  rmSync(folder, { recursive: true });
});

function track(node: Node): Node {
  running.push(node);
  return node;
}

async function startHere(...words: readonly string[]): Promise<Node> {
  const { url, stop } = await startProgram('--ethereum', '--max-body', '64MiB', ...words);
  return track({
    call: (method, ...params) => call(`${url}/ethereum`, method, ...params),
    stop: async () => void (await stop()),
  });
}

async function startAnvil(...words: readonly string[]): Promise<Node> {
  const port = await freePort();
  const child = spawn(anvil ?? '', ['--port', String(port), '--silent', ...words], { stdio: 'ignore' });
  const node: Node = {
    call: (method, ...params) => call(`http://127.0.0.1:${port}`, method, ...params),
    stop: () => ended(child),
  };
  const deadline = performance.now() + START_MS;
  while (!(await responds(node))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('anvil does not respond');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return track(node);
}

const responds = (node: Node): Promise<boolean> =>
  node.call('eth_chainId').then(
    () => true,
    () => false,
  );

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await exit;
}

/** Returns a receipt; anvil makes the block after its response. */
async function receiptOf(
  node: Node,
  hash: unknown,
): Promise<{ readonly contractAddress: Hex; readonly status: Hex }> {
  for (;;) {
    const receipt = await node.call('eth_getTransactionReceipt', hash);
    if (receipt !== null) return receipt as { contractAddress: Hex; status: Hex };
  }
}

/** Deploys the contracts and changes their states; returns the reads that describe all of it. */
async function fill(node: Node): Promise<(readonly [method: string, ...params: unknown[]])[]> {
  const { abi, bytecode } = await compileContract('Token');
  const reads: [string, ...unknown[]][] = [['eth_blockNumber'], ['eth_chainId']];
  for (let index = 0; index < CONTRACTS; index += 1) {
    const args = [`Token ${index}`, `T${index}`, 10n ** 24n + BigInt(index)];
    const data = encodeDeployData({ abi, bytecode: bytecode as Hex, args });
    const hash = await node.call('eth_sendTransaction', { from: SENDER, data, gas: '0x300000' });
    const { contractAddress: to } = await receiptOf(node, hash);
    const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [HOLDER, BigInt(index + 1)] });
    await receiptOf(
      node,
      await node.call('eth_sendTransaction', { from: SENDER, to, data: transfer, gas: '0x30000' }),
    );
    const slot = toHex(1_000 + index);
    await node.call('anvil_setStorageAt', to, slot, pad(toHex(index + 7)));
    await node.call('anvil_setBalance', to, toHex(10n ** 18n + BigInt(index)));
    const view = (functionName: string, args: readonly unknown[] = []): [string, ...unknown[]] => [
      'eth_call',
      { to, data: encodeFunctionData({ abi, functionName, args }) },
      'latest',
    ];
    reads.push(
      view('balanceOf', [SENDER]),
      view('balanceOf', [HOLDER]),
      view('totalSupply'),
      view('name'),
      ['eth_getCode', to, 'latest'],
      ['eth_getStorageAt', to, slot, 'latest'],
      ['eth_getBalance', to, 'latest'],
      ['eth_getTransactionCount', to, 'latest'],
    );
  }
  for (const address of (await node.call('eth_accounts')) as string[]) {
    reads.push(['eth_getBalance', address, 'latest'], ['eth_getTransactionCount', address, 'latest']);
  }
  return reads;
}

type Reads = Awaited<ReturnType<typeof fill>>;

const readAll = (node: Node, reads: Reads): Promise<unknown[]> =>
  Promise.all(reads.map(([method, ...params]) => node.call(method, ...params)));

/** Fields of the newest block that a loaded dump has. */
async function headOf(node: Node): Promise<unknown> {
  const block = (await node.call('eth_getBlockByNumber', 'latest', false)) as Record<string, unknown>;
  const { number, timestamp, baseFeePerGas, gasLimit, mixHash } = block;
  return { number, timestamp, baseFeePerGas, gasLimit, mixHash };
}

const nextBaseFee = async (node: Node): Promise<unknown> => {
  await node.call('evm_mine');
  const { number, baseFeePerGas } = (await node.call('eth_getBlockByNumber', 'latest', false)) as Record<
    string,
    unknown
  >;
  return { number, baseFeePerGas };
};

describe.skipIf(anvil === undefined)('state dumps compared with anvil (skipped without anvil)', () => {
  test('default: dumps of anvil are loaded here: the result of anvil_dumpState, and the file', async () => {
    const file = join(folder, 'anvil.json');
    const there = await startAnvil('--dump-state', file);
    const reads = await fill(there);
    expect(reads.length).toBeGreaterThan(400);
    const [expected, head] = [await readAll(there, reads), await headOf(there)];
    const dump = await there.call('anvil_dumpState');
    await there.stop();
    expect(existsSync(file)).toBe(true);
    const byCall = await startHere();
    expect(await byCall.call('anvil_loadState', dump)).toBe(true);
    const byFile = await startHere('--load-state', file);
    const again = await startAnvil('--load-state', file);
    const fee = await nextBaseFee(again);
    for (const here of [byCall, byFile]) {
      expect(await readAll(here, reads)).toEqual(expected);
      expect(await headOf(here)).toEqual(head);
      expect(await nextBaseFee(here)).toEqual(fee);
      const hash = await here.call('eth_sendTransaction', { from: SENDER, to: HOLDER, value: '0x1' });
      expect(await receiptOf(here, hash)).toMatchObject({ status: '0x1' });
    }
  });

  test('default: dumps of this program are loaded by anvil: the result of anvil_dumpState, and the file', async () => {
    const file = join(folder, 'here.json');
    const here = await startHere('--dump-state', file);
    const reads = await fill(here);
    const [expected, head] = [await readAll(here, reads), await headOf(here)];
    const dump = await here.call('anvil_dumpState');
    await here.stop();
    expect(JSON.parse(readFileSync(file, 'utf8')).best_block_number).toBe(2 * CONTRACTS);
    const byCall = await startAnvil('--no-request-size-limit');
    expect(await byCall.call('anvil_loadState', dump)).toBe(true);
    const byFile = await startAnvil('--load-state', file);
    const again = await startHere('--load-state', file);
    const fee = await nextBaseFee(again);
    for (const there of [byCall, byFile]) {
      expect(await readAll(there, reads)).toEqual(expected);
      expect(await headOf(there)).toEqual(head);
      expect(await nextBaseFee(there)).toEqual(fee);
      const hash = await there.call('eth_sendTransaction', { from: SENDER, to: HOLDER, value: '0x1' });
      expect(await receiptOf(there, hash)).toMatchObject({ status: '0x1' });
    }
  });
});

/** Kills the program at a moment of loading into a data folder; the chain is the former one or the loaded one. */
describe('loading into a data folder', () => {
  const DUMP = new URL('../../src/node/state-dump/anvil-state.testing.json', import.meta.url);
  const RECEIVER = '0x1111111111111111111111111111111111111111';

  test('behavior: SIGKILL at any moment: the next start with the same words has the state', async () => {
    const file = join(folder, 'large.json');
    const dump = JSON.parse(readFileSync(DUMP, 'utf8'));
    const slots = Array.from({ length: 20_000 }, (_, slot) => [
      toHex(slot, { size: 32 }),
      toHex(slot + 1, { size: 32 }),
    ]);
    dump.accounts[RECEIVER].storage = Object.fromEntries(slots);
    writeFileSync(file, JSON.stringify(dump));
    for (const delay of [150, 300, 450, 600, 900]) {
      const data = join(folder, `data-${delay}`);
      const words = ['--test', '--data-dir', data, '--load-state', file];
      const child = spawn(process.execPath, [PROGRAM, 'start', '--port', '0', '--ethereum', ...words], {
        stdio: 'ignore',
      });
      const exit = once(child, 'exit');
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill('SIGKILL');
      await exit;
      const node = await startHere(...words);
      expect(await node.call('eth_blockNumber')).toBe('0x2');
      expect(await node.call('eth_getStorageAt', RECEIVER, toHex(19_999), 'latest')).toBe(
        toHex(20_000, { size: 32 }),
      );
      await node.stop();
    }
  });
});
