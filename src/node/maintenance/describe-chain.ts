import { ChainDamagedError, chainIdOf, storedBlock, supplyOf } from '../../ledger/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { closeAfter } from '../closers.ts';
import { isFolderLocked } from '../folder-lock.ts';
import { openStoredChain } from '../stored-chain.ts';

/** Number of newest blocks for the measured block interval. */
const RECENT_BLOCKS = 100;

/** The description of a data folder, without secrets. */
export type ChainDescription = Awaited<ReturnType<typeof describeChain>>;

/** Describes the chain of a data folder, even in use. @throws DataFolderError, StoreError, ChainDamagedError */
export function describeChain(dataDir: string) {
  return closeAfter(async (closers) => {
    const { folder, kind, store, genesis } = openStoredChain(dataDir, closers);
    // Before the snapshot, which would be counted.
    const statistics = store.statistics();
    const snapshot = store.snapshot();
    closers.add(() => snapshot.close());
    const head = describeHead(snapshot);
    return {
      path: folder.path,
      kind,
      inUse: await isFolderLocked(folder.path),
      genesis,
      /** The 32 bytes that native signatures cover. */
      nativeChainId: chainIdOf(genesis),
      /** Sum of all balances in native units. */
      supply: supplyOf(genesis),
      head,
      /** Number of newest blocks and the seconds between them. */
      recent: describeRecent(snapshot, head),
      pending: countPending(snapshot),
      /** True if operations are counted by payer. */
      history: store.history,
      statistics,
    };
  });
}

function describeHead(store: StoreReader) {
  const number = store.head() ?? 0;
  const { id, header } = requireBlock(store, number);
  return { number, id, timestamp: header.timestamp };
}

/** Measures the newest blocks without block 0, which has the time of the genesis and not of the first start. */
function describeRecent(store: StoreReader, head: ReturnType<typeof describeHead>) {
  if (head.number < 2) return { blocks: 0, seconds: 0 };
  const first = Math.max(1, head.number - RECENT_BLOCKS);
  const seconds = head.timestamp - requireBlock(store, first).header.timestamp;
  return { blocks: head.number - first, seconds };
}

function requireBlock(store: StoreReader, number: number): NonNullable<ReturnType<typeof storedBlock>> {
  const block = storedBlock(store, number);
  if (block === undefined) throw new ChainDamagedError(`block ${number} is missing`);
  return block;
}

/** Counts pending transactions one by one, since all of them together may be large. */
function countPending(store: StoreReader): number {
  let count = 0;
  for (const _pending of store.pendingTransactions()) count += 1;
  return count;
}
