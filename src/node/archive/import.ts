import type { Readable } from 'node:stream';
import { CLOCK_TIME_MAX } from '../../consensus.ts';
import {
  BlockRejectedError,
  chainIdOf,
  type Genesis,
  genesisCodec,
  Ledger,
  SYSTEM_TIMING,
  settingsRestoredSince,
  storedGenesis,
  systemClock,
} from '../../ledger/index.ts';
import {
  blockId,
  decode,
  encode,
  equalBytes,
  LedgerdError,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import { openStore, type Store, StoreError } from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import { type Closers, closeAfter } from '../closers.ts';
import { type DataFolder, dataFolderAt, isThere, openDataFolder } from '../data-folder.ts';
import { lockFolder } from '../folder-lock.ts';
import { FollowError } from '../following/block-source.ts';
import { decodeBlock, decodeHeader } from '../following/received-block.ts';
import { readGenesisFile, storeGenesis } from '../genesis-file.ts';
import { type JobControl, undoBlocksOf } from '../stored-chain.ts';
import { controlFileAt, type SavedControl } from '../test-chain/control-file.ts';
import { type ArchiveGuard, type ArchiveItem, ByteSource, readHeader, readItems } from './archive-reader.ts';
import { ArchiveError, type ArchiveHeader } from './format.ts';

export const NEVER: JobControl['stop'] = new AbortController().signal;

/** The blocks of an archive for the chain of a stopped node's folder. */
export interface ImportOptions {
  /** Folder of a chain with the same genesis, or without a chain. */
  readonly dataDir: string;
  readonly source: Readable;
  /** Number of the archive's last block, if known. */
  readonly last: number | undefined;
  /** Last block to import; undefined for the archive's last. */
  readonly to: number | undefined;
  /** True if a new chain counts operations by payer; undefined: the default of its kind. */
  readonly history: boolean | undefined;
}

/**
 * Adds the blocks of an archive to a chain, each with every check, and durable before the next. After an interruption
 * a further import continues. At the end of a dump a chain in test mode gets its clock as well.
 * @throws ArchiveError, BlockRejectedError, DataFolderError, StoreError, InvalidGenesisError, the source's errors, and
 *   the signal's reason if it is aborted before the first block
 */
export function importBlocks(options: ImportOptions, job: JobControl) {
  const source = new ByteSource(options.source, job.stop);
  return closeAfter(async (closers) => {
    closers.add(() => source.close());
    const header = await readHeader(source);
    const chain = await openLedger(options, header, closers);
    const { store } = chain;
    const control = controlFileAt(dataFolderAt(options.dataDir).control, () => store.reorgCount());
    // Unreadable settings are reported before anything is added.
    const saved =
      header.chain === 'test'
        ? (settingsRestoredSince(store, control.reorgCount()) ?? control.load())
        : undefined;
    const { ahead, ...report } = await inSlices(addBlocks(chain, source, options, job));
    if (header.chain === 'test' && ahead !== undefined) control.save(withLead(saved, ahead));
    return report;
  });
}

/**
 * Fills an empty store with the chain of an archive of test mode, with every check of each block. After an error the
 * store is unusable.
 * @returns seconds by which the clock of the chain was ahead
 * @throws ArchiveError, BlockRejectedError, InvalidGenesisError, and the errors of store, stream and guard
 */
export async function restoreChain(store: Store, stream: Readable, guard: ArchiveGuard): Promise<number> {
  const source = new ByteSource(stream);
  const header = await readHeader(source, guard);
  if (header.chain !== 'test') {
    throw new ArchiveError('OTHER_CHAIN', "the archive is of a node's chain, not of a chain in test mode");
  }
  const chain = await openFollowing(store, decodeGenesis(header.genesis));
  const job: JobControl = { stop: NEVER, onProgress: () => undefined };
  const options = { last: undefined, to: undefined };
  const { ahead } = await inSlices(addBlocks(chain, source, options, job, guard));
  return ahead ?? 0;
}

/** Returns settings with the later of the two clocks, since time never decreases. */
function withLead(saved: SavedControl | undefined, ahead: number): SavedControl {
  const own = saved?.timing.ahead ?? 0;
  const latest = CLOCK_TIME_MAX - systemClock.now();
  const timing = { ...SYSTEM_TIMING, ...saved?.timing, ahead: Math.min(Math.max(own, ahead), latest) };
  return { gasLimit: saved?.gasLimit, timing };
}

/** Opens the ledger of a folder. A new folder gets the genesis. */
async function openLedger(
  { dataDir, history }: ImportOptions,
  header: ArchiveHeader,
  closers: Closers,
): Promise<FollowingChain> {
  const genesis = decodeGenesis(header.genesis);
  const folder = openDataFolder(dataDir);
  closers.add(await lockFolder(folder.path));
  if (isThere(folder.genesis)) {
    requireSame(chainIdOf(readGenesisFile(folder.genesis)), chainIdOf(genesis), folder);
  }
  const historyOfNewFile = header.chain === 'test';
  const store = openStore({
    path: folder.store,
    durable: true,
    history,
    historyOfNewFile,
    undoBlocks: undoBlocksOf(header.chain),
  });
  closers.add(() => store.close());
  const stored = storedGenesis(store);
  if (stored !== undefined) requireSame(encode(genesisCodec, stored), header.genesis, folder);
  // Before the chain: without a genesis file it would be considered one of test mode.
  if (header.chain === 'node') storeGenesis(folder, genesis);
  return openFollowing(store, genesis);
}

/** Opens a ledger that imports blocks and produces none. */
async function openFollowing(store: Store, genesis: Genesis) {
  const options = { clock: systemClock, keys: [], mining: 'none' } as const;
  return { store, ledger: await Ledger.open({ store, genesis, ...options }) };
}

async function* addBlocks(
  chain: FollowingChain,
  source: ByteSource,
  { to = Number.POSITIVE_INFINITY, last }: Pick<ImportOptions, 'to' | 'last'>,
  job: JobControl,
  guard?: ArchiveGuard,
) {
  const { ledger } = chain;
  const began = ledger.blocks.head().number;
  const total = last === undefined ? undefined : Math.min(to, last) - began;
  const addition = new ArchiveImporter(chain);
  /** Seconds by which the clock of the chain was ahead; undefined if the archive has none, or was not read so far. */
  let ahead: number | undefined;
  const report = (interrupted: boolean) => {
    const head = ledger.blocks.head().number;
    return { imported: head - began, known: addition.known, head, interrupted, ahead };
  };
  try {
    for await (const item of readItems(source, guard)) {
      if (item.kind === 'clock') ahead = item.ahead;
      if (item.kind !== 'block' && item.kind !== 'patch') continue;
      if (job.stop.aborted) return report(true);
      await addition.add(item, to);
      if (addition.isBeyond) break;
      job.onProgress('blocks', ledger.blocks.head().number - began, total);
      yield;
    }
    return report(false);
  } catch (error) {
    // The signal ended the stream.
    if (job.stop.aborted && error === job.stop.reason) return report(true);
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

/** The chain that an archive is imported into. */
type FollowingChain = Awaited<ReturnType<typeof openFollowing>>;

/** Adds the blocks and patches of an archive to a chain, or compares them with existing ones. */
class ArchiveImporter {
  readonly #chain: FollowingChain;
  /** Newest patches of the archive: the block before them, and their count. */
  #newest = { block: -1, patches: 0 };
  /** Number of blocks that the chain had already. */
  known = 0;
  /** True after a block or patch beyond the last requested one. */
  isBeyond = false;

  constructor(chain: FollowingChain) {
    this.#chain = chain;
  }

  /** Adds a block or patch up to a block. @throws ArchiveError, and the errors of `Ledger.chain` and the store */
  async add(item: Extract<ArchiveItem, { kind: 'block' | 'patch' }>, to: number): Promise<void> {
    const number = item.kind === 'block' ? item.number : item.block;
    this.isBeyond = number > to;
    if (this.isBeyond) return;
    if (item.kind === 'block') await this.#addBlock(number, item.bytes);
    else this.#addPatch(number, item.sequence, item.record);
  }

  async #addBlock(number: number, bytes: Uint8Array): Promise<void> {
    const { ledger } = this.#chain;
    const head = ledger.blocks.head().number;
    requireNotAfter(number, head + 1, head);
    const header = await reading(`block ${number}`, () => decodeHeader(bytes));
    if (header.round !== BigInt(number)) {
      const message = `the archive has block ${header.round} at the position of block ${number}`;
      throw new ArchiveError('DAMAGED', message);
    }
    if (number === head + 1) {
      this.#requireSamePatches(head);
      ledger.chain.checkNextHeader(header);
      const added = ledger.chain.beginImport(await reading(`block ${number}`, () => decodeBlock(bytes)));
      await inSlices(added.making());
      added.store(Number.POSITIVE_INFINITY);
      return;
    }
    if (ledger.blocks.blockById(blockId(number, encode(signedBlockHeaderCodec, header))) === undefined) {
      const message = `block ${number} of the archive is not that of the chain: they differ from there on`;
      throw new ArchiveError('OTHER_CHAIN', message);
    }
    this.known += 1;
  }

  /** Rejects missing patches, without which the next block does not follow but may seem valid. */
  #requireSamePatches(head: number): void {
    const { patchCount } = this.#chain.ledger.chain;
    const given = this.#newest.block === head ? this.#newest.patches : 0;
    if (given === patchCount) return;
    const message = `the chain has ${patchCount} patches after block ${head}, and the archive has ${given}`;
    throw new ArchiveError('OTHER_CHAIN', message);
  }

  #addPatch(block: number, sequence: number, record: Uint8Array): void {
    const { ledger, store } = this.#chain;
    const head = ledger.blocks.head().number;
    requireNotAfter(block, head, head);
    this.#newest = { block, patches: sequence };
    const patch = `patch ${sequence} after block ${block} of the archive`;
    if (sequence <= store.patchCount(block)) {
      const own = store.patchAt(block, sequence);
      if (own !== undefined && equalBytes(own, record)) return;
    } else if (block === head) {
      try {
        ledger.chain.importPatch(record);
        return;
      } catch (cause) {
        if (!(cause instanceof LedgerdError) || cause instanceof StoreError) throw cause;
        throw new ArchiveError('DAMAGED', `${patch} cannot be applied: ${cause.message}`, { cause });
      }
    }
    const message = `${patch} is not that of the chain: they differ from there on`;
    throw new ArchiveError('OTHER_CHAIN', message);
  }
}

function requireNotAfter(number: number, most: number, head: number): void {
  if (number <= most) return;
  const message = `the archive continues with block ${number}, but block ${head + 1} is needed`;
  throw new ArchiveError('MISSING_BLOCKS', message);
}

/** Decodes a genesis. @throws ArchiveError DAMAGED */
function decodeGenesis(bytes: Uint8Array): Genesis {
  try {
    return decode(genesisCodec, bytes);
  } catch (cause) {
    throw unreadable('the genesis', cause);
  }
}

async function reading<T>(part: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw cause instanceof BlockRejectedError ? cause : unreadable(part, cause);
  }
}

/** Creates the error for undecodable bytes. Any other error is returned unchanged. */
function unreadable(part: string, cause: unknown): unknown {
  if (!(cause instanceof LedgerdError)) return cause;
  const reason = cause instanceof FollowError && cause.cause instanceof Error ? cause.cause : cause;
  return new ArchiveError('DAMAGED', `${part} of the archive cannot be read: ${reason.message}`, { cause });
}
