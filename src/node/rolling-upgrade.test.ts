import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LATEST_HARDFORK } from '../evm/index.ts';
import { networkOf } from '../ledger/index.ts';
import { invariant } from '../protocol/index.ts';
import { bytes, writeEntry } from '../store/store.testing.ts';
import { MemoryLog } from './block-log/memory-log.testing.ts';
import { DEFAULT_NODE_CONFIGURATION } from './configuration.ts';
import { initializeCluster } from './initialize.ts';
import { type RunningNode, startNode } from './node.ts';

let parent: string;
const running: RunningNode[] = [];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'ledgerd-upgrade-'));
});

afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
  vi.doUnmock('../store/tables/tables.ts');
  vi.resetModules();
  rmSync(parent, { recursive: true, force: true });
});

/** The program of this version, but that the format of its store has the next number. */
async function nextVersion(): Promise<typeof startNode> {
  vi.resetModules();
  vi.doMock('../store/tables/tables.ts', async (original) => {
    const tables = await original<typeof import('../store/tables/tables.ts')>();
    return { ...tables, FORMAT_VERSION: tables.FORMAT_VERSION + 1 };
  });
  return (await import('./node.ts')).startNode;
}

async function startWith(start: typeof startNode, dataDir: string, log: MemoryLog): Promise<RunningNode> {
  const configuration = {
    ...DEFAULT_NODE_CONFIGURATION,
    port: 0,
    minFreeBytes: 0,
    dataDir,
    log: { url: 'memory', open: async () => log.open() },
  };
  const node = await start(configuration, {}, () => 1);
  running.push(node);
  return node;
}

/** Waits until a node has a block. */
function reached({ ledger }: RunningNode, number: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (ledger.blocks.head().number < number) return;
      stop();
      resolve();
    };
    const stop = ledger.chain.onBlock(look);
    look();
  });
}

/** Digests the files in the folder of a store, except the file of its readers. */
function digestsOf(dataDir: string): Record<string, string> {
  const folder = join(dataDir, 'ledger');
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const names = readdirSync(folder).filter((name) => !name.endsWith('-lock'));
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

test('default: nodes of this and the next store format run together, and a newer store is not opened', async () => {
  const { nodes } = await initializeCluster(
    {
      dataDir: join(parent, 'cluster'),
      network: networkOf('default'),
      hardfork: LATEST_HARDFORK,
      supply: 1_000_000_000n,
      blockInterval: 0.1,
      history: true,
      accounts: [],
    },
    2,
  );
  const [own, other] = nodes;
  invariant(own !== undefined && other !== undefined, 'there are two nodes');
  const log = new MemoryLog();
  // As its migration would.
  await writeEntry(join(other.path, 'ledger'), '1-meta', 'format', bytes(0, 0, 0, 6));
  const startNext = await nextVersion();
  const present = await startWith(startNode, own.path, log);
  const next = await startWith(startNext, other.path, log);
  const producers = new Set<number>();
  // The one that starts later is passed over at first.
  for (let number = 1; number <= 6 || producers.size < 2; number += 1) {
    for (const node of [present, next]) await reached(node, number);
    const [block, same] = [present, next].map(({ ledger }) => ledger.blocks.blockByNumber(number));
    expect(block?.id).toEqual(same?.id);
    if (block !== undefined) producers.add(block.header.account);
  }
  expect(producers).toEqual(new Set([own.producer, other.producer]));
  await next.close();
  const before = digestsOf(other.path);
  await expect(startWith(startNode, other.path, log)).rejects.toMatchObject({
    message: expect.stringMatching(/has format \d+; this version of the program knows formats up to \d+/),
  });
  expect(digestsOf(other.path)).toEqual(before);
  await reached(present, present.ledger.blocks.head().number + 3);
});
