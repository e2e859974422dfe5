import { type Address, bytesToHex, type OperationHash } from '../../protocol/index.ts';
import type { OperationPosition, StoredTransaction } from '../operations.ts';
import type { BlockCommit, StateChange } from '../store.ts';
import { STORAGE_PREFIX_BYTES } from '../tables/keys.ts';

/** Blocks, and bytes (4 MiB), that a temporary test chain writes in one commit of some 15 ms. */
export const UNWRITTEN_BLOCKS_MAX = 128;
export const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024;

/** Estimated bytes of memory of an entry, in addition to its key and values. */
const ENTRY_BYTES = 64;

/** The newest blocks, which are only in memory, with indexes. */
export class UnwrittenBlocks {
  #commits: BlockCommit[] = [];
  #bytes = 0;
  /** One change for each key of the state. */
  readonly #state = new Map<string, StateChange>();
  /** The first bytes of their keys. */
  readonly #prefixes = new Set<string>();
  readonly #positions = new Map<string, OperationPosition[]>();
  readonly #payers = new Map<string, number>();

  get commits(): readonly BlockCommit[] {
    return this.#commits;
  }

  /** True if no further block may be added. */
  get isFull(): boolean {
    return this.#commits.length >= UNWRITTEN_BLOCKS_MAX || this.#bytes >= UNWRITTEN_BYTES_MAX;
  }

  /** Sequences of the transactions that these blocks removed from the pending ones. */
  get removedPending(): number[] {
    return this.#commits.flatMap(({ removedPending = [] }) => removedPending);
  }

  /** One change for each key of the state, by all blocks together. */
  get changes(): Iterable<StateChange> {
    return this.#state.values();
  }

  /** Adds the next block, whose bytes must not change afterwards. */
  add(commit: BlockCommit): void {
    this.#commits.push(commit);
    this.#bytes += sizeOf(commit);
    for (const { key, before, after } of commit.state) {
      const name = bytesToHex(key);
      const known = this.#state.get(name);
      this.#state.set(name, { key, before: known === undefined ? before : known.before, after });
      if (known === undefined) this.#prefixes.add(name.slice(0, 2 * STORAGE_PREFIX_BYTES));
    }
    for (const [index, hash] of commit.operationHashes.entries())
      this.#addPosition(hash, commit.number, index);
    for (const { hash, operation } of commit.otherHashes ?? []) {
      this.#addPosition(hash, commit.number, operation);
    }
    for (const payer of commit.payers) {
      const name = bytesToHex(payer);
      this.#payers.set(name, (this.#payers.get(name) ?? 0) + 1);
    }
  }

  clear(): void {
    this.#commits = [];
    this.#bytes = 0;
    this.#state.clear();
    this.#prefixes.clear();
    this.#positions.clear();
    this.#payers.clear();
  }

  at(number: number): BlockCommit | undefined {
    const [first] = this.#commits;
    return first === undefined ? undefined : this.#commits[number - first.number];
  }

  /** Returns the change of an entry of the state; undefined for none. */
  state(key: Uint8Array): StateChange | undefined {
    return this.#state.size === 0 ? undefined : this.#state.get(bytesToHex(key));
  }

  /** Returns false only if no changed key of the state begins with the prefix. */
  mayHaveState(prefix: Uint8Array): boolean {
    if (prefix.length !== STORAGE_PREFIX_BYTES) return this.#state.size > 0;
    return this.#prefixes.has(bytesToHex(prefix));
  }

  /** Returns the positions of the operations with a hash, oldest first. */
  positions(hash: OperationHash): readonly OperationPosition[] {
    const found = this.#positions.get(bytesToHex(hash)) ?? [];
    return found.toSorted((one, other) => one.block - other.block || one.index - other.index);
  }

  /** Returns the number of operations that an address has paid for. */
  operationCount(address: Address): number {
    return this.#payers.get(bytesToHex(address)) ?? 0;
  }

  #addPosition(hash: OperationHash, block: number, index: number): void {
    const name = bytesToHex(hash);
    const known = this.#positions.get(name);
    if (known === undefined) this.#positions.set(name, [{ block, index }]);
    else known.push({ block, index });
  }
}

/** Returns the transaction of a block that holds an operation. */
export function transactionIn(
  { transactions, receipts }: BlockCommit,
  operation: number,
): StoredTransaction | undefined {
  if (operation >= receipts.length) return undefined;
  return transactions.findLast(({ firstOperation }) => firstOperation <= operation);
}

function sizeOf({ block, transactions, receipts, state, accumulator, logs }: BlockCommit): number {
  let bytes = block.length + accumulator.length + ENTRY_BYTES * (1 + logs.length);
  for (const transaction of transactions) bytes += ENTRY_BYTES + transaction.bytes.length;
  for (const receipt of receipts) bytes += 2 * ENTRY_BYTES + receipt.length;
  for (const { key, before, after } of state) {
    bytes += ENTRY_BYTES + key.length + (before?.length ?? 0) + (after?.length ?? 0);
  }
  return bytes;
}
