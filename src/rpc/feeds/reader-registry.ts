import { invariant } from '../../protocol/index.ts';
import { isWithinFairShare } from '../../scheduling/index.ts';
import { LimitError } from '../rpc-errors.ts';
import type { Reader } from './feed.ts';

export interface RegistryOptions {
  readonly unit: 'filters' | 'subscriptions';
  readonly readersMax: number;
  readonly advice: string;
  /** Kinds of criteria, in plural. */
  readonly criteria: string;
  readonly criteriaMax: number;
}

export interface Registered {
  readonly client: string;
  readonly reader: Reader;
  /** Number of its addresses, topics and hashes. */
  readonly criteria: number;
}

/** The filters of a node, or its subscriptions, by id. No client may have more of them than it leaves to all others. */
export class ReaderRegistry<Id, Entry extends Registered> {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<Id, Entry>();
  readonly #byClient = new Map<string, { readers: number; criteria: number }>();
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

  /** Returns the readers in order: oldest first, unless moved to the end. */
  entries(): IterableIterator<[Id, Entry]> {
    return this.#entries.entries();
  }

  moveToEnd(id: Id, entry: Entry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  /** Checks the share of a client before it gets a reader with these criteria. @throws LimitError */
  checkCapacity(client: string, criteria: number): void {
    const { unit, advice, readersMax, criteriaMax, criteria: named } = this.#options;
    const used = this.#byClient.get(client) ?? { readers: 0, criteria: 0 };
    if (!isWithinFairShare(used.readers, 1, this.size, readersMax)) {
      throw new LimitError(
        `this client has ${used.readers} ${unit}, its share of the limit of ${readersMax}: ${advice}`,
      );
    }
    if (criteria > 0 && !isWithinFairShare(used.criteria, criteria, this.#criteria, criteriaMax)) {
      throw new LimitError(
        `the ${unit} of this client name ${used.criteria} ${named}, and may not name ${criteria} more: ` +
          `its share of the limit of ${criteriaMax}`,
      );
    }
  }

  add(id: Id, entry: Entry): void {
    const { client, criteria } = entry;
    const used = this.#byClient.get(client) ?? { readers: 0, criteria: 0 };
    this.#entries.set(id, entry);
    used.readers += 1;
    used.criteria += criteria;
    this.#byClient.set(client, used);
    this.#criteria += criteria;
  }

  /** Closes a reader. Returns false for an unknown id. */
  remove(id: Id): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { client, criteria, reader } = entry;
    this.#entries.delete(id);
    this.#criteria -= criteria;
    const used = this.#byClient.get(client);
    invariant(used !== undefined, 'a client that has a reader is counted');
    used.readers -= 1;
    used.criteria -= criteria;
    if (used.readers === 0) this.#byClient.delete(client);
    reader.close();
    return true;
  }
}
