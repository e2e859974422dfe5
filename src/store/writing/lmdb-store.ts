import { CommitSize } from '../file/commit-size.ts';
import { removeTemporaryFolder } from '../file/temporary-folder.ts';
import { appendChainSnapshot } from '../reading/chain-snapshots.ts';
import { LmdbReader, type LmdbReaderParts } from '../reading/lmdb-reader.ts';
import { appendPending, nextSequence, removePending } from '../reading/pending.ts';
import type {
  BlockCommit,
  PatchCommit,
  Reversion,
  ReversionPlan,
  RevertedBlocks,
  Store,
  StoreReader,
  UnwrittenPart,
} from '../store.ts';
import { clearUndo } from '../undo/undo-table.ts';
import { sizeOfEmptyBlocks } from './block-size.ts';
import { replaceChain } from './replace-chain.ts';
import { revertBlocks } from './revert-blocks.ts';
import { RevertPlan } from './revert-plan.ts';
import { takeOver } from './take-over.ts';
import { checkParts, writeBlocks } from './write-block.ts';
import { writePatch } from './write-patch.ts';

/** The open file of the one writer, and how much of the past is kept in it. */
export interface LmdbStoreParts extends LmdbReaderParts {
  /** Folder to remove with the store. */
  readonly temporaryFolder: string | undefined;
  /** Of how many newest blocks is kept what they overwrote. */
  readonly undoBlocks: number;
}

const NOTHING_UNWRITTEN: UnwrittenPart = { blocks: 0, hasFailed: false };

/** The store in an LMDB file, for the process that writes to it. */
export class LmdbStore extends LmdbReader implements Store {
  readonly #temporaryFolder: string | undefined;
  readonly #undoBlocks: number;
  /** No sequence is given twice while this process lasts, even when the transaction before it is gone. */
  #nextSequence: number;

  constructor(parts: LmdbStoreParts) {
    super(parts);
    this.#temporaryFolder = parts.temporaryFolder;
    this.#undoBlocks = parts.undoBlocks;
    this.#nextSequence = nextSequence(parts.database);
    // What a class above this one has of its own is not there yet.
    if (this.#undoBlocks === 0) clearUndo(parts.database, super.head() ?? 0);
  }

  commitBlock(commit: BlockCommit): void {
    checkParts(commit);
    this.write([commit]);
  }

  /** Writes blocks whose parts were checked. Throws what `commitBlock` throws; then nothing is written. */
  protected write(commits: readonly BlockCommit[]): void {
    const { history } = this;
    writeBlocks(this.database, commits, { history, undoBlocks: this.#undoBlocks }, () => super.head());
  }

  unwritten(): UnwrittenPart {
    return NOTHING_UNWRITTEN;
  }

  /** All that was added is in the file already. */
  settle(): void {}

  planReversion(blocks: RevertedBlocks): ReversionPlan {
    return this.#planOf(blocks);
  }

  revertBlocks(reversion: Reversion, plan?: ReversionPlan): void {
    const isOwn = plan instanceof RevertPlan && plan.fits(reversion, this.epoch());
    const own = isOwn ? plan : this.#planOf(reversion);
    revertBlocks(this.database, reversion, own, { head: this.head(), epoch: this.epoch() });
  }

  #planOf(blocks: RevertedBlocks): RevertPlan {
    return new RevertPlan(this.database, blocks, this.epoch());
  }

  commitPatch(commit: PatchCommit): number {
    return writePatch(this.database, commit, this.#undoBlocks > 0, () => this.head());
  }

  addPending(bytes: Uint8Array, leaving: readonly number[] = []): number {
    const sequence = appendPending(this.database, bytes, leaving, this.#nextSequence);
    this.#nextSequence = sequence + 1;
    return sequence;
  }

  replaceChain(source: StoreReader, openedWith?: Uint8Array, restored?: Uint8Array): void {
    replaceChain(this.database, source, { epoch: this.epoch() + 1, openedWith, restored });
  }

  takeOver(source: StoreReader): void {
    takeOver(this.database, source, { head: this.head() ?? 0, epoch: this.epoch() });
  }

  addChainSnapshot(bytes: Uint8Array): number {
    return appendChainSnapshot(this.database, bytes, () => this.head());
  }

  removePending(sequences: readonly number[]): void {
    const size = new CommitSize(1);
    size.scattered(sequences.length);
    this.database.commit(size, () => removePending(this.database, sequences));
  }

  together<T>(blocks: number, action: () => T): T {
    return this.database.commit(sizeOfEmptyBlocks(blocks), action);
  }

  protected override async end(): Promise<void> {
    const folder = this.#temporaryFolder;
    try {
      await this.database.close();
    } finally {
      if (folder !== undefined) removeTemporaryFolder(folder);
    }
  }
}
