import type { Address, OperationHash } from '../../protocol/index.ts';
import type {
  AddressOperation,
  AddressOperationQuery,
  OperationPosition,
  StoredTransaction,
} from '../operations.ts';
import { mergedEntries } from '../reading/merged-entries.ts';
import type {
  BlockCommit,
  ChainReader,
  LogPosition,
  LogPositionQuery,
  StateChange,
  StateEntry,
} from '../store.ts';
import { transactionIn, UnwrittenBlocks } from './unwritten-blocks.ts';

/**
 * A chain with one more block that is not stored. It finds the block by its number, and its operations by their hashes;
 * the searches by address, sender and log know the stored blocks alone.
 */
export class NextReader implements ChainReader {
  readonly #stored: ChainReader;
  readonly #next: BlockCommit;
  readonly #indexed = new UnwrittenBlocks();

  /** @param stored the chain before the block */
  constructor(stored: ChainReader, next: BlockCommit) {
    this.#stored = stored;
    this.#next = next;
    this.#indexed.add(next);
  }

  get history(): boolean {
    return this.#stored.history;
  }

  head(): number {
    return this.#next.number;
  }

  genesis(): Uint8Array | undefined {
    return this.#stored.genesis();
  }

  state(key: Uint8Array): Uint8Array | undefined {
    const change = this.#indexed.state(key);
    return change === undefined ? this.#stored.state(key) : change.after?.slice();
  }

  stateEntries(prefix: Uint8Array = new Uint8Array()): Iterable<StateEntry> {
    const changed = this.#changed(prefix).map(({ key, after }) => ({ key, value: after }));
    return mergedEntries(this.#stored.stateEntries(prefix), changed);
  }

  hasState(prefix: Uint8Array): boolean | undefined {
    const changed = this.#changed(prefix);
    if (changed.length === 0) return this.#stored.hasState(prefix);
    if (changed.some(({ after }) => after !== undefined)) return true;
    for (const _ of this.stateEntries(prefix)) return true;
    return false;
  }

  mayHaveState(prefix: Uint8Array): boolean {
    return this.#indexed.mayHaveState(prefix) || this.#stored.mayHaveState(prefix);
  }

  #changed(prefix: Uint8Array): StateChange[] {
    return this.#next.state.filter(({ key }) => prefix.every((byte, index) => key[index] === byte));
  }

  block(number: number): Uint8Array | undefined {
    return number === this.#next.number ? this.#next.block.slice() : this.#stored.block(number);
  }

  transaction(number: number, operationIndex: number): StoredTransaction | undefined {
    if (number !== this.#next.number) return this.#stored.transaction(number, operationIndex);
    return transactionIn(this.#next, operationIndex);
  }

  transactionsOf(number: number): Iterable<StoredTransaction> {
    return number === this.#next.number ? this.#next.transactions : this.#stored.transactionsOf(number);
  }

  receipt(number: number, operationIndex: number): Uint8Array | undefined {
    if (number !== this.#next.number) return this.#stored.receipt(number, operationIndex);
    return this.#next.receipts[operationIndex]?.slice();
  }

  receiptsOf(number: number): Iterable<Uint8Array> {
    return number === this.#next.number ? this.#next.receipts : this.#stored.receiptsOf(number);
  }

  operationPositions(hash: OperationHash): readonly OperationPosition[] {
    return [...this.#stored.operationPositions(hash), ...this.#indexed.positions(hash)];
  }

  operationHash(number: number, operationIndex: number): OperationHash | undefined {
    if (number !== this.#next.number) return this.#stored.operationHash(number, operationIndex);
    return this.#next.operationHashes[operationIndex];
  }

  logPositions(query: LogPositionQuery): Iterable<LogPosition> {
    return this.#stored.logPositions(query);
  }

  operationCount(address: Address): number {
    return this.#stored.operationCount(address) + this.#indexed.operationCount(address);
  }

  addressOperations(query: AddressOperationQuery): readonly AddressOperation[] {
    return this.#stored.addressOperations(query);
  }

  operationOfSender(address: Address, count: number): OperationPosition | undefined {
    return this.#stored.operationOfSender(address, count);
  }

  patchesAfter(block: number): Iterable<Uint8Array> {
    return this.#stored.patchesAfter(block);
  }

  patchAt(block: number, sequence: number): Uint8Array | undefined {
    return this.#stored.patchAt(block, sequence);
  }

  patchCount(block: number): number {
    return this.#stored.patchCount(block);
  }

  *overwrittenKeys(first: number, last: number): Generator<Uint8Array> {
    const { number, state } = this.#next;
    if (first < number) yield* this.#stored.overwrittenKeys(first, Math.min(last, number - 1));
    if (last >= number) for (const { key } of state) yield key;
  }

  reorgCount(): number {
    return this.#stored.reorgCount();
  }

  undoStart(): number {
    return this.#stored.undoStart() ?? this.#next.number;
  }

  before(block: number): ChainReader {
    if (block === this.#next.number + 1) return this;
    return block === this.#next.number ? this.#stored : this.#stored.before(block);
  }
}
