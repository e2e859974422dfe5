import { serializedBlock, storedBlock } from '../../ledger/index.ts';
import type { BlockLogDescription, BlockLogSource, SeedableBlockLog } from '../block-log/block-log-source.ts';
import { noteProblem } from '../block-log/note-problem.ts';
import { closeAfter } from '../closers.ts';
import { openStoredChain, type StoredChain } from '../stored-chain.ts';
import { chainIdentityOf } from './seed-block-log.ts';

/** The state of a chain's block log. */
export interface BlockLogReport extends BlockLogDescription {
  readonly url: string;
  /** Number of the block log's newest block; undefined if unknown. */
  readonly head: number | undefined;
  readonly storeHead: number;
  /** True if the newest common block is the same; undefined if there is none, or it cannot be read. */
  readonly isSameChain: boolean | undefined;
}

/**
 * Describes the block log of a folder's chain, also beside nodes. Nothing is created or changed.
 *
 * @throws DataFolderError, StoreError, BlockLogUnavailableError if no server responds, BlockLogUnsoundError for
 *   credentials
 */
export function describeBlockLog(dataDir: string, source: BlockLogSource): Promise<BlockLogReport> {
  return closeAfter(async (closers) => {
    const chain = openStoredChain(dataDir, closers);
    const inspection = await source.inspect(chainIdentityOf(chain));
    closers.add(() => inspection.close());
    const { log, description } = inspection;
    const { server, stream, found } = description;
    const problems = [...description.problems];
    const head = log && (await noteProblem(problems, () => log.head()));
    const isSameChain =
      log === undefined || head === undefined
        ? undefined
        : await noteProblem(problems, () => compare(log, chain, head));
    return { url: source.url, server, stream, found, head, storeHead: chain.head, isSameChain, problems };
  });
}

/** Compares the newest common block; since it exists, nothing is appended. */
async function compare(
  log: SeedableBlockLog,
  { store, head }: StoredChain,
  logged: number,
): Promise<boolean | undefined> {
  const number = Math.min(head, logged);
  const [own, parent] = [serializedBlock(store, number), storedBlock(store, number - 1)];
  if (number === 0 || own === undefined || parent === undefined) return undefined;
  return (await log.has(number, parent.id, own)) === 'appended';
}
