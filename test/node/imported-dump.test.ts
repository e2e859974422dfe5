import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestNode, type TestNode } from '../../src/library/index.ts';
import { importBlocks } from '../../src/node/index.ts';

const DAY = 86_400;
const nodes: TestNode[] = [];
let folder: string;
/** A chain of three blocks whose clock is a day ahead. */
let dump: Buffer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  const node = await start();
  for (let count = 0; count < 3; count += 1) await call(node, 'evm_mine');
  await call(node, 'evm_increaseTime', DAY);
  dump = gunzipSync(Buffer.from(String(await call(node, 'anvil_dumpState')).slice(2), 'hex'));
});

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  rmSync(folder, { recursive: true });
});

async function start(dataDir?: string): Promise<TestNode> {
  const node = await startTestNode({ dataDir });
  nodes.push(node);
  return node;
}

const call = (node: TestNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params });

function imported(bytes: Buffer, to?: number): ReturnType<typeof importBlocks> {
  const source = Readable.from([bytes], { objectMode: false });
  const work = { stop: new AbortController().signal, onProgress: () => undefined };
  return importBlocks({ dataDir: folder, source, last: undefined, to, history: true }, work);
}

/** Returns the seconds that the clock of a folder's chain is ahead, from a node on it. */
async function aheadOf(
  action: (node: TestNode) => Promise<unknown> = async () => undefined,
): Promise<number> {
  const node = await start(folder);
  await action(node);
  const ahead = Number(await call(node, 'evm_increaseTime', 0));
  await nodes.pop()?.stop();
  return ahead;
}

test('behavior: the clock of the dump is that of the chain', async () => {
  expect(await imported(dump)).toMatchObject({ imported: 3, head: 3 });
  expect(await aheadOf((node) => call(node, 'evm_mine'))).toBe(DAY);
});

test('behavior: a clock that is further ahead stays, and one that is less far is moved', async () => {
  await imported(dump);
  await aheadOf((node) => call(node, 'evm_increaseTime', DAY));
  expect(await imported(dump)).toMatchObject({ imported: 0, known: 3 });
  expect(await aheadOf()).toBe(2 * DAY);
  rmSync(join(folder, 'control.json'));
  await imported(dump);
  expect(await aheadOf((node) => call(node, 'evm_setBlockGasLimit', 50_000))).toBe(DAY);
  await imported(dump);
  expect(readFileSync(join(folder, 'control.json'), 'utf8')).toContain('"gasLimit": "50000"');
});

test('behavior: importing part of the blocks does not restore the clock', async () => {
  expect(await imported(dump, 2)).toMatchObject({ imported: 2 });
  expect(await aheadOf()).toBe(0);
});

test('error: a clock that no block can follow', async () => {
  const node = nodes[0];
  if (node === undefined) throw new Error('there is a node');
  const entry = Buffer.from(dump);
  const at = entry.indexOf(Buffer.from(BigInt64Array.of(BigInt(DAY)).buffer));
  entry.writeBigInt64LE(2n ** 62n, at);
  const state = `0x${gzipSync(entry).toString('hex')}`;
  await expect(call(node, 'anvil_loadState', state)).rejects.toThrow(/invalid parameter 1 \(state\)/);
  await expect(imported(entry)).rejects.toThrow();
});
