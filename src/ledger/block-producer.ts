import type {
  AccountId,
  Block,
  Hash,
  KeyPair,
  SignedBlockHeader,
  SignedTransaction,
} from '../protocol/index.ts';
import { bytesToHex, invariant } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import type { AppliedBlock, ApplyContext, BlockInputs } from './apply-block.ts';
import { applyBlock } from './apply-block.ts';
import { assembleHeader, signHeader, summarize } from './block-assembly.ts';
import type { BlockSummary, Chain } from './chain.ts';
import type { Clock } from './clock.ts';
import { NoProducerKeyError } from './errors.ts';
import type { Genesis } from './genesis.ts';
import { producerOf } from './genesis.ts';
import { replayBlock } from './import-block.ts';
import { nextInputs } from './next-block.ts';
import { type DroppedTransaction, nameOf } from './pending-pool.ts';
import type { Account } from './records.ts';
import type { RefusedError } from './refusal.ts';
import { storeBlock } from './store-block.ts';
import type { WorkingState } from './working-state.ts';

/** What a producer works with. */
export interface BlockProducerParts {
  readonly store: Store;
  readonly chain: Chain;
  /** The state at the head; between blocks it holds nothing that is not stored. */
  readonly state: WorkingState;
  readonly genesis: Genesis;
  readonly chainId: Hash;
  readonly clock: Clock;
  /** The consensus keys that this node holds. */
  readonly keys: readonly KeyPair[];
  /** Finds the sequences of stored transactions that wait no longer when these have gone. */
  leaving(gone: readonly string[]): readonly number[];
}

/** What a block took to be added. */
export interface BlockWork {
  /** Applying it: checks, execution, roots and, for a block of this node, its signature. */
  readonly applyMilliseconds: number;
  /** Writing it to the store. */
  readonly commitMilliseconds: number;
  /** What its operations on contracts were charged together. */
  readonly gas: bigint;
}

/** A block that was just added to the chain. */
export interface AddedBlock {
  readonly summary: BlockSummary;
  readonly applied: AppliedBlock;
  /** What was to be in it and is not allowed. */
  readonly refused: readonly DroppedTransaction[];
  /** Names of the transactions that wait no longer: those of the block, and what was refused. */
  readonly gone: readonly string[];
  readonly work: BlockWork;
}

/** A block that is not stored yet. */
interface MadeBlock {
  readonly header: SignedBlockHeader;
  readonly applied: AppliedBlock;
  readonly refused: readonly DroppedTransaction[];
}

/** Adds blocks to the chain: the only way in which the stored state changes. */
export class BlockProducer {
  readonly #parts: BlockProducerParts;
  readonly #keys: ReadonlyMap<string, KeyPair>;

  constructor(parts: BlockProducerParts) {
    this.#parts = parts;
    this.#keys = new Map(parts.keys.map((key) => [bytesToHex(key.publicKey), key]));
  }

  /** What the next block would begin with if it were made now. */
  nextInputs(): BlockInputs {
    return nextInputs(this.#parts);
  }

  /** Whether the node holds the consensus key of any producer, and so makes blocks at all. */
  holdsAnyKey(): boolean {
    return this.#parts.genesis.producers.some((producer) => this.#keyOf(producer) !== undefined);
  }

  /** Whether the node holds the consensus key of the producer whose turn the next block is. */
  holdsNextKey(): boolean {
    const { chain, genesis } = this.#parts;
    return this.#keyOf(producerOf(genesis, chain.head().number + 1)) !== undefined;
  }

  /**
   * Makes, signs and stores a block of those transactions that the rules allow, even an empty one; `onRefused` is
   * told of the others, and may throw to call it off: nothing is changed then.
   */
  produce(
    transactions: Iterable<SignedTransaction>,
    onRefused: (error: RefusedError) => void = () => undefined,
  ): AddedBlock {
    const { chain, chainId } = this.#parts;
    const inputs = this.nextInputs();
    const key = this.#keyOf(inputs.account);
    if (key === undefined) throw new NoProducerKeyError(inputs.account);
    const delegate = this.#account(inputs.account).options.delegatingAccount;
    return this.#add(() => {
      const refused: DroppedTransaction[] = [];
      const applied = applyBlock(this.#context(), inputs, transactions, (transaction, error) => {
        onRefused(error);
        refused.push({ transaction, error });
      });
      const header = assembleHeader(chain.head().id, inputs, delegate, applied);
      return { header: signHeader(header, inputs.rand, key, chainId), applied, refused };
    });
  }

  /** Checks and stores a block that was made elsewhere. Throws `BlockRejectedError`; nothing is changed then. */
  import(block: Block): AddedBlock {
    const { transactions: _transactions, ...header } = block;
    return this.#add(() => {
      const applied = replayBlock(this.#context(), this.#parts.genesis, block);
      return { header, applied, refused: [] };
    });
  }

  #account(producer: AccountId): Account {
    const account = this.#parts.state.native.account(producer);
    invariant(account !== undefined, 'the producers are accounts of the genesis');
    return account;
  }

  #keyOf(producer: AccountId): KeyPair | undefined {
    return this.#keys.get(bytesToHex(this.#account(producer).echorandKey));
  }

  #context(): ApplyContext {
    const { state, chain, chainId, genesis, store } = this.#parts;
    const evmChainId = genesis.network.chainId;
    return { state, chain, chainId, evmChainId, accumulator: store.accumulator() };
  }

  /** Stores what `make` made of the state in memory, or brings the state back to the head. */
  #add(make: () => MadeBlock): AddedBlock {
    const { state, store, chain, leaving } = this.#parts;
    try {
      const begin = performance.now();
      const { header, applied, refused } = make();
      const summary = summarize(chain.head().number + 1, header, applied);
      const gone = [
        ...applied.applied.map(({ id }) => id),
        ...refused.map(({ transaction }) => nameOf(transaction)),
      ];
      const made = performance.now();
      storeBlock(store, summary, applied, { pendingGone: leaving(gone) });
      const stored = performance.now();
      chain.advance(summary);
      state.settle();
      const work = { applyMilliseconds: made - begin, commitMilliseconds: stored - made, gas: applied.gas };
      return { summary, applied, refused, gone, work };
    } catch (error) {
      state.discard();
      throw error;
    }
  }
}
