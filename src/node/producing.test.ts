import { cpSync, readdirSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dataFolderAt } from './data-folder.ts';
import { answer, FeedServer, feedOfFolder } from './following/feed.testing.ts';
import { TestNodes, type WatchedNode } from './node.testing.ts';

const nodes = new TestNodes();
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await nodes.clean();
  for (const each of open.splice(0)) await each.close();
});

interface Lost {
  /** A backup that was made at block 7 or soon after. */
  readonly backup: string;
  readonly backupHead: number;
  /** The chain as it was when the node was lost. */
  readonly lost: string;
  readonly lostHead: number;
}

/** A node that was backed up, and made more blocks before it was lost. */
async function loseNode(): Promise<Lost> {
  const lost = await nodes.initialize(0.1);
  const backupHead = await runTo(lost, 7);
  const backup = nodes.unused();
  cpSync(lost, backup, { recursive: true });
  return { backup, backupHead, lost, lostHead: await runTo(lost, backupHead + 9) };
}

/** Runs a node up to a block; returns the number of its last one. */
async function runTo(dataDir: string, number: number): Promise<number> {
  const node = await nodes.start(dataDir);
  await node.until(() => node.ledger.blocks.head().number >= number);
  await node.close();
  return node.ledger.blocks.head().number;
}

function recordsIn(dataDir: string): string[] {
  const { keys } = dataFolderAt(dataDir);
  return readdirSync(keys)
    .filter((name) => !name.endsWith('.json') && !name.startsWith('.in-use-'))
    .map((name) => join(keys, name));
}

/** A record of what was signed, as it was when the node was lost, beside the chain of the backup. */
function keepRecords({ backup, lost }: Lost): void {
  for (const path of recordsIn(lost)) cpSync(path, path.replace(lost, backup));
}

function feedOf(dataDir: string): ReturnType<typeof feedOfFolder> {
  const chain = feedOfFolder(dataDir);
  open.push(chain);
  return chain;
}

const noticed = (node: WatchedNode, kind: string) => (): boolean =>
  node.notices.some((notice) => notice.kind === kind);

describe('a backup that is restored', () => {
  test('default: no block is produced until every followed node has responded', async () => {
    const chain = await loseNode();
    for (const path of recordsIn(chain.backup)) rmSync(path);
    const whole = feedOf(chain.lost);
    const lagging = await FeedServer.start((_from, response) => {
      answer({ head: chain.backupHead, bytes: new Uint8Array() }, response);
    });
    const held: (() => void)[] = [];
    const slow = await FeedServer.start((from, response: ServerResponse) => {
      held.push(() => answer(whole.feed(from), response));
    });
    open.push(lagging, slow);
    const node = await nodes.start(chain.backup, { follow: [lagging.url, slow.url] });
    // Two polls are more than the interval in which a block would be made.
    for (let count = 0; count < 4; count += 1) await lagging.nextRequest();
    expect(node.ledger.blocks.head().number).toBe(chain.backupHead);
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    slow.handler = (from, response) => answer(whole.feed(from), response);
    for (const release of held) release();
    await node.until(() => node.ledger.blocks.head().number > chain.lostHead);
    expect(node.notices.map(({ kind }) => kind)).not.toContain('followedRejected');
    expect(await node.call('eth_mining')).toMatchObject({ result: true });
  });

  test('error: a followed node that is down is the reason, and an operator may do without it', async () => {
    const dataDir = await nodes.initialize(0.1);
    const down = await FeedServer.start((_from, response) => void response.writeHead(500).end());
    open.push(down);
    const node = await nodes.start(dataDir, { follow: [down.url] });
    await node.until(noticed(node, 'productionWaits'));
    const reason =
      `no block is made before each followed node has been heard once: cannot fetch blocks from ${down.url} ` +
      '(it responded with HTTP 500); --produce-without-hearing makes blocks without it';
    expect(node.notices.at(-1)).toEqual({ kind: 'productionWaits', reason });
    expect(await node.health()).toMatchObject({ status: 503, report: { problems: [reason], block: 0 } });
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    await node.close();
    const told = await nodes.start(dataDir, { follow: [down.url], produceWithoutHearing: true });
    await told.until(() => told.ledger.blocks.head().number > 0);
    expect(await told.call('eth_mining')).toMatchObject({ result: true });
  });

  test('error: no block is produced up to the last one recorded as signed', async () => {
    const chain = await loseNode();
    keepRecords(chain);
    const node = await nodes.start(chain.backup);
    await node.until(noticed(node, 'productionWaits'));
    const reason =
      `the key of 1.2.1023 has signed blocks up to ${chain.lostHead}, and the chain here ends at block ` +
      `${chain.backupHead}: no other block is made up to there. Follow a node that has these blocks; only if they ` +
      `are lost for good, give --sign-again-after ${chain.backupHead}`;
    expect(await node.health()).toMatchObject({ status: 503, report: { problems: [reason] } });
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    await node.close();
    await expect(nodes.start(chain.backup, { signAgainAfter: chain.backupHead - 1 })).rejects.toThrow(
      `--sign-again-after names block ${chain.backupHead - 1}, but the newest block is ${chain.backupHead}`,
    );
    const again = await nodes.start(chain.backup, { signAgainAfter: chain.backupHead });
    await again.until(() => again.ledger.blocks.head().number > chain.lostHead);
    expect(again.notices).toContainEqual({
      kind: 'signingSetBack',
      after: chain.backupHead,
      last: chain.lostHead,
    });
  });

  test('behavior: with the record, and all but its last block, that block is stored as it was signed', async () => {
    const dataDir = await nodes.initialize(0.1);
    const number = await runTo(dataDir, 3);
    const before = nodes.unused();
    cpSync(dataDir, before, { recursive: true });
    const node = await nodes.start(dataDir);
    await node.until(() => node.ledger.blocks.head().number === number + 1);
    const { id } = node.ledger.blocks.head();
    // The record as it is between the signature and the commit of a crash: nothing beyond that block.
    for (const path of recordsIn(dataDir)) cpSync(path, path.replace(dataDir, before));
    await node.close();
    const again = await nodes.start(before);
    await again.until(() => again.ledger.blocks.head().number > number + 1);
    expect(again.ledger.blocks.blockByNumber(number + 1)?.id).toEqual(id);
  });

  test('error: two nodes with one folder of keys', async () => {
    const dataDir = await nodes.initialize();
    const copy = nodes.unused();
    cpSync(dataDir, copy, { recursive: true });
    await nodes.start(dataDir);
    await expect(nodes.start(copy, { keysFolder: dataFolderAt(dataDir).keys })).rejects.toThrow('is in use');
  });
});

test('error: production pauses while the clock is far off, and resumes once it is correct', async () => {
  const node = await nodes.start(await nodes.initialize(0.1));
  await node.until(() => node.ledger.blocks.head().number >= 1);
  const real = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + 80 * 365 * 86_400_000);
  await node.until(noticed(node, 'productionWaits'));
  const { number } = node.ledger.blocks.head();
  expect(await node.health()).toMatchObject({
    status: 503,
    report: {
      problems: [expect.stringMatching(/^this machine's clock has jumped by \d+ s: no block is made/)],
    },
  });
  expect(await node.call('eth_mining')).toMatchObject({ result: false });
  clock.mockRestore();
  await node.until(() => node.ledger.blocks.head().number > number);
  expect(node.ledger.blocks.head().header.timestamp).toBeLessThanOrEqual(real() / 1_000 + 1);
  expect(await node.health()).toMatchObject({ status: 200 });
});
