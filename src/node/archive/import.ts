import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  chainIdOf,
  type Genesis,
  genesisCodec,
  Ledger,
  storedGenesis,
  systemClock,
  WorkSlices,
} from '../../ledger/index.ts';
import {
  type Block,
  blockCodec,
  blockId,
  decode,
  encode,
  equalBytes,
  LedgerdError,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { Closers } from '../closers.ts';
import { type DataFolder, openDataFolder } from '../data-folder.ts';
import { lockFolder } from '../folder-lock.ts';
import { keepGenesis, readGenesisFile } from '../genesis-file.ts';
import { undoBlocksOf } from '../stored-chain.ts';
import type { Work } from '../work.ts';
import { readChunks, readHeader } from './archive-reader.ts';
import { ByteSource } from './byte-source.ts';
import { ArchiveError } from './errors.ts';
import type { ArchiveHeader } from './format.ts';

export interface ImportOptions {
  /** Folder of a chain of the same genesis; without a chain it gets one. */
  readonly dataDir: string;
  /** The archive's bytes. */
  readonly source: Readable;
  /** Number of the archive's last block where that is known. */
  readonly last: number | undefined;
  /** Last block to import; undefined for the archive's last. */
  readonly to: number | undefined;
  /** Whether a new chain counts operations by payer; undefined: as its kind of node does of itself. */
  readonly history: boolean | undefined;
}

export interface ImportReport {
  /** Blocks that were added. */
  readonly imported: number;
  /** Blocks that were there already, with the same ids. */
  readonly known: number;
  /** Number of the chain's newest block. */
  readonly head: number;
  /** Whether it was asked to stop before the end. */
  readonly interrupted: boolean;
}

/**
 * Adds the blocks of an archive to a chain, each checked as one that came from another node, and each one durable
 * before the next. Whatever ends it, the chain has whole blocks, and a further import goes on behind them.
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
    const ledger = await openLedger(options, header, work, closers);
    return await addBlocks(ledger, source, options, work);
  } finally {
    await closers.close();
  }
}

/**
 * Fills an empty store with the chain of an archive of test mode, each block checked as one from another node.
 *
 * @throws ArchiveError, BlockRejectedError, InvalidGenesisError, and what the store throws; it is to be given up then
 */
export async function restoreChain(store: Store, stream: Readable): Promise<void> {
  const source = new ByteSource(stream);
  const header = await readHeader(source);
  if (header.chain !== 'test') {
    throw new ArchiveError('OTHER_CHAIN', "the archive is of a node's chain, not of one of test mode");
  }
  const ledger = await openFollowing(store, decodeGenesis(header.genesis));
  const work: Work = { stop: new AbortController().signal, onProgress: () => undefined };
  await addBlocks(ledger, source, { last: undefined, to: undefined }, work);
}

/** Opens the ledger that the archive is for, and makes the folder a whole one where it is new. */
async function openLedger(
  { dataDir, history }: ImportOptions,
  header: ArchiveHeader,
  work: Work,
  closers: Closers,
): Promise<Ledger> {
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
    onMigration: ({ bytes, totalBytes }) => work.onProgress('bytes', bytes, totalBytes),
  });
  closers.add(() => store.close());
  const stored = storedGenesis(store);
  if (stored !== undefined) requireSame(encode(genesisCodec, stored), header.genesis, folder);
  // Before the chain: a chain without it would be taken for one of test mode.
  if (header.chain === 'node') keepGenesis(folder, genesis);
  return openFollowing(store, genesis);
}

/** A ledger that takes blocks, and makes none. */
function openFollowing(store: Store, genesis: Genesis): Promise<Ledger> {
  return Ledger.open({ store, genesis, clock: systemClock, keys: [], production: 'none', mining: false });
}

async function addBlocks(
  ledger: Ledger,
  source: ByteSource,
  { to = Number.POSITIVE_INFINITY, last }: Pick<ImportOptions, 'to' | 'last'>,
  work: Work,
): Promise<ImportReport> {
  const slices = new WorkSlices();
  const began = ledger.head().number;
  const total = last === undefined ? undefined : Math.min(to, last) - began;
  let known = 0;
  const report = (interrupted: boolean): ImportReport => {
    const head = ledger.head().number;
    return { imported: head - began, known, head, interrupted };
  };
  try {
    for await (const { number, bytes } of blocksOf(source)) {
      if (number > to) break;
      if (work.stop.aborted) return report(true);
      if (!addBlock(ledger, number, bytes)) known += 1;
      work.onProgress('blocks', ledger.head().number - began, total);
      await slices.next();
    }
    return report(false);
  } catch (error) {
    // The archive was waited for.
    if (work.stop.aborted && error === work.stop.reason) return report(true);
    throw withHead(error, ledger);
  }
}

async function* blocksOf(source: ByteSource): AsyncGenerator<{ number: number; bytes: Uint8Array }> {
  for await (const { first, blocks } of readChunks(source)) {
    for (const [index, bytes] of blocks.entries()) yield { number: first + index, bytes };
  }
}

/** Adds a block, or compares it with the one that is there. Returns whether it is new. */
function addBlock(ledger: Ledger, number: number, bytes: Uint8Array): boolean {
  const head = ledger.head().number;
  if (number > head + 1) {
    const message = `the archive goes on with block ${number}, and block ${head + 1} is needed`;
    throw new ArchiveError('MISSING_BLOCKS', message);
  }
  const block = decodeBlock(number, bytes);
  if (number === head + 1) {
    ledger.importBlock(block);
    return true;
  }
  const { transactions: _transactions, ...header } = block;
  const id = blockId(number, encode(signedBlockHeaderCodec, header));
  if (ledger.blockById(id) === undefined) {
    const message = `block ${number} of the archive is not that of the chain: they are different from there on`;
    throw new ArchiveError('OTHER_CHAIN', message);
  }
  return false;
}

function decodeBlock(number: number, bytes: Uint8Array): Block {
  const block = decoding(`block ${number}`, () => decode(blockCodec, bytes));
  if (block.round === BigInt(number)) return block;
  throw new ArchiveError(
    'DAMAGED',
    `block ${block.round} stands in the archive at the place of block ${number}`,
  );
}

function decodeGenesis(bytes: Uint8Array): Genesis {
  return decoding('the genesis', () => decode(genesisCodec, bytes));
}

function decoding<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (!(cause instanceof LedgerdError)) throw cause;
    throw new ArchiveError('DAMAGED', `${what} of the archive can't be read: ${cause.message}`, { cause });
  }
}

function requireSame(ours: Uint8Array, theirs: Uint8Array, { path }: DataFolder): void {
  if (equalBytes(ours, theirs)) return;
  throw new ArchiveError(
    'OTHER_CHAIN',
    `the archive is of another chain than ${path}: their genesis differs`,
  );
}

/** Says how far the chain came, where it is not plain that nothing was done. */
function withHead(error: unknown, ledger: Ledger): unknown {
  if (!(error instanceof ArchiveError)) return error;
  const message = `${error.message}; the chain's head is block ${ledger.head().number}`;
  return new ArchiveError(error.code, message, { cause: error });
}
