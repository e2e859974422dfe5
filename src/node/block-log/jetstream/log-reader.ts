import {
  STREAM_LOSS_MS,
  STREAM_RETRY_MS,
  STREAM_SILENCE_MS_MAX,
  STREAM_SINGLE_READS_MAX,
} from '../../../limits.ts';
import { concatBytes } from '../../../protocol/index.ts';
import { sleep, type Time } from '../../../time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { type EntryPart, malformed, readHead, readPart } from './entry.ts';
import type { LogMessage, LogMessages } from './log-messages.ts';
import type { LogPlaces } from './log-places.ts';
import { extendsView, viewWith } from './log-view.ts';
import type { WakeUps } from './wake-ups.ts';

/** Milliseconds between two looks at a block log that told of nothing new. */
const STREAM_POLL_MS = 500;

/** What the blocks of a stream are read with: its messages, where each block begins, and word of new ones. */
export interface LogReaderOptions {
  readonly messages: LogMessages;
  readonly places: LogPlaces;
  readonly wakeUps: WakeUps;
  readonly time: Time;
}

/** Reads the blocks of a log in their order, once, and waits for those that come. */
export class LogReader {
  readonly #options: LogReaderOptions;
  /** Message of which the log was found to lack it, or one before it, and since when. */
  #lack: { readonly sequence: number; readonly since: number } | undefined;

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /**
   * Serialized blocks from a number on, then those that come, until the signal is aborted.
   *
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

  /** At least one message, unless reading is to stop. */
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

  /** Asks for many messages where many are missing, and else for the next one only, which the leader has first. */
  async #ask(next: number): Promise<readonly LogMessage[]> {
    const { messages, wakeUps } = this.#options;
    if (wakeUps.newest - next >= STREAM_SINGLE_READS_MAX) {
      const found = await messages.from(next).catch(noneIfUnavailable);
      if (found.length > 0) return found;
    }
    const message = await messages.at(next);
    return message === undefined ? [] : [message];
  }

  /** Makes sure that the log still has what was read of it, and that nothing is missing in it. */
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

/** A replica that does not answer, or is busy writing, is not asked twice: the leader is. */
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
