import type { BoundedMap } from '../../bounded-map.ts';
import { LedgerdError } from '../../protocol/index.ts';

/** A reader has missed notifications that are not kept any more. */
export class MissedEventsError extends LedgerdError {
  override readonly code = 'MISSED';
}

/**
 * A journal of numbered events. Its readers are positions in it: filters, which are polled, and subscriptions, to which
 * new events are pushed. It follows the source of its events while it has readers.
 */
export abstract class Feed {
  protected readonly readers = new Set<Reader>();
  /** Topics that have readers, by name. */
  protected readonly topics = new Map<string, Topic>();
  #stop: (() => void) | undefined;

  /** Returns the number of the next event. */
  abstract end(): number;

  /** Follows the source of the events. Returns the function that stops it. */
  protected abstract follow(): () => void;

  /** Opens a reader behind the present events, to be polled. */
  open(): Reader {
    this.#stop ??= this.follow();
    const reader = new Reader(this);
    this.readers.add(reader);
    return reader;
  }

  /** Opens a reader behind the present events that is called back at new ones. Readers share topics by name. */
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

  protected wake(): void {
    for (const { listeners } of this.topics.values()) for (const listener of listeners) listener();
  }
}

/** A position in a feed. It keeps no events for a client that reads slowly. */
export class Reader {
  /** Number of the next event. */
  position: number;
  /** Undefined for a reader that is polled. */
  subscribed: { readonly topic: Topic; onEvent(this: void): void } | undefined;
  readonly #feed: Feed;
  /** Notifications of the next event that were read. */
  #read = 0;
  /** Notifications of revoked events, to be read before all others; the next one is the last. */
  #revocations: Uint8Array[] = [];
  #hasMissed = false;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.position = feed.end();
  }

  /**
   * Returns the next notification; undefined while there is none. Each comes once, and in order.
   *
   * @throws MissedEventsError where notifications are lost, LimitError where one is too long
   */
  next(): Uint8Array | undefined {
    if (this.#hasMissed)
      throw new MissedEventsError('too much has vanished with the blocks that were taken back');
    const revocation = this.#revocations.pop();
    if (revocation !== undefined) return revocation;
    for (const end = this.#feed.end(); this.position < end; this.position += 1) {
      const text = this.subscribed?.topic.textsOf(this.position)[this.#read];
      if (text !== undefined) {
        this.#read += 1;
        return text;
      }
      this.#read = 0;
    }
    return undefined;
  }

  /**
   * Moves back to an event, if it is behind it, since this and all later ones were revoked.
   *
   * @param revocations in order, of which those of read notifications are read next; undefined where they are too many
   */
  rewind(position: number, revocations: readonly Revocation<Uint8Array>[] | undefined): void {
    if (this.position <= position) return;
    if (revocations === undefined) this.#hasMissed = true;
    const before = revocations?.filter(({ event }) => event < this.position) ?? [];
    const current = revocations?.filter(({ event }) => event === this.position) ?? [];
    const revoked = [...before, ...current.slice(0, this.#read)].reverse();
    this.#revocations = [...revoked.map(({ text }) => text), ...this.#revocations];
    this.position = position;
    this.#read = 0;
  }

  close(): void {
    this.#feed.close(this);
  }
}

/** JSON texts of notifications, encoded once and sent to every subscriber. */
export type Texts = readonly Uint8Array[];

/** A notification that revokes an event, in one form or the other. */
export interface Revocation<Text> {
  readonly event: number;
  readonly text: Text;
}

/** The notifications of the events of a feed, as JSON texts in the shapes of a profile. */
export interface TopicSource {
  /**
   * Returns the notifications of an event, in order.
   *
   * @throws MissedEventsError for an event that is not kept any more, or whose notifications are too long
   */
  textsOf(event: number): readonly string[];
  /** Returns those that revoke a range of events, in order; undefined where they are too many. Absent: none do. */
  revocationsOf?(first: number, last: number): readonly Revocation<string>[] | undefined;
}

/** A kind of notifications with its readers, for all of whom each text is made once. */
export class Topic {
  readonly name: string;
  /** Callbacks of the readers at new events. */
  readonly listeners = new Set<() => void>();
  readonly #id: number;
  readonly #source: TopicSource;
  readonly #cache: BoundedMap<string, Texts>;

  /** @param cache recent texts of all topics, each of which has another `id` */
  constructor(name: string, id: number, source: TopicSource, cache: BoundedMap<string, Texts>) {
    this.name = name;
    this.#id = id;
    this.#source = source;
    this.#cache = cache;
  }

  /** Returns the notifications of an event, in order. @throws MissedEventsError as its source does */
  textsOf(event: number): Texts {
    // Made for each read of each reader: short, so that it costs little.
    const key = `${event} ${this.#id}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const made = this.#source.textsOf(event).map((text) => Buffer.from(text));
    this.#cache.set(key, made);
    return made;
  }

  /** Returns the notifications that revoke a range of events, in order; undefined where they are too many. */
  revocationsOf(first: number, last: number): readonly Revocation<Uint8Array>[] | undefined {
    if (this.#source.revocationsOf === undefined) return [];
    const revocations = this.#source.revocationsOf(first, last);
    return revocations?.map(({ event, text }) => ({ event, text: Buffer.from(text) }));
  }
}
