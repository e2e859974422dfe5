import { bytesToHex, equalBytes, type Hash } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import { lastPatch } from '../file/table-reading.ts';
import { removeTemporaryFolder } from '../file/temporary-folder.ts';
import { appendChainSnapshot, putChainSnapshot, putRestored } from '../reading/chain-snapshots.ts';
import { LmdbReader, type LmdbReaderOptions } from '../reading/lmdb-reader.ts';
import { nextSequence } from '../reading/pending.ts';
import type {
  BlockCommit,
  PatchCommit,
  PendingRecord,
  Restored,
  Revert,
  RevertedBlocks,
  RevertPlan,
  SidecarRecord,
  Store,
  StoreReader,
  UnwrittenStatus,
} from '../store.ts';
import { encodeCount } from '../tables/keys.ts';
import { META_KEY_BYTES, TABLE_NAMES } from '../tables/tables.ts';
import { clearUndo } from '../undo/undo-table.ts';
import { sizeOfEmptyBlocks } from './block-size.ts';
import { revertBlocks } from './revert-blocks.ts';
import { LmdbRevertPlan } from './revert-plan.ts';
import { checkParts, writeBlocks, writePatch } from './write-block.ts';
import { appendPending, type PendingAddition, removePending } from './write-pending.ts';
import { copySidecars, removeSidecars } from './write-sidecars.ts';

/** Keys of the records that belong to the file and not to its chain. */
const FILE_KEYS: ReadonlySet<string> = new Set(
  (['format', 'history', 'reorgCount', 'snapshot', 'restored'] as const).map((name) =>
    bytesToHex(META_KEY_BYTES[name]),
  ),
);

/** Returns an entry of the table `meta`, which is the first one. */
function metaOf(source: StoreReader, name: Uint8Array): Uint8Array | undefined {
  for (const { table, key, value } of source.tables()) {
    if (table !== 'meta') return undefined;
    if (equalBytes(key, name)) return value;
  }
  return undefined;
}

/** The open file of the only writer. */
export interface LmdbStoreOptions extends LmdbReaderOptions {
  /** Folder to remove with the store. */
  readonly temporaryFolder: string | undefined;
  /** Number of newest blocks with undo records. */
  readonly undoBlocks: number;
}

/** Records of the table `meta`. */
type ChainFacts = Partial<Record<keyof typeof META_KEY_BYTES, Uint8Array>>;

function sizeOfFacts(facts: ChainFacts, restored: Restored | undefined): CommitSize {
  const size = new CommitSize();
  for (const value of Object.values(facts)) size.scattered(1, value.length);
  size.scattered(1, restored?.bytes.length);
  return size;
}

const NOTHING_UNWRITTEN: UnwrittenStatus = { blocks: 0, hasFailed: false };

/** The store in an LMDB file, for the process that writes to it. */
export class LmdbStore extends LmdbReader implements Store {
  #temporaryFolder: string | undefined;
  readonly #undoBlocks: number;
  /** Sequence of the next pending transaction. This process uses each sequence once. */
  #nextSequence: number;
  /** The additions of `together`; undefined outside of it. */
  #together: { readonly additions: PendingAddition[]; readonly onStored: () => void } | undefined;

  constructor(options: LmdbStoreOptions) {
    super(options);
    this.database.beforeCommits(() => this.storeAdditions());
    this.#temporaryFolder = options.temporaryFolder;
    this.#undoBlocks = options.undoBlocks;
    this.#nextSequence = nextSequence(this.database);
    if (this.#undoBlocks === 0) clearUndo(this.database);
  }

  commitBlock(commit: BlockCommit): void {
    checkParts(commit);
    this.write([commit]);
  }

  /** Writes checked blocks. Throws what `commitBlock` throws; nothing is written then. */
  protected write(commits: readonly BlockCommit[]): void {
    writeBlocks(this.database, commits, { history: this.history, undoBlocks: this.#undoBlocks });
  }

  unwritten(): UnwrittenStatus {
    return NOTHING_UNWRITTEN;
  }

  /** Does nothing: all blocks are in the file. */
  protected settle(): void {}

  publish(): void {
    this.settle();
    this.database.admitProcesses();
  }

  planRevert(blocks: RevertedBlocks): RevertPlan {
    return new LmdbRevertPlan(this.database, blocks);
  }

  revertBlocks(revert: Revert, plan?: RevertPlan): void {
    // The stored pending transactions are read before the commit, which would store these.
    this.storeAdditions();
    this.revertStored(revert, plan);
  }

  protected revertStored(revert: Revert, plan?: RevertPlan): void {
    const isValid = plan instanceof LmdbRevertPlan && plan.isPlanOf(revert);
    revertBlocks(this.database, revert, isValid ? plan : new LmdbRevertPlan(this.database, revert));
    this.#raiseSequence();
  }

  commitPatch(commit: PatchCommit): number {
    return writePatch(this.database, commit, this.#undoBlocks > 0);
  }

  addPending(bytes: Uint8Array, removed: readonly number[] = [], sidecar?: SidecarRecord): number {
    // A block that is not written yet removes only transactions that were added before it.
    if (this.#together === undefined || this.#together.additions.length === 0) this.settle();
    const sequence = this.#nextSequence;
    this.#nextSequence += 1;
    const addition = { sequence, bytes, removed, sidecar };
    if (this.#together === undefined) appendPending(this.database, [addition]);
    else this.#together.additions.push(addition);
    return sequence;
  }

  together<T>(action: () => T, onStored: () => void, _onLosing?: (last: number) => void): T {
    if (this.#together !== undefined) return action();
    this.#together = { additions: [], onStored };
    try {
      return action();
    } finally {
      try {
        this.storeAdditions();
      } finally {
        this.#together = undefined;
      }
    }
  }

  /** Stores the additions of `together` so far. */
  protected storeAdditions(): void {
    const additions = this.#together?.additions ?? [];
    if (additions.length === 0) return;
    // The commit calls this again.
    const added = additions.splice(0);
    try {
      appendPending(this.database, added);
    } catch (error) {
      additions.push(...added);
      throw error;
    }
    this.#together?.onStored();
  }

  override pendingTransactions(): Iterable<PendingRecord> {
    this.storeAdditions();
    return super.pendingTransactions();
  }

  /** Raises the next sequence above those of restored pending transactions. */
  #raiseSequence(): void {
    this.#nextSequence = Math.max(this.#nextSequence, nextSequence(this.database));
  }

  replaceChain(source: StoreReader, openedWith?: Uint8Array, restored?: Uint8Array): void {
    const reorgCount = this.reorgCount() + 1;
    const facts: ChainFacts = {
      reorgCount: encodeCount(reorgCount),
      ...(openedWith !== undefined && { openedWith }),
    };
    const record = restored && { reorgCount, bytes: restored };
    if (source instanceof LmdbStore && this.#mayAdopt(source)) this.#adoptFile(source, facts, record);
    else this.#copyChain(source, facts, record);
    this.database.withoutSettling(() => this.#raiseSequence());
  }

  /** Returns true for a store whose file can be taken over: only its owner and this store know either file. */
  #mayAdopt(source: LmdbStore): boolean {
    return (
      [this, source].every((one) => one.#temporaryFolder !== undefined && one.database.isPrivate) &&
      source.history === this.history
    );
  }

  /** Takes the file of another store, which is closed by this: a copy of a large chain would take long. */
  #adoptFile(source: LmdbStore, facts: ChainFacts, restored: Restored | undefined): void {
    source.settle();
    const newestId = this.database.withoutSettling(() => this.database.get('meta', META_KEY_BYTES.snapshot));
    source.#writeFacts({ ...facts, ...(newestId !== undefined && { snapshot: newestId }) }, restored);
    const former = this.#temporaryFolder;
    this.#temporaryFolder = source.#temporaryFolder;
    source.#temporaryFolder = undefined;
    this.database.adopt(source.database, () => {
      if (former !== undefined) removeTemporaryFolder(former);
    });
  }

  #copyChain(source: StoreReader, facts: ChainFacts, restored: Restored | undefined): void {
    const { database } = this;
    const size = sizeOfFacts(facts, restored);
    for (const { value } of source.tables()) size.appended(1, value.length);
    database.commit(size, () => {
      for (const name of TABLE_NAMES) if (name !== 'meta') database.table(name).clearSync();
      const meta = database.table('meta');
      for (const key of Array.from(meta.getKeys({}), (shared) => shared.slice())) {
        if (!FILE_KEYS.has(bytesToHex(key))) meta.removeSync(key);
      }
      for (const { table, key, value } of source.tables()) {
        if (table !== 'meta' || !FILE_KEYS.has(bytesToHex(key))) database.table(table).putSync(key, value);
      }
      this.#writeFacts(facts, restored);
    });
  }

  /** Writes facts about a file and the chain in it. */
  #writeFacts(facts: ChainFacts, restored: Restored | undefined): void {
    const { database } = this;
    database.commit(sizeOfFacts(facts, restored), () => {
      const meta = database.table('meta');
      for (const [name, value] of Object.entries(facts)) {
        meta.putSync(META_KEY_BYTES[name as keyof ChainFacts], value);
      }
      if (restored !== undefined) putRestored(database, restored);
    });
  }

  copyFileRecords(source: StoreReader): void {
    const { database } = this;
    const head = this.head() ?? 0;
    const reorgCount = Math.max(this.reorgCount(), source.reorgCount()) + 1;
    const patches = lastPatch(database, head);
    const snapshots = Array.from(source.chainSnapshots()).filter(
      (snapshot) => snapshot.block < head || (snapshot.block === head && snapshot.patches <= patches),
    );
    const newestId = metaOf(source, META_KEY_BYTES.snapshot);
    const restored = source.restored();
    const openedWith = source.openedWith();
    const size = new CommitSize(2);
    size.scattered(3, openedWith?.length);
    size.scattered(1, restored?.bytes.length);
    for (const { bytes } of snapshots) size.appended(1, bytes.length);
    copySidecars(source, database);
    database.commit(size, () => {
      const meta = database.table('meta');
      meta.putSync(META_KEY_BYTES.reorgCount, encodeCount(reorgCount));
      if (openedWith !== undefined) meta.putSync(META_KEY_BYTES.openedWith, openedWith);
      if (newestId !== undefined) meta.putSync(META_KEY_BYTES.snapshot, newestId);
      if (restored !== undefined) putRestored(database, restored);
      for (const snapshot of snapshots) putChainSnapshot(database, snapshot);
    });
  }

  addChainSnapshot(bytes: Uint8Array): number {
    return appendChainSnapshot(this.database, bytes);
  }

  removeSidecars(hashes: readonly Hash[]): void {
    removeSidecars(this.database, hashes);
  }

  removePending(sequences: readonly number[]): void {
    const size = new CommitSize(1);
    size.scattered(sequences.length);
    this.database.commit(size, () => removePending(this.database, sequences));
  }

  inOneCommit<T>(blocks: number, action: () => T): T {
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
