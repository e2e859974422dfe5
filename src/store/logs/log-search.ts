import { LOG_CHUNK_MAX, LOG_CHUNK_MIN } from '../../limits.ts';
import { LedgerdError } from '../../protocol/index.ts';
import type { LogPosition } from '../store.ts';
import { comparePositions } from './log-postings.ts';

/** A forward walk through positions in chain order. */
export interface Walk {
  /** Returns the first position that is not before `target`. Targets must not decrease. */
  seek(target: LogPosition): LogPosition | undefined;
}

/** A search for logs that took too many steps. */
export class LogSearchLimitError extends LedgerdError {
  readonly code = 'LOG_SEARCH_LIMIT';
  /** The block that it reached: all matches in blocks before it were found. */
  readonly block: number;

  constructor(steps: number, block: number) {
    super(`the search took more than ${steps} steps up to block ${block}`);
    this.block = block;
  }
}

/** Steps of a leap to another position of a list, as many as reads of the next entry in the same time. */
const LEAP_STEPS = 10;

/** A bound of the entries that a search reads. */
export class StepCounter {
  readonly #most: number;
  #steps = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts entries that were read from a position on. @throws LogSearchLimitError */
  count(entries: number, { block }: LogPosition): void {
    this.#steps += LEAP_STEPS + entries;
    if (this.#steps > this.#most) throw new LogSearchLimitError(this.#most, block);
  }
}

/** Reads up to `count` entries of a list from a position on. */
export type ReadChunk = (start: LogPosition, count: number) => readonly LogPosition[];

/**
 * A walk through one list in chunks, which grow while the walk is steady and are small again after a leap: skipped
 * entries are never read.
 */
export class ListWalk implements Walk {
  readonly #read: ReadChunk;
  #chunk: readonly LogPosition[] = [];
  #index = 0;
  #size = LOG_CHUNK_MIN;
  #ended = false;

  constructor(read: ReadChunk) {
    this.#read = read;
  }

  seek(target: LogPosition): LogPosition | undefined {
    const last = this.#chunk.at(-1);
    if (last === undefined || comparePositions(last, target) < 0) {
      if (this.#ended) return undefined;
      const steady = last !== undefined && this.#index >= this.#chunk.length - 1;
      this.#load(target, steady ? Math.min(2 * this.#size, LOG_CHUNK_MAX) : LOG_CHUNK_MIN);
    }
    let found = this.#chunk[this.#index];
    while (found !== undefined && comparePositions(found, target) < 0) {
      this.#index += 1;
      found = this.#chunk[this.#index];
    }
    return found;
  }

  #load(target: LogPosition, size: number): void {
    this.#chunk = this.#read(target, size);
    this.#index = 0;
    this.#size = size;
    this.#ended = this.#chunk.length < size;
  }
}

/** A walk through several lists as one: a heap with the earliest position on top. */
export class UnionWalk implements Walk {
  readonly #walks: readonly Walk[];
  #heap: { readonly walk: Walk; at: LogPosition }[] | undefined;

  constructor(walks: readonly Walk[]) {
    this.#walks = walks;
  }

  seek(target: LogPosition): LogPosition | undefined {
    this.#heap ??= this.#start(target);
    const heap = this.#heap;
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (comparePositions(top.at, target) >= 0) return top.at;
      const next = top.walk.seek(target);
      if (next !== undefined) {
        top.at = next;
      } else {
        const last = heap.pop();
        if (last !== undefined && last !== top) heap[0] = last;
      }
      sink(heap);
    }
    return undefined;
  }

  #start(target: LogPosition): { walk: Walk; at: LogPosition }[] {
    const started: { walk: Walk; at: LogPosition }[] = [];
    for (const walk of this.#walks) {
      const at = walk.seek(target);
      if (at !== undefined) started.push({ walk, at });
    }
    // An array in order is a heap.
    return started.sort((left, right) => comparePositions(left.at, right.at));
  }
}

/** Moves the top of a heap down to its position. */
function sink(heap: { at: LogPosition }[]): void {
  let index = 0;
  while (true) {
    const parent = heap[index];
    let least = 2 * index + 1;
    const [left, right] = [heap[least], heap[least + 1]];
    if (parent === undefined || left === undefined) return;
    if (right !== undefined && comparePositions(right.at, left.at) < 0) least += 1;
    const child = heap[least];
    if (child === undefined || comparePositions(parent.at, child.at) <= 0) return;
    heap[index] = child;
    heap[least] = parent;
    index = least;
  }
}

/**
 * Finds the positions that all walks have, from a first one on. Each walk leaps to the position of the one before it,
 * so that the work follows the walk with the fewest positions.
 */
export function* inAll(walks: readonly Walk[], first: LogPosition): Generator<LogPosition> {
  let target = first;
  let agreeing = 0;
  for (let turn = 0; ; turn = (turn + 1) % walks.length) {
    const found = walks[turn]?.seek(target);
    if (found === undefined) return;
    agreeing = comparePositions(found, target) === 0 ? agreeing + 1 : 1;
    target = found;
    if (agreeing === walks.length) {
      yield found;
      target = { ...found, offset: found.offset + 1 };
      agreeing = 0;
    }
  }
}
