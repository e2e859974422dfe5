import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { CLOCK_TIME_MAX } from '../../consensus.ts';
import {
  chainIdOf,
  type Genesis,
  genesisCodec,
  Ledger,
  OPERATION_INDEXING,
  SYSTEM_TIMING,
  settingsRestoredSince,
  storedGenesis,
  systemClock,
  WorkSlices,
} from '../../ledger/index.ts';
import { encode, equalBytes } from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { Closers } from '../closers.ts';
import { type DataFolder, dataFolderAt, openDataFolder } from '../data-folder.ts';
import { lockFolder } from '../folder-lock.ts';
import { keepGenesis, readGenesisFile } from '../genesis-file.ts';
import { undoBlocksOf } from '../stored-chain.ts';
import { controlFileAt, type KeptControl } from '../test-chain/control-file.ts';
import type { Work } from '../work.ts';
import { ArchiveAddition, decodeGenesis, type FollowingChain } from './archive-addition.ts';
import { type ArchiveGuard, readHeader, readItems } from './archive-reader.ts';
import { ByteSource } from './byte-source.ts';
import { ArchiveError } from './errors.ts';
import type { ArchiveHeader } from './format.ts';

/** The signal of work that nobody stops. */
export const NEVER: Work['stop'] = new AbortController().signal;

/** The blocks of an archive for the chain of a stopped node's folder. */
export interface ImportOptions {
  /** Folder of a chain of the same genesis; without a chain it gets one. */
  readonly dataDir: string;
  /** The archive's bytes. */
  readonly source: Readable;
  /** Number of the archive's last block where that is known. */
  readonly last: number | undefined;
  /** Last block to import; undefined for the archive's last. */
  readonly to: number | undefined;
  /** True if a new chain counts operations by payer; undefined: the default of its kind of node. */
  readonly history: boolean | undefined;
}

/** The outcome of an import. */
export interface ImportReport {
  /** Number of added blocks. */
  readonly imported: number;
  /** Number of blocks that the chain had already, with the same ids. */
  readonly known: number;
  /** Number of the chain's newest block. */
  readonly head: number;
  /** True if it was stopped before the end. */
  readonly interrupted: boolean;
}

/** The outcome of adding the chunks of an archive. */
interface AddedChunks extends ImportReport {
  /** Seconds that the clock of the chain was ahead; undefined if the archive has none, or was not read so far. */
  readonly ahead: number | undefined;
}

/**
 * Adds the blocks of an archive to a chain, each checked like a block of another node, and durable before the next.
 * Whatever ends it, the chain has whole blocks, and a further import continues behind them. At the end of a dump a
 * chain of test mode gets its clock as well.
 *
 * @throws ArchiveError, BlockRejectedError, DataFolderError, StoreError, InvalidGenesisError, what the source throws,
 *   and the signal's reason when it is aborted before the first block
 */
export async function importBlocks(options: ImportOptions, work: Work): Promise<ImportReport> {
  const source = new ByteSource(options.source, work.stop);
  const closers = new Closers();
  closers.add(() => source.close());
  try {
    const header = await readHeader(source);
    const chain = await openLedger(options, header, work, closers);
    const { store } = chain;
    const control = controlFileAt(dataFolderAt(options.dataDir).control, () => store.epoch());
    // What cannot be read is said before anything is added.
    const kept =
      header.chain === 'test' ? (settingsRestoredSince(store, control.epoch()) ?? control.load()) : undefined;
    const { ahead, ...report } = await addBlocks(chain, source, options, work);
    if (header.chain === 'test' && ahead !== undefined) control.save(withLead(kept, ahead));
    return report;
  } finally {
    await closers.close();
  }
}

/**
 * Fills an empty store with the chain of an archive of test mode, each block checked like one of another node.
 *
 * @returns how many seconds the clock of the chain was ahead
 * @throws ArchiveError, BlockRejectedError, InvalidGenesisError, and what store, stream and guard throw; the store is
 *   of no use then
 */
export async function restoreChain(store: Store, stream: Readable, guard: ArchiveGuard): Promise<number> {
  const source = new ByteSource(stream);
  const header = await readHeader(source, guard);
  if (header.chain !== 'test') {
    throw new ArchiveError('OTHER_CHAIN', "the archive is of a node's chain, not of one of test mode");
  }
  const chain = await openFollowing(store, decodeGenesis(header.genesis));
  const work: Work = { stop: NEVER, onProgress: () => undefined };
  const { ahead } = await addBlocks(chain, source, { last: undefined, to: undefined }, work, guard);
  return ahead ?? 0;
}

/** Returns settings with the later of the two clocks: time does not go back. */
function withLead(kept: KeptControl | undefined, ahead: number): KeptControl {
  const own = kept?.timing.ahead ?? 0;
  const latest = CLOCK_TIME_MAX - systemClock.now();
  const timing = { ...SYSTEM_TIMING, ...kept?.timing, ahead: Math.min(Math.max(own, ahead), latest) };
  return { gasLimit: kept?.gasLimit, timing };
}

/** Opens the ledger of a folder; a new folder becomes a whole one. */
async function openLedger(
  { dataDir, history }: ImportOptions,
  header: ArchiveHeader,
  work: Work,
  closers: Closers,
): Promise<FollowingChain> {
  const genesis = decodeGenesis(header.genesis);
  const folder = openDataFolder(dataDir);
  closers.add(await lockFolder(folder.path));
  if (existsSync(folder.genesis)) {
    requireSame(chainIdOf(readGenesisFile(folder.genesis)), chainIdOf(genesis), folder);
  }
  const historyOfNewFile = header.chain === 'test';
  const store = openStore({
    path: folder.store,
    durable: true,
    ...{ history, historyOfNewFile, undoBlocks: undoBlocksOf(header.chain) },
    indexing: OPERATION_INDEXING,
    onMigration: ({ bytes, totalBytes }) => work.onProgress('bytes', bytes, totalBytes),
  });
  closers.add(() => store.close());
  const stored = storedGenesis(store);
  if (stored !== undefined) requireSame(encode(genesisCodec, stored), header.genesis, folder);
  // Before the chain: a chain without it would be taken for one of test mode.
  if (header.chain === 'node') keepGenesis(folder, genesis);
  return openFollowing(store, genesis);
}

/** Opens a ledger that imports blocks and produces none. */
async function openFollowing(store: Store, genesis: Genesis): Promise<FollowingChain> {
  const options = { clock: systemClock, keys: [], production: 'none', mining: false } as const;
  return { store, ledger: await Ledger.open({ store, genesis, ...options }) };
}

async function addBlocks(
  chain: FollowingChain,
  source: ByteSource,
  { to = Number.POSITIVE_INFINITY, last }: Pick<ImportOptions, 'to' | 'last'>,
  work: Work,
  guard?: ArchiveGuard,
): Promise<AddedChunks> {
  const { ledger } = chain;
  const slices = new WorkSlices();
  const began = ledger.blocks.head().number;
  const total = last === undefined ? undefined : Math.min(to, last) - began;
  const addition = new ArchiveAddition(chain);
  let ahead: number | undefined;
  const report = (interrupted: boolean): AddedChunks => {
    const head = ledger.blocks.head().number;
    return { imported: head - began, known: addition.known, head, interrupted, ahead };
  };
  try {
    for await (const item of readItems(source, guard)) {
      if (item.kind === 'clock') ahead = item.ahead;
      if (item.kind !== 'block' && item.kind !== 'patch') continue;
      if (work.stop.aborted) return report(true);
      await addition.add(item, to);
      if (addition.isBeyond) break;
      work.onProgress('blocks', ledger.blocks.head().number - began, total);
      await slices.next();
    }
    return report(false);
  } catch (error) {
    // The archive was waited for.
    if (work.stop.aborted && error === work.stop.reason) return report(true);
    throw withHead(error, ledger);
  }
}

function requireSame(ours: Uint8Array, theirs: Uint8Array, { path }: DataFolder): void {
  if (equalBytes(ours, theirs)) return;
  throw new ArchiveError(
    'OTHER_CHAIN',
    `the archive is of another chain than ${path}: their genesis differs`,
  );
}

/** Adds the chain's head to an archive's error. */
function withHead(error: unknown, ledger: Ledger): unknown {
  if (!(error instanceof ArchiveError)) return error;
  const message = `${error.message}; the chain's head is block ${ledger.blocks.head().number}`;
  return new ArchiveError(error.code, message, { cause: error });
}
