import { randomUUID } from 'node:crypto';
import { type BlockId, bytesToHex, equalBytes } from '../../../protocol/index.ts';
import { sleep, systemTime } from '../../../time/time.ts';
import type { AppendOutcome } from '../../block-pipeline.ts';
import {
  BlockLogUnavailableError,
  BlockLogUnsoundError,
  type ChainIdentity,
  type SeedableBlockLog,
} from '../block-log.ts';
import { type Appended, appendedOf, type EntryMessage, readPart } from './entry.ts';
import { fieldOf, type LogConnection } from './log-connection.ts';
import { LogIndex, type LogView } from './log-index.ts';
import { LogReader, MessageNotifier } from './log-reader.ts';
import { namesOf, type StreamNames } from './stream.ts';
import type { LogMessages } from './stream-messages.ts';
import { STREAM_APPEND_TIMEOUT_MS, STREAM_LOSS_MS, STREAM_RETRY_MS } from './timeouts.ts';

/** Milliseconds before an append that lost a race is retried: its leader may lag behind its response. */
const STREAM_CONFLICT_RETRY_MS = 2;
/** Unconfirmed messages, and their bytes (4 MiB), while a block log is seeded. */
const STREAM_SEED_MESSAGES_MAX = 256;
const STREAM_SEED_BYTES_MAX = 4 * 1024 * 1024;
/** Parts of a large block that are sent before the connection must have confirmed them. */
const STREAM_UNCONFIRMED_PARTS_MAX = 8;

const MILLISECONDS = 1_000;

/**
 * The log of a chain in a stream of NATS JetStream. A block is published on the condition that the stream still has the
 * known end; the stream's leader decides. Any other response, or none, leaves the outcome unknown: then the leader's
 * messages are read and compared. A message that the leader does not have may still arrive.
 */
export class JetStreamLog implements SeedableBlockLog {
  readonly url: string;
  readonly name: string;
  readonly #connection: LogConnection;
  readonly #names: StreamNames;
  readonly #messages: LogMessages;
  readonly #index: LogIndex;
  readonly #notifier = new MessageNotifier(systemTime);
  readonly #closing = new AbortController();
  readonly #atLeast: number;
  #lowSince: number | undefined;
  /** Settled with the previous append. */
  #lastAppend: Promise<unknown> = Promise.resolve();

  /** @param atLeast number of a block that the log had before */
  constructor(connection: LogConnection, chain: ChainIdentity, messages: LogMessages, atLeast: number) {
    this.#atLeast = atLeast;
    this.#names = namesOf(chain);
    this.url = connection.url;
    this.name = this.#names.stream;
    this.#connection = connection;
    this.#messages = messages;
    this.#index = new LogIndex(messages, chain.genesisId);
    connection.subscribe(this.#names.stored, ({ headers }) => {
      const sequence = Number(headers?.get('Nats-Sequence'));
      if (Number.isSafeInteger(sequence)) this.#notifier.notify(sequence);
    });
  }

  get elections(): number {
    return this.#messages.elections;
  }

  append(number: number, parent: BlockId, bytes: Uint8Array): Promise<AppendOutcome> {
    const appending = this.#lastAppend.then(() => this.#append(appendedOf(number, parent, bytes)));
    this.#lastAppend = appending.catch(() => undefined);
    return appending;
  }

  async appendAll(
    blocks: Iterable<readonly [number: number, bytes: Uint8Array]>,
    onAppended: (number: number) => void,
  ): Promise<void> {
    for (const group of inGroups(blocks)) {
      const end = this.#index.end ?? (await this.#index.findEnd());
      const stored = await this.#publishTogether(end, group);
      // The outcome of the others is unknown: each is compared, and appended if the log does not have it.
      for (const block of group.slice(stored)) {
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
    const { number, sequence } = await this.#index.findEnd();
    this.#requireFloor(number);
    // A reader that is far behind requests batches.
    this.#notifier.notify(sequence);
    return number;
  }

  read(from: number, stop: AbortSignal): AsyncIterable<Uint8Array> {
    return new LogReader(this.#messages, this.#index, this.#notifier, systemTime).read(from, stop);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lastAppend;
    await this.#connection.close();
  }

  /** Rejects an end before `atLeast` for a while: a newly elected leader may lack the newest blocks. */
  #requireFloor(number: number): void {
    if (number >= this.#atLeast) {
      this.#lowSince = undefined;
      return;
    }
    this.#lowSince ??= systemTime.now();
    if (systemTime.now() - this.#lowSince > STREAM_LOSS_MS) return;
    throw new BlockLogUnavailableError(`the log ends at block ${number} now, and had block ${this.#atLeast}`);
  }

  /** Publishes blocks on the condition that each follows the previous one. Returns the count of confirmed blocks. */
  async #publishTogether(end: LogView, group: readonly Appended[]): Promise<number> {
    const outcomes = await Promise.allSettled(
      group.map(({ messages }, index) =>
        publish(this.#connection, this.#names, messages, end.sequence + index),
      ),
    );
    for (const [index, { head }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status !== 'fulfilled' || 'unknown' in outcome.value) return index;
      this.#index.note({ number: head.number, id: head.id, sequence: outcome.value.sequence });
    }
    return group.length;
  }

  async #append(entry: Appended): Promise<AppendOutcome> {
    const began = systemTime.now();
    const { number } = entry.head;
    // The cached end is used first; after a failure the end is queried.
    let view = this.#index.end;
    for (;;) {
      const outcome = await this.#attempt(view, entry);
      if (outcome === 'appended' || outcome === 'conflict') return outcome;
      view = undefined;
      const { unknown, isMoved } = outcome;
      if (systemTime.now() - began > STREAM_APPEND_TIMEOUT_MS || this.#closing.signal.aborted) {
        throw new BlockLogUnavailableError(
          `the log at ${this.url} has not confirmed block ${number} within ` +
            `${STREAM_APPEND_TIMEOUT_MS / MILLISECONDS} s: ${unknown}`,
        );
      }
      await sleep(systemTime, isMoved ? STREAM_CONFLICT_RETRY_MS : STREAM_RETRY_MS, this.#closing.signal);
    }
  }

  async #attempt(view: LogView | undefined, entry: Appended): Promise<AppendOutcome | Unknown> {
    try {
      return await this.#appendTo(view ?? (await this.#index.findEnd()), entry);
    } catch (error) {
      if (!(error instanceof BlockLogUnavailableError)) throw error;
      return { unknown: error.message, isMoved: false };
    }
  }

  /** Appends a block after the end of a view. */
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
    const published = await publish(this.#connection, this.#names, entry.messages, view.sequence);
    if ('unknown' in published) return published;
    this.#index.note({ number, id, sequence: published.sequence });
    this.#notifier.notify(published.sequence);
    return 'appended';
  }

  async #compare({ head, bytes }: Appended): Promise<AppendOutcome> {
    const { first, last } = await this.#index.of(head.number);
    let offset = 0;
    for (let sequence = first; sequence <= last; sequence += 1) {
      const message = await this.#messages.at(sequence);
      if (message === undefined) {
        throw new BlockLogUnavailableError(`the log does not have message ${sequence} yet`);
      }
      const { data } = readPart(message);
      if (!equalBytes(data, bytes.subarray(offset, offset + data.length))) return 'conflict';
      offset += data.length;
    }
    return offset === bytes.length ? 'appended' : 'conflict';
  }
}

/** Splits blocks into groups that are published together. A block of several messages is alone. */
function* inGroups(
  blocks: Iterable<readonly [number: number, bytes: Uint8Array]>,
): Generator<readonly Appended[], void, undefined> {
  let group: Appended[] = [];
  let bytes = 0;
  for (const [number, data] of blocks) {
    const block = appendedOf(number, undefined, data);
    const isAlone = block.messages.length > 1;
    const isFull = group.length === STREAM_SEED_MESSAGES_MAX || bytes + data.length > STREAM_SEED_BYTES_MAX;
    if (group.length > 0 && (isAlone || isFull)) {
      yield group;
      group = [];
      bytes = 0;
    }
    if (isAlone) yield [block];
    else {
      group.push(block);
      bytes += data.length;
    }
  }
  if (group.length > 0) yield group;
}

const WRONG_LAST_SEQUENCE = 10_071;

/** An outcome that only the messages of the stream show. */
interface Unknown {
  readonly unknown: string;
  /** True if the stream reports another end. */
  readonly isMoved: boolean;
}

/** The outcome of a publication: the sequence of its last message, or unknown. */
type Published = { readonly sequence: number } | Unknown;

/**
 * Publishes the messages of a block, all or none, if the stream ends with a sequence.
 * @param last sequence of the stream's last message
 * @throws BlockLogUnavailableError, with the outcome unknown as well
 */
async function publish(
  connection: LogConnection,
  { stream, blocks }: StreamNames,
  messages: readonly [EntryMessage, ...EntryMessage[]],
  last: number,
): Promise<Published> {
  const expected = ['Nats-Expected-Last-Sequence', String(last)] as const;
  const checked = ['Nats-Expected-Stream', stream] as const;
  const send = (message: EntryMessage, ...headers: (readonly [string, string])[]): Promise<unknown> =>
    connection
      .request(blocks, message.data, connection.headers([...message.headers, ...headers]))
      .then(({ data }) => responseOf(data));
  const [first, ...rest] = messages;
  const final = rest.pop();
  if (final === undefined) return outcomeOf(await send(first, checked, expected), stream, last + 1);
  const batch = ['Nats-Batch-Id', randomUUID()] as const;
  const position = (number: number) => ['Nats-Batch-Sequence', String(number)] as const;
  const begun = await send(first, checked, expected, batch, position(1));
  if (begun !== undefined) return unknownOf(begun);
  for (const [index, message] of rest.entries()) {
    const headers = connection.headers([...message.headers, batch, position(index + 2)]);
    await connection.query(async () => connection.nats.publish(blocks, message.data, { headers }));
    if (index % STREAM_UNCONFIRMED_PARTS_MAX === 0) await connection.query(() => connection.nats.flush());
  }
  const commit = ['Nats-Batch-Commit', '1'] as const;
  const response = await send(final, batch, position(messages.length), commit);
  return outcomeOf(response, stream, last + messages.length);
}

function responseOf(data: Uint8Array): unknown {
  if (data.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return 'a response that is not JSON';
  }
}

function outcomeOf(response: unknown, stream: string, expected: number): Published {
  const isOurs =
    fieldOf(response, 'error') === undefined &&
    fieldOf(response, 'stream') === stream &&
    fieldOf(response, 'seq') === expected;
  return isOurs ? { sequence: expected } : unknownOf(response);
}

function unknownOf(response: unknown): Unknown {
  const error = fieldOf(response, 'error');
  const description = fieldOf(error, 'description');
  return {
    unknown: typeof description === 'string' ? description : `its response is ${JSON.stringify(response)}`,
    isMoved: fieldOf(error, 'err_code') === WRONG_LAST_SEQUENCE,
  };
}
