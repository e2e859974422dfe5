import { Feed, MissedEventsError } from './feed.ts';

/** The source of the events of a journal, and its bound. */
export interface JournalOptions<Event> {
  /** Plural noun of the events, for messages. */
  readonly unit: string;
  /** Number of events that are kept at least; twice as many at most. */
  readonly keptMax: number;
  /** Appends the events that come from now on. Returns the function that stops it. */
  follow(this: void, append: (events: readonly Event[]) => void): () => void;
}

/** A feed whose newest events are kept. */
export class JournalFeed<Event> extends Feed {
  readonly #options: JournalOptions<Event>;
  #events: Event[] = [];
  /** Number of the first event that is kept. */
  #begin = 0;

  constructor(options: JournalOptions<Event>) {
    super();
    this.#options = options;
  }

  end(): number {
    return this.#begin + this.#events.length;
  }

  /** Returns the events from a number on. @throws MissedEventsError where some of them are not kept any more */
  from(number: number, count = Number.POSITIVE_INFINITY): readonly Event[] {
    const { keptMax, unit } = this.#options;
    const start = number - this.#begin;
    if (start < 0) throw new MissedEventsError(`more than ${keptMax} ${unit} were not taken`);
    return this.#events.slice(start, start + count);
  }

  protected follow(): () => void {
    const stop = this.#options.follow((events) => this.#append(events));
    return () => {
      stop();
      this.#keep(0);
    };
  }

  #append(events: readonly Event[]): void {
    for (const event of events) this.#events.push(event);
    // Not at every event, since removal moves all the others.
    if (this.#events.length > 2 * this.#options.keptMax) this.#keep(this.#options.keptMax);
    this.wake();
  }

  #keep(count: number): void {
    const gone = this.#events.length - count;
    this.#events = this.#events.slice(gone);
    this.#begin += gone;
  }
}
