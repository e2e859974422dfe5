import type { Store } from '../store/index.ts';
import { type Stopwatch, systemTime } from '../time/time.ts';
import { SignatureChecks, type SignatureThreads } from './authorities/signature-checks.ts';
import { checkStoredChainId, chooseGenesis, storeGenesisBlock } from './blocks/genesis-block.ts';
import { Chain } from './chain/chain.ts';
import { type Clock, MovableClock } from './chain/clock.ts';
import { type LedgerCore, LedgerListeners, type OpenOrigin, type PricePolicy } from './core.ts';
import { type ChainOrigin, originOf } from './genesis/chain-parameters.ts';
import type { Genesis } from './genesis/genesis.ts';
import { isTestGenesis } from './genesis/test-genesis.ts';
import { DEFAULT_PRICE_POLICY, PendingTransactions, type PoolCore } from './pool/index.ts';
import type { ForkBase } from './state/fork-base.ts';
import { HeadState, WorkingState } from './state/working-state.ts';
import type { TransactionRules } from './transactions/apply-transaction.ts';

/** Options of opening the core of a ledger. */
export interface CoreOptions {
  /** The store, which only the ledger may write. */
  readonly store: Store;
  /** Default: the genesis that the store holds. */
  readonly genesis?: Genesis | undefined;
  /** The state at the block of a fork; needed if the genesis names one. */
  readonly base?: ForkBase | undefined;
  readonly clock: Clock;
  /** Least seconds from a block to the next one. Default: 0. */
  readonly timeStep?: number | undefined;
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
export async function openCore(options: CoreOptions): Promise<PoolCore> {
  const { store, time = systemTime, reportsExecutions = false } = options;
  const origin = originOf(chooseGenesis(store, options.genesis), options.base);
  const chain = new Chain(store);
  const state = await WorkingState.open(store, chain, origin.rules, reportsExecutions);
  if (chain.isEmpty) storeGenesisBlock(store, chain, state, origin);
  else checkStoredChainId(state, origin.chainId);
  const core = {
    store,
    chain,
    time,
    clock: new MovableClock(options.clock, options.timeStep),
    listeners: new LedgerListeners(),
    watch: reportsExecutions ? { listener: undefined } : undefined,
    prices: { ...(options.prices ?? DEFAULT_PRICE_POLICY) },
    signatureThreads: options.signatureThreads,
    origin: openOrigin({ chain, signatureThreads: options.signatureThreads }, origin, state),
  };
  // The pool reads the origin that the core has then.
  return Object.assign(core, { pool: new PendingTransactions(core) });
}

/** Opens the state of an origin, on a state with its rules. */
export function openOrigin(
  { chain, signatureThreads }: Pick<LedgerCore, 'chain' | 'signatureThreads'>,
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
  return { ...origin, transactionRules, state: new HeadState(state, chain) };
}
