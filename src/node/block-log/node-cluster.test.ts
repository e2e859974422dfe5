import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountId } from '../../protocol/index.ts';
import { dataFolderAt } from '../data-folder.ts';
import { changeGenesis, TestNodes, treasuryTransfer, type WatchedNode } from '../node.testing.ts';
import { MemoryLog } from './memory-log.testing.ts';

const PRODUCER = accountId(1_023);
const REGISTRAR = accountId(1_022);

const nodes = new TestNodes();
let log: MemoryLog;
let dataDir: string;

beforeEach(async () => {
  log = new MemoryLog();
  dataDir = await nodes.initialize(0.1);
  changeGenesis(dataDir, (genesis) => ({ ...genesis, producers: [PRODUCER, REGISTRAR] }));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await nodes.clean();
});

/** The folder again, with some of its key files only. */
function copyOf(...kept: readonly string[]): string {
  const copy = nodes.unused();
  cpSync(dataDir, copy, { recursive: true });
  for (const name of ['producer', 'registrar', 'treasury']) {
    if (!kept.includes(name)) rmSync(join(dataFolderAt(copy).keys, `${name}.json`));
  }
  return copy;
}

const freeBytes = (): number => 2 ** 40;

const start = (folder: string): Promise<WatchedNode> =>
  nodes.start(folder, { log: { url: 'memory', open: async () => log.open() } }, {}, freeBytes);

const numberOf = ({ ledger }: WatchedNode): number => ledger.blocks.head().number;

/** The headers of the newest blocks after block 0; in the place of those that are missing one of no attempt. */
function newestOf(node: WatchedNode, count: number) {
  const last = numberOf(node);
  return Array.from({ length: count }, (_, index) => {
    const block = index < last ? node.ledger.blocks.blockByNumber(last - index) : undefined;
    return block?.header ?? { attempt: Number.NaN, round: 0n, account: PRODUCER };
  });
}

test('default: two nodes alternate, and each accepts transactions, as does a node without keys', async () => {
  const [first, second, edge] = [
    await start(copyOf('producer')),
    await start(copyOf('registrar')),
    await start(copyOf()),
  ];
  // One that starts later is passed over at first: from some block on each makes every second one.
  await first.until(() => newestOf(first, 4).every(({ attempt }) => attempt === 0));
  for (const { attempt, round, account } of newestOf(first, 4)) {
    expect(account).toBe((Number(round) + attempt) % 2 === 0 ? PRODUCER : REGISTRAR);
  }
  for (const [node, amount] of [
    [first, 1n],
    [second, 2n],
    [edge, 3n],
  ] as const) {
    const { result } = await node.call('eth_sendRawTransaction', treasuryTransfer(dataDir, node, amount));
    await node.until(() => node.ledger.pool.pendingOperations().length === 0);
    expect(await node.call('eth_getTransactionReceipt', result)).toMatchObject({ result: { status: '0x1' } });
  }
  expect(await edge.call('eth_mining')).toMatchObject({ result: false });
  expect(await second.call('eth_mining')).toMatchObject({ result: true });
  for (const node of [first, second, edge]) {
    // The next block may be on its way just now.
    await expect.poll(() => node.call('eth_syncing')).toMatchObject({ result: false });
    expect(await node.health()).toMatchObject({ status: 200, report: { problems: [] } });
  }
  // With the key of the registrar accounts are registered wherever blocks are made.
  expect(second.description.registers).toBe(true);
});

test('behavior: a stopped producer is skipped, and continues with its signed block after a restart', async () => {
  const folders = [copyOf('producer'), copyOf('registrar')] as const;
  const [first, second] = [await start(folders[0]), await start(folders[1])];
  await first.until(() => numberOf(first) >= 4);
  await second.close();
  const number = numberOf(first);
  await first.until(() => numberOf(first) >= number + 3);
  const after = Array.from(
    { length: 3 },
    (_, index) => first.ledger.blocks.blockByNumber(number + 1 + index)?.header,
  );
  expect(after.map((header) => header?.account)).toContain(PRODUCER);
  expect(after.some((header) => (header?.attempt ?? 0) > 0)).toBe(true);
  rmSync(dataFolderAt(folders[1]).store, { recursive: true });
  const again = await start(folders[1]);
  const reached = log.blocks.length + 4;
  for (const node of [first, again]) await node.until(() => numberOf(node) >= reached);
  expect(again.ledger.blocks.blockByNumber(reached)?.id).toEqual(
    first.ledger.blocks.blockByNumber(reached)?.id,
  );
});

test('error: a store ahead of the log: the node reports it, serves reads, and rejects transactions', async () => {
  const folder = copyOf('producer', 'registrar');
  const first = await start(folder);
  await first.until(() => numberOf(first) >= 3);
  await first.close();
  log.blocks.length = 1;
  const again = await start(folder);
  await again.until(() => again.notices.some(({ kind }) => kind === 'logHalted'));
  const { status, report } = await again.health();
  expect([status, JSON.stringify(report)]).toEqual([503, expect.stringContaining('ledgerd block-log seed')]);
  const { error } = await again.call('eth_sendRawTransaction', treasuryTransfer(dataDir, again, 1n));
  expect(error?.message).toContain('the block log of this node is not safe to use');
  expect(await again.call('eth_blockNumber')).toMatchObject({ result: `0x${numberOf(first).toString(16)}` });
  expect(await again.call('eth_mining')).toMatchObject({ result: false });
});

test('error: every node reports a stalled chain, whichever producer is due', async () => {
  const [first, second, watcher] = [
    await start(copyOf('producer')),
    await start(copyOf('registrar')),
    await start(copyOf()),
  ];
  await watcher.until(() => numberOf(watcher) >= 4);
  await first.close();
  await second.close();
  const number = numberOf(watcher) + 1;
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 20_000);
  const problem = expect.stringMatching(
    new RegExp(`^block ${number}, for which 1\\.2\\.102[23] is scheduled, should have arrived \\d+ s ago$`),
  );
  expect(await watcher.health()).toMatchObject({
    status: 503,
    report: { problems: expect.arrayContaining([problem]) },
  });
});

test('error: a failed start aborts the log stream that it had opened', async () => {
  const client = log.open();
  const read = client.log.read.bind(client.log);
  let stream: AbortSignal | undefined;
  client.log.read = (from, stop) => {
    stream = stop;
    return read(from, stop);
  };
  client.exchange.onMessage = () => {
    throw new Error('nobody can listen');
  };
  const shared = { url: 'memory', open: async () => client };
  await expect(nodes.start(dataDir, { log: shared }, {}, freeBytes)).rejects.toThrow('nobody can listen');
  expect(stream?.aborted).toBe(true);
});
