import { chainIdOf, serializedBlock, storedBlock } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log/block-log.ts';
import type { BlockLogSource, ChainIdentity, SeedableBlockLog } from '../block-log/block-log-source.ts';
import { closeAfter } from '../closers.ts';
import { DataFolderError } from '../errors.ts';
import { claimFolder, openStoredChain, type StoredChain } from '../stored-chain.ts';
import type { Work } from '../work.ts';

/** The folder of a stopped node, and the block log for its blocks. */
export interface SeedBlockLogOptions {
  readonly dataDir: string;
  readonly log: Pick<BlockLogSource, 'openToSeed'>;
}

/** The outcome of seeding a block log. */
export interface SeededBlockLog {
  readonly stream: string;
  /** Number of the block log's newest block before and now. */
  readonly before: number;
  readonly head: number;
  /** True if it was stopped before the end; a further call continues. */
  readonly interrupted: boolean;
}

/**
 * Makes the block log of a chain out of a stopped node's store, from block 1 on. A block log with the first blocks of
 * the store, such as after an interruption, gets the others; one with other content is not changed.
 *
 * @throws DataFolderError, StoreError, BlockLogUnavailableError, BlockLogUnsoundError, and the signal's reason if it is
 *   aborted before the log is open
 */
export function seedBlockLog(
  { dataDir, log: source }: SeedBlockLogOptions,
  work: Work,
): Promise<SeededBlockLog> {
  return closeAfter(async (closers) => {
    await claimFolder(dataDir, closers);
    const chain = openStoredChain(dataDir, closers);
    if (chain.kind === 'test') {
      const reason = `${chain.folder.path} has a chain of test mode, which takes no log`;
      throw new DataFolderError('testChain', reason);
    }
    const log = await source.openToSeed(chainIdentityOf(chain), work.stop);
    closers.add(() => log.close());
    const before = await log.head();
    await requireBeginning(log, chain, before);
    await appendRest(log, chain, before, work);
    const head = await log.head();
    return { stream: log.name, before, head, interrupted: head < chain.head };
  });
}

/** Appends the missing blocks. @throws BlockLogUnavailableError with its progress, for a block not taken in time */
async function appendRest(
  log: SeedableBlockLog,
  chain: StoredChain,
  before: number,
  work: Work,
): Promise<void> {
  let last = before;
  const blocks = blocksOf(chain.store, before + 1, chain.head, work.stop);
  try {
    await log.appendAll(blocks, (number) => {
      last = number;
      work.onProgress('blocks', number - before, chain.head - before);
    });
  } catch (cause) {
    if (!(cause instanceof BlockLogUnavailableError)) throw cause;
    const progress = `it has the first ${last} of ${chain.head} blocks at least: the same command goes on`;
    throw new BlockLogUnavailableError(`${cause.message}; ${progress}`, { cause });
  }
}

/** Returns the identity of a folder's chain for its block log. */
export function chainIdentityOf({ store, genesis, folder }: StoredChain): ChainIdentity {
  const first = storedBlock(store, 0);
  if (first === undefined) {
    throw new DataFolderError('notInitialized', `the store in ${folder.path} has no genesis block`);
  }
  return { chainId: chainIdOf(genesis), genesisId: first.id };
}

/** Rejects a block log unless it has the first blocks of the store and no others. @throws BlockLogUnsoundError */
async function requireBeginning(
  log: SeedableBlockLog,
  { store, head }: StoredChain,
  logged: number,
): Promise<void> {
  if (logged > head) {
    throw new BlockLogUnsoundError(
      `the log has blocks up to ${logged}, and this store up to ${head}: it stays as it is`,
    );
  }
  if (logged === 0) return;
  const own = requireBlock(store, logged);
  const stored = storedBlock(store, logged - 1);
  if (stored === undefined) throw missing(logged - 1);
  if ((await log.has(logged, stored.id, own)) === 'appended') return;
  const id = storedBlock(store, logged)?.id;
  throw new BlockLogUnsoundError(
    `the log has another block ${logged} than this store, whose block ${logged} is ` +
      `${id === undefined ? 'missing' : bytesToHex(id)}: it stays as it is`,
  );
}

function* blocksOf(
  store: StoreReader,
  from: number,
  to: number,
  stop: AbortSignal,
): Generator<readonly [number, Uint8Array], void, undefined> {
  for (let number = from; number <= to && !stop.aborted; number += 1)
    yield [number, requireBlock(store, number)];
}

function requireBlock(store: StoreReader, number: number): Uint8Array {
  const block = serializedBlock(store, number);
  if (block === undefined) throw missing(number);
  return block;
}

function missing(number: number): DataFolderError {
  return new DataFolderError('unusable', `block ${number} is missing in the store`);
}
