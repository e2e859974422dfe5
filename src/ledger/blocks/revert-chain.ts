import { bytesToHex, decode, LatticeAccumulator } from '../../protocol/index.ts';
import type {
  IndexedLog,
  PendingRecord,
  Reversion,
  ReversionPlan,
  Store,
  StoreReader,
} from '../../store/index.ts';
import { type OperationReceipt, receiptCodec, storedBlock } from '../chain/records.ts';
import { ChainDamagedError } from '../errors/errors.ts';
import { stateRootOf } from '../state/native-state.ts';
import { indexedLogs } from './block-build.ts';

/** What a store that is taken back is to have of before, beside its blocks. */
export interface FormerStore {
  /** The snapshots from this id on go; absent: only those of blocks that are taken back. */
  readonly snapshotsFrom?: number | undefined;
  /** How many patches after the block stay, and the root of the state with them; absent: none. */
  readonly patched?: { readonly patches: number; readonly root: string } | undefined;
  /** What waits afterwards; absent: what waits already. */
  readonly pending?: readonly PendingRecord[] | undefined;
  /** What of things beside the store comes back as well, as `Store.restored` has it from then on; absent: nothing. */
  readonly restored?: Uint8Array | undefined;
}

/**
 * Begins to find out what it comes to that the newest blocks of a chain are taken back.
 *
 * @param to number of the block that is the head afterwards
 * @param patches how many patches after it stay
 */
export function planReversion(store: Store, to: number, patches = 0): ReversionPlan {
  return store.planReversion({ to, patches, logsOf });
}

/**
 * Takes the newest blocks of a chain back, all at once. What comes out has to be the state that the block says it had.
 *
 * @param to number of the block that is the head afterwards
 * @param plan what was found out before
 * @throws ChainDamagedError where something else comes out or a record cannot be read, and what `Store.revertBlocks`
 *   throws; nothing is changed then
 */
export function revertChain(
  store: Store,
  to: number,
  { patched, ...former }: FormerStore = {},
  plan?: ReversionPlan,
): void {
  const lattice = new LatticeAccumulator(store.accumulator());
  const reversion: Reversion = {
    ...former,
    to,
    patches: patched?.patches,
    logsOf,
    onChange({ key, before, after }) {
      if (before !== undefined) lattice.remove(key, before);
      if (after !== undefined) lattice.add(key, after);
    },
    accumulator() {
      checkRoot(store, to, bytesToHex(lattice.digest()), patched?.root);
      return lattice.state();
    },
  };
  store.revertBlocks(reversion, plan);
}

function checkRoot(store: StoreReader, number: number, root: string, patched: string | undefined): void {
  const block = storedBlock(store, number);
  const given = patched ?? (block === undefined ? 'missing' : stateRootOf(block.header));
  if (given === root) return;
  throw new ChainDamagedError(
    `the state root of block ${number} is ${given}, and taking back what came after it gives ${root}`,
  );
}

function logsOf(bytes: Uint8Array, block: number, operation: number): IndexedLog[] {
  return indexedLogs(readReceipt(bytes, block, operation), operation);
}

function readReceipt(bytes: Uint8Array, block: number, operation: number): OperationReceipt {
  try {
    return decode(receiptCodec, bytes);
  } catch (cause) {
    throw new ChainDamagedError(`the receipt of operation ${operation} of block ${block} cannot be read`, {
      cause,
    });
  }
}
