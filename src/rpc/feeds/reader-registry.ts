import { invariant } from '../../protocol/index.ts';
import { isWithinFairShare } from '../../scheduling/index.ts';
import { LimitError } from '../errors.ts';
import type { Reader } from './feed.ts';

/** The bounds of a registry, and the words of its messages. */
export interface RegistryOptions {
  readonly unit: 'filters' | 'subscriptions';
  readonly readersMax: number;
  /** What a client at that bound can do. */
  readonly advice: string;
  /** The kinds of criteria. */
  readonly criteria: string;
  readonly criteriaMax: number;
}

/** A reader that is registered for a client. */
export interface Registered {
  readonly client: string;
  readonly reader: Reader;
  /** Number of addresses, topics and hashes that it names. */
  readonly criteria: number;
}

/**
 * The readers of feeds by their ids: the filters of a node, or its subscriptions. No client may have more of them than
 * are left for all others.
 */
export class ReaderRegistry<Id, Entry extends Registered> {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<Id, Entry>();
  /** Numbers of readers and criteria of those clients that have any. */
  readonly #held = new Map<string, { readers: number; criteria: number }>();
  #criteria = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: Id): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Returns the readers in the order in which they were added, or moved to the end. */
  entries(): IterableIterator<[Id, Entry]> {
    return this.#entries.entries();
  }

  moveToEnd(id: Id, entry: Entry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  /** @throws LimitError where a client may not have one more that names so many criteria */
  checkCapacity(client: string, criteria: number): void {
    const { unit, advice, readersMax, criteriaMax, criteria: named } = this.#options;
    const held = this.#held.get(client) ?? { readers: 0, criteria: 0 };
    if (!isWithinFairShare(held.readers, 1, this.size, readersMax)) {
      throw new LimitError(
        `this client has ${held.readers} ${unit}, its share of the limit of ${readersMax}: ${advice}`,
      );
    }
    if (criteria > 0 && !isWithinFairShare(held.criteria, criteria, this.#criteria, criteriaMax)) {
      throw new LimitError(
        `the ${unit} of this client name ${held.criteria} ${named}, and may not name ${criteria} more: ` +
          `its share of the limit of ${criteriaMax}`,
      );
    }
  }

  add(id: Id, entry: Entry): void {
    const { client, criteria } = entry;
    const held = this.#held.get(client) ?? { readers: 0, criteria: 0 };
    this.#entries.set(id, entry);
    held.readers += 1;
    held.criteria += criteria;
    this.#held.set(client, held);
    this.#criteria += criteria;
  }

  /** Closes a reader; false where there is none with this id. */
  remove(id: Id): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { client, criteria, reader } = entry;
    this.#entries.delete(id);
    this.#criteria -= criteria;
    const held = this.#held.get(client);
    invariant(held !== undefined, 'a client that has a reader is counted');
    held.readers -= 1;
    held.criteria -= criteria;
    if (held.readers === 0) this.#held.delete(client);
    reader.close();
    return true;
  }
}
