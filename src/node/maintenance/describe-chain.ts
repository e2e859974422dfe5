import { ChainDamagedError, chainIdOf, type Genesis, storedBlock, supplyOf } from '../../ledger/index.ts';
import type { BlockId, Hash } from '../../protocol/index.ts';
import type { StoreReader, StoreStatistics } from '../../store/index.ts';
import { closeAfter } from '../closers.ts';
import { isFolderLocked } from '../folder-lock.ts';
import { type ChainKind, openStoredChain } from '../stored-chain.ts';

/** Blocks from whose times `ledgerd info` tells how often they come. */
const RECENT_BLOCKS = 100;

/** What an operator wants to know of a data folder. Nothing in it is secret. */
export interface ChainDescription {
  /** Absolute path of the folder. */
  readonly path: string;
  readonly kind: ChainKind;
  /** Whether a process holds the folder: a node, or a command that writes. */
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
  /** What the newest blocks show of the time between two, whatever interval the nodes are started with. */
  readonly recent: {
    /** How many are looked at. */
    readonly blocks: number;
    /** From the block before them to the head. */
    readonly seconds: number;
  };
  /** Transactions that wait for their block. */
  readonly pending: number;
  /** Whether operations are counted by payer. */
  readonly history: boolean;
  readonly statistics: StoreStatistics;
}

/**
 * Describes the chain of a data folder, also while a node runs on it.
 * @throws DataFolderError where there is no chain, StoreError, ChainDamagedError
 */
export function describeChain(dataDir: string): Promise<ChainDescription> {
  return closeAfter(async (closers) => {
    const { folder, kind, store, genesis } = openStoredChain(dataDir, closers);
    // First: its readers are others, and not the snapshot that follows.
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

/** Block 0 does not count: it is as old as the genesis, not as the first start. */
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

/** One by one: all of them together may be large. */
function countPending(store: StoreReader): number {
  let count = 0;
  for (const _pending of store.pendingTransactions()) count += 1;
  return count;
}
