import {
  type BlockId,
  ByteReader,
  blockId,
  equalBytes,
  invariant,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import type { AppendOutcome } from '../block-pipeline.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError, type OpenedBlockLog } from './block-log.ts';

type Listener = (message: Uint8Array) => void;

/** Messages of one kind between the nodes of one process. */
class MemoryExchange {
  /** Number of published messages. */
  published = 0;
  readonly #listeners = new Set<Listener>();

  publish(message: Uint8Array, from: Listener): void {
    this.published += 1;
    for (const listener of this.#listeners) if (listener !== from) listener(message.slice());
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

/** A log of blocks in memory without faults, with an exchange of transactions, for the nodes of one process. */
export class MemoryLog extends MemoryExchange {
  /** Block 1 and those after it. */
  readonly blocks: Uint8Array[] = [];
  readonly clocks = new MemoryExchange();
  readonly #readers = new Set<() => void>();

  /** Opens the log for one node. */
  open(): MemoryClient {
    return new MemoryClient(this);
  }

  append(number: number, parent: BlockId, bytes: Uint8Array): AppendOutcome {
    const there = this.blocks[number - 1];
    if (there !== undefined) return equalBytes(there, bytes) ? 'appended' : 'conflict';
    const last = this.blocks.at(-1);
    if (number !== this.blocks.length + 1)
      throw new BlockLogUnsoundError(`it ends at block ${this.blocks.length}`);
    if (last !== undefined && !equalBytes(idOf(number - 1, last), parent)) return 'conflict';
    this.blocks.push(bytes.slice());
    for (const wake of [...this.#readers]) wake();
    return 'appended';
  }

  async *read(from: number, stop: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let number = from; !stop.aborted; number += 1) {
      while (number > this.blocks.length && !stop.aborted) await this.#nextBlock(stop);
      const block = this.blocks[number - 1];
      if (stop.aborted) return;
      invariant(block !== undefined, 'every block up to the head is there');
      yield block;
    }
  }

  #nextBlock(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#readers.delete(wake);
        stop.removeEventListener('abort', wake);
        resolve();
      };
      this.#readers.add(wake);
      stop.addEventListener('abort', wake);
    });
  }
}

/** An append, which a test may replace. */
type Appending = (append: () => AppendOutcome) => Promise<AppendOutcome>;

/** A log as one node has it. */
export class MemoryClient implements OpenedBlockLog {
  readonly url = 'memory://log';
  /** True while this node cannot reach the log. */
  isOut = false;
  appending: Appending = async (append) => append();
  readonly log: OpenedBlockLog['log'];
  readonly exchange: OpenedBlockLog['exchange'];
  readonly clocks: OpenedBlockLog['clocks'];
  readonly #closing = new AbortController();
  /** Ends the streams that are read. */
  #streams = new AbortController();

  constructor(log: MemoryLog) {
    this.log = {
      url: this.url,
      elections: 0,
      append: async (number, parent, bytes) => {
        this.#requireReach();
        return this.appending(() => log.append(number, parent, bytes));
      },
      head: async () => {
        this.#requireReach();
        return log.blocks.length;
      },
      read: (from, stop) => this.#read(log, from, stop),
      close: async () => this.#closing.abort(),
    };
    this.exchange = this.#exchange(log);
    this.clocks = this.#exchange(log.clocks);
  }

  /** The log is out of reach from now on. */
  cut(): void {
    this.isOut = true;
    this.#streams.abort();
  }

  mend(): void {
    this.isOut = false;
  }

  #exchange(all: MemoryExchange): OpenedBlockLog['exchange'] {
    let own: Listener = () => undefined;
    return {
      publish: (message) => this.isOut || all.publish(message, own),
      onMessage: (listener) => {
        own = (message) => this.isOut || listener(message);
        return all.listen(own);
      },
    };
  }

  async *#read(log: MemoryLog, from: number, stop: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#requireReach();
    this.#streams = new AbortController();
    yield* log.read(from, AbortSignal.any([stop, this.#streams.signal, this.#closing.signal]));
    if (!stop.aborted) this.#requireReach();
  }

  #requireReach(): void {
    if (this.isOut) throw new BlockLogUnavailableError('it is out of reach');
  }
}

function idOf(number: number, bytes: Uint8Array): BlockId {
  return blockId(number, signedBlockHeaderCodec.read(new ByteReader(bytes)));
}
