import {
  STREAM_LOSS_MS,
  STREAM_RETRY_MS,
  STREAM_SILENCE_MS_MAX,
  STREAM_SINGLE_READS_MAX,
} from '../../../limits.ts';
import { concatBytes } from '../../../protocol/index.ts';
import { sleep, type Time } from '../../../time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { type EntryPart, type LogMessage, malformed, readHead, readPart } from './entry.ts';
import { extendsView, type LogIndex, viewWith } from './log-index.ts';
import type { LogMessages } from './stream-messages.ts';

/** Wakes the readers that wait for messages of a log; a notification is a hint only. */
export class MessageNotifier {
  readonly #time: Time;
  readonly #waiting = new Set<AbortController>();
  #newest = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Sequence of the newest message that was notified. */
  get newest(): number {
    return this.#newest;
  }

  /** Notifies readers of a message. */
  tell(sequence: number): void {
    if (sequence > this.#newest) this.#newest = sequence;
    for (const waiting of this.#waiting) waiting.abort();
    this.#waiting.clear();
  }

  /** Waits until a message is notified, unless this one was; for so many milliseconds at most. */
  async wait(sequence: number, milliseconds: number, stop: AbortSignal): Promise<void> {
    if (this.#newest >= sequence) return;
    const waiting = new AbortController();
    const end = (): void => waiting.abort();
    this.#waiting.add(waiting);
    stop.addEventListener('abort', end);
    if (!stop.aborted) await sleep(this.#time, milliseconds, waiting.signal);
    stop.removeEventListener('abort', end);
    this.#waiting.delete(waiting);
  }
}

/** Milliseconds between two polls of a block log without a notification. */
const STREAM_POLL_MS = 500;

/** The messages of a stream, the index of its blocks, and the notifications of new messages. */
export interface LogReaderOptions {
  readonly messages: LogMessages;
  readonly places: LogIndex;
  readonly wakeUps: MessageNotifier;
  readonly time: Time;
}

/** Reads the blocks of a log in order, once, and waits for new ones. */
export class LogReader {
  readonly #options: LogReaderOptions;
  #lack: { readonly sequence: number; readonly since: number } | undefined;

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /**
   * Returns serialized blocks from a number on, then new ones, until the signal is aborted.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async *read(from: number, stop: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { places } = this.#options;
    let view = await places.before(from);
    let parts: EntryPart[] = [];
    let next = view.sequence + 1;
    while (!stop.aborted) {
      for (const message of await this.#messagesFrom(next, stop)) {
        if (message.sequence !== next) throw this.#missing(next);
        const part = readPart(message);
        checkOrder(parts, part, next);
        parts.push(part);
        next += 1;
        if (part.part < part.parts) continue;
        const block = concatBytes(...parts.map(({ data }) => data));
        const [first = part] = parts;
        const head = readHead({ ...first, data: block }, message.sequence - part.parts + 1);
        parts = [];
        const isNext = extendsView(view, head);
        view = viewWith(view, head, message.sequence);
        places.note(view);
        if (isNext && head.number >= from) yield block;
        if (stop.aborted) return;
      }
    }
  }

  async #messagesFrom(next: number, stop: AbortSignal): Promise<readonly LogMessage[]> {
    const { wakeUps, time } = this.#options;
    let silentSince: number | undefined;
    // Whoever was told of all that there is will be told of the next one, too.
    if (wakeUps.newest === next - 1 && next > 1) await wakeUps.wait(next, STREAM_POLL_MS, stop);
    while (!stop.aborted) {
      try {
        const found = await this.#ask(next);
        if (found.length > 0) {
          this.#lack = undefined;
          return found;
        }
        await this.#checkEnd(next);
        silentSince = undefined;
      } catch (error) {
        if (!(error instanceof BlockLogUnavailableError)) throw error;
        // Who answers after a silence may have to find out first what it missed.
        this.#lack = undefined;
        silentSince ??= time.now();
        if (time.now() - silentSince > STREAM_SILENCE_MS_MAX) throw error;
        await sleep(time, STREAM_RETRY_MS, stop);
        continue;
      }
      // A message that was told of comes at once; its leader may be about to change.
      if (wakeUps.newest >= next) await sleep(time, STREAM_RETRY_MS, stop);
      else await wakeUps.wait(next, STREAM_POLL_MS, stop);
    }
    return [];
  }

  /** Requests a batch where many messages are missing, else the next one only, which the leader has first. */
  async #ask(next: number): Promise<readonly LogMessage[]> {
    const { messages, wakeUps } = this.#options;
    if (wakeUps.newest - next >= STREAM_SINGLE_READS_MAX) {
      const found = await messages.from(next).catch(noneIfUnavailable);
      if (found.length > 0) return found;
    }
    const message = await messages.at(next);
    return message === undefined ? [] : [message];
  }

  /** Checks that the log still has what was read of it, and that it has no gap. */
  async #checkEnd(next: number): Promise<void> {
    const { messages, wakeUps, time } = this.#options;
    const last = await messages.last();
    if (last === next - 1) {
      this.#lack = undefined;
      return;
    }
    if (last >= next) wakeUps.tell(last);
    // A server that was cut off may not know the newest messages: it is given the time to find that out.
    if (this.#lack?.sequence !== next) this.#lack = { sequence: next, since: time.now() };
    if (time.now() - this.#lack.since <= STREAM_LOSS_MS) return;
    if (last >= next) throw this.#missing(next);
    throw new BlockLogUnsoundError(
      `the log lost its end: it had message ${next - 1}, and now ends with ${last}`,
    );
  }

  #missing(sequence: number): BlockLogUnsoundError {
    return new BlockLogUnsoundError(`message ${sequence} of the log is missing`);
  }
}

/** Treats a replica that does not answer, or is busy, as one without messages: the leader is queried next. */
function noneIfUnavailable(error: unknown): readonly LogMessage[] {
  if (error instanceof BlockLogUnavailableError) return [];
  throw error;
}

/** @throws BlockLogUnsoundError where a part does not follow those before it */
function checkOrder(parts: readonly EntryPart[], part: EntryPart, sequence: number): void {
  const before = parts.at(-1);
  if (before === undefined) return;
  const isNext =
    part.part === before.part + 1 && part.parts === before.parts && part.number === before.number;
  if (!isNext)
    throw malformed(sequence, `it interrupts block ${before.number} after its part ${before.part}`);
}
