import type { StoredMsg, StreamInfo } from '@nats-io/jetstream';
import {
  STREAM_BATCH_BYTES_MAX,
  STREAM_BATCH_MESSAGES_MAX,
  STREAM_REQUEST_REPEAT_MS,
  STREAM_REQUEST_TIMEOUT_MS,
} from '../../../limits.ts';
import { systemTime, type Time } from '../../../time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import type { LogMessage } from './entry.ts';
import type { LogConnection } from './log-connection.ts';
import { isStreamNotFound, requireWholeStream, streamNotFound, unavailabilityOf } from './stream.ts';

/** Reads the stream that a log is kept in. */
export type LogMessages = Pick<StreamMessages, 'elections' | 'at' | 'from' | 'last'>;

/** The messages of a stream of JetStream's. They never change, so any replica may return what exists. */
export class StreamMessages {
  readonly #connection: LogConnection;
  readonly #stream: string;
  readonly #created: string;
  #leader: string | undefined;
  #elections = 0;

  /** @param created when the stream was created: one that was created later is another one */
  constructor(connection: LogConnection, stream: string, created: string) {
    this.#connection = connection;
    this.#stream = stream;
    this.#created = created;
  }

  get elections(): number {
    return this.#elections;
  }

  /**
   * Returns a message as the stream's leader has it; undefined where the leader has none, which may change at any
   * moment. @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async at(sequence: number): Promise<LogMessage | undefined> {
    const { streams } = this.#connection.manager;
    const found = await this.#ask(() => streams.getMessage(this.#stream, { seq: sequence }));
    if (found === null) return undefined;
    if (found.seq === sequence) return messageOf(found);
    throw new BlockLogUnsoundError(`the log answered message ${found.seq} when it was asked for ${sequence}`);
  }

  /**
   * Returns some of the messages from a sequence on, in order and without a gap, from any replica: perhaps none.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async from(sequence: number): Promise<readonly LogMessage[]> {
    const found = await this.#connection.asking(() => this.#batch(sequence));
    const gap = found.findIndex((message, index) => message.sequence !== sequence + index);
    return gap < 0 ? found : found.slice(0, gap);
  }

  /**
   * Returns the sequence of the newest message that the stream's leader and most of its replicas have; 0 without any.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async last(): Promise<number> {
    const info = await this.info();
    this.#note(info.cluster?.leader);
    const lack = unavailabilityOf(info.cluster);
    if (lack !== undefined)
      throw new BlockLogUnavailableError(`the log at ${this.#connection.url} takes no blocks: ${lack}`);
    requireWholeStream(info);
    return info.state.last_seq;
  }

  /**
   * Describes the stream as its leader does, or any server that keeps it where it has no leader.
   * @throws BlockLogUnavailableError, and BlockLogUnsoundError for a stream that was deleted or created anew
   */
  async info(): Promise<StreamInfo> {
    const info = await this.#ask(() => this.#connection.manager.streams.info(this.#stream));
    if (info.created === this.#created) return info;
    throw new BlockLogUnsoundError(
      `the log's stream ${this.#stream} was created anew at ${info.created}: what it had is gone`,
    );
  }

  /** Queries the stream's leader, also past an election. @throws BlockLogUnsoundError where the stream is deleted */
  #ask<T>(ask: () => Promise<T>): Promise<T> {
    return this.#connection.asking(async () => {
      try {
        return await firstResponse(systemTime, ask);
      } catch (error) {
        throw isStreamNotFound(error) ? streamNotFound(this.#connection, this.#stream) : error;
      }
    });
  }

  #note(leader: string | undefined): void {
    if (leader === undefined || leader === '' || leader === this.#leader) return;
    if (this.#leader !== undefined) this.#elections += 1;
    this.#leader = leader;
  }

  async #batch(sequence: number): Promise<LogMessage[]> {
    const messages: LogMessage[] = [];
    const { direct } = this.#connection.manager;
    let settle: (failure: Error | undefined) => void = () => undefined;
    const settled = new Promise<Error | undefined>((resolve) => {
      settle = resolve;
    });
    let heard = performance.now();
    const limits = { batch: STREAM_BATCH_MESSAGES_MAX, max_bytes: STREAM_BATCH_BYTES_MAX };
    const batch = await direct.getBatch(this.#stream, {
      seq: sequence,
      ...limits,
      callback: (done, message) => {
        heard = performance.now();
        if (done !== null) settle(isEnd(done.err) ? undefined : (done.err ?? undefined));
        else if (messages.length < STREAM_BATCH_MESSAGES_MAX) messages.push(messageOf(message));
      },
    });
    const watch = setInterval(() => {
      if (performance.now() - heard > STREAM_REQUEST_TIMEOUT_MS)
        settle(new BlockLogUnavailableError('a batch stopped'));
    }, STREAM_REQUEST_TIMEOUT_MS / 2);
    try {
      const failure = await settled;
      // Those that came are what they are, also where others are missing.
      if (failure !== undefined && messages.length === 0) throw failure;
      return messages;
    } finally {
      clearInterval(watch);
      batch.stop();
    }
  }
}

function isEnd(error: unknown): boolean {
  return !(error instanceof Error) || ('code' in error && error.code === 404);
}

/** Copies a message out of the buffer that it came in. */
function messageOf({ seq, header, data }: StoredMsg): LogMessage {
  return { sequence: seq, header: (name) => header.get(name), data: new Uint8Array(data) };
}

/**
 * Returns the first answer to a query, which is repeated until there is one: a stream without a leader drops queries,
 * and a wait for their timeout would miss its new leader for as long. Throws what the first query throws that fails.
 * @param ask queries once, and fails when the answer is late, which bounds the number of open queries
 */
export function firstResponse<T>(time: Pick<Time, 'after'>, ask: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let callOff = (): void => undefined;
    const askOnce = (): void => {
      callOff = time.after(STREAM_REQUEST_REPEAT_MS, askOnce);
      ask()
        .finally(() => callOff())
        .then(resolve, reject);
    };
    askOnce();
  });
}
