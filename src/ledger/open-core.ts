import type { SignedTransaction } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { type Stopwatch, systemTime } from '../time.ts';
import { SignatureChecks, type SignatureThreads } from './authorities/signature-checks.ts';
import { setEngineBlock } from './blocks/apply-block.ts';
import { nextInputs, nextPrices } from './blocks/block-assembly.ts';
import { checkStoredChainId, chooseGenesis, storeGenesisBlock } from './blocks/genesis-block.ts';
import { blobBaseFeeOf } from './chain/block-fees.ts';
import { Chain } from './chain/chain.ts';
import { type Clock, MovableClock } from './chain/clock.ts';
import { type LedgerCore, LedgerListeners, type OpenOrigin } from './core.ts';
import { type ChainOrigin, originOf } from './genesis/chain-parameters.ts';
import type { Genesis } from './genesis/genesis.ts';
import { isTestGenesis } from './genesis/test-genesis.ts';
import type { ForkBase } from './state/fork-base.ts';
import { HeadState, WorkingState } from './state/working-state.ts';
import { complete } from './steps.ts';
import { applyInSteps, type TransactionRules } from './transactions/apply-transaction.ts';
import type { ExecutedTransaction } from './transactions/executed-transactions.ts';
import { PendingPool } from './transactions/pending-pool.ts';
import { DEFAULT_PRICE_POLICY, type PricePolicy, tipsAt } from './transactions/prices.ts';

/** Options of opening the core of a ledger. */
export interface CoreOptions {
  /** The store, which only the ledger may write. */
  readonly store: Store;
  /** Default: the genesis that the store holds. */
  readonly genesis?: Genesis | undefined;
  /** The state at the block of a fork; needed if the genesis names one. */
  readonly base?: ForkBase | undefined;
  readonly clock: Clock;
  /** Stopwatch of work. Default: the system's. */
  readonly time?: Stopwatch | undefined;
  /** True if executions report to listeners (`listenToExecutions`). Default: false. */
  readonly reportsExecutions?: boolean | undefined;
  /** Threads that check signatures ahead. Default: none. */
  readonly signatureThreads?: SignatureThreads | undefined;
  /** Default: `DEFAULT_PRICE_POLICY`. */
  readonly prices?: PricePolicy | undefined;
}

/**
 * Opens the core of the ledger of a store; an empty store gets the genesis block.
 * @throws InvalidGenesisError, GenesisMismatchError, NoGenesisError for an empty store without a genesis,
 *   NoForkBaseError, ChainDamagedError, and as the store
 */
export async function openCore(options: CoreOptions): Promise<LedgerCore> {
  const { store, time = systemTime, reportsExecutions = false } = options;
  const origin = originOf(chooseGenesis(store, options.genesis), options.base);
  const chain = new Chain(store);
  const state = await WorkingState.open(store, chain, origin.rules, reportsExecutions);
  if (chain.isEmpty) storeGenesisBlock(store, chain, state, origin);
  else checkStoredChainId(state, origin.chainId);
  const core = {
    ...{ store, chain, time, clock: new MovableClock(options.clock), listeners: new LedgerListeners() },
    watch: reportsExecutions ? { listener: undefined } : undefined,
    prices: { ...(options.prices ?? DEFAULT_PRICE_POLICY) },
    signatureThreads: options.signatureThreads,
  };
  return { ...core, origin: openOrigin(core, origin, state) };
}

/** Opens the state and the pool of an origin, on a state with its rules. */
export function openOrigin(
  { store, chain, clock, time, signatureThreads }: Omit<LedgerCore, 'origin'>,
  origin: ChainOrigin,
  state: WorkingState,
): OpenOrigin {
  const { genesis, chainId } = origin;
  const transactionRules: TransactionRules = {
    chainId,
    signatures: new SignatureChecks(signatureThreads),
    isTestChain: isTestGenesis(genesis),
    ethereum: genesis.ethereum && {
      chainId: BigInt(genesis.network.chainId),
      blockGasLimit: genesis.ethereum.blockGasLimit,
      blobs: origin.rules.blobs,
    },
  };
  const apply = (poolState: WorkingState, transaction: SignedTransaction): ExecutedTransaction => {
    const inputs = nextInputs({ chain, clock, origin });
    setEngineBlock(poolState, inputs, origin);
    const applied = complete(applyInSteps(poolState, chain, transactionRules, transaction));
    const readsTime = applied.outcomes.some((outcome) => outcome.readsTime === true);
    return { applied, inputs, readsTime };
  };
  const { weiPerUnit, fees, blobs } = origin.rules;
  const baseFee = () => nextPrices(chain, origin).baseFee;
  const blobBaseFee = () => blobBaseFeeOf(nextPrices(chain, origin).excessBlobGas, blobs);
  const tips = () => (fees.type === 'unit' ? undefined : tipsAt(baseFee(), weiPerUnit));
  const rules = { apply, baseFee, blobBaseFee, tips };
  const pool = new PendingPool(store, () => state.another(chain), rules, time);
  return { ...origin, transactionRules, pool, state: new HeadState(state, chain) };
}
