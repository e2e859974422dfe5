import {
  STREAM_APPEND_TIMEOUT_MS,
  STREAM_LOSS_MS,
  STREAM_MOVED_RETRY_MS,
  STREAM_RETRY_MS,
} from '../../../limits.ts';
import { type BlockId, bytesToHex, equalBytes } from '../../../protocol/index.ts';
import { sleep, systemTime, type Time } from '../../../time.ts';
import type { AppendOutcome } from '../../ledger-work.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import type { SeedableBlockLog } from '../block-log-source.ts';
import { type Appended, appendedOf } from './appended.ts';
import { inGroups, publishTogether } from './appends-together.ts';
import { readPart } from './entry.ts';
import type { LogConnection } from './log-connection.ts';
import type { LogMessages } from './log-messages.ts';
import { LogPlaces } from './log-places.ts';
import { LogReader } from './log-reader.ts';
import type { LogView } from './log-view.ts';
import { publish, type StreamAddress, type Unknown } from './publication.ts';
import { WakeUps } from './wake-ups.ts';

const MILLISECONDS = 1_000;

/** Which stream of which servers is the block log of a chain. */
export interface JetStreamLogOptions {
  readonly connection: LogConnection;
  readonly address: StreamAddress;
  /** Subject at which the stream tells of each message that it took. */
  readonly stored: string;
  readonly messages: LogMessages;
  /** Id of the block that block 1 follows. */
  readonly genesisId: BlockId;
  /** Number of a block that the log had once. */
  readonly atLeast?: number;
}

/**
 * The log of a chain in a stream of NATS JetStream. A block is published on the condition that the stream still ends
 * where this log saw its end; that is decided by the stream's leader. Whatever else is answered, or not answered, says
 * nothing: then what the leader has at that place is read and compared. What it does not have may still come.
 */
export class JetStreamLog implements SeedableBlockLog {
  readonly url: string;
  readonly name: string;
  readonly #connection: LogConnection;
  readonly #address: StreamAddress;
  readonly #messages: LogMessages;
  readonly #places: LogPlaces;
  readonly #time: Time = systemTime;
  readonly #wakeUps: WakeUps;
  readonly #closing = new AbortController();
  readonly #atLeast: number;
  /** Since when the log says that it ends before that. */
  #lowSince: number | undefined;
  /** The append before, whatever became of it. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ connection, address, stored, messages, genesisId, atLeast = 0 }: JetStreamLogOptions) {
    this.#atLeast = atLeast;
    this.url = connection.url;
    this.name = address.stream;
    this.#connection = connection;
    this.#address = address;
    this.#messages = messages;
    this.#places = new LogPlaces(messages, genesisId);
    this.#wakeUps = new WakeUps(this.#time);
    connection.subscribe(stored, ({ headers }) => {
      const sequence = Number(headers?.get('Nats-Sequence'));
      if (Number.isSafeInteger(sequence)) this.#wakeUps.tell(sequence);
    });
  }

  get elections(): number {
    return this.#messages.elections;
  }

  append(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome> {
    const turn = this.#turn.then(() => this.#append(appendedOf(number, parent, bytes)));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async appendAll(
    blocks: Iterable<readonly [number: number, bytes: Uint8Array]>,
    onAppended: (number: number) => void,
  ): Promise<void> {
    for await (const group of inGroups(appendedBlocks(blocks))) {
      const end = this.#places.end ?? (await this.#places.findEnd());
      const views = await publishTogether(end, group, (block, last) =>
        publish(this.#connection, this.#address, block.messages, last),
      );
      for (const view of views) this.#places.note(view);
      // Of the others nobody said what became of them: each is looked at, and appended where it is not there.
      for (const block of group.slice(views.length)) {
        if ((await this.#append(block)) === 'appended') continue;
        throw new BlockLogUnsoundError(
          `another block ${block.head.number} was appended to the log meanwhile`,
        );
      }
      onAppended(group.at(-1)?.head.number ?? end.number);
    }
  }

  has(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome> {
    return this.#compare(appendedOf(number, parent, bytes));
  }

  async head(): Promise<number> {
    const { number, sequence } = await this.#places.findEnd();
    this.#requireFloor(number);
    // Whoever reads knows by that how much there is, and asks for many messages at once.
    this.#wakeUps.tell(sequence);
    return number;
  }

  async *read(from: number, stop: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = new LogReader({
      messages: this.#messages,
      places: this.#places,
      wakeUps: this.#wakeUps,
      time: this.#time,
    });
    yield* reader.read(from, stop);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
    await this.#connection.close();
  }

  /** A server that was elected a moment ago may not know the newest blocks yet: only what lasts is believed. */
  #requireFloor(number: number): void {
    if (number >= this.#atLeast) {
      this.#lowSince = undefined;
      return;
    }
    this.#lowSince ??= this.#time.now();
    if (this.#time.now() - this.#lowSince > STREAM_LOSS_MS) return;
    throw new BlockLogUnavailableError(
      `the log ends with block ${number} at this moment, and had block ${this.#atLeast}`,
    );
  }

  async #append(entry: Appended): Promise<AppendOutcome> {
    const began = this.#time.now();
    const { number } = entry.head;
    // The end as it is known serves at first; after a failure it is asked for.
    let view = this.#places.end;
    for (;;) {
      const outcome = await this.#attempt(view, entry);
      if (outcome === 'appended' || outcome === 'conflict') return outcome;
      view = undefined;
      const { unknown, isMoved } = outcome;
      if (this.#time.now() - began > STREAM_APPEND_TIMEOUT_MS || this.#closing.signal.aborted) {
        throw new BlockLogUnavailableError(
          `the log at ${this.url} has not said within ${STREAM_APPEND_TIMEOUT_MS / MILLISECONDS} s what became of ` +
            `block ${number}: ${unknown}`,
        );
      }
      await sleep(this.#time, isMoved ? STREAM_MOVED_RETRY_MS : STREAM_RETRY_MS, this.#closing.signal);
    }
  }

  async #attempt(view: LogView | undefined, entry: Appended): Promise<AppendOutcome | Unknown> {
    try {
      return await this.#appendTo(view ?? (await this.#places.findEnd()), entry);
    } catch (error) {
      if (!(error instanceof BlockLogUnavailableError)) throw error;
      return { unknown: error.message, isMoved: false };
    }
  }

  /** Appends a block to the log as it was seen; an outcome is certain. */
  async #appendTo(view: LogView, entry: Appended): Promise<AppendOutcome | Unknown> {
    const { number, parent, id } = entry.head;
    if (view.number >= number) return this.#compare(entry);
    if (view.number < number - 1) return { unknown: `it ends with block ${view.number}`, isMoved: false };
    if (!equalBytes(view.id, parent)) {
      throw new BlockLogUnsoundError(
        `block ${number} does not follow the log's block ${view.number}: its parent is ${bytesToHex(parent)}, and ` +
          `the log has ${bytesToHex(view.id)}`,
      );
    }
    const published = await publish(this.#connection, this.#address, entry.messages, view.sequence);
    if ('unknown' in published) return published;
    this.#places.note({ number, id, sequence: published.sequence });
    this.#wakeUps.tell(published.sequence);
    return 'appended';
  }

  /** Compares a block with that of the log, as the log's leader has it. */
  async #compare({ head, bytes }: Appended): Promise<AppendOutcome> {
    const { first, last } = await this.#places.of(head.number);
    let offset = 0;
    for (let sequence = first; sequence <= last; sequence += 1) {
      const message = await this.#messages.at(sequence);
      if (message === undefined) {
        throw new BlockLogUnavailableError(`the log does not have message ${sequence} at this moment`);
      }
      const { data } = readPart(message);
      if (!equalBytes(data, bytes.subarray(offset, offset + data.length))) return 'conflict';
      offset += data.length;
    }
    return offset === bytes.length ? 'appended' : 'conflict';
  }
}

function* appendedBlocks(blocks: Iterable<readonly [number: number, bytes: Uint8Array]>) {
  for (const [number, bytes] of blocks) yield appendedOf(number, undefined, bytes);
}
