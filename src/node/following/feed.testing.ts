import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { storedBlock } from '../../ledger/index.ts';
import { type BlockId, bytesToHex, invariant } from '../../protocol/index.ts';
import type { BlockFeed } from '../../server/index.ts';
import { openStoreForReading } from '../../store/index.ts';
import { dataFolderAt } from '../data-folder.ts';
import { blockFeedOf } from '../stored-block-feed.ts';

/** Answers a request for the blocks from a number on. */
export type FeedHandler = (from: number, response: ServerResponse, request: IncomingMessage) => void;

/** A server that stands for a followed node. */
export class FeedServer {
  /** The numbers that were asked for. */
  readonly asked: number[] = [];
  handler: FeedHandler;
  readonly #server: Server;

  private constructor(handler: FeedHandler) {
    this.handler = handler;
    this.#server = createServer((request, response) => {
      const from = Number(new URL(request.url ?? '', 'http://feed').searchParams.get('from'));
      this.asked.push(from);
      this.handler(from, response, request);
    });
  }

  /** Starts at a port that is free, or at the one given. */
  static async start(handler: FeedHandler, port = 0): Promise<FeedServer> {
    const feed = new FeedServer(handler);
    feed.#server.listen(port, '127.0.0.1');
    await once(feed.#server, 'listening');
    return feed;
  }

  get port(): number {
    const address = this.#server.address();
    invariant(typeof address === 'object' && address !== null, 'the server listens');
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Waits for the next request. */
  async nextRequest(): Promise<void> {
    await once(this.#server, 'request');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers as a node does. */
export function answer({ head, headId, bytes }: ReturnType<BlockFeed>, response: ServerResponse): void {
  if (headId !== undefined) response.setHeader('ledgerd-head-id', bytesToHex(headId));
  response.setHeader('ledgerd-head', String(head)).end(bytes);
}

/** The feed of the chain in a folder, with the function that closes it. */
export function feedOfFolder(dataDir: string): {
  readonly feed: BlockFeed;
  /** Id of a block of the chain. */
  idOf(number: number): BlockId | undefined;
  close(): Promise<void>;
} {
  const store = openStoreForReading(dataFolderAt(dataDir).store);
  return {
    feed: blockFeedOf(store),
    idOf: (number) => storedBlock(store, number)?.id,
    close: () => store.close(),
  };
}
