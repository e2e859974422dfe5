import type { StoredMsg, StreamInfo } from '@nats-io/jetstream';
import {
  STREAM_BATCH_BYTES_MAX,
  STREAM_BATCH_MESSAGES_MAX,
  STREAM_REQUEST_TIMEOUT_MS,
} from '../../../limits.ts';
import { systemTime } from '../../../time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { firstAnswer } from './first-answer.ts';
import type { LogConnection } from './log-connection.ts';
import type { LogMessage, LogMessages } from './log-messages.ts';
import { isStreamNotFound, streamNotFound } from './stream.ts';
import { requireWholeStream } from './stream-checks.ts';
import { lackOf } from './stream-quorum.ts';

/** The messages of a stream of JetStream's. */
export class StreamMessages implements LogMessages {
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

  /** How often another server was seen to lead the stream. */
  get elections(): number {
    return this.#elections;
  }

  async at(sequence: number): Promise<LogMessage | undefined> {
    const { streams } = this.#connection.manager;
    const found = await this.#ask(() => streams.getMessage(this.#stream, { seq: sequence }));
    if (found === null) return undefined;
    if (found.seq === sequence) return messageOf(found);
    throw new BlockLogUnsoundError(`the log answered message ${found.seq} when it was asked for ${sequence}`);
  }

  async from(sequence: number): Promise<readonly LogMessage[]> {
    const found = await this.#connection.asking(() => this.#batch(sequence));
    const gap = found.findIndex((message, index) => message.sequence !== sequence + index);
    return gap < 0 ? found : found.slice(0, gap);
  }

  async last(): Promise<number> {
    const info = await this.info();
    this.#note(info.cluster?.leader);
    const lack = lackOf(info.cluster);
    if (lack !== undefined)
      throw new BlockLogUnavailableError(`the log at ${this.#connection.url} takes no blocks: ${lack}`);
    requireWholeStream(info);
    return info.state.last_seq;
  }

  /**
   * What the stream is and has, as its leader says, or any server that keeps it where it has none.
   *
   * @throws BlockLogUnavailableError, and BlockLogUnsoundError for a stream that was deleted or created anew
   */
  async info(): Promise<StreamInfo> {
    const info = await this.#ask(() => this.#connection.manager.streams.info(this.#stream));
    if (info.created === this.#created) return info;
    throw new BlockLogUnsoundError(
      `the log's stream ${this.#stream} was created anew at ${info.created}: what it had is gone`,
    );
  }

  /** Asks the stream's leader, whoever that is by then. @throws BlockLogUnsoundError where the stream is deleted */
  #ask<T>(ask: () => Promise<T>): Promise<T> {
    return this.#connection.asking(async () => {
      try {
        return await firstAnswer(systemTime, ask);
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

  /** Reads a batch through one of the replicas, and gives up when nothing comes for a while. */
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

/** Whether a batch ended because there are no more messages. */
function isEnd(error: unknown): boolean {
  return !(error instanceof Error) || ('code' in error && error.code === 404);
}

/** A message on its own: what it came with is let go of. */
function messageOf({ seq, header, data }: StoredMsg): LogMessage {
  return { sequence: seq, header: (name) => header.get(name), data: new Uint8Array(data) };
}
