import { PATCHES_AFTER_BLOCK_MAX, UINT64_MAX } from '../../consensus.ts';
import { decode, encode } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { completeJob } from '../../time/job.ts';
import { type Patch, type PatchRecord, patchRecordCodec } from '../chain/patch-record.ts';
import type { LedgerCore } from '../core.ts';
import { refuse } from '../errors/refusal.ts';
import { type Genesis, supplyOf } from '../genesis/genesis.ts';
import { stateRulesOf } from '../genesis/genesis-rules.ts';
import { commitChanges } from '../state/native-state.ts';
import type { StateRules } from '../state/state-rules.ts';
import { commitStateTrie } from '../state/state-trie.ts';
import { changesOf } from './patch-changes.ts';

/**
 * Changes the state after the head in the store, without a block.
 * @param given the expected supply afterwards; absent: any
 * @throws RefusedError, HistoryDisabledError, and as the store; nothing is changed then
 */
export function commitPatch({ store, chain, origin }: LedgerCore, patch: Patch, given?: bigint): void {
  const { genesis, rules, transactionRules } = origin;
  if (!transactionRules.isTestChain) refuse({ code: 'patchOutsideTest' });
  const most = PATCHES_AFTER_BLOCK_MAX;
  if (store.patchCount(chain.head().number) >= most) refuse({ code: 'tooManyPatches', most });
  const { state, counts, supplyChange } = changesOf(store, patch, rules);
  const supply = supplyIn(weiSupplyOf(store, genesis) + supplyChange, rules);
  if (given !== undefined && given !== supply) refuse({ code: 'otherSupply', given, supply });
  const units = supply / rules.weiPerUnit;
  // The remote accounts of a fork have what they have.
  if (units > UINT64_MAX && rules.base === undefined)
    refuse({ code: 'supplyTooLarge', supply: units, most: UINT64_MAX });
  const { accumulator } = commitChanges(store.accumulator(), state);
  const trie = rules.hasStateTrie ? completeJob(commitStateTrie(store, state, rules)).changes : [];
  const record: PatchRecord = { supply, patch };
  store.commitPatch({
    patch: encode(patchRecordCodec, record),
    counts,
    accumulator,
    state: [...state, ...trie],
  });
}

/**
 * Returns a sum of balances as a chain records it: modulo 2^256 on a fork, whose sum has changes of remote balances
 * only, and may be negative.
 */
export function supplyIn(wei: bigint, { fork }: Pick<StateRules, 'fork'>): bigint {
  return fork === undefined ? wei : BigInt.asUintN(WORD_BITS, wei);
}

const WORD_BITS = 256;

/**
 * Returns the sum of all balances of a stored chain, in wei: that of its genesis, changed by patches.
 * @throws DecodeError for a patch that cannot be read
 */
export function weiSupplyOf(store: Pick<StoreReader, 'newestPatch'>, genesis: Genesis): bigint {
  const newest = store.newestPatch();
  if (newest !== undefined) return decode(patchRecordCodec, newest).supply;
  return supplyOf(genesis) * stateRulesOf(genesis).weiPerUnit;
}
