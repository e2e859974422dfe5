import type { Hash, KeyPair, SignedTransaction } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { type Stopwatch, systemTime } from '../time.ts';
import { SignatureChecks } from './authorities/index.ts';
import {
  BlockProducer,
  checkStoredChainId,
  chooseGenesis,
  type FormerStore,
  type SignedBlocks,
  setEngineBlock,
  storeGenesisBlock,
} from './blocks/index.ts';
import { type BlockTiming, Chain, type Clock, MovableClock } from './chain/index.ts';
import { chainIdOf, type Genesis, isTestGenesis, stateRulesOf } from './genesis/index.ts';
import { HeadState, TELLING, WorkingState } from './state/index.ts';
import {
  type AppliedTransaction,
  applyTransaction,
  PendingPool,
  type TransactionRules,
} from './transactions/index.ts';

export interface LedgerOptions {
  readonly store: Store;
  /** Default: the genesis that the store holds. */
  readonly genesis?: Genesis | undefined;
  readonly clock: Clock;
  /** Measures how long work takes. Default: the system's. */
  readonly time?: Stopwatch | undefined;
  /** The consensus keys that this node holds. */
  readonly keys: readonly KeyPair[];
  /** Record of the blocks that they have signed. Default: none, so that the chain alone says so. */
  readonly signed?: SignedBlocks | undefined;
  /**
   * When blocks are made: `instant` makes one for every transaction while mining is on; `onDemand` when `mine` is
   * called; with `none` they come from elsewhere, and transactions are not taken.
   */
  readonly production: 'instant' | 'onDemand' | 'none';
  /** Whether block generation is on at the start. */
  readonly mining: boolean;
  /** Whether executions tell what they do (`listenToExecutions`). Default: they don't. */
  readonly tellsExecutions?: boolean | undefined;
}

/** An accepted transaction. */
export interface Submission {
  /** Transaction hash of the first operation: the processed form when it is in a block, else the pending form. */
  readonly hash: Hash;
}

/** What a test can set of a ledger, beside its chain. */
export interface LedgerSettings {
  readonly timing: BlockTiming;
  readonly production: LedgerOptions['production'];
  /** Whether block generation is on. */
  readonly mining: boolean;
  /** Gas that a block may take; undefined: any. */
  readonly gasLimit: bigint | undefined;
}

/** What a ledger that is taken back is to have of before, beside its blocks. */
export interface FormerPast extends FormerStore {
  readonly settings?: LedgerSettings | undefined;
}

export interface OpenedParts {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  /** Whether the chain is one of test mode. */
  readonly isTestChain: boolean;
  readonly chain: Chain;
  readonly state: HeadState;
  readonly pool: PendingPool;
  readonly producer: BlockProducer;
  readonly clock: MovableClock;
  readonly time: Stopwatch;
}

/**
 * Opens the parts of the ledger of a store; an empty store gets the genesis block.
 *
 * @throws InvalidGenesisError, GenesisMismatchError, NoGenesisError for an empty store without a genesis,
 *   ChainDamagedError, and what the store throws
 */
export async function openParts(options: LedgerOptions): Promise<OpenedParts> {
  const { store, keys, signed, time = systemTime } = options;
  const genesis = chooseGenesis(store, options.genesis);
  const chainId = chainIdOf(genesis);
  const chain = new Chain(store);
  const settings = options.tellsExecutions === true ? TELLING : {};
  const state = await WorkingState.open(store, chain, stateRulesOf(genesis), settings);
  if (chain.isEmpty) storeGenesisBlock(store, chain, state, genesis, chainId);
  else checkStoredChainId(state, chainId);
  const clock = new MovableClock(options.clock);
  const leaving = (ids: readonly string[]): readonly number[] => pool.leaving(ids);
  const headState = new HeadState(state, chain);
  const rules: TransactionRules = {
    chainId,
    signatures: new SignatureChecks(),
    isTestChain: isTestGenesis(genesis),
    ethereum: genesis.ethereum && { chainId: BigInt(genesis.network.chainId) },
  };
  const producer = new BlockProducer({
    store,
    chain,
    state: headState,
    genesis,
    clock,
    time,
    keys,
    signed,
    leaving,
    ...rules,
  });
  const another = (): WorkingState => state.another(chain);
  const apply = (poolState: WorkingState, transaction: SignedTransaction): bigint => {
    setEngineBlock(poolState, producer.nextInputs(), genesis.network.chainId);
    return gasUsed(applyTransaction(poolState, chain, rules, transaction));
  };
  const pool = new PendingPool(store, another, apply, time);
  const { isTestChain } = rules;
  return { genesis, chainId, isTestChain, chain, pool, producer, clock, time, state: headState };
}

/** What the operations of a transaction used together. */
function gasUsed({ outcomes }: AppliedTransaction): bigint {
  return outcomes.reduce((sum, outcome) => sum + outcome.gasUsed, 0n);
}
