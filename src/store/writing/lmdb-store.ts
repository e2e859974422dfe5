import { concatBytes } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { removeTemporaryFolder } from '../file/temporary-folder.ts';
import { appendChainSnapshot, putRestored } from '../reading/chain-snapshots.ts';
import { LmdbReader, type LmdbReaderParts } from '../reading/lmdb-reader.ts';
import { lastPatch } from '../reading/patches.ts';
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
import { encodeCount, positionKey } from '../tables/keys.ts';
import { META_KEY_BYTES, META_KEYS, TABLE_NAMES } from '../tables/tables.ts';
import { clearUndo } from '../undo/undo-table.ts';
import { sizeOfEmptyBlocks } from './block-size.ts';
import { revertBlocks } from './revert-blocks.ts';
import { RevertPlan } from './revert-plan.ts';
import { checkParts, writeBlocks, writePatch } from './write-block.ts';

/** The records that belong to a file, whichever chain it has. */
const OF_FILE: ReadonlySet<string> = new Set([
  ...[META_KEYS.format, META_KEYS.history, META_KEYS.reorgCount, META_KEYS.snapshot, META_KEYS.restored],
]);

/**
 * Replaces the chain by that of another store, in one transaction. No id of a snapshot comes again.
 *
 * @param reorgCount the reorganisation count from then on
 * @throws StoreError STORE_COMMIT_FAILED, and what the source throws; nothing is changed then
 */
export function replaceChain(
  database: Database,
  source: StoreReader,
  reorgCount: number,
  openedWith?: Uint8Array,
  restored?: Uint8Array,
): void {
  const size = new CommitSize();
  size.scattered(2, openedWith?.length);
  size.scattered(1, restored?.length);
  for (const { value } of source.tables()) size.appended(1, value.length);
  database.commit(size, () => {
    for (const name of TABLE_NAMES) if (name !== 'meta') database.table(name).clearSync();
    const meta = database.table('meta');
    for (const key of Array.from(meta.getKeys({}), (shared) => shared.slice())) {
      if (!OF_FILE.has(nameOf(key))) meta.removeSync(key);
    }
    for (const { table, key, value } of source.tables()) {
      if (table !== 'meta' || !OF_FILE.has(nameOf(key))) database.table(table).putSync(key, value);
    }
    meta.putSync(META_KEY_BYTES.reorgCount, encodeCount(reorgCount));
    if (restored !== undefined) putRestored(database, { reorgCount, bytes: restored });
    if (openedWith !== undefined) meta.putSync(META_KEY_BYTES.openedWith, openedWith);
  });
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}

/**
 * Copies what the file of another store keeps beside its chain, of which this store has the blocks up to its head.
 *
 * @throws StoreError STORE_COMMIT_FAILED, and what the source throws; nothing is changed then
 */
export function takeOver(database: Database, source: StoreReader, head: number, reorgCount: number): void {
  const patches = lastPatch(database, head);
  const snapshots = Array.from(source.chainSnapshots()).filter(
    (snapshot) => snapshot.block < head || (snapshot.block === head && snapshot.patches <= patches),
  );
  const newest = metaOf(source, META_KEY_BYTES.snapshot);
  const restored = source.restored();
  const openedWith = source.openedWith();
  const size = new CommitSize(2);
  size.scattered(3, openedWith?.length);
  size.scattered(1, restored?.bytes.length);
  for (const { bytes } of snapshots) size.appended(1, bytes.length);
  database.commit(size, () => {
    const meta = database.table('meta');
    meta.putSync(META_KEY_BYTES.reorgCount, encodeCount(Math.max(reorgCount, source.reorgCount()) + 1));
    if (openedWith !== undefined) meta.putSync(META_KEY_BYTES.openedWith, openedWith);
    if (newest !== undefined) meta.putSync(META_KEY_BYTES.snapshot, newest);
    if (restored !== undefined) putRestored(database, restored);
    const table = database.table('snapshots');
    for (const snapshot of snapshots) {
      const place = positionKey(snapshot.block, snapshot.patches);
      table.putSync(encodeCount(snapshot.id), concatBytes(place, snapshot.bytes));
    }
  });
}

/** Returns an entry of the table of facts, which is the first one. */
function metaOf(source: StoreReader, name: Uint8Array): Uint8Array | undefined {
  for (const entry of source.tables()) {
    if (entry.table !== 'meta') return undefined;
    if (Buffer.compare(entry.key, name) === 0) return entry.value;
  }
  return undefined;
}

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
    return new RevertPlan(this.database, blocks, this.reorgCount());
  }

  revertBlocks(reversion: Reversion, plan?: ReversionPlan): void {
    const isOwn = plan instanceof RevertPlan && plan.fits(reversion, this.reorgCount());
    const own = isOwn ? plan : new RevertPlan(this.database, reversion, this.reorgCount());
    revertBlocks(this.database, reversion, own, this.head(), this.reorgCount());
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
    replaceChain(this.database, source, this.reorgCount() + 1, openedWith, restored);
  }

  takeOver(source: StoreReader): void {
    takeOver(this.database, source, this.head() ?? 0, this.reorgCount());
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
