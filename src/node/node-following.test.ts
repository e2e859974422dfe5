import { cpSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { accountId, invariant } from '../protocol/index.ts';
import { dataFolderAt } from './data-folder.ts';
import { changeGenesis, TestNodes, treasuryTransfer, type WatchedNode } from './node.testing.ts';

const PRODUCER = accountId(1_023);
const REGISTRAR = accountId(1_022);

const nodes = new TestNodes();
afterEach(async () => {
  vi.useRealTimers();
  await nodes.clean();
});

/** Ports that nobody listened to a moment ago. */
async function freePorts(): Promise<readonly [number, number]> {
  const servers = [createServer(), createServer()];
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [first, second] = servers.map((server) => {
    const address = server.address();
    invariant(typeof address === 'object' && address !== null, 'the server listens');
    return address.port;
  });
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  invariant(first !== undefined && second !== undefined, 'there are two servers');
  return [first, second];
}

/** The folder again, with some of its key files only. */
function copyOf(dataDir: string, ...kept: readonly string[]): string {
  const copy = nodes.unused();
  cpSync(dataDir, copy, { recursive: true });
  for (const name of ['producer', 'registrar', 'treasury']) {
    if (!kept.includes(name)) rmSync(join(dataFolderAt(copy).keys, `${name}.json`));
  }
  return copy;
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}/`;

/** The block of a number at both nodes, once both have it. */
async function expectSame(left: WatchedNode, right: WatchedNode, number: number): Promise<void> {
  for (const node of [left, right]) await node.until(() => node.ledger.head().number >= number);
  expect(left.ledger.blockByNumber(number)?.id).toEqual(right.ledger.blockByNumber(number)?.id);
}

describe('a follower without keys', () => {
  test('default: it catches up, stays up to date and takes no transactions', async () => {
    const dataDir = await nodes.initialize(0.1);
    const producer = await nodes.start(dataDir);
    const { result } = await producer.call('eth_sendRawTransaction', treasuryTransfer(dataDir, producer, 5n));
    await producer.until(() => producer.ledger.head().number >= 5);
    const follower = await nodes.start(nodes.unused(), {
      genesisFile: dataFolderAt(dataDir).genesis,
      follow: [producer.url],
    });
    await expectSame(producer, follower, 7);
    expect(await follower.call('eth_getTransactionReceipt', result)).toEqual(
      await producer.call('eth_getTransactionReceipt', result),
    );
    expect(await follower.call('net_peerCount')).toMatchObject({ result: '0x1' });
    expect(await follower.call('eth_mining')).toMatchObject({ result: false });
    expect(await follower.call('eth_syncing')).toMatchObject({ result: false });
    const { error } = await follower.call('eth_sendRawTransaction', treasuryTransfer(dataDir, producer, 6n));
    expect(error).toMatchObject({
      code: -32_000,
      message: expect.stringContaining('this node takes no transactions'),
    });
    expect(await follower.health()).toMatchObject({ status: 200 });
  });

  test('behavior: it is followed itself, and goes on where it stopped', async () => {
    const dataDir = await nodes.initialize(0.1);
    const genesisFile = dataFolderAt(dataDir).genesis;
    const producer = await nodes.start(dataDir);
    const middle = await nodes.start(nodes.unused(), { genesisFile, follow: [producer.url] });
    const end = nodes.unused();
    const first = await nodes.start(end, { genesisFile, follow: [middle.url] });
    await expectSame(producer, first, 3);
    await first.close();
    const again = await nodes.start(end, { follow: [middle.url] });
    expect(again.description.headNumber).toBeGreaterThanOrEqual(3);
    await expectSame(producer, again, again.description.headNumber + 3);
  });

  test('error: a node of another chain', async () => {
    const other = await nodes.start(await nodes.initialize(0.1));
    await other.until(() => other.ledger.head().number >= 1);
    const node = await nodes.start(copyOf(await nodes.initialize()), { follow: [other.url] });
    await node.until(() => node.notices.some(({ kind }) => kind === 'followedRejected'));
    expect(await node.health()).toMatchObject({
      status: 503,
      report: { problems: ['1 of 1 followed nodes sent blocks that are not of this chain'] },
    });
    expect(await node.call('net_peerCount')).toMatchObject({ result: '0x0' });
  });
});

describe('two producers that follow each other', () => {
  interface Pair {
    readonly dataDir: string;
    readonly folders: readonly [string, string];
    readonly ports: readonly [number, number];
  }

  async function preparePair(): Promise<Pair> {
    const dataDir = await nodes.initialize(0.1);
    changeGenesis(dataDir, (genesis) => ({ ...genesis, producers: [PRODUCER, REGISTRAR] }));
    const folders = [copyOf(dataDir, 'producer'), copyOf(dataDir, 'registrar')] as const;
    return { dataDir, folders, ports: await freePorts() };
  }

  const startFirst = ({ folders: [folder], ports: [port, other] }: Pair): Promise<WatchedNode> =>
    nodes.start(folder, { port, follow: [urlOf(other)] });
  const startSecond = ({ folders: [, folder], ports: [other, port] }: Pair): Promise<WatchedNode> =>
    nodes.start(folder, { port, follow: [urlOf(other)] });

  test('default: they take turns on one chain', async () => {
    const pair = await preparePair();
    const [first, second] = [await startFirst(pair), await startSecond(pair)];
    await expectSame(first, second, 6);
    for (let number = 1; number <= 6; number += 1) {
      expect(first.ledger.blockByNumber(number)?.header.account).toBe(
        number % 2 === 0 ? PRODUCER : REGISTRAR,
      );
    }
    for (const [node, amount] of [
      [first, 1n],
      [second, 2n],
    ] as const) {
      const raw = treasuryTransfer(pair.dataDir, node, amount);
      const { result } = await node.call('eth_sendRawTransaction', raw);
      await node.until(() => node.ledger.pendingOperations().length === 0);
      expect(await node.call('eth_getTransactionReceipt', result)).toMatchObject({
        result: { status: '0x1' },
      });
    }
    for (const node of [first, second]) {
      expect(await node.call('eth_mining')).toMatchObject({ result: true });
      expect(await node.health()).toMatchObject({ status: 200 });
    }
  });

  test('behavior: one waits for the other, and both go on when it is back', async () => {
    const pair = await preparePair();
    const [first, second] = [await startFirst(pair), await startSecond(pair)];
    await expectSame(first, second, 4);
    await second.close();
    const { number } = first.ledger.head();
    const again = await startSecond(pair);
    await expectSame(first, again, number + 4);
  });

  test('behavior: one that lost its chain makes no second block of a number', async () => {
    const pair = await preparePair();
    const [first, second] = [await startFirst(pair), await startSecond(pair)];
    await expectSame(first, second, 6);
    await second.close();
    const { number, id } = first.ledger.blockByNumber(6) ?? first.ledger.head();
    rmSync(dataFolderAt(pair.folders[1]).store, { recursive: true });
    const again = await startSecond(pair);
    expect(again.description.headNumber).toBe(0);
    await expectSame(first, again, first.ledger.head().number + 2);
    expect(again.ledger.blockByNumber(number)?.id).toEqual(id);
    for (const { notices } of [first, again]) {
      expect(notices.map(({ kind }) => kind)).not.toContain('followedRejected');
    }
  });
});

test('error: a chain that stands still is seen by every node, whoever has to make the next block', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const dataDir = await nodes.initialize(0.1);
  changeGenesis(dataDir, (genesis) => ({ ...genesis, producers: [PRODUCER, REGISTRAR] }));
  const ports = await freePorts();
  const first = await nodes.start(copyOf(dataDir, 'producer'), {
    port: ports[0],
    follow: [urlOf(ports[1])],
  });
  const second = await nodes.start(copyOf(dataDir, 'registrar'), { port: ports[1], follow: [first.url] });
  const watcher = await nodes.start(copyOf(dataDir), { follow: [first.url] });
  await expectSame(first, watcher, 4);
  await second.close();
  await first.until(() => first.notices.at(-1)?.kind === 'followedSilent');
  const number = first.ledger.head().number + 1;
  vi.advanceTimersByTime(20_000);
  const problem = expect.stringMatching(
    new RegExp(`^block ${number}, which is the turn of 1\\.2\\.1022, should have come \\d+ s ago$`),
  );
  for (const node of [first, watcher]) {
    expect(await node.health()).toMatchObject({
      status: 503,
      report: { problems: expect.arrayContaining([problem]) },
    });
  }
});
