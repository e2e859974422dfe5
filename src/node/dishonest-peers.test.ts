import { cpSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { unframeBlocks } from '../protocol/blocks/block-frames.testing.ts';
import { frameBlocks } from '../protocol/index.ts';
import type { BlockFeed } from '../server/index.ts';
import { dataFolderAt } from './data-folder.ts';
import { answer, type FeedHandler, FeedServer, feedOfFolder } from './following/feed.testing.ts';
import { TestNodes, treasuryTransfer, type WatchedNode } from './node.testing.ts';

/** Number of the last block that both chains have. */
const COMMON = 4;
/** Blocks of the fork, more than any other node has in a test. */
const FORK = 60;
/** A head that nobody has. */
const FAR = 4_000_000_000;

const chains = new TestNodes();
const nodes = new TestNodes();
const servers: FeedServer[] = [];
/** Both begin with the same blocks, and both are signed by the producer's key. */
let chain: string;
let fork: { readonly feed: BlockFeed; close(): Promise<void> } | undefined;

beforeAll(async () => {
  chain = await chains.initialize(0.1);
  await runTo(chain, COMMON);
  const copy = chains.unused();
  cpSync(chain, copy, { recursive: true });
  const other = await chains.start(copy);
  await other.call('eth_sendRawTransaction', treasuryTransfer(copy, other, 1n));
  await other.until(() => other.ledger.blocks.head().number >= FORK);
  await other.close();
  fork = feedOfFolder(copy);
});

afterEach(async () => {
  await nodes.clean();
  for (const server of servers.splice(0)) await server.close();
});

afterAll(async () => {
  await fork?.close();
  await chains.clean();
});

async function runTo(dataDir: string, number: number): Promise<void> {
  const node = await chains.start(dataDir);
  await node.until(() => node.ledger.blocks.head().number >= number);
  await node.close();
}

function feedOfFork(from: number): ReturnType<BlockFeed> {
  if (fork === undefined) throw new RangeError('the fork is made before');
  return fork.feed(from);
}

/** One block of the fork, with its frame. */
function forked(number: number): Uint8Array {
  return frameBlocks(unframeBlocks(feedOfFork(number).bytes).slice(0, 1));
}

/** Sends the same bytes again and again. */
function endlessly(bytes: Uint8Array, response: ServerResponse): void {
  response.setHeader('ledgerd-head', String(FAR));
  new Readable({
    read() {
      this.push(bytes);
    },
  }).pipe(response);
}

/** Lies of a followed node, and true for those that are detected at once. */
const LIES: readonly (readonly [title: string, isFoundOut: boolean, lie: FeedHandler])[] = [
  ['another history, signed by the same key', true, (from, response) => answer(feedOfFork(from), response)],
  [
    'a block whose signature is another one',
    true,
    (from, response) => {
      const bytes = forked(from);
      // Somewhere in the roots that the signature covers.
      answer({ head: FAR, bytes: bytes.with(90, (bytes[90] ?? 0) ^ 1) }, response);
    },
  ],
  ['a gap', true, (from, response) => answer({ head: FAR, bytes: forked(from + 1) }, response)],
  ['the same block without an end', true, (from, response) => endlessly(forked(from), response)],
  ['zeros without an end', true, (_from, response) => endlessly(new Uint8Array(65_536), response)],
  [
    'a head far away and no blocks',
    true,
    (_from, response) => answer({ head: FAR, bytes: new Uint8Array() }, response),
  ],
  [
    'a long block that never ends',
    false,
    (_from, response) => {
      const frame = new Uint8Array(8);
      new DataView(frame.buffer).setUint32(0, 64 * 1024 * 1024, true);
      response.setHeader('ledgerd-head', String(FAR)).write(frame);
    },
  ],
  ['nothing at all', false, () => undefined],
];

/** Returns true if a node has reported that it does not believe another one. */
function disbelieves({ notices }: WatchedNode, url: string): boolean {
  return notices.some(
    (notice) =>
      (notice.kind === 'followedRejected' || notice.kind === 'followedSilent') && notice.url === url,
  );
}

describe('error: a followed node that sends false data', () => {
  test.each(LIES)(
    'behavior: %s: a producer continues, and a follower receives its blocks',
    async (_title, found, lie) => {
      const own = nodes.unused();
      cpSync(chain, own, { recursive: true });
      const liar = await FeedServer.start((_from, response) => {
        answer({ head: 0, bytes: new Uint8Array() }, response);
      });
      servers.push(liar);
      const producer = await nodes.start(own, { follow: [liar.url] });
      await producer.until(() => producer.ledger.blocks.head().number >= COMMON + 3);
      const follower = await nodes.start(nodes.unused(), {
        genesisFile: dataFolderAt(own).genesis,
        follow: [liar.url, producer.url],
      });
      // A history that somebody has is not replaced, whoever signed another one.
      await follower.until(() => follower.ledger.blocks.head().number >= COMMON + 3);
      liar.handler = lie;
      if (found) await producer.until(() => disbelieves(producer, liar.url));
      else await liar.nextRequest();
      const { number } = producer.ledger.blocks.head();
      await producer.until(() => producer.ledger.blocks.head().number >= number + 4);
      expect(await producer.call('eth_mining')).toMatchObject({ result: true });
      await follower.until(() => follower.ledger.blocks.head().number >= number + 4);
      for (let block = 1; block <= number + 4; block += 1) {
        expect(follower.ledger.blocks.blockByNumber(block)?.id).toEqual(
          producer.ledger.blocks.blockByNumber(block)?.id,
        );
      }
    },
  );
});
