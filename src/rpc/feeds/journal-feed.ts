import { Feed, MissedEventsError } from './feed.ts';

export interface JournalOptions<Event> {
  /** Plural noun of the events, for error messages. */
  readonly unit: string;
  /** Number of events that are retained at least, and at most twice as many. */
  readonly retainedMin: number;
  /** Appends new events. Returns a function that stops this. */
  follow(this: void, append: (events: readonly Event[]) => void): () => void;
}

/** A feed that retains its newest events. */
export class JournalFeed<Event> extends Feed {
  readonly #options: JournalOptions<Event>;
  #events: Event[] = [];
  #begin = 0;

  constructor(options: JournalOptions<Event>) {
    super();
    this.#options = options;
  }

  end(): number {
    return this.#begin + this.#events.length;
  }

  /** Returns the events from a number on. @throws MissedEventsError if some of them were dropped */
  from(number: number, count = Number.POSITIVE_INFINITY): readonly Event[] {
    const { retainedMin, unit } = this.#options;
    const start = number - this.#begin;
    if (start < 0) throw new MissedEventsError(`more than ${retainedMin} ${unit} were not read`);
    return this.#events.slice(start, start + count);
  }

  protected follow(): () => void {
    const stop = this.#options.follow((events) => this.#append(events));
    return () => {
      stop();
      this.#truncate(0);
    };
  }

  #append(events: readonly Event[]): void {
    for (const event of events) this.#events.push(event);
    // Not at every event, since this copies the retained ones.
    if (this.#events.length > 2 * this.#options.retainedMin) this.#truncate(this.#options.retainedMin);
    this.notifyListeners();
  }

  #truncate(count: number): void {
    const dropped = this.#events.length - count;
    this.#events = this.#events.slice(dropped);
    this.#begin += dropped;
  }
}
