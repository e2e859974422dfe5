import { ChainDamagedError, chainIdOf, type Genesis, storedBlock, supplyOf } from '../../ledger/index.ts';
import type { BlockId, Hash } from '../../protocol/index.ts';
import type { StoreReader, StoreStatistics } from '../../store/index.ts';
import { closeAfter } from '../closers.ts';
import { isFolderLocked } from '../folder-lock.ts';
import { type ChainKind, openStoredChain } from '../stored-chain.ts';

/** Newest blocks whose times show the interval of blocks. */
const RECENT_BLOCKS = 100;

/** The description of a data folder, without secrets. */
export interface ChainDescription {
  /** Absolute path of the folder. */
  readonly path: string;
  readonly kind: ChainKind;
  /** True if a process holds the folder: a node, or a command that writes. */
  readonly inUse: boolean;
  readonly genesis: Genesis;
  /** The 32 bytes that native signatures cover. */
  readonly nativeChainId: Hash;
  /** Sum of all balances in native units. */
  readonly supply: bigint;
  readonly head: {
    readonly number: number;
    readonly id: BlockId;
    /** Unix time in seconds. */
    readonly timestamp: number;
  };
  /** The newest blocks and their time, whatever interval the nodes are started with. */
  readonly recent: {
    /** Their number. */
    readonly blocks: number;
    /** From the block before them to the head. */
    readonly seconds: number;
  };
  /** Number of pending transactions. */
  readonly pending: number;
  /** True if operations are counted by payer. */
  readonly history: boolean;
  readonly statistics: StoreStatistics;
}

/** Describes the chain of a data folder, also beside a node. @throws DataFolderError, StoreError, ChainDamagedError */
export function describeChain(dataDir: string): Promise<ChainDescription> {
  return closeAfter(async (closers) => {
    const { folder, kind, store, genesis } = openStoredChain(dataDir, closers);
    // First, so that it does not count the next snapshot.
    const statistics = store.statistics();
    const snapshot = store.snapshot();
    closers.add(() => snapshot.close());
    const head = describeHead(snapshot);
    return {
      path: folder.path,
      kind,
      inUse: await isFolderLocked(folder.path),
      genesis,
      nativeChainId: chainIdOf(genesis),
      supply: supplyOf(genesis),
      head,
      recent: describeRecent(snapshot, head),
      pending: countPending(snapshot),
      history: store.history,
      statistics,
    };
  });
}

function describeHead(store: StoreReader): ChainDescription['head'] {
  const number = store.head() ?? 0;
  const { id, header } = requireBlock(store, number);
  return { number, id, timestamp: header.timestamp };
}

/** Leaves block 0 out: it is as old as the genesis, not as the first start. */
function describeRecent(store: StoreReader, head: ChainDescription['head']): ChainDescription['recent'] {
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

/** Counts one by one: all of them together may be large. */
function countPending(store: StoreReader): number {
  let count = 0;
  for (const _pending of store.pendingTransactions()) count += 1;
  return count;
}
