import { BoundedMap } from '../../../caching/bounded-map.ts';
import { type BlockId, equalBytes } from '../../../protocol/index.ts';
import { BlockLogUnavailableError } from '../block-log.ts';
import { type EntryHead, type EntryPart, malformed, readHead, readPart } from './entry.ts';
import type { LogMessages } from './stream-messages.ts';

/** Messages behind the last known end up to which a new end is found from there, not from an earlier position. */
const STREAM_ROLLED_MAX = 64;
/** Cached positions in the block log. */
const STREAM_POSITIONS_MAX = 1_024;

/**
 * The log up to a message. An entry is the next block if it has the next number and names the last block as its parent;
 * every other entry is skipped. So all readers of the messages find the same blocks.
 */
export interface LogView {
  readonly number: number;
  readonly id: BlockId;
  readonly sequence: number;
}

/** Returns true if an entry is the next block. */
export function extendsView(view: Pick<LogView, 'number' | 'id'>, entry: EntryHead): boolean {
  return entry.number === view.number + 1 && equalBytes(entry.parent, view.id);
}

/** Returns the view with one more entry. @param sequence of the entry's last message */
export function viewWith(view: LogView, entry: EntryHead, sequence: number): LogView {
  if (!extendsView(view, entry)) return { ...view, sequence };
  return { number: entry.number, id: entry.id, sequence };
}

/** An entry of the log with its first and last message. */
type IndexedEntry = ReturnType<typeof indexed>;

/**
 * Finds the messages of blocks in a log, by binary search over the numbers in the messages. An entry is known to be a
 * block of the log if a later entry names it as its parent.
 */
export class LogIndex {
  readonly #messages: LogMessages;
  readonly #genesis: LogView;
  #end: LogView | undefined;
  readonly #known = new BoundedMap<number, LogView>(STREAM_POSITIONS_MAX);

  constructor(messages: LogMessages, genesisId: BlockId) {
    this.#messages = messages;
    this.#genesis = { number: 0, id: genesisId, sequence: 0 };
  }

  /** The known part of the log; undefined before the first read. */
  get end(): LogView | undefined {
    return this.#end;
  }

  note(view: LogView): void {
    this.#known.set(view.number, view);
    if (this.#end === undefined || view.sequence > this.#end.sequence) this.#end = view;
  }

  /** Returns the whole log, as its leader reports it. @throws BlockLogUnavailableError, BlockLogUnsoundError */
  async findEnd(): Promise<LogView> {
    const last = await this.#messages.last();
    const known = this.#end;
    if (known !== undefined && last <= known.sequence) return known;
    const isNear = known !== undefined && last - known.sequence <= STREAM_ROLLED_MAX;
    const view = await this.#roll(isNear ? known : await this.#anchorBefore(last), last);
    this.note(view);
    return this.#end ?? view;
  }

  /**
   * Returns the log up to the block before a number, or up to its last block if it has fewer.
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async before(number: number): Promise<LogView> {
    if (number <= 1) return this.#genesis;
    const known = this.#known.get(number - 1);
    if (known !== undefined) return known;
    const sequence = await this.#lastBelow(number);
    const anchor = await this.#anchorBefore(sequence);
    // A skipped entry may have misled the search: then the whole log is read.
    const from = anchor.number < number ? anchor : this.#genesis;
    const view = await this.#roll(from, sequence, number - 1);
    this.note(view);
    return view;
  }

  /**
   * Returns the entry of a block.
   * @throws BlockLogUnavailableError, also if the leader does not have the block now; BlockLogUnsoundError
   */
  async of(number: number): Promise<IndexedEntry> {
    let view = await this.before(number);
    for (;;) {
      const entry = await this.#entryAt(view.sequence + 1);
      if (entry === undefined)
        throw new BlockLogUnavailableError(`the log does not have block ${number} yet`);
      if (extendsView(view, entry.head)) return entry;
      view = { ...view, sequence: entry.last };
    }
  }

  async #roll(from: LogView, last: number, number = Number.POSITIVE_INFINITY): Promise<LogView> {
    let view = from;
    while (view.sequence < last && view.number < number) {
      const entry = await this.#entryAt(view.sequence + 1);
      if (entry === undefined || entry.last > last) return view;
      view = viewWith(view, entry.head, entry.last);
    }
    return view;
  }

  /** Returns the last message of the blocks below a number; 0 where there is none. */
  async #lastBelow(number: number): Promise<number> {
    let low = 0;
    let high = (await this.#messages.last()) + 1;
    // Nearly all blocks are one message, and then the number is the sequence.
    let probe = Math.min(number - 1, high - 1);
    while (high - low > 1) {
      const part = await this.#partAt(probe);
      if (part === undefined || part.number >= number) high = probe;
      else low = Math.min(high - 1, probe + part.parts - part.part);
      const isFound = part?.number === number - 1 && low + 1 < high;
      probe = isFound ? low + 1 : Math.floor((low + high) / 2);
    }
    return low;
  }

  /** Returns the log up to a block that a later entry names as its parent, and that ends at a message or before it. */
  async #anchorBefore(sequence: number): Promise<LogView> {
    let later: IndexedEntry | undefined;
    let end = sequence;
    while (end > 0) {
      const entry = await this.#entryUpTo(end);
      if (entry === undefined) break;
      if (later !== undefined && extendsView(entry.head, later.head)) {
        return { number: entry.head.number, id: entry.head.id, sequence: entry.last };
      }
      // An entry that ends after the message proves nothing.
      later = entry.last > sequence ? undefined : entry;
      end = entry.first - 1;
    }
    return this.#genesis;
  }

  async #entryUpTo(sequence: number): Promise<IndexedEntry | undefined> {
    const part = await this.#partAt(sequence);
    if (part === undefined) return undefined;
    return part.part === 1 ? indexed(part, sequence) : this.#entryAt(sequence - part.part + 1);
  }

  async #entryAt(first: number): Promise<IndexedEntry | undefined> {
    if (first < 1) throw malformed(first, 'a block begins before the log');
    const part = await this.#partAt(first);
    return part === undefined ? undefined : indexed(part, first);
  }

  async #partAt(sequence: number): Promise<EntryPart | undefined> {
    const message = await this.#messages.at(sequence);
    return message === undefined ? undefined : readPart(message);
  }
}

function indexed(part: EntryPart, first: number) {
  return { head: readHead(part, first), first, last: first + part.parts - 1 };
}
