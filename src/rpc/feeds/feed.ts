import type { BoundedMap } from '../../bounded-map.ts';
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
  protected readonly topics = new Map<string, Topic>();
  #stop: (() => void) | undefined;

  /** Returns the number of the next event. */
  abstract end(): number;

  /** Follows the source of the events. Returns a function that stops this. */
  protected abstract follow(): () => void;

  /** Opens a polled reader at the end of the feed. */
  open(): Reader {
    this.#stop ??= this.follow();
    const reader = new Reader(this);
    this.readers.add(reader);
    return reader;
  }

  /** Opens a reader at the end of the feed that is called back at new events. Readers share topics by name. */
  subscribe(name: string, makeTopic: () => Topic, onEvent: () => void): Reader {
    const topic = this.topics.get(name) ?? makeTopic();
    this.topics.set(name, topic);
    topic.listeners.add(onEvent);
    const reader = this.open();
    reader.subscribed = { topic, onEvent };
    return reader;
  }

  close(reader: Reader): void {
    this.readers.delete(reader);
    if (reader.subscribed !== undefined) {
      const { topic, onEvent } = reader.subscribed;
      topic.listeners.delete(onEvent);
      if (topic.listeners.size === 0) this.topics.delete(topic.name);
    }
    if (this.readers.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  protected notifyListeners(): void {
    for (const { listeners } of this.topics.values()) for (const listener of listeners) listener();
  }
}

/** A position in a feed, which stores no events for a slow client. */
export class Reader {
  position: number;
  /** Undefined for a polled reader. */
  subscribed: { readonly topic: Topic; onEvent(this: void): void } | undefined;
  readonly #feed: Feed;
  /** Number of notifications of the next event that were read. */
  #readCount = 0;
  /** Notifications of revoked events, last first, to be read before all others. */
  #revocations: Uint8Array[] = [];
  #hasMissed = false;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.position = feed.end();
  }

  /**
   * Returns the next notification, each once and in order; undefined at the end of the feed.
   *
   * @throws MissedEventsError after lost notifications, LimitError for too long a notification
   */
  next(): Uint8Array | undefined {
    if (this.#hasMissed) throw new MissedEventsError('the reverted blocks had too many logs');
    const revocation = this.#revocations.pop();
    if (revocation !== undefined) return revocation;
    for (const end = this.#feed.end(); this.position < end; this.position += 1) {
      const text = this.subscribed?.topic.textsOf(this.position)[this.#readCount];
      if (text !== undefined) {
        this.#readCount += 1;
        return text;
      }
      this.#readCount = 0;
    }
    return undefined;
  }

  /**
   * Moves a reader beyond an event back to it, since this event and all later ones were revoked.
   *
   * @param revocations of these events, in order: those of read notifications are read next; undefined for too many
   */
  rewind(position: number, revocations: readonly Revocation<Uint8Array>[] | undefined): void {
    if (this.position <= position) return;
    if (revocations === undefined) this.#hasMissed = true;
    const before = revocations?.filter(({ event }) => event < this.position) ?? [];
    const current = revocations?.filter(({ event }) => event === this.position) ?? [];
    const revoked = [...before, ...current.slice(0, this.#readCount)].reverse();
    this.#revocations = [...revoked.map(({ text }) => text), ...this.#revocations];
    this.position = position;
    this.#readCount = 0;
  }

  close(): void {
    this.#feed.close(this);
  }
}

/** JSON texts of notifications, encoded once and sent to every subscriber. */
export type Texts = readonly Uint8Array[];

export interface Revocation<Text> {
  readonly event: number;
  readonly text: Text;
}

/** The notifications of the events of a feed, as JSON texts in the shapes of a profile. */
export interface TopicSource {
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
export class Topic {
  readonly name: string;
  readonly listeners = new Set<() => void>();
  readonly #id: number;
  readonly #source: TopicSource;
  readonly #cache: BoundedMap<string, Texts>;

  /** @param cache recent texts of all topics, by event and `id` */
  constructor(name: string, id: number, source: TopicSource, cache: BoundedMap<string, Texts>) {
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

  /** Returns the revocations of a range of events, in order; undefined for too many. */
  revocationsOf(first: number, last: number): readonly Revocation<Uint8Array>[] | undefined {
    if (this.#source.revocationsOf === undefined) return [];
    const revocations = this.#source.revocationsOf(first, last);
    return revocations?.map(({ event, text }) => ({ event, text: Buffer.from(text) }));
  }
}
