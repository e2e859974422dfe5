import { type Address, bytesToHex, type OperationHash } from '../../protocol/index.ts';
import type {
  AddressOperation,
  AddressOperationQuery,
  OperationPosition,
  StoredTransaction,
} from '../operations.ts';
import type { ChainReader, LogPosition, LogPositionQuery, StateEntry } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { decodeCount } from '../tables/keys.ts';
import type { OverwrittenEntry } from '../undo/undo-record.ts';
import type { UndoRecords } from '../undo/undo-records.ts';
import { mergedEntries } from './merged-entries.ts';

/** Overwritten entries that are searched for a prefix in a historical state. */
export const PAST_PREFIX_ENTRIES_MAX = 16_384;

/**
 * The chain before a block: the present store, overlaid by the undo records of that block and later ones. It caches
 * nothing, so that added blocks do not invalidate it.
 */
export class HistoricalReader implements ChainReader {
  readonly #present: ChainReader;
  readonly #undo: UndoRecords;
  readonly #block: number;

  /** @param block the first block that it excludes */
  constructor(present: ChainReader, undo: UndoRecords, block: number) {
    this.#present = present;
    this.#undo = undo;
    this.#block = block;
  }

  get history(): boolean {
    return this.#present.history;
  }

  head(): number {
    return this.#block - 1;
  }

  genesis(): Uint8Array | undefined {
    return this.#present.genesis();
  }

  state(key: Uint8Array): Uint8Array | undefined {
    const found = this.#undo.find(this.#block, 'state', key);
    return found === undefined ? this.#present.state(key) : found.before;
  }

  stateEntries(prefix: Uint8Array = new Uint8Array()): Iterable<StateEntry> {
    const overwritten = firstByKey(this.#undo.withPrefix(this.#block, 'state', prefix));
    return mergedEntries(
      this.#present.stateEntries(prefix),
      overwritten.map(({ key, before }) => ({ key, value: before })),
    );
  }

  hasState(prefix: Uint8Array): boolean | undefined {
    const created = new Set<string>();
    let examined = 0;
    for (const { key, before } of this.#undo.withPrefix(this.#block, 'state', prefix)) {
      const name = bytesToHex(key);
      if (before !== undefined && !created.has(name)) return true;
      created.add(name);
      examined += 1;
      if (examined === PAST_PREFIX_ENTRIES_MAX) return undefined;
    }
    for (const { key } of this.#present.stateEntries(prefix)) if (!created.has(bytesToHex(key))) return true;
    return false;
  }

  mayHaveState(): boolean {
    return true;
  }

  block(number: number): Uint8Array | undefined {
    return number < this.#block ? this.#present.block(number) : undefined;
  }

  transaction(number: number, operationIndex: number): StoredTransaction | undefined {
    return number < this.#block ? this.#present.transaction(number, operationIndex) : undefined;
  }

  transactionsOf(number: number): Iterable<StoredTransaction> {
    return number < this.#block ? this.#present.transactionsOf(number) : [];
  }

  receipt(number: number, operationIndex: number): Uint8Array | undefined {
    return number < this.#block ? this.#present.receipt(number, operationIndex) : undefined;
  }

  receiptsOf(number: number): Iterable<Uint8Array> {
    return number < this.#block ? this.#present.receiptsOf(number) : [];
  }

  operationHash(number: number, operationIndex: number): OperationHash | undefined {
    return number < this.#block ? this.#present.operationHash(number, operationIndex) : undefined;
  }

  operationPositions(hash: OperationHash): readonly OperationPosition[] {
    return this.#present.operationPositions(hash).filter(({ block }) => block < this.#block);
  }

  logPositions(query: LogPositionQuery): Iterable<LogPosition> {
    return this.#present.logPositions({ ...query, toBlock: Math.min(query.toBlock, this.#block - 1) });
  }

  patchesAfter(block: number): Iterable<Uint8Array> {
    return block < this.#block ? this.#present.patchesAfter(block) : [];
  }

  patchAt(block: number, sequence: number): Uint8Array | undefined {
    return block < this.#block ? this.#present.patchAt(block, sequence) : undefined;
  }

  patchCount(block: number): number {
    return block < this.#block ? this.#present.patchCount(block) : 0;
  }

  operationCount(address: Address): number {
    const present = this.#present.operationCount(address);
    const found = this.#undo.find(this.#block, 'operationCounts', address);
    return found === undefined ? present : decodeCount(found.before);
  }

  addressOperations(query: AddressOperationQuery): readonly AddressOperation[] {
    const { order, from } = query;
    const end = { block: this.#block, index: 0 };
    const isBeyond = from === undefined || from.block >= this.#block;
    const clamped = order === 'newestFirst' && isBeyond ? { ...query, from: end } : query;
    return this.#present.addressOperations(clamped).filter(({ block }) => block < this.#block);
  }

  operationOfSender(address: Address, count: number): OperationPosition | undefined {
    const found = this.#present.operationOfSender(address, count);
    return found !== undefined && found.block < this.#block ? found : undefined;
  }

  overwrittenKeys(first: number, last: number): Iterable<Uint8Array> {
    return this.#present.overwrittenKeys(first, last);
  }

  reorgCount(): number {
    return this.#present.reorgCount();
  }

  undoStart(): number | undefined {
    return this.#present.undoStart();
  }

  before(block: number): ChainReader {
    if (block <= this.#block) return this.#present.before(block);
    throw new StoreError('STORE_NOT_KEPT', `there is no block ${block - 1}`);
  }
}

/** Returns the first entry of each key. */
function firstByKey(entries: Iterable<OverwrittenEntry>): OverwrittenEntry[] {
  const found = new Map<string, OverwrittenEntry>();
  for (const entry of entries) {
    const name = bytesToHex(entry.key);
    if (!found.has(name)) found.set(name, entry);
  }
  return [...found.values()];
}
