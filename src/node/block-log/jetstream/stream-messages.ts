import type { StoredMsg, StreamInfo } from '@nats-io/jetstream';
import { systemTime, type Time } from '../../../time/time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import type { LogMessage } from './entry.ts';
import type { LogConnection } from './log-connection.ts';
import { isStreamNotFound, requireWholeStream, streamNotFound, unavailabilityOf } from './stream.ts';
import { STREAM_REQUEST_TIMEOUT_MS } from './timeouts.ts';

/** Milliseconds without a response after which a request is repeated: the leader may have changed. */
export const STREAM_REQUEST_REPEAT_MS = 300;
/** Messages of a block log in one read, and their bytes (4 MiB), which one message may exceed. */
const STREAM_BATCH_MESSAGES_MAX = 500;
const STREAM_BATCH_BYTES_MAX = 4 * 1024 * 1024;

export type LogMessages = Pick<StreamMessages, 'elections' | 'at' | 'from' | 'last'>;

/** The messages of a JetStream stream. They never change, so any replica may return an existing one. */
export class StreamMessages {
  readonly #connection: LogConnection;
  readonly #stream: string;
  readonly #created: string;
  #leader: string | undefined;
  #elections = 0;

  /** @param created creation time of the stream, which identifies it */
  constructor(connection: LogConnection, stream: string, created: string) {
    this.#connection = connection;
    this.#stream = stream;
    this.#created = created;
  }

  get elections(): number {
    return this.#elections;
  }

  /**
   * Returns a message of the stream's leader; undefined if the leader does not have it yet.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async at(sequence: number): Promise<LogMessage | undefined> {
    const { streams } = this.#connection.manager;
    const found = await this.#query(() => streams.getMessage(this.#stream, { seq: sequence }));
    if (found === null) return undefined;
    if (found.seq === sequence) return messageOf(found);
    throw new BlockLogUnsoundError(`the log returned message ${found.seq} for message ${sequence}`);
  }

  /**
   * Returns some or none of the messages from a sequence on, in order and without a gap, from any replica.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async from(sequence: number): Promise<readonly LogMessage[]> {
    const found = await this.#connection.query(() => this.#batch(sequence));
    const gap = found.findIndex((message, index) => message.sequence !== sequence + index);
    return gap < 0 ? found : found.slice(0, gap);
  }

  /**
   * Returns the sequence of the newest message that the leader and most replicas have; 0 for an empty stream.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async last(): Promise<number> {
    const info = await this.info();
    this.#noteLeader(info.cluster?.leader);
    const reason = unavailabilityOf(info.cluster);
    if (reason !== undefined)
      throw new BlockLogUnavailableError(`the log at ${this.#connection.url} accepts no blocks: ${reason}`);
    requireWholeStream(info);
    return info.state.last_seq;
  }

  /**
   * Returns the leader's description of the stream, or any replica's while it has no leader.
   * @throws BlockLogUnavailableError, and BlockLogUnsoundError for a stream that was deleted or recreated
   */
  async info(): Promise<StreamInfo> {
    const info = await this.#query(() => this.#connection.manager.streams.info(this.#stream));
    if (info.created === this.#created) return info;
    throw new BlockLogUnsoundError(
      `the log's stream ${this.#stream} was recreated at ${info.created}: its previous messages are lost`,
    );
  }

  /** Queries the stream's leader, also during an election. @throws BlockLogUnsoundError if the stream is deleted */
  #query<T>(query: () => Promise<T>): Promise<T> {
    return this.#connection.query(async () => {
      try {
        return await firstResponse(systemTime, query);
      } catch (error) {
        throw isStreamNotFound(error) ? streamNotFound(this.#connection, this.#stream) : error;
      }
    });
  }

  #noteLeader(leader: string | undefined): void {
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
    let arrivedAt = performance.now();
    const limits = { batch: STREAM_BATCH_MESSAGES_MAX, max_bytes: STREAM_BATCH_BYTES_MAX };
    const batch = await direct.getBatch(this.#stream, {
      seq: sequence,
      ...limits,
      callback: (done, message) => {
        arrivedAt = performance.now();
        if (done !== null) settle(isEnd(done.err) ? undefined : (done.err ?? undefined));
        else if (messages.length < STREAM_BATCH_MESSAGES_MAX) messages.push(messageOf(message));
      },
    });
    const watch = setInterval(() => {
      if (performance.now() - arrivedAt > STREAM_REQUEST_TIMEOUT_MS)
        settle(new BlockLogUnavailableError('a batch stopped'));
    }, STREAM_REQUEST_TIMEOUT_MS / 2);
    try {
      const failure = await settled;
      // The messages that arrived are valid, even if others are missing.
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

/** Copies a message out of its receive buffer. */
function messageOf({ seq, header, data }: StoredMsg): LogMessage {
  return { sequence: seq, header: (name) => header.get(name), data: new Uint8Array(data) };
}

/**
 * Repeats a query until the first response, which it returns. A stream without a leader drops queries, and waiting for
 * their timeout would miss the new leader meanwhile. Throws the error of the first query that fails.
 * @param query queries once, with a timeout, which bounds the number of queries in flight
 */
export function firstResponse<T>(time: Pick<Time, 'after'>, query: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancelRepeat = (): void => undefined;
    const attempt = (): void => {
      cancelRepeat = time.after(STREAM_REQUEST_REPEAT_MS, attempt);
      query()
        .finally(() => cancelRepeat())
        .then(resolve, reject);
    };
    attempt();
  });
}
