import { bytesToHex, decode, LatticeAccumulator } from '../../protocol/index.ts';
import {
  type IndexedLog,
  type PendingRecord,
  type Revert,
  type RevertPlan,
  type Store,
  type StoreReader,
  stateKey,
} from '../../store/index.ts';
import { receiptCodec, storedBlock } from '../chain/records.ts';
import { ChainDamagedError, readStored } from '../errors/chain-errors.ts';
import { stateRootOf } from '../state/native-state.ts';
import { indexedLogs } from './block-commit.ts';

/** The state of a store after a revert, in addition to its blocks. */
export interface RevertedStore {
  /** First id of the snapshots to remove; absent: only those of reverted blocks. */
  readonly snapshotsFrom?: number | undefined;
  /** Number of patches that stay after the block, and the state root with them; absent: none. */
  readonly patched?: { readonly patches: number; readonly root: string } | undefined;
  /** Pending transactions afterwards; absent: unchanged. */
  readonly pending?: readonly PendingRecord[] | undefined;
  /** The restored record of data outside the store, which `Store.restored` returns afterwards; absent: none. */
  readonly restored?: Uint8Array | undefined;
}

/**
 * Begins to plan the revert of the newest blocks of a chain.
 * @param to number of the new head
 * @param patches number of patches that stay after it
 */
export function planRevert(store: Store, to: number, patches = 0): RevertPlan {
  return store.planRevert({ to, patches, logsOf });
}

/**
 * Reverts the newest blocks of a chain in one transaction. The resulting state must be the one that the new head
 * states.
 * @param to number of the new head
 * @param plan the plan, if there is one
 * @throws ChainDamagedError for another state or an unreadable record, and as `Store.revertBlocks`; nothing is changed
 *   then
 */
export function revertChain(
  store: Store,
  to: number,
  { patched, ...former }: RevertedStore = {},
  plan?: RevertPlan,
): void {
  const lattice = new LatticeAccumulator(store.accumulator());
  const revert: Revert = {
    ...former,
    to,
    patches: patched?.patches,
    logsOf,
    onChange({ key, before, after }) {
      if (stateKey.isOfTrie(key)) return;
      if (before !== undefined) lattice.remove(key, before);
      if (after !== undefined) lattice.add(key, after);
    },
    accumulator() {
      checkRoot(store, to, bytesToHex(lattice.digest()), patched?.root);
      return lattice.state();
    },
  };
  store.revertBlocks(revert, plan);
}

function checkRoot(store: StoreReader, number: number, root: string, patched: string | undefined): void {
  const block = storedBlock(store, number);
  const given = patched ?? (block === undefined ? 'missing' : stateRootOf(block.header));
  if (given === root) return;
  throw new ChainDamagedError(
    `the state root of block ${number} is ${given}, but reverting the later blocks gives ${root}`,
  );
}

function logsOf(bytes: Uint8Array, block: number, operation: number): IndexedLog[] {
  const part = `the receipt of operation ${operation} of block ${block}`;
  const receipt = readStored(part, () => decode(receiptCodec, bytes));
  return indexedLogs(receipt, operation);
}
