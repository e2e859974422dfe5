import { chainIdOf, serializedBlock, storedBlock } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import {
  type BlockLogSource,
  BlockLogUnavailableError,
  BlockLogUnsoundError,
  type ChainIdentity,
  collectProblem,
  type SeedableBlockLog,
} from '../block-log/block-log.ts';
import { closeAfter } from '../closers.ts';
import { DataFolderError } from '../node-errors.ts';
import { type JobControl, lockChainFolder, openStoredChain, type StoredChain } from '../stored-chain.ts';

/**
 * Creates the block log of a chain from the store of a stopped node, from block 1 on. A block log with the first blocks
 * of the store, such as after an interruption, gets the others. A log with other content is not changed.
 *
 * @throws DataFolderError, StoreError, BlockLogUnavailableError, BlockLogUnsoundError, and the signal's reason if it is
 *   aborted before the log is open
 */
export function seedBlockLog(
  { dataDir, log: source }: { readonly dataDir: string; readonly log: Pick<BlockLogSource, 'openToSeed'> },
  job: JobControl,
) {
  return closeAfter(async (closers) => {
    await lockChainFolder(dataDir, closers);
    const chain = openStoredChain(dataDir, closers);
    if (chain.kind === 'test') {
      const reason = `${chain.folder.path} has a chain of test mode, which cannot have a block log`;
      throw new DataFolderError('testChain', reason);
    }
    const log = await source.openToSeed(chainIdentityOf(chain), job.stop);
    closers.add(() => log.close());
    const before = await log.head();
    await requireBeginning(log, chain, before);
    await appendRest(log, chain, before, job);
    const head = await log.head();
    // After an interruption a further call continues.
    return { stream: log.name, before, head, interrupted: head < chain.head };
  });
}

/** Appends the missing blocks. @throws BlockLogUnavailableError with the progress, if a block times out */
async function appendRest(
  log: SeedableBlockLog,
  chain: StoredChain,
  before: number,
  job: JobControl,
): Promise<void> {
  let last = before;
  const blocks = blocksOf(chain.store, before + 1, chain.head, job.stop);
  try {
    await log.appendAll(blocks, (number) => {
      last = number;
      job.onProgress('blocks', number - before, chain.head - before);
    });
  } catch (cause) {
    if (!(cause instanceof BlockLogUnavailableError)) throw cause;
    const progress = `it has at least the first ${last} of ${chain.head} blocks: the same command continues`;
    throw new BlockLogUnavailableError(`${cause.message}; ${progress}`, { cause });
  }
}

/** Returns the identity of a folder's chain for its block log. */
function chainIdentityOf({ store, genesis, folder }: StoredChain): ChainIdentity {
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
      `the log has blocks up to ${logged}, and this store up to ${head}: it was not changed`,
    );
  }
  if (logged === 0) return;
  const own = requireBlock(store, logged);
  const stored = storedBlock(store, logged - 1);
  if (stored === undefined) throw missing(logged - 1);
  if ((await log.has(logged, stored.id, own)) === 'appended') return;
  const id = storedBlock(store, logged)?.id;
  throw new BlockLogUnsoundError(
    `block ${logged} of the log differs from that of this store, which is ` +
      `${id === undefined ? 'missing' : bytesToHex(id)}: the log was not changed`,
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

/** The state of a chain's block log. */
export type BlockLogReport = Awaited<ReturnType<typeof describeBlockLog>>;

/**
 * Describes the block log of a folder's chain, also while nodes run. Nothing is created or changed.
 *
 * @param dataDir undefined: the chain of the log, which is compared with no store
 * @throws DataFolderError, StoreError, BlockLogUnavailableError if no server responds, BlockLogUnsoundError for
 *   credentials
 */
export function describeBlockLog(dataDir: string | undefined, source: BlockLogSource) {
  return closeAfter(async (closers) => {
    const chain = dataDir === undefined ? undefined : openStoredChain(dataDir, closers);
    const inspection = await source.inspect(chain && chainIdentityOf(chain));
    closers.add(() => inspection.close());
    const { log, description } = inspection;
    const { server, stream, found } = description;
    const problems = [...description.problems];
    const head = log && (await collectProblem(problems, () => log.head()));
    // Undefined without a readable common block.
    const isSameChain =
      log === undefined || head === undefined || chain === undefined
        ? undefined
        : await collectProblem(problems, () => compare(log, chain, head));
    return { url: source.url, server, stream, found, head, storeHead: chain?.head, isSameChain, problems };
  });
}

/** Compares the newest common block of a log and a store; undefined without one. */
async function compare(
  log: SeedableBlockLog,
  { store, head }: StoredChain,
  logged: number,
): Promise<boolean | undefined> {
  const number = Math.min(head, logged);
  const own = serializedBlock(store, number);
  const parent = storedBlock(store, number - 1);
  if (number === 0 || own === undefined || parent === undefined) return undefined;
  return (await log.has(number, parent.id, own)) === 'appended';
}
