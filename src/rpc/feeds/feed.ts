import type { BoundedMap } from '../../caching/bounded-map.ts';
import { LedgerdError } from '../../protocol/index.ts';

/** The error of a reader that missed notifications. */
export class MissedEventsError extends LedgerdError {
  override readonly code = 'MISSED';
}

/**
 * A journal of numbered events. A reader is a position in it: that of a filter, which is polled, or of a subscription,
 * to which new events are pushed. A feed follows the source of its events while it has readers.
 */
export abstract class Feed {
  protected readonly readers = new Set<Reader>();
  protected readonly channels = new Map<string, Channel>();
  #stop: (() => void) | undefined;

  /** Returns the number of the next event. */
  abstract end(): number;

  /** Follows the source of the events. Returns a function that stops this. */
  protected abstract follow(): () => void;

  /** Opens a reader without a channel, at the end of the feed. */
  open(): Reader {
    return this.#add(new Reader(this));
  }

  /**
   * Opens a reader of a channel at the end of the feed. Readers share channels by name.
   *
   * @param onEvent called back at new events; undefined for a polled reader
   */
  openChannel(name: string, makeChannel: () => Channel, onEvent?: () => void): Reader {
    const channel = this.channels.get(name) ?? makeChannel();
    this.channels.set(name, channel);
    const reader = new Reader(this, channel, onEvent);
    channel.readers.add(reader);
    return this.#add(reader);
  }

  close(reader: Reader): void {
    this.readers.delete(reader);
    const { channel } = reader;
    channel?.readers.delete(reader);
    if (channel?.readers.size === 0) this.channels.delete(channel.name);
    if (this.readers.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  protected notifyListeners(): void {
    for (const { readers } of this.channels.values()) for (const { onEvent } of readers) onEvent?.();
  }

  #add(reader: Reader): Reader {
    this.#stop ??= this.follow();
    this.readers.add(reader);
    return reader;
  }
}

/** A position in a feed, which stores no events for a slow client. */
export class Reader {
  readonly channel: Channel | undefined;
  readonly onEvent: (() => void) | undefined;
  readonly #feed: Feed;
  #position: number;
  /** Number of notifications of the next event that were read. */
  #readCount = 0;
  /** The events that were reported: if one is revoked, its revocations are read. */
  readonly #reported: { first: number; end: number };
  /** Revocations to be read before all others. */
  #revoked: RevokedRange[] = [];
  #hasMissed = false;

  constructor(feed: Feed, channel?: Channel, onEvent?: () => void) {
    this.#feed = feed;
    this.channel = channel;
    this.onEvent = onEvent;
    this.#position = feed.end();
    // A subscriber may have asked for earlier events, and gets their revocations, as from geth.
    const first = onEvent === undefined ? this.#position : 0;
    this.#reported = { first, end: this.#position };
  }

  get position(): number {
    return this.#position;
  }

  /** Bytes of the revocations to be read. */
  get revokedBytes(): number {
    let bytes = 0;
    for (const { texts, start, end } of this.#revoked) {
      for (let index = start; index < end; index += 1) bytes += texts[index]?.text.length ?? 0;
    }
    return bytes;
  }

  /**
   * Returns the next notification, each once and in order; undefined at the end of the feed.
   *
   * @throws MissedEventsError after lost notifications, LimitError for too long a notification
   */
  next(): Uint8Array | undefined {
    const revocation = this.nextRevocation();
    if (revocation !== undefined) return revocation;
    for (const end = this.#feed.end(); this.#position < end; this.moveTo(this.#position + 1)) {
      const text = this.channel?.textsOf(this.#position)[this.#readCount];
      if (text !== undefined) {
        this.#readCount += 1;
        return text;
      }
    }
    return undefined;
  }

  /** Returns the next revocation; undefined for none. @throws MissedEventsError after lost ones */
  nextRevocation(): Uint8Array | undefined {
    if (this.#hasMissed) throw new MissedEventsError('the reverted blocks had too many logs');
    const [range] = this.#revoked;
    if (range === undefined) return undefined;
    const text = range.texts[range.start]?.text;
    range.start += 1;
    if (range.start >= range.end) this.#revoked.shift();
    return text;
  }

  /** Moves the reader after the events that it reported. */
  moveTo(position: number): void {
    this.report({ first: this.#position, end: position });
    this.#position = position;
    this.#readCount = 0;
  }

  /** Notes events that were reported without moving the reader. */
  report({ first, end }: EventRange): void {
    this.#reported.first = Math.min(this.#reported.first, first);
    this.#reported.end = Math.max(this.#reported.end, end);
  }

  /** Returns the reported events from a number on, also one whose notifications were read in part. */
  reportedFrom(number: number): EventRange {
    const { first, end } = this.#reported;
    const partlyRead = this.#readCount > 0 ? this.#position + 1 : 0;
    return { first: Math.max(first, number), end: Math.max(end, partlyRead) };
  }

  /**
   * Moves a reader beyond an event back to it, since this event and all later ones were revoked.
   *
   * @param revocations of these events, in order: those of reported notifications are read next; undefined for too many
   */
  rewind(position: number, revocations: readonly Revocation<Uint8Array>[] | undefined): void {
    const { first, end } = this.reportedFrom(position);
    if (first < end) {
      if (revocations === undefined) this.#hasMissed = true;
      else this.#revoke(revocations, first);
    }
    this.#reported.first = Math.min(this.#reported.first, position);
    this.#reported.end = Math.min(this.#reported.end, position);
    if (this.#position < position) return;
    this.#position = position;
    this.#readCount = 0;
  }

  #revoke(texts: readonly Revocation<Uint8Array>[], first: number): void {
    const start = texts.findIndex(({ event }) => event >= first);
    const whole = texts.findLastIndex(({ event }) => event < this.#reported.end) + 1;
    const end = texts[whole]?.event === this.#position ? whole + this.#readCount : whole;
    if (start >= 0 && start < end) this.#revoked.push({ texts, start, end });
  }

  close(): void {
    this.#feed.close(this);
  }
}

/** JSON texts of notifications, encoded once and sent to every subscriber. */
export type Texts = readonly Uint8Array[];

/** A range of events; `end` is the number after the last one. */
export interface EventRange {
  readonly first: number;
  readonly end: number;
}

/** Some of the revocations of a reorganisation, which readers share. */
interface RevokedRange {
  readonly texts: readonly Revocation<Uint8Array>[];
  start: number;
  readonly end: number;
}

export interface Revocation<Text> {
  readonly event: number;
  readonly text: Text;
}

/** The notifications of the events of a feed, as JSON texts in the shapes of a profile. */
export interface ChannelSource {
  /**
   * Returns the notifications of an event, in order.
   *
   * @throws MissedEventsError for a dropped event, and for too long notifications
   */
  textsOf(event: number): readonly string[];
  /** Returns the revocations of a range of events, in order; undefined for too many. Absent: there are none. */
  revocationsOf?(first: number, last: number): readonly Revocation<string>[] | undefined;
}

/** Notifications of one kind, written once for all of its readers. */
export class Channel {
  readonly name: string;
  readonly readers = new Set<Reader>();
  readonly #id: number;
  readonly #source: ChannelSource;
  readonly #cache: BoundedMap<string, Texts>;

  /** @param cache recent texts of all channels, by event and `id` */
  constructor(name: string, id: number, source: ChannelSource, cache: BoundedMap<string, Texts>) {
    this.name = name;
    this.#id = id;
    this.#source = source;
    this.#cache = cache;
  }

  /** Returns the notifications of an event, in order. @throws MissedEventsError as its source */
  textsOf(event: number): Texts {
    // Each read of each reader makes a key: a short string is cheap.
    const key = `${event} ${this.#id}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const made = this.#source.textsOf(event).map((text) => Buffer.from(text));
    this.#cache.set(key, made);
    return made;
  }

  /**
   * Returns the revocations of the events from a number on that a reader reported, in order; undefined for too many.
   */
  revocationsFrom(number: number, bytesMax: number): readonly Revocation<Uint8Array>[] | undefined {
    if (this.#source.revocationsOf === undefined) return [];
    const ranges = [...this.readers].map((reader) => reader.reportedFrom(number));
    const reported = ranges.filter(({ first, end }) => first < end);
    if (reported.length === 0) return [];
    if (bytesMax <= 0) return undefined;
    const first = Math.min(...reported.map((range) => range.first));
    const end = Math.max(...reported.map((range) => range.end));
    const revocations = this.#source.revocationsOf(first, end - 1);
    return revocations?.map(({ event, text }) => ({ event, text: Buffer.from(text) }));
  }
}
