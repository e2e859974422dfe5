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
import { replaceChain, takeOver } from './replace-chain.ts';
import { revertBlocks } from './revert-blocks.ts';
import { RevertPlan } from './revert-plan.ts';
import { checkParts, writeBlocks, writePatch } from './write-block.ts';

/** The open file of the one writer. */
export interface LmdbStoreParts extends LmdbReaderParts {
  /** Folder to remove with the store. */
  readonly temporaryFolder: string | undefined;
  /** Number of newest blocks with undo records. */
  readonly undoBlocks: number;
}

const NOTHING_UNWRITTEN: UnwrittenPart = { blocks: 0, hasFailed: false };

/** The store in an LMDB file, for the process that writes to it. */
export class LmdbStore extends LmdbReader implements Store {
  readonly #temporaryFolder: string | undefined;
  readonly #undoBlocks: number;
  /** Sequence of the next pending transaction: this process uses none twice. */
  #nextSequence: number;

  constructor(parts: LmdbStoreParts) {
    super(parts);
    this.#temporaryFolder = parts.temporaryFolder;
    this.#undoBlocks = parts.undoBlocks;
    this.#nextSequence = nextSequence(parts.database);
    // `super`: the fields of a derived class do not exist yet.
    if (this.#undoBlocks === 0) clearUndo(parts.database, super.head() ?? 0);
  }

  commitBlock(commit: BlockCommit): void {
    checkParts(commit);
    this.write([commit]);
  }

  /** Writes checked blocks. Throws what `commitBlock` throws; then nothing is written. */
  protected write(commits: readonly BlockCommit[]): void {
    const { history } = this;
    writeBlocks(this.database, commits, { history, undoBlocks: this.#undoBlocks }, () => super.head());
  }

  unwritten(): UnwrittenPart {
    return NOTHING_UNWRITTEN;
  }

  /** Does nothing: all blocks are in the file. */
  settle(): void {}

  planReversion(blocks: RevertedBlocks): ReversionPlan {
    return new RevertPlan(this.database, blocks, this.epoch());
  }

  revertBlocks(reversion: Reversion, plan?: ReversionPlan): void {
    const isOwn = plan instanceof RevertPlan && plan.fits(reversion, this.epoch());
    const own = isOwn ? plan : new RevertPlan(this.database, reversion, this.epoch());
    revertBlocks(this.database, reversion, own, this.head(), this.epoch());
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
    replaceChain(this.database, source, this.epoch() + 1, openedWith, restored);
  }

  takeOver(source: StoreReader): void {
    takeOver(this.database, source, this.head() ?? 0, this.epoch());
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
