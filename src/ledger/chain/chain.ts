import { BoundedMap } from '../../caching/bounded-map.ts';
import type {
  Address,
  BlockId,
  Hash,
  Operation,
  OperationHash,
  OperationResult,
  ProcessedTransaction,
} from '../../protocol/index.ts';
import {
  blockHashOf,
  blockNumberOf,
  decode,
  equalBytes,
  invariant,
  processedTransactionCodec,
  sha256,
} from '../../protocol/index.ts';
import type { ChainReader } from '../../store/index.ts';
import { type Patch, patchRecordCodec } from './patch-record.ts';
import { outlineOf, type ReceiptOutline, StoredReceipt } from './receipt-outline.ts';
import { type BlockSummary, blockRecordCodec, type OperationReceipt, receiptCodec } from './records.ts';

/** Cached block summaries. */
const BLOCK_CACHE_ENTRIES_MAX = 1_024;
/** Operations and bytes of the newest block up to which its contents are cached. */
const HEAD_OPERATIONS_CACHED_MAX = 64;
const HEAD_BYTES_CACHED_MAX = 65_536;

/** A transaction of a block, with the index of its first operation in the block. */
export interface IndexedTransaction {
  readonly firstOperation: number;
  readonly transaction: ProcessedTransaction;
  /** Those of its operations, once known. */
  readonly operationHashes?: readonly OperationHash[];
}

/** An operation of a block with its result and the transaction around it. */
export interface PlacedOperation {
  readonly index: number;
  readonly operation: Operation;
  readonly result: OperationResult;
  readonly transaction: ProcessedTransaction;
  /** Its `operationHash`, once known. */
  readonly hash: OperationHash | undefined;
}

/** The transactions and receipts of a block. */
export interface BlockContent {
  readonly transactions: readonly IndexedTransaction[];
  /** By index of their operations. */
  readonly receipts: readonly OperationReceipt[];
}

/** Inputs of the next block that patches may set; undefined for those that they have not set. */
interface PatchedInputs {
  /**
   * Without a patch SHA-256 of the signature of the head. It does not depend on that of the next block itself, since
   * contracts see it (PREVRANDAO) before the block is signed.
   */
  readonly rand: Hash;
  /** In wei. */
  readonly baseFee: bigint | undefined;
  readonly coinbase: Address | undefined;
  readonly gasLimit: bigint | undefined;
}

function patchedBy(before: PatchedInputs, patch: Patch): PatchedInputs {
  switch (patch.type) {
    case 'rand':
      return { ...before, rand: patch.rand };
    case 'baseFee':
      return { ...before, baseFee: patch.baseFee };
    case 'coinbase':
      return { ...before, coinbase: patch.coinbase };
    case 'gasLimit':
      return { ...before, gasLimit: patch.gasLimit };
    default:
      return before;
  }
}

function unpatched({ header }: BlockSummary): PatchedInputs {
  return { rand: sha256(header.edSignature), baseFee: undefined, coinbase: undefined, gasLimit: undefined };
}

/** The blocks of the store. Every look-up is by key. */
export class Chain {
  readonly #store: ChainReader;
  readonly #recent = new BoundedMap<number, BlockSummary>(BLOCK_CACHE_ENTRIES_MAX);
  #head: BlockSummary | undefined;
  /** Content of the head if it was just made and is small, since clients request it next. */
  #headContent: BlockContent | undefined;
  /** Those after the head; undefined before they were read. */
  #patched: PatchedInputs | undefined;
  #changes = 0;

  constructor(store: ChainReader) {
    this.#store = store;
    this.#head = this.#newest();
  }

  /** True without a genesis block. */
  get isEmpty(): boolean {
    return this.#head === undefined;
  }

  /** Count of the changes of this chain other than blocks on top: patches and reorganisations. */
  get changes(): number {
    return this.#changes;
  }

  head(): BlockSummary {
    invariant(this.#head !== undefined, 'a chain has a head from its genesis on');
    return this.#head;
  }

  /**
   * Advances to a block that was just stored on top of the head.
   * @param content as it would be read; absent: it is read on demand
   */
  advance(summary: BlockSummary, content?: BlockContent): void {
    this.#head = summary;
    const isSmall =
      summary.operationCount <= HEAD_OPERATIONS_CACHED_MAX && summary.size <= HEAD_BYTES_CACHED_MAX;
    this.#headContent = isSmall ? content : undefined;
    this.#patched = unpatched(summary);
    this.#recent.set(summary.number, summary);
  }

  /** Reads the blocks that another process has stored. Returns true if there were any. */
  catchUp(): boolean {
    const before = this.head().number;
    // Reading one block is cheaper than finding the newest.
    if (this.#store.block(before + 1) === undefined) return false;
    this.#head = this.#newest();
    this.#headContent = undefined;
    this.#patched = undefined;
    return true;
  }

  /** Clears all cached blocks after a reorganisation. */
  reload(): void {
    this.#recent.clear();
    this.#head = this.#newest();
    this.#headContent = undefined;
    this.clearPatched();
  }

  /** Clears the cached inputs of the next block after a change of the patches. */
  clearPatched(): void {
    this.#changes += 1;
    this.#patched = undefined;
  }

  /**
   * Notes a patch after the head: reading all of them again for each one would be quadratic.
   * @param before the result of `nextPatched` before it
   */
  notePatch(before: PatchedInputs, patch: Patch): void {
    this.#changes += 1;
    this.#patched = patchedBy(before, patch);
  }

  /** Returns the inputs of the next block, with those that patches after the head have set. */
  nextPatched(): PatchedInputs {
    this.#patched ??= this.#readPatched();
    return this.#patched;
  }

  #readPatched(): PatchedInputs {
    const head = this.head();
    let patched = unpatched(head);
    for (const record of this.#store.patchesAfter(head.number)) {
      patched = patchedBy(patched, decode(patchRecordCodec, record).patch);
    }
    return patched;
  }

  blockByNumber(number: number): BlockSummary | undefined {
    if (number === this.#head?.number) return this.#head;
    const known = this.#recent.get(number);
    if (known !== undefined) return known;
    const exists = Number.isSafeInteger(number) && number >= 0 && number <= (this.#head?.number ?? -1);
    return exists ? this.#load(number) : undefined;
  }

  #newest(): BlockSummary | undefined {
    const number = this.#store.head();
    return number === undefined ? undefined : this.#load(number);
  }

  #load(number: number): BlockSummary | undefined {
    const stored = this.#store.block(number);
    if (stored === undefined) return undefined;
    const summary = { number, ...decode(blockRecordCodec, stored) };
    this.#recent.set(summary.number, summary);
    return summary;
  }

  blockById(id: BlockId): BlockSummary | undefined {
    const block = this.blockByNumber(blockNumberOf(id));
    return block !== undefined && equalBytes(block.id, id) ? block : undefined;
  }

  /** Returns the 32-byte hash of a block: docs/interface.md#block-hash. */
  blockHash(number: bigint): Hash | undefined {
    const block = this.blockByNumber(Number(number));
    return block === undefined ? undefined : blockHashOf(block.id);
  }

  *transactions(block: number): Iterable<IndexedTransaction> {
    for (const { firstOperation, bytes } of this.#store.transactionsOf(block)) {
      yield { firstOperation, transaction: decode(processedTransactionCodec, bytes) };
    }
  }

  transactionAt(block: number, operationIndex: number): IndexedTransaction | undefined {
    const known = this.#contentOf(block)?.transactions;
    if (known !== undefined) {
      return known.findLast(
        ({ firstOperation, transaction }) =>
          firstOperation <= operationIndex && operationIndex < firstOperation + transaction.operations.length,
      );
    }
    const stored = this.#store.transaction(block, operationIndex);
    if (stored === undefined) return undefined;
    return {
      firstOperation: stored.firstOperation,
      transaction: decode(processedTransactionCodec, stored.bytes),
    };
  }

  operationAt(block: number, index: number): PlacedOperation | undefined {
    const placed = this.transactionAt(block, index);
    return placed && operationOf(placed, index);
  }

  *operations(block: number): Iterable<PlacedOperation> {
    for (const placed of this.transactions(block)) {
      for (let offset = 0; offset < placed.transaction.operations.length; offset += 1) {
        const operation = operationOf(placed, placed.firstOperation + offset);
        if (operation !== undefined) yield operation;
      }
    }
  }

  receiptAt(block: number, index: number): OperationReceipt | undefined {
    const known = this.#contentOf(block)?.receipts;
    if (known !== undefined) return known[index];
    const stored = this.#store.receipt(block, index);
    return stored === undefined ? undefined : decode(receiptCodec, stored);
  }

  receiptOutlineAt(block: number, index: number): ReceiptOutline | undefined {
    const known = this.#contentOf(block)?.receipts[index];
    if (known !== undefined) return outlineOf(known);
    const stored = this.#store.receipt(block, index);
    return stored === undefined ? undefined : new StoredReceipt(stored);
  }

  #contentOf(block: number): BlockContent | undefined {
    return block === this.#head?.number ? this.#headContent : undefined;
  }

  /**
   * Lists the positions of included operations with this hash, oldest first.
   * @param needsLast true if only the last one is needed: others may be omitted
   */
  positionsOf(
    hash: OperationHash,
    needsLast = false,
  ): readonly { readonly block: number; readonly index: number }[] {
    return this.#store.operationPositions(hash, needsLast);
  }
}

export function operationOf(placed: IndexedTransaction, index: number): PlacedOperation | undefined {
  const { transaction, firstOperation, operationHashes } = placed;
  const operation = transaction.operations[index - firstOperation];
  const result = transaction.operationResults[index - firstOperation];
  if (operation === undefined || result === undefined) return undefined;
  return { index, operation, result, transaction, hash: operationHashes?.[index - firstOperation] };
}
