import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import { LedgerdError } from '../../protocol/index.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { LogPosition, LogPositionQuery } from '../store.ts';
import { comparePositions, conditionsOf, decodePosition, encodePosition } from './log-postings.ts';

/** Addresses in a query for event logs, and topics for one position of it. */
export const LOG_ALTERNATIVES_MAX = 1_000;
/** Fewest and most entries of the log index that are read in one step. */
const LOG_CHUNK_MIN = 2;
const LOG_CHUNK_MAX = 512;
/** Steps of one search for event logs: one for each index entry that is read, and some for each seek. */
const LOG_SEARCH_STEPS_MAX = 1_000_000;

/** Cost in steps of a seek in a list: as many steps as entries that can be read sequentially in the same time. */
const SEEK_STEPS = 10;

/** A search for logs that took too many steps. */
export class LogSearchLimitError extends LedgerdError {
  readonly code = 'LOG_SEARCH_LIMIT';
  /** The block that the search reached: all matches in earlier blocks were found. */
  readonly block: number;

  constructor(steps: number, block: number) {
    super(`the search took more than ${steps} steps up to block ${block}`);
    this.block = block;
  }
}

/** Finds the logs of a query, in chain order, all as of the first step. @throws LogSearchLimitError */
export function* readLogPositions(tables: TableReading, query: LogPositionQuery): Generator<LogPosition> {
  const first = { block: Math.max(query.fromBlock, 0), operation: 0, offset: 0 };
  const lastBlock = Math.min(query.toBlock, BLOCK_NUMBER_MAX);
  if (!(first.block <= lastBlock)) return;
  const last = { block: lastBlock, operation: OPERATION_INDEX_MAX, offset: OPERATION_INDEX_MAX };
  const end = encodePosition(last);
  const stepsMax = query.stepsMax ?? LOG_SEARCH_STEPS_MAX;
  let steps = 0;
  const snapshot = tables.snapshot();
  try {
    const iteratorOf = (list: Uint8Array): PositionIterator =>
      new ListIterator((start, limit) => {
        const values = tables.values('logs', list, { start: encodePosition(start), end, limit }, snapshot);
        steps += SEEK_STEPS + values.length;
        if (steps > stepsMax) throw new LogSearchLimitError(stepsMax, start.block);
        return values.map(decodePosition);
      });
    const conditions = conditionsOf(query, LOG_ALTERNATIVES_MAX);
    yield* intersection(
      conditions.map((lists) => unionOf(lists.map(iteratorOf))),
      first,
    );
  } finally {
    snapshot.end();
  }
}

function unionOf(iterators: readonly PositionIterator[]): PositionIterator {
  const [only] = iterators;
  return iterators.length === 1 && only !== undefined ? only : new UnionIterator(iterators);
}

/** A forward iterator over positions in chain order. */
interface PositionIterator {
  /** Returns the first position that is not before `target`. Targets must not decrease. */
  seek(target: LogPosition): LogPosition | undefined;
}

/** Reads up to `count` entries of a list from a position on. */
type ReadChunk = (start: LogPosition, count: number) => readonly LogPosition[];

/**
 * An iterator over one list. It reads chunks, which grow during sequential reads and shrink after a seek, so that
 * skipped entries are not read.
 */
class ListIterator implements PositionIterator {
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
      const isSequential = last !== undefined && this.#index >= this.#chunk.length - 1;
      this.#load(target, isSequential ? Math.min(2 * this.#size, LOG_CHUNK_MAX) : LOG_CHUNK_MIN);
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

/** The union of several iterators: a heap with the earliest position on top. */
class UnionIterator implements PositionIterator {
  readonly #iterators: readonly PositionIterator[];
  #heap: { readonly iterator: PositionIterator; at: LogPosition }[] | undefined;

  constructor(iterators: readonly PositionIterator[]) {
    this.#iterators = iterators;
  }

  seek(target: LogPosition): LogPosition | undefined {
    this.#heap ??= this.#start(target);
    const heap = this.#heap;
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (comparePositions(top.at, target) >= 0) return top.at;
      const next = top.iterator.seek(target);
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

  #start(target: LogPosition): { iterator: PositionIterator; at: LogPosition }[] {
    const started: { iterator: PositionIterator; at: LogPosition }[] = [];
    for (const iterator of this.#iterators) {
      const at = iterator.seek(target);
      if (at !== undefined) started.push({ iterator, at });
    }
    // A sorted array is a heap.
    return started.sort((left, right) => comparePositions(left.at, right.at));
  }
}

/** Moves the top of a heap down to its position. */
function sink(heap: { at: LogPosition }[]): void {
  let index = 0;
  while (true) {
    const parent = heap[index];
    let least = 2 * index + 1;
    const left = heap[least];
    const right = heap[least + 1];
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
 * Finds the positions that all iterators have, from a first one on. Each iterator seeks the position of the previous
 * one, so that the cost depends on the iterator with the fewest positions.
 */
function* intersection(iterators: readonly PositionIterator[], first: LogPosition): Generator<LogPosition> {
  let target = first;
  let agreeing = 0;
  for (let index = 0; ; index = (index + 1) % iterators.length) {
    const found = iterators[index]?.seek(target);
    if (found === undefined) return;
    agreeing = comparePositions(found, target) === 0 ? agreeing + 1 : 1;
    target = found;
    if (agreeing === iterators.length) {
      yield found;
      target = { ...found, offset: found.offset + 1 };
      agreeing = 0;
    }
  }
}
