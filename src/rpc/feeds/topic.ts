import type { BoundedMap } from '../../bounded-map.ts';

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
   * @throws MissedError for an event that is not kept any more, or whose notifications are too long
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

  /** Returns the notifications of an event, in order. @throws MissedError as its source does */
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
