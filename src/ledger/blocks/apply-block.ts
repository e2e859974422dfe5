import { BLOCK_TRANSACTIONS_MAX } from '../../consensus.ts';
import type { BlockContext } from '../../evm/index.ts';
import type { AccountId, ContractId, SignedTransaction } from '../../protocol/index.ts';
import { accountAddress, hexIdOf, isMetered } from '../../protocol/index.ts';
import { blobBaseFeeOf } from '../chain/block-fees.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import type { ExecutedPool, LedgerCore } from '../core.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { ChainOrigin } from '../genesis/chain-parameters.ts';
import type { StateRules } from '../state/state-rules.ts';
import type { WorkingState } from '../state/working-state.ts';
import { type AppliedTransaction, applyJob, applyRebuilding } from '../transactions/apply-transaction.ts';
import { blobsIn, ethereumOperationIn } from '../transactions/native-transaction.ts';
import { gasAtMost, gasOffered } from '../transactions/transaction-checks.ts';
import { type AppliedBlock, concludeBlock } from './conclude-block.ts';

/** Returns the block context of the EVM: the results of NUMBER, TIMESTAMP, COINBASE and similar opcodes. */
export function blockContextOf(inputs: BlockInputs, { genesis, rules }: ChainOrigin): BlockContext {
  return {
    number: BigInt(inputs.number),
    timestamp: BigInt(inputs.timestamp),
    coinbase: inputs.settings?.coinbase ?? accountAddress(inputs.account),
    randomness: inputs.rand,
    gasLimit: inputs.settings?.gasLimit ?? rules.blockGasLimit,
    chainId: BigInt(genesis.network.chainId),
    baseFee: rules.weiPerUnit === 1n ? 0n : inputs.prices.baseFee,
    blobBaseFee: blobBaseFeeOf(inputs.prices.excessBlobGas, rules.blobs),
  };
}

/** Sets the block context of the engine's executions. */
export function setEngineBlock(state: WorkingState, inputs: BlockInputs, origin: ChainOrigin): void {
  state.setBlock(blockContextOf(inputs, origin));
}

/**
 * Event logs after which a block that is made takes no further transaction: they are indexed in one commit, during
 * which nothing else is served.
 */
const MADE_BLOCK_LOGS_MAX = 10_000;

/** Callbacks while a block is applied. */
export interface ApplyListener {
  /** Called for each rejected transaction; if it returns, the block continues without it. */
  refused(transaction: SignedTransaction, error: RefusedError): void;
  /**
   * Returns true if the block accepts no more transactions; called after each but the last, until the block has as many
   * event logs as one that is made may have. Absent: the block takes all.
   */
  isFull?(): boolean;
  /**
   * Gas limit of all operations on contracts together: a transaction that offers more than the rest is skipped. Absent:
   * no limit.
   */
  readonly gasLimit?: bigint | undefined;
}

/**
 * Applies a block's transactions in memory; nothing is stored. Used for producing and for replaying alike. It can stop
 * after every operation; meanwhile nothing else may use the state.
 * @param state equal to that of the head; by default that which becomes the head's
 */
export function* applyBlock(
  { store, chain, origin }: LedgerCore,
  inputs: BlockInputs,
  transactions: Iterable<SignedTransaction>,
  listener: ApplyListener,
  state: WorkingState = origin.state.applying,
): Generator<void, AppliedBlock> {
  const { transactionRules } = origin;
  const apply = (transaction: SignedTransaction) => applyJob(state, chain, transactionRules, transaction);
  setEngineBlock(state, inputs, origin);
  const applied: AppliedTransaction[] = [];
  const included = new Set<string>();
  const gasPool = new GasPool(listener.gasLimit, inputs, state.rules);
  let isFirst = true;
  let logs = 0;
  for (const transaction of transactions) {
    if (applied.length === BLOCK_TRANSACTIONS_MAX) break;
    if (!gasPool.fits(transaction)) continue;
    if (!isFirst) {
      yield;
      if (listener.isFull !== undefined && (logs >= MADE_BLOCK_LOGS_MAX || listener.isFull())) break;
    }
    isFirst = false;
    try {
      const id = hexIdOf(transaction);
      if (included.has(id)) throw new RefusedError({ code: 'alreadyIncluded', block: inputs.number });
      const outcome = yield* applyRebuilding(
        () => apply(transaction),
        () => applyAgain(state, apply, applied),
      );
      gasPool.subtract(outcome);
      applied.push(outcome);
      logs += logCount(outcome);
      included.add(id);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      listener.refused(transaction, error);
    }
  }
  payProducer(state, inputs.account, applied);
  return yield* concludeBlock(applied, afterBlock(state), store, inputs, origin.rules);
}

/**
 * Makes a block of the transactions that the pool has executed, without executing them again. The pool's state stays as
 * it is, and that of the head is the one before the block.
 *
 * @param gasLimit see `ApplyListener.gasLimit`
 * @returns undefined if not all of them fit into the block
 */
export function takeExecuted(
  { store, origin }: LedgerCore,
  inputs: BlockInputs,
  { state, executed }: ExecutedPool,
  gasLimit: bigint | undefined,
): Generator<void, AppliedBlock> | undefined {
  const gasPool = new GasPool(gasLimit, inputs, state.rules);
  if (executed.length > BLOCK_TRANSACTIONS_MAX) return undefined;
  let logs = 0;
  for (const applied of executed) {
    if (logs >= MADE_BLOCK_LOGS_MAX || !gasPool.fits(applied.transaction)) return undefined;
    gasPool.subtract(applied);
    logs += logCount(applied);
  }
  const mark = state.mark();
  payProducer(state, inputs.account, executed);
  const after = afterBlock(state);
  state.revertTo(mark);
  // A copy: the pool goes on while the block waits for its order.
  return concludeBlock([...executed], after, store, inputs, origin.rules);
}

function logCount({ outcomes }: AppliedTransaction): number {
  return outcomes.reduce((count, { logs }) => count + logs.length, 0);
}

function afterBlock(state: WorkingState) {
  return {
    changes: state.changes(),
    contractAddressOf: (id: ContractId) => state.native.contractAddress(id),
  };
}

/** Restores the state after the applied transactions of the block. */
function* applyAgain(
  state: WorkingState,
  apply: (transaction: SignedTransaction) => Generator<void, AppliedTransaction>,
  applied: readonly AppliedTransaction[],
): Generator<void, void> {
  state.clear();
  for (const { transaction } of applied) {
    yield* apply(transaction);
    yield;
  }
}

/** Credits the producer with the fees and the value that self-destructs would burn: the supply never changes. */
function payProducer(state: WorkingState, account: AccountId, applied: readonly AppliedTransaction[]): void {
  let wei = 0n;
  for (const { outcomes } of applied) {
    for (const { charge, feeWei, burned } of outcomes) wei += burned + (feeWei ?? state.inWei(charge));
  }
  if (wei > 0n) state.engine.credit(accountAddress(account), wei);
}

/** The remaining gas of a block under construction. */
class GasPool {
  /** Remaining gas of operations on contracts; undefined: no limit. */
  #metered: bigint | undefined;
  /** Remaining gas of all operations, by the rule of the chain; undefined: no limit. */
  #all: bigint | undefined;
  /** Gas of all operations in an empty block; undefined: no limit. */
  readonly #most: bigint | undefined;
  /** Remaining blobs; undefined on a chain without blobs. */
  #blobs: number | undefined;

  /**
   * @param metered gas that operations on contracts may take together; undefined: any
   * @param rules of the chain, which bound all operations where it knows Ethereum
   */
  constructor(
    metered: bigint | undefined,
    { settings }: Pick<BlockInputs, 'settings'>,
    { blockGasLimit, hasStandardAddresses, blobs }: StateRules,
  ) {
    this.#metered = metered;
    this.#most = hasStandardAddresses ? (settings?.gasLimit ?? blockGasLimit) : undefined;
    this.#all = this.#most;
    this.#blobs = blobs?.max;
  }

  /**
   * Returns true if the offered gas and the blobs of a transaction fit. One that fits in no block of the chain counts
   * as fitting, so that applying it rejects it.
   */
  fits(transaction: SignedTransaction): boolean {
    if (this.#metered === undefined && this.#all === undefined) return true;
    if (this.#metered !== undefined && gasOffered(transaction) > this.#metered) return false;
    if (this.#all === undefined || this.#most === undefined) return true;
    if (this.#blobs !== undefined && blobsIn(transaction) > this.#blobs) return false;
    const gas = gasAtMost(transaction);
    if (gas <= this.#all) return true;
    // Applying a native one does not compare it with the limit, which a test may have lowered.
    return gas > this.#most && ethereumOperationIn(transaction) !== undefined;
  }

  subtract({ transaction, outcomes }: AppliedTransaction): void {
    if (this.#blobs !== undefined) this.#blobs -= blobsIn(transaction);
    transaction.operations.forEach((operation, index) => {
      const { charge = 0n, gasUsed = 0n, feeWei } = outcomes[index] ?? {};
      // A charge is in gas except where the fee is in wei.
      const metered = feeWei === undefined && charge < gasUsed ? charge : gasUsed;
      if (this.#metered !== undefined && isMetered(operation)) this.#metered -= metered;
      if (this.#all !== undefined) this.#all -= gasUsed;
    });
  }
}
