import type { Address, OperationHash } from '../../protocol/index.ts';
import type { OperationPosition, StoredTransaction } from '../operations.ts';
import type {
  BlockCommit,
  ChainSnapshot,
  Revert,
  RevertedBlocks,
  RevertPlan,
  StoreReader,
  StoreStatistics,
  UnwrittenStatus,
} from '../store.ts';
import { LmdbStore, type LmdbStoreOptions } from './lmdb-store.ts';
import { revertUnwritten } from './revert-blocks.ts';
import { transactionIn, UnwrittenBlocks } from './unwritten-blocks.ts';
import { checkNumber, checkParts } from './write-block.ts';

/** Milliseconds before a failed write is retried, such as one to a full disk. */
const UNWRITTEN_RETRY_MS = 1_000;

const NOTHING_TO_READ: RevertPlan = { read: () => false };

/**
 * A store whose newest blocks stay in memory until its file is read or written, or until their number or size reaches
 * a bound; then one transaction writes them. Blocks that are reverted earlier, as in tests, are never written. Only the
 * frequent look-ups, which are overridden here, combine memory and file.
 *
 * One that writes `together` does so only for the blocks of one `together`: nothing is in memory after it.
 */
export class WriteBehindStore extends LmdbStore {
  readonly #unwritten = new UnwrittenBlocks();
  readonly #writesLater: 'always' | 'together';
  #isTogether = false;
  #isInOneCommit = false;
  /** Repeats a failed write. */
  #retry: NodeJS.Timeout | undefined;

  constructor(options: LmdbStoreOptions, writesLater: 'always' | 'together') {
    super(options);
    this.#writesLater = writesLater;
    if (writesLater === 'always') this.database.settleBefore(() => this.settle());
  }

  override commitBlock(commit: BlockCommit): void {
    const isKept = this.#writesLater === 'always' || this.#isTogether;
    // The genesis is written at once, and the blocks of one action are in one transaction.
    if (!isKept || this.#isInOneCommit || commit.genesis !== undefined) {
      super.commitBlock(commit);
      return;
    }
    checkParts(commit);
    checkNumber(commit, this.head());
    // An addition that the block removes must be in the file before the block.
    if ((commit.removedPending ?? []).length > 0) this.storeAdditions();
    if (this.#unwritten.isFull) this.settle();
    this.#unwritten.add(commit);
  }

  protected override settle(): void {
    const { commits } = this.#unwritten;
    if (commits.length === 0) return;
    try {
      this.#asWritten(() => this.write(commits));
    } catch (error) {
      if (this.#writesLater === 'always') {
        this.#retry ??= setInterval(() => this.#settleAgain(), UNWRITTEN_RETRY_MS).unref();
      }
      throw error;
    }
    this.#clearUnwritten();
  }

  override together<T>(action: () => T, onStored: () => void, onLosing?: (last: number) => void): T {
    if (this.#writesLater === 'always' || this.#isTogether) return super.together(action, onStored);
    this.#isTogether = true;
    this.database.settleBefore(() => this.settle());
    try {
      return super.together(action, onStored);
    } finally {
      this.#endTogether(onLosing);
    }
  }

  /** Writes the blocks of `together`, which are lost if that fails. */
  #endTogether(onLosing?: (last: number) => void): void {
    try {
      this.settle();
    } finally {
      this.#isTogether = false;
      this.database.settleBefore();
      const [first] = this.#unwritten.commits;
      if (first !== undefined) onLosing?.(first.number - 1);
      this.#clearUnwritten();
    }
  }

  override unwritten(): UnwrittenStatus {
    return { blocks: this.#unwritten.commits.length, hasFailed: this.#retry !== undefined };
  }

  /** Returns the statistics of the file without writing to it: monitoring has no side effects. */
  override statistics(): StoreStatistics {
    return this.#asWritten(() => super.statistics());
  }

  #settleAgain(): void {
    try {
      this.settle();
    } catch {
      // The first failure was reported, and each access to the file reports it again.
    }
  }

  #clearUnwritten(): void {
    this.#unwritten.clear();
    clearInterval(this.#retry);
    this.#retry = undefined;
  }

  override inOneCommit<T>(blocks: number, action: () => T): T {
    this.settle();
    this.#isInOneCommit = true;
    try {
      return super.inOneCommit(blocks, action);
    } finally {
      this.#isInOneCommit = false;
    }
  }

  override planRevert(blocks: RevertedBlocks): RevertPlan {
    return this.#isAllUnwritten(blocks) ? NOTHING_TO_READ : super.planRevert(blocks);
  }

  protected override revertStored(revert: Revert, plan?: RevertPlan): void {
    if (!this.#isAllUnwritten(revert)) {
      super.revertStored(revert, plan);
      return;
    }
    this.#asWritten(() => revertUnwritten(this.database, revert, this.#unwritten));
    this.#clearUnwritten();
  }

  override replaceChain(source: StoreReader, openedWith?: Uint8Array, restored?: Uint8Array): void {
    super.replaceChain(source, openedWith, restored);
    this.#clearUnwritten();
  }

  override head(): number | undefined {
    return this.#unwritten.commits.at(-1)?.number ?? super.head();
  }

  override state(key: Uint8Array): Uint8Array | undefined {
    const change = this.#unwritten.state(key);
    return change === undefined ? this.#asWritten(() => super.state(key)) : change.after?.slice();
  }

  override mayHaveState(prefix: Uint8Array): boolean {
    return this.#unwritten.mayHaveState(prefix) || this.#asWritten(() => super.mayHaveState(prefix));
  }

  override accumulator(): Uint8Array | undefined {
    return this.#unwritten.commits.at(-1)?.accumulator.slice() ?? super.accumulator();
  }

  override block(number: number): Uint8Array | undefined {
    return this.#unwritten.at(number)?.block.slice() ?? this.#asWritten(() => super.block(number));
  }

  override transaction(number: number, operationIndex: number): StoredTransaction | undefined {
    const block = this.#unwritten.at(number);
    if (block === undefined) return this.#asWritten(() => super.transaction(number, operationIndex));
    return transactionIn(block, operationIndex);
  }

  override receipt(number: number, operationIndex: number): Uint8Array | undefined {
    const block = this.#unwritten.at(number);
    if (block === undefined) return this.#asWritten(() => super.receipt(number, operationIndex));
    return block.receipts[operationIndex]?.slice();
  }

  override operationHash(number: number, operationIndex: number): OperationHash | undefined {
    const block = this.#unwritten.at(number);
    if (block === undefined) return this.#asWritten(() => super.operationHash(number, operationIndex));
    return block.operationHashes[operationIndex];
  }

  override operationPositions(hash: OperationHash, needsLast = false): readonly OperationPosition[] {
    const unwritten = this.#unwritten.positions(hash);
    if (needsLast && unwritten.length > 0) return unwritten;
    return [...this.#asWritten(() => super.operationPositions(hash)), ...unwritten];
  }

  override operationCount(address: Address): number {
    return this.#asWritten(() => super.operationCount(address)) + this.#unwritten.operationCount(address);
  }

  override patchesAfter(block: number): Iterable<Uint8Array> {
    return this.#unwritten.at(block) === undefined ? super.patchesAfter(block) : [];
  }

  override patchCount(block: number): number {
    // Committing a patch writes the blocks in memory first, so that they have none.
    return this.#unwritten.at(block) === undefined ? this.#asWritten(() => super.patchCount(block)) : 0;
  }

  override reorgCount(): number {
    return this.#asWritten(() => super.reorgCount());
  }

  override genesis(): Uint8Array | undefined {
    return this.#asWritten(() => super.genesis());
  }

  override chainSnapshot(id: number): ChainSnapshot | undefined {
    return this.#asWritten(() => super.chainSnapshot(id));
  }

  protected override async end(): Promise<void> {
    // `super.end` removes the folder.
    this.#clearUnwritten();
    await super.end();
  }

  /** Reads or writes the file without writing the blocks in memory first. */
  #asWritten<T>(action: () => T): T {
    return this.database.withoutSettling(action);
  }

  /** Returns true if exactly the blocks in memory are reverted. */
  #isAllUnwritten({ to, patches = 0 }: RevertedBlocks): boolean {
    const [first] = this.#unwritten.commits;
    return first?.number === to + 1 && this.patchCount(to) === patches;
  }
}
