import { BoundedMap } from '../../../bounded-map.ts';
import { STREAM_PLACES_MAX, STREAM_ROLLED_MAX } from '../../../limits.ts';
import type { BlockId } from '../../../protocol/index.ts';
import { BlockLogUnavailableError } from '../block-log.ts';
import { type EntryHead, type EntryPart, malformed, readHead, readPart } from './entry.ts';
import type { LogMessage, LogMessages } from './log-messages.ts';
import { extendsView, type LogView, viewWith } from './log-view.ts';

/** An entry of the log and where it lies. */
interface PlacedEntry {
  readonly head: EntryHead;
  readonly first: number;
  readonly last: number;
}

/**
 * Where the blocks lie in a log. A block's number is in each of its messages, so places are found by halving; that the
 * blocks there are the log's is seen from two entries of which one is the other's parent.
 */
export class LogPlaces {
  readonly #messages: LogMessages;
  readonly #genesis: LogView;
  /** The end of the log as far as it is known. */
  #end: LogView | undefined;
  /** Views that end with a block, by its number. */
  readonly #known = new BoundedMap<number, LogView>(STREAM_PLACES_MAX);

  /** @param genesisId id of the block that block 1 follows */
  constructor(messages: LogMessages, genesisId: BlockId) {
    this.#messages = messages;
    this.#genesis = { number: 0, id: genesisId, sequence: 0 };
  }

  /** The end of the log as far as it is known; undefined before anything was looked at. */
  get end(): LogView | undefined {
    return this.#end;
  }

  /** Remembers what was seen of the log. */
  note(view: LogView): void {
    this.#known.set(view.number, view);
    if (this.#end === undefined || view.sequence > this.#end.sequence) this.#end = view;
  }

  /**
   * The whole log, as its leader knows it.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
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
   * The log up to the block before a number; up to its last block where it has fewer.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  async before(number: number): Promise<LogView> {
    if (number <= 1) return this.#genesis;
    const known = this.#known.get(number - 1);
    if (known !== undefined) return known;
    const sequence = await this.#lastBelow(number);
    const anchor = await this.#anchorBefore(sequence);
    // An entry that is passed over may have led astray: then the whole log has to be looked at.
    const from = anchor.number < number ? anchor : this.#genesis;
    const view = await this.#roll(from, sequence, number - 1);
    this.note(view);
    return view;
  }

  /**
   * Where the messages of a block of the log lie.
   *
   * @throws BlockLogUnavailableError, also where its leader does not have the block at this moment;
   *   BlockLogUnsoundError
   */
  async of(number: number): Promise<PlacedEntry> {
    let view = await this.before(number);
    for (;;) {
      const entry = await this.#entryAt(view.sequence + 1);
      if (entry === undefined)
        throw new BlockLogUnavailableError(`the log does not have block ${number} now`);
      if (extendsView(view, entry.head)) return entry;
      view = { ...view, sequence: entry.last };
    }
  }

  /** Looks at all entries up to a message, or up to a block. */
  async #roll(from: LogView, last: number, number = Number.POSITIVE_INFINITY): Promise<LogView> {
    let view = from;
    while (view.sequence < last && view.number < number) {
      const entry = await this.#entryAt(view.sequence + 1);
      if (entry === undefined || entry.last > last) return view;
      view = viewWith(view, entry.head, entry.last);
    }
    return view;
  }

  /** The last message of those that belong to blocks below a number; 0 where there is none. */
  async #lastBelow(number: number): Promise<number> {
    let [low, high] = [0, (await this.#messages.last()) + 1];
    // Nearly all blocks are one message, and then the number is the place.
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

  /** The log up to a block whose parent is the block before it, and which ends at a message or before it. */
  async #anchorBefore(sequence: number): Promise<LogView> {
    let later: PlacedEntry | undefined;
    let end = sequence;
    while (end > 0) {
      const entry = await this.#entryUpTo(end);
      if (entry === undefined) break;
      if (later !== undefined && extendsView(entry.head, later.head)) {
        return { number: entry.head.number, id: entry.head.id, sequence: entry.last };
      }
      // Of an entry that ends behind the message nothing is said.
      later = entry.last > sequence ? undefined : entry;
      end = entry.first - 1;
    }
    return this.#genesis;
  }

  /** The entry that a message belongs to. */
  async #entryUpTo(sequence: number): Promise<PlacedEntry | undefined> {
    const part = await this.#partAt(sequence);
    if (part === undefined) return undefined;
    return part.part === 1 ? placed(part, sequence) : this.#entryAt(sequence - part.part + 1);
  }

  /** The entry that begins with a message. */
  async #entryAt(first: number): Promise<PlacedEntry | undefined> {
    if (first < 1) throw malformed(first, 'a block begins before the log does');
    const part = await this.#partAt(first);
    return part === undefined ? undefined : placed(part, first);
  }

  async #partAt(sequence: number): Promise<EntryPart | undefined> {
    const message: LogMessage | undefined = await this.#messages.at(sequence);
    return message === undefined ? undefined : readPart(message);
  }
}

function placed(part: EntryPart, first: number): PlacedEntry {
  return { head: readHead(part, first), first, last: first + part.parts - 1 };
}
