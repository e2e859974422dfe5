import type { Time } from '../../time.ts';
import { quantity } from '../../view/index.ts';
import type { NodeStatus } from '../context/node-status.ts';
import type { Feed, Reader } from './feed.ts';

/** Milliseconds between two checks for subscribers of whether the node is catching up. */
const SYNC_CHECK_MS = 1_000;

/** Tells when the node begins and ends to catch up with others; how far it has come is asked for while it does. */
export class SyncFeed implements Feed {
  readonly #status: NodeStatus;
  readonly #time: Time;
  readonly #onLook: () => void;
  #readers = 0;
  #stop: (() => void) | undefined;

  /** @param onLook called when readers may have something to tell */
  constructor(status: NodeStatus, time: Time, onLook: () => void) {
    this.#status = status;
    this.#time = time;
    this.#onLook = onLook;
  }

  open(): Reader {
    this.#readers += 1;
    this.#stop ??= this.#time.every(SYNC_CHECK_MS, this.#onLook);
    let wasSyncing = this.#status.syncing() !== undefined;
    return {
      next: () => {
        const status = this.#status.syncing();
        const isSyncing = status !== undefined;
        if (isSyncing === wasSyncing) return undefined;
        wasSyncing = isSyncing;
        if (status === undefined) return Buffer.from('false');
        const { startingBlock, currentBlock, highestBlock } = status;
        const told = JSON.stringify({
          syncing: true,
          status: {
            startingBlock: quantity(startingBlock),
            currentBlock: quantity(currentBlock),
            highestBlock: quantity(highestBlock),
          },
        });
        return Buffer.from(told);
      },
      close: () => this.#close(),
    };
  }

  #close(): void {
    this.#readers -= 1;
    if (this.#readers > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
