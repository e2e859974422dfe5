import { concatBytes } from '../../../protocol/index.ts';
import { sleep, type Time } from '../../../time/time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { type EntryPart, type LogMessage, malformed, readHead, readPart } from './entry.ts';
import { extendsView, type LogIndex, viewWith } from './log-index.ts';
import type { LogMessages } from './stream-messages.ts';
import { STREAM_LOSS_MS, STREAM_RETRY_MS } from './timeouts.ts';

/** Milliseconds without a response after which reading the block log fails. */
export const STREAM_SILENCE_MS_MAX = 5_000;
/** Messages read one by one from the leader before batches and the ends of the log are read. */
const STREAM_SINGLE_READS_MAX = 4;

/** Wakes the readers that wait for messages of a log. A notification is a hint only. */
export class MessageNotifier {
  readonly #time: Time;
  readonly #waiters = new Set<AbortController>();
  #newest = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Sequence of the newest message of a notification. */
  get newest(): number {
    return this.#newest;
  }

  /** Notifies readers of a message. */
  notify(sequence: number): void {
    if (sequence > this.#newest) this.#newest = sequence;
    for (const waiter of this.#waiters) waiter.abort();
    this.#waiters.clear();
  }

  /** Waits for a notification, at most some milliseconds. Returns at once if that of the message has arrived. */
  async wait(sequence: number, milliseconds: number, stop: AbortSignal): Promise<void> {
    if (this.#newest >= sequence) return;
    const waiter = new AbortController();
    const end = (): void => waiter.abort();
    this.#waiters.add(waiter);
    stop.addEventListener('abort', end);
    if (!stop.aborted) await sleep(this.#time, milliseconds, waiter.signal);
    stop.removeEventListener('abort', end);
    this.#waiters.delete(waiter);
  }
}

/** Milliseconds between two polls of a block log without a notification. */
const STREAM_POLL_MS = 500;

/** Reads the blocks of a log in order, once, and waits for new ones. */
export class LogReader {
  readonly #messages: LogMessages;
  readonly #index: LogIndex;
  readonly #notifier: MessageNotifier;
  readonly #time: Time;
  /** The first missing message, and since when it has been missing. */
  #gap: { readonly sequence: number; readonly since: number } | undefined;

  constructor(messages: LogMessages, index: LogIndex, notifier: MessageNotifier, time: Time) {
    this.#messages = messages;
    this.#index = index;
    this.#notifier = notifier;
    this.#time = time;
  }

  /**
   * Returns serialized blocks from a number on, then new ones, until the signal is aborted.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async *read(from: number, stop: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    let view = await this.#index.before(from);
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
        this.#index.note(view);
        if (isNext && head.number >= from) yield block;
        if (stop.aborted) return;
      }
    }
  }

  async #messagesFrom(next: number, stop: AbortSignal): Promise<readonly LogMessage[]> {
    const notifier = this.#notifier;
    const time = this.#time;
    let silentSince: number | undefined;
    // Notifications have arrived for all messages so far, so one will arrive for the next message.
    if (notifier.newest === next - 1 && next > 1) await notifier.wait(next, STREAM_POLL_MS, stop);
    while (!stop.aborted) {
      try {
        const found = await this.#fetch(next);
        if (found.length > 0) {
          this.#gap = undefined;
          return found;
        }
        await this.#checkEnd(next);
        silentSince = undefined;
      } catch (error) {
        if (!(error instanceof BlockLogUnavailableError)) throw error;
        // A server that was silent may have to catch up first.
        this.#gap = undefined;
        silentSince ??= time.now();
        if (time.now() - silentSince > STREAM_SILENCE_MS_MAX) throw error;
        await sleep(time, STREAM_RETRY_MS, stop);
        continue;
      }
      // A notified message usually exists already; the leader may be about to change.
      if (notifier.newest >= next) await sleep(time, STREAM_RETRY_MS, stop);
      else await notifier.wait(next, STREAM_POLL_MS, stop);
    }
    return [];
  }

  /** Requests a batch if many messages are missing, else the next one only, which the leader has first. */
  async #fetch(next: number): Promise<readonly LogMessage[]> {
    if (this.#notifier.newest - next >= STREAM_SINGLE_READS_MAX) {
      const found = await this.#messages.from(next).catch(noneIfUnavailable);
      if (found.length > 0) return found;
    }
    const message = await this.#messages.at(next);
    return message === undefined ? [] : [message];
  }

  /** Checks that the log still has the messages that were read, and that it has no gap. */
  async #checkEnd(next: number): Promise<void> {
    const last = await this.#messages.last();
    if (last === next - 1) {
      this.#gap = undefined;
      return;
    }
    if (last >= next) this.#notifier.notify(last);
    // A server that was cut off may not know the newest messages yet.
    if (this.#gap?.sequence !== next) this.#gap = { sequence: next, since: this.#time.now() };
    if (this.#time.now() - this.#gap.since <= STREAM_LOSS_MS) return;
    if (last >= next) throw this.#missing(next);
    throw new BlockLogUnsoundError(
      `the log lost its end: it had message ${next - 1}, and now ends with ${last}`,
    );
  }

  #missing(sequence: number): BlockLogUnsoundError {
    return new BlockLogUnsoundError(`message ${sequence} of the log is missing`);
  }
}

/** Treats a silent or busy replica as one without messages: the leader is queried next. */
function noneIfUnavailable(error: unknown): readonly LogMessage[] {
  if (error instanceof BlockLogUnavailableError) return [];
  throw error;
}

/** @throws BlockLogUnsoundError for a part that does not follow the parts before it */
function checkOrder(parts: readonly EntryPart[], part: EntryPart, sequence: number): void {
  const before = parts.at(-1);
  if (before === undefined) return;
  const isNext =
    part.part === before.part + 1 && part.parts === before.parts && part.number === before.number;
  if (!isNext)
    throw malformed(sequence, `it interrupts block ${before.number} after its part ${before.part}`);
}
