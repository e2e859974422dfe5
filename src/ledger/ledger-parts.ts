import { equalBytes, type Hash, type KeyPair, type SignedTransaction } from '../protocol/index.ts';
import type { Store, StoreReader } from '../store/index.ts';
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
import { refuse } from './errors/index.ts';
import {
  chainIdOf,
  checkGenesis,
  type Genesis,
  isSameGenesis,
  isTestGenesis,
  producerOf,
  stateRulesOf,
} from './genesis/index.ts';
import type { LedgerParts } from './queries/index.ts';
import { HeadState, NativeState, TELLING, WorkingState } from './state/index.ts';
import {
  type AppliedTransaction,
  applyTransaction,
  PendingPool,
  type TransactionRules,
} from './transactions/index.ts';

/** What a ledger is opened with: a store, which only it writes to then, and when blocks are made. */
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
   * called; `inTurns` is the same, and transactions are taken whether or not a key is held here, since they get to
   * those who hold one; with `none` blocks come from elsewhere, and transactions are not taken.
   */
  readonly production: 'instant' | 'onDemand' | 'inTurns' | 'none';
  /** Whether block generation is on at the start. */
  readonly mining: boolean;
  /** Whether executions tell what they do (`listenToExecutions`). Default: they don't. */
  readonly tellsExecutions?: boolean | undefined;
  /**
   * Milliseconds that what waited is checked and executed for before the ledger is open; what was not reached waits
   * unchecked. Default: `PENDING_RESTORE_MS_MAX`.
   */
  readonly restoreMs?: number | undefined;
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

/** The parts of a ledger that follow from the genesis of its chain. */
interface GenesisParts {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  /** Whether the chain is one of test mode. */
  readonly isTestChain: boolean;
  readonly state: HeadState;
  readonly pool: PendingPool;
  readonly producer: BlockProducer;
}

/** The parts of a ledger that stay whatever its chain began with. */
interface LastingParts {
  readonly store: Store;
  readonly chain: Chain;
  readonly clock: MovableClock;
  readonly time: Stopwatch;
}

/** The parts of an open ledger, which everybody who uses them asks for anew each time. */
export class OpenedParts implements LastingParts {
  readonly store: Store;
  readonly chain: Chain;
  readonly clock: MovableClock;
  readonly time: Stopwatch;
  readonly #options: LedgerOptions;
  #current: GenesisParts;

  constructor(options: LedgerOptions, lasting: LastingParts, genesis: Genesis, state: WorkingState) {
    ({ store: this.store, chain: this.chain, clock: this.clock, time: this.time } = lasting);
    this.#options = options;
    this.#current = partsOf(options, lasting, genesis, state);
  }

  get genesis(): Genesis {
    return this.#current.genesis;
  }

  get chainId(): Hash {
    return this.#current.chainId;
  }

  get isTestChain(): boolean {
    return this.#current.isTestChain;
  }

  get state(): HeadState {
    return this.#current.state;
  }

  get pool(): PendingPool {
    return this.#current.pool;
  }

  get producer(): BlockProducer {
    return this.#current.producer;
  }

  /** Whether executions tell what they do. */
  get tellsExecutions(): boolean {
    return this.#options.tellsExecutions === true;
  }

  /** Chain id of the genesis that the ledger was opened with; undefined: with whatever the store has. */
  get openedWith(): Hash | undefined {
    const { genesis } = this.#options;
    return genesis && chainIdOf(genesis);
  }

  /**
   * Prepares the parts of a chain of another genesis in the same store.
   *
   * @param source holds that chain
   * @returns takes them into use, when the store has that chain; what waits does not wait any more then. Undefined
   *   where the genesis is no other one
   * @throws InvalidGenesisError, and RefusedError where the key of its next producer is not held; nothing is changed
   *   then
   */
  prepare(source: StoreReader, genesis: Genesis): (() => void) | undefined {
    const producer = new NativeState(source).account(producerOf(genesis, (source.head() ?? 0) + 1));
    const holdsKey = this.#options.keys.some(
      ({ publicKey }) => producer !== undefined && equalBytes(publicKey, producer.echorandKey),
    );
    if (!holdsKey) refuse({ code: 'otherProducer' });
    if (isSameGenesis(genesis, this.genesis)) return undefined;
    checkGenesis(genesis);
    const state = this.state.applying.over(this.store, this.chain, stateRulesOf(genesis));
    const parts = partsOf(this.#options, this, genesis, state);
    return () => {
      this.#current = parts;
    };
  }
}

/** What is read of a ledger with these parts. */
export function readingOf(parts: OpenedParts): LedgerParts {
  const { store, chain, clock } = parts;
  return {
    ...{ store, chain, clock },
    watch: parts.tellsExecutions ? { listener: undefined } : undefined,
    get genesis() {
      return parts.genesis;
    },
    get chainId() {
      return parts.chainId;
    },
    get state() {
      return parts.state.reading;
    },
  };
}

/**
 * Opens the parts of the ledger of a store; an empty store gets the genesis block.
 *
 * @throws InvalidGenesisError, GenesisMismatchError, NoGenesisError for an empty store without a genesis,
 *   ChainDamagedError, and what the store throws
 */
export async function openParts(options: LedgerOptions): Promise<OpenedParts> {
  const { store, time = systemTime } = options;
  const genesis = chooseGenesis(store, options.genesis);
  const chainId = chainIdOf(genesis);
  const chain = new Chain(store);
  const settings = options.tellsExecutions === true ? TELLING : {};
  const state = await WorkingState.open(store, chain, stateRulesOf(genesis), settings);
  if (chain.isEmpty) storeGenesisBlock(store, chain, state, genesis, chainId);
  else checkStoredChainId(state, chainId);
  const lasting: LastingParts = { store, chain, clock: new MovableClock(options.clock), time };
  return new OpenedParts(options, lasting, genesis, state);
}

function partsOf(
  { keys, signed }: LedgerOptions,
  { store, chain, clock, time }: LastingParts,
  genesis: Genesis,
  state: WorkingState,
): GenesisParts {
  const chainId = chainIdOf(genesis);
  const leaving = (ids: readonly string[]): readonly number[] => pool.leaving(ids);
  const headState = new HeadState(state, chain);
  const rules: TransactionRules = {
    chainId,
    signatures: new SignatureChecks(),
    isTestChain: isTestGenesis(genesis),
    ethereum: genesis.ethereum && {
      chainId: BigInt(genesis.network.chainId),
      blockGasLimit: genesis.ethereum.blockGasLimit,
    },
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
  return { genesis, chainId, isTestChain: rules.isTestChain, pool, producer, state: headState };
}

/** What the operations of a transaction used together. */
function gasUsed({ outcomes }: AppliedTransaction): bigint {
  return outcomes.reduce((sum, outcome) => sum + outcome.gasUsed, 0n);
}
