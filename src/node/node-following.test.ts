import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { accountId, toBlockId } from '../protocol/index.ts';
import { dataFolderAt } from './data-folder.ts';
import { answer, FeedServer, feedOfFolder } from './following/feed.testing.ts';
import { changeGenesis, TestNodes, treasuryTransfer, type WatchedNode } from './node.testing.ts';

const PRODUCER = accountId(1_023);
const REGISTRAR = accountId(1_022);

const nodes = new TestNodes();
afterEach(async () => {
  vi.useRealTimers();
  await nodes.clean();
});

/** The folder again, with some of its key files only. */
function copyOf(dataDir: string, ...kept: readonly string[]): string {
  const copy = nodes.unused();
  cpSync(dataDir, copy, { recursive: true });
  for (const name of ['producer', 'registrar', 'treasury']) {
    if (!kept.includes(name)) rmSync(join(dataFolderAt(copy).keys, `${name}.json`));
  }
  return copy;
}

/** The block of a number at both nodes, once both have it. */
async function expectSame(left: WatchedNode, right: WatchedNode, number: number): Promise<void> {
  for (const node of [left, right]) await node.until(() => node.ledger.blocks.head().number >= number);
  expect(left.ledger.blocks.blockByNumber(number)?.id).toEqual(right.ledger.blocks.blockByNumber(number)?.id);
}

describe('a follower without keys', () => {
  test('default: it catches up, stays up to date and forwards transactions', async () => {
    const dataDir = await nodes.initialize(0.1);
    const producer = await nodes.start(dataDir);
    const { result } = await producer.call('eth_sendRawTransaction', treasuryTransfer(dataDir, producer, 5n));
    await producer.until(() => producer.ledger.blocks.head().number >= 5);
    const follower = await nodes.start(nodes.unused(), {
      genesisFile: dataFolderAt(dataDir).genesis,
      follow: [producer.url],
    });
    await expectSame(producer, follower, 7);
    expect(await follower.call('eth_getTransactionReceipt', result)).toEqual(
      await producer.call('eth_getTransactionReceipt', result),
    );
    for (const peer of [follower, producer]) {
      expect(await peer.call('net_peerCount')).toMatchObject({ result: '0x1' });
    }
    expect(await follower.call('eth_mining')).toMatchObject({ result: false });
    // The next block may be on its way just now.
    await expect.poll(() => follower.call('eth_syncing')).toMatchObject({ result: false });
    const { result: forwarded } = await follower.call(
      'eth_sendRawTransaction',
      treasuryTransfer(dataDir, producer, 6n),
    );
    await expect
      .poll(() => follower.call('eth_getTransactionReceipt', forwarded))
      .toMatchObject({ result: { status: '0x1' } });
    expect(await follower.health()).toMatchObject({ status: 200 });
    const second = await nodes.start(nodes.unused(), {
      genesisFile: dataFolderAt(dataDir).genesis,
      follow: [producer.url],
    });
    await expect.poll(() => producer.call('net_peerCount')).toMatchObject({ result: '0x2' });
    for (const gone of [follower, second]) await gone.close();
  });

  test('behavior: a follower can be followed itself, and resumes where it stopped', async () => {
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
    await other.until(() => other.ledger.blocks.head().number >= 1);
    const node = await nodes.start(copyOf(await nodes.initialize()), { follow: [other.url] });
    await node.until(() => node.notices.some(({ kind }) => kind === 'followedRejected'));
    expect(await node.health()).toMatchObject({
      status: 503,
      report: {
        problems: [
          expect.stringContaining('1 of 1 followed nodes sent blocks that are not of this chain: http'),
        ],
      },
    });
    expect(await node.call('net_peerCount')).toMatchObject({ result: '0x0' });
  });
});

describe('a followed node with fewer blocks than its follower', () => {
  const servers: FeedServer[] = [];
  const feeds: ReturnType<typeof feedOfFolder>[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    for (const feed of feeds.splice(0)) await feed.close();
  });

  /** Makes a chain of so many blocks at least. */
  async function grow(dataDir: string, blocks: number): Promise<void> {
    const node = await nodes.start(dataDir);
    await node.until(() => node.ledger.blocks.head().number >= blocks);
    await node.close();
  }

  /** Serves the blocks of a folder, up to a number. */
  async function serve(dataDir: string, last = Number.POSITIVE_INFINITY): Promise<FeedServer> {
    const folder = feedOfFolder(dataDir);
    feeds.push(folder);
    const server = await FeedServer.start((from, response) => {
      const part = folder.feed(from);
      if (part.head <= last) return answer(part, response);
      answer({ head: last, headId: folder.idOf(last), bytes: new Uint8Array() }, response);
    });
    servers.push(server);
    return server;
  }

  test('error: other blocks, as after a rollback, are reported before it passes this head', async () => {
    const dataDir = await nodes.initialize(0.1);
    const rolledBack = copyOf(dataDir, 'producer');
    // The blocks of the two chains have different times.
    await grow(dataDir, 15);
    await grow(rolledBack, 3);
    const source = await serve(rolledBack);
    const follower = await nodes.start(copyOf(dataDir), { follow: [source.url] });
    await follower.until(() => follower.notices.some(({ kind }) => kind === 'followedRejected'));
    expect(await follower.health()).toMatchObject({
      status: 503,
      report: {
        problems: expect.arrayContaining([
          expect.stringMatching(
            /this node has another block of this number; one of the two chains was rolled/,
          ),
        ]),
      },
    });
  });

  test('behavior: the same blocks, as while it catches up, are a warning', async () => {
    const dataDir = await nodes.initialize(0.1);
    await grow(dataDir, 9);
    const source = await serve(dataDir, 5);
    const follower = await nodes.start(copyOf(dataDir), { follow: [source.url] });
    await follower.until(() => follower.notices.some(({ kind }) => kind === 'followedBehind'));
    const behind = follower.ledger.blocks.head().number - 5;
    expect(follower.notices.at(-1)).toMatchObject({ kind: 'followedBehind', head: 5, behind });
    const { report } = await follower.health();
    expect(report).toMatchObject({
      warnings: [`the followed node ${source.url} is ${behind} blocks behind this one`],
    });
    expect(JSON.stringify(report)).not.toContain('not of this chain');
  });

  test('error: a head whose block does not match its id', async () => {
    const dataDir = await nodes.initialize(0.1);
    await grow(dataDir, 3);
    const folder = feedOfFolder(dataDir);
    feeds.push(folder);
    const server = await FeedServer.start((from, response) =>
      answer({ ...folder.feed(from), headId: toBlockId(new Uint8Array(20)) }, response),
    );
    servers.push(server);
    const follower = await nodes.start(copyOf(dataDir), { follow: [server.url] });
    await follower.until(() => follower.notices.at(-1)?.kind === 'followedSilent');
    expect(follower.notices.at(-1)).toMatchObject({
      reason: expect.stringMatching(/^its block \d+ does not have the id that it reported for its head$/),
    });
  });
});

describe('a chain of several producers without a log that they share', () => {
  async function prepare(): Promise<string> {
    const dataDir = await nodes.initialize(0.1);
    changeGenesis(dataDir, (genesis) => ({ ...genesis, producers: [PRODUCER, REGISTRAR] }));
    return dataDir;
  }

  test('default: one node with all keys produces all blocks', async () => {
    const node = await nodes.start(await prepare());
    await node.until(() => node.ledger.blocks.head().number >= 4);
    for (let number = 1; number <= 4; number += 1) {
      const account = number % 2 === 0 ? PRODUCER : REGISTRAR;
      expect(node.ledger.blocks.blockByNumber(number)?.header).toMatchObject({ attempt: 0, account });
    }
    expect(await node.health()).toMatchObject({ status: 200 });
  });

  test('error: a node with only some of the keys does not start', async () => {
    const dataDir = await prepare();
    const folder = copyOf(dataDir, 'producer');
    await expect(nodes.start(folder, { follow: ['http://127.0.0.1:1/'] })).rejects.toThrow(
      'the keys of the producers 1.2.1022 are missing here: nodes with different producers need a shared block log, ' +
        'which --block-log names; a node without producer keys can follow by --follow',
    );
    const follower = await nodes.start(copyOf(dataDir), { follow: ['http://127.0.0.1:1/'] });
    expect(follower.ledger.blocks.head().number).toBe(0);
  });

  test('behavior: a copy with all keys that follows a node fetches its blocks before it produces one', async () => {
    const dataDir = await prepare();
    const mirror = copyOf(dataDir);
    const first = await nodes.start(dataDir);
    const source = await nodes.start(mirror, { follow: [first.url] });
    await source.until(() => source.ledger.blocks.head().number >= 6);
    await first.close();
    const { number, id } = source.ledger.blocks.head();
    rmSync(dataFolderAt(dataDir).store, { recursive: true });
    const again = await nodes.start(dataDir, { follow: [source.url] });
    await again.until(() => again.ledger.blocks.head().number >= number + 4);
    expect(again.ledger.blocks.blockByNumber(number)?.id).toEqual(id);
    expect(again.notices.map(({ kind }) => kind)).not.toContain('followedRejected');
  });
});

test('error: every node detects a stalled chain, whichever producer is scheduled next', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const dataDir = await nodes.initialize(0.1);
  const copy = copyOf(dataDir);
  const first = await nodes.start(dataDir);
  const watcher = await nodes.start(copy, { follow: [first.url] });
  await expectSame(first, watcher, 4);
  await first.close();
  await watcher.until(() => watcher.notices.at(-1)?.kind === 'followedSilent');
  const number = watcher.ledger.blocks.head().number + 1;
  vi.advanceTimersByTime(20_000);
  const problem = expect.stringMatching(
    new RegExp(`^block ${number}, for which 1\\.2\\.1023 is scheduled, should have arrived \\d+ s ago$`),
  );
  expect(await watcher.health()).toMatchObject({
    status: 503,
    report: { problems: expect.arrayContaining([problem]) },
  });
});
