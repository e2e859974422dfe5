import { type BlockLog, BlockLogUnavailableError } from '../../src/node/block-log/block-log.ts';
import type { AppendOutcome } from '../../src/node/block-pipeline.ts';
import {
  type BlockId,
  blockCodec,
  blockId,
  decode,
  equalBytes,
  invariant,
} from '../../src/protocol/index.ts';
import type { Random } from '../fuzz/random.ts';
import type { VirtualClock } from './clock.ts';
import type { Network } from './network.ts';
import type { Process } from './process.ts';

/** The end of the network at which the log is. */
export const LOG = 'log';

/** Time-out of a request to the log. */
const ANSWER_MS = 2_000;
/** Polling interval of a reader without new blocks. */
const POLL_MS = 500;
const BATCH_MAX = 8;
/** By how many milliseconds a copy that is not the leader's may be behind. */
const LAG_MS_MAX = 300;

interface Landed {
  readonly at: number;
  readonly id: BlockId;
  readonly bytes: Uint8Array;
}

/** The servers of the log as one: appended blocks stay, and nothing is appended during an election. */
export class LogServers {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #compares: boolean;
  readonly #landed: Landed[] = [];
  readonly #listeners = new Set<() => void>();
  #genesisId: BlockId | undefined;
  #hasLeaderAt = 0;
  #hasRoomAt = 0;
  #isStopped = false;

  /** @param compares true to accept only the block after the newest one */
  constructor(clock: VirtualClock, random: Random, compares: boolean) {
    this.#clock = clock;
    this.#random = random;
    this.#compares = compares;
  }

  get head(): number {
    return this.#landed.length;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** All blocks, in order. */
  blocks(): readonly Uint8Array[] {
    return this.#landed.map(({ bytes }) => bytes);
  }

  /** The id of the block with a number; undefined where there is none. */
  idOf(number: number): BlockId | undefined {
    return this.#landed[number - 1]?.id;
  }

  bytesOf(number: number): Uint8Array | undefined {
    return this.#landed[number - 1]?.bytes;
  }

  /** Begins a chain with this block 0. */
  begin(genesisId: BlockId): void {
    this.#genesisId = genesisId;
  }

  /** Rejects every block for some milliseconds, as with a full disk. */
  fill(milliseconds: number): void {
    this.#hasRoomAt = Math.max(this.#hasRoomAt, this.#clock.now() + milliseconds);
  }

  /** Restores a leader and free space. */
  mend(): void {
    this.#hasLeaderAt = 0;
    this.#hasRoomAt = 0;
  }

  /** Silently stops appending. */
  stop(): void {
    this.#isStopped = true;
  }

  /** They elect a leader for so many milliseconds. */
  elect(milliseconds: number): void {
    this.#hasLeaderAt = Math.max(this.#hasLeaderAt, this.#clock.now() + milliseconds);
  }

  /** Runs a client's request with a leader; during an election it is lost, or waits for the end. */
  serve(action: () => void): void {
    if (this.#clock.now() >= this.#hasLeaderAt) action();
    else if (this.#random.oneIn(2)) this.#clock.at(this.#hasLeaderAt + 1, () => this.serve(action));
  }

  /**
   * Appends a block after the newest one; returns true if it was appended now; undefined if the outcome stays unknown.
   */
  append(number: number, parent: BlockId, bytes: Uint8Array): boolean | undefined {
    if (this.#isStopped) return undefined;
    if (this.#clock.now() < this.#hasRoomAt) return false;
    const newest = this.#landed.at(-1)?.id ?? this.#genesisId;
    invariant(newest !== undefined, 'the chain has begun');
    const fits = number === this.head + 1 && equalBytes(parent, newest);
    if (this.#compares && !fits) return false;
    const { transactions: _transactions, ...header } = decode(blockCodec, bytes);
    this.#landed.push({ at: this.#clock.now(), id: blockId(number, header), bytes });
    for (const listener of this.#listeners) listener();
    return true;
  }

  /** Some blocks from a number on, of a copy that is behind by so many milliseconds. */
  read(from: number, lagMs: number): readonly Uint8Array[] {
    const until = this.#clock.now() - lagMs;
    return this.#landed
      .slice(from - 1, from - 1 + BATCH_MAX)
      .filter(({ at }) => at <= until)
      .map(({ bytes }) => bytes);
  }

  onLanded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export interface SimulatedLogOptions {
  readonly servers: LogServers;
  readonly network: Network;
  readonly process: Process;
  readonly random: Random;
  /** Called for each request. */
  onAsked(): void;
  /** Called for unusual outcomes. */
  onOutcome(outcome: 'ambiguous' | 'conflict'): void;
  /** Called with the number of a block of unknown outcome; returns true if the caller treats it as failed. */
  onAmbiguous(number: number): boolean;
}

/** The log as one process sees it, through a network that loses, delays and repeats. */
export class SimulatedLog implements BlockLog {
  readonly url = 'memory:';
  readonly elections = 0;
  readonly #options: SimulatedLogOptions;

  constructor(options: SimulatedLogOptions) {
    this.#options = options;
  }

  async append(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome> {
    const { servers, onOutcome, onAmbiguous } = this.#options;
    const sent = Uint8Array.from(bytes);
    const landed = await this.#ask(() => servers.append(number, parent, sent));
    if (landed === true) return 'appended';
    if (onAmbiguous(number)) return 'conflict';
    // It may have landed all the same, now or earlier, or may land later.
    const found = await this.#ask(() => servers.bytesOf(number) ?? 'nothing');
    if (found instanceof Uint8Array && equalBytes(found, sent)) return 'appended';
    onOutcome(found instanceof Uint8Array ? 'conflict' : 'ambiguous');
    if (found instanceof Uint8Array) return 'conflict';
    throw new BlockLogUnavailableError(`nobody can say what became of block ${number}`);
  }

  async head(): Promise<number> {
    const head = await this.#ask(() => this.#options.servers.head);
    if (head === 'lost') throw new BlockLogUnavailableError('the log does not answer');
    return head;
  }

  async *read(from: number, stop: AbortSignal): AsyncIterable<Uint8Array> {
    const { servers, random } = this.#options;
    for (let next = from; !stop.aborted; ) {
      const wait = this.#waitForMore(stop);
      const lagMs = random.oneIn(3) ? random.below(LAG_MS_MAX) : 0;
      const batch = await this.#ask(() => servers.read(next, lagMs), stop);
      if (stop.aborted) return;
      if (batch === 'lost') throw new BlockLogUnavailableError('the log does not answer');
      for (const bytes of batch) {
        yield Uint8Array.from(bytes);
        if (stop.aborted) return;
        next += 1;
      }
      if (batch.length === 0) await wait;
    }
  }

  /** There is nothing to close. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Waits for the notification of a new block, which may be lost, or for a time-out. */
  #waitForMore(stop: AbortSignal): Promise<void> {
    const { servers, network, process } = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        callOff();
        stopListening();
        stop.removeEventListener('abort', end);
        resolve();
      };
      const callOff = process.time.after(POLL_MS, end);
      const stopListening = servers.onLanded(() => {
        network.send(LOG, process.name, () => process.time.deliver(end));
      });
      stop.addEventListener('abort', end);
    });
  }

  /** Sends a request to the leader, whose response may be lost or late. */
  #ask<T>(serve: () => T | undefined, stop?: AbortSignal): Promise<T | 'lost'> {
    const { servers, network, process, onAsked } = this.#options;
    onAsked();
    return new Promise((resolve) => {
      const end = (answer: T | 'lost'): void => {
        callOff();
        stop?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      const giveUp = (): void => end('lost');
      const callOff = process.time.after(ANSWER_MS, giveUp);
      stop?.addEventListener('abort', giveUp);
      const arrive = (): void => {
        const answer = serve();
        if (answer === undefined) return;
        network.send(LOG, process.name, () => process.time.deliver(() => end(answer)));
      };
      process.tell(() => network.send(process.name, LOG, () => servers.serve(arrive)));
    });
  }
}
