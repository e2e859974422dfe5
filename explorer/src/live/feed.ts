import { batch, signal } from '@preact/signals';
import { type BlockHeader, blockByNumber, readHeader } from '../client/blocks.ts';
import { nodeState } from '../client/chain.ts';
import { parseJson } from '../client/json.ts';
import { type ListedOperation, listedOf } from '../client/operations.ts';
import { fieldsOf, type Hex } from '../client/reading.ts';
import { profileAnew, socketAddressOf } from '../client/rpc.ts';
import { openSocket } from '../client/socket.ts';
import { LIVE_BLOCKS_MAX, LIVE_MS, LIVE_OPERATIONS_MAX, POLL_MS, WAITING_HEADS_MAX } from '../limits.ts';
import { facts, forgetFacts, learnFacts, nodeStatus } from './chain-state.ts';
import { Pace } from './pace.ts';

/** A block of the live list. */
export interface LiveBlock {
  readonly header: BlockHeader;
  /** Operations in it; undefined until they were counted. */
  readonly operations: number | undefined;
}

/** State of the connection that reports blocks. */
export type Connection = 'connecting' | 'live' | 'lost';

/** State of the connection that reports blocks. */
export const connection = signal<Connection>('connecting');

/** The newest blocks, the newest first. */
export const liveBlocks = signal<readonly LiveBlock[]>([]);

/** The newest operations, the newest first. */
export const liveOperations = signal<readonly ListedOperation[]>([]);

/** Seconds between two blocks, undefined without data, and operations a second. */
export const pace = signal<{ readonly blockSeconds: number | undefined; readonly operations: number }>({
  blockSeconds: undefined,
  operations: 0,
});

/** True while the lists are paused for a reader. */
export const isPaused = signal(false);

/** Incremented when displayed data may be outdated: after a reorganisation or a lost connection. */
export const chainReorgCount = signal(0);

/** Begins to listen to the node, for as long as the page is open. */
export function startFeed(): void {
  const feed = new Feed();
  openSocket({
    address: async () => socketAddressOf(await profileAnew()),
    listeners: [{ subscription: ['newHeads'], onNotification: (text) => feed.take(text) }],
    onState: (state) => {
      if (state === 'open') feed.onOpen();
      connection.value = state === 'open' ? 'live' : 'lost';
    },
  });
  void feed.poll();
}

/** Takes what comes, and shows it a few times a second, however fast it comes. */
class Feed {
  readonly #pace = new Pace();
  /** Notifications as texts: beyond a few only the newest are ever read. */
  #waiting: string[] = [];
  #isScheduled = false;
  #wasOpen = false;

  take(text: string): void {
    this.#waiting.push(text);
    if (this.#waiting.length > WAITING_HEADS_MAX) this.#waiting.shift();
    this.#pace.note(performance.now());
    this.#schedule();
  }

  /** Handles the first connection and each reconnection. */
  onOpen(): void {
    if (this.#wasOpen) {
      // Repeats failed reads, since the chain may be another one.
      forgetFacts();
      chainReorgCount.value += 1;
    }
    this.#wasOpen = true;
    void this.catchUp();
  }

  /** Looks for what came while nobody listened. */
  async catchUp(): Promise<void> {
    await learnFacts();
    try {
      const head = await blockByNumber('latest');
      if (head === undefined) return;
      // A fork shows its own blocks: the remote node may be slow, or absent.
      const oldest = facts.value?.fork === undefined ? 0 : facts.value.fork.number + 1;
      const first = Math.min(head.number, Math.max(oldest, head.number - LIVE_BLOCKS_MAX + 1));
      const numbers = Array.from({ length: head.number - first }, (_, index) => first + index);
      const found = [...(await Promise.all(numbers.map(blockByNumber))), head];
      const blocks = found.flatMap((block) =>
        block === undefined ? [] : [{ header: block, operations: block.hashes.length }],
      );
      liveBlocks.value = blocks.reverse();
      const hashes = found.flatMap((block) => block?.hashes ?? []);
      const newest = await newestOf(hashes);
      liveOperations.value = [];
      addOperations(newest);
    } catch {
      // The socket reports a lost node; the next block repeats the read.
    }
  }

  /** Polls the data without subscriptions. */
  async poll(): Promise<void> {
    for (;;) {
      if (!document.hidden) await this.#look();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #look(): Promise<void> {
    try {
      await learnFacts();
      const state = await nodeState();
      const isReset = nodeStatus.value !== undefined && state.instance !== nodeStatus.value.instance;
      if (isReset) {
        forgetFacts();
        await learnFacts();
      }
      nodeStatus.value = state;
      const newest = liveBlocks.value[0]?.header.number;
      // Blocks were reverted, and no new one has come.
      const isReverted = newest !== undefined && state.head < newest && this.#waiting.length === 0;
      if (isReset || isReverted) {
        chainReorgCount.value += 1;
        await this.catchUp();
      }
    } catch {
      nodeStatus.value = undefined;
    }
    this.#tellPace();
  }

  /** Schedules an update of the queued blocks, one at a time. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      void this.#show().finally(() => {
        this.#isScheduled = false;
        if (this.#waiting.length > 0) this.#schedule();
      });
    }, LIVE_MS);
  }

  /** Shows the blocks that came, with their operations, all at once: each change of the page costs a layout. */
  async #show(): Promise<void> {
    const texts = this.#waiting;
    this.#waiting = [];
    const heads = texts.map((text) => readHeader(fieldsOf(fieldsOf(parseJson(text)).params).result));
    const added = await this.#counted(heads);
    // A page that nobody sees has no frames.
    if (!document.hidden) await new Promise(requestAnimationFrame);
    batch(() => {
      for (const block of added.blocks) {
        const [newest] = liveBlocks.value;
        if (newest !== undefined && block.header.number <= newest.header.number) chainReorgCount.value += 1;
        const kept = liveBlocks.value.filter(({ header }) => header.number < block.header.number);
        liveBlocks.value = [block, ...kept].slice(0, LIVE_BLOCKS_MAX);
      }
      addOperations(added.operations);
      this.#tellPace();
    });
  }

  /** Blocks with the number of their operations, and the newest operations; without both where the node fails. */
  async #counted(heads: readonly BlockHeader[]): Promise<{
    readonly blocks: readonly LiveBlock[];
    readonly operations: readonly ListedOperation[];
  }> {
    try {
      const found = await Promise.all(heads.map(({ number }) => blockByNumber(number)));
      const byHash = new Map(
        found.flatMap((block) => (block === undefined ? [] : [[block.hash, block.hashes]])),
      );
      // A block that was replaced meanwhile is shown without operations; the new one follows.
      const blocks = heads.map((header) => ({ header, operations: byHash.get(header.hash)?.length }));
      const now = performance.now();
      for (const { operations = 0 } of blocks) this.#pace.noteOperations(now, operations);
      const operations = await newestOf(heads.flatMap(({ hash }) => byHash.get(hash) ?? []));
      return { blocks, operations };
    } catch {
      return { blocks: heads.map((header) => ({ header, operations: undefined })), operations: [] };
    }
  }

  #tellPace(): void {
    const [newest] = liveBlocks.value;
    const oldest = liveBlocks.value.at(-1);
    const { blockSeconds, operations } = this.#pace.measure(performance.now());
    const bySeconds =
      newest === undefined || oldest === undefined || newest === oldest
        ? undefined
        : (newest.header.timestamp - oldest.header.timestamp) /
          Math.max(1, newest.header.number - oldest.header.number);
    pace.value = { blockSeconds: blockSeconds ?? bySeconds, operations };
  }
}

/** The newest of some operations, which are given in their order, the newest first. */
async function newestOf(hashes: readonly Hex[]): Promise<readonly ListedOperation[]> {
  const found = await Promise.all(hashes.slice(-LIVE_OPERATIONS_MAX).map(listedOf));
  return found.flatMap((transaction) => (transaction === undefined ? [] : [transaction])).reverse();
}

/** Puts operations before those that are shown, of which those go that are not on the chain any more. */
function addOperations(added: readonly ListedOperation[]): void {
  const known = new Set(added.map(({ hash }) => hash));
  const head = liveBlocks.value[0]?.header.number ?? 0;
  const kept = liveOperations.value.filter(
    ({ hash, blockNumber = 0 }) => !known.has(hash) && blockNumber <= head,
  );
  if (added.length === 0 && kept.length === liveOperations.value.length) return;
  liveOperations.value = [...added, ...kept].slice(0, LIVE_OPERATIONS_MAX);
}
