import { TIMESTAMP_MAX } from '../limits.ts';
import type { Block, Hash, KeyPair, SignedBlockHeader, SignedTransaction } from '../protocol/index.ts';
import { bytesToHex, invariant } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import type { AppliedBlock, ApplyContext, BlockInputs } from './apply-block.ts';
import { applyBlock } from './apply-block.ts';
import { assembleHeader, randAfter, signHeader, summarize } from './block-assembly.ts';
import type { BlockSummary, Chain } from './chain.ts';
import type { Clock } from './clock.ts';
import { NoProducerKeyError } from './errors.ts';
import type { Genesis } from './genesis.ts';
import { producerOf } from './genesis.ts';
import { replayBlock } from './import-block.ts';
import { networkOf } from './network.ts';
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
}

/** A block that was just added to the chain. */
export interface AddedBlock {
  readonly summary: BlockSummary;
  readonly applied: AppliedBlock;
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
    const { chain, clock, genesis } = this.#parts;
    const head = chain.head();
    const timestamp = Math.min(Math.max(head.header.timestamp, clock.now()), TIMESTAMP_MAX);
    const number = head.number + 1;
    return {
      number,
      timestamp,
      account: producerOf(genesis, number).id,
      rand: randAfter(head.header.edSignature),
    };
  }

  /**
   * Makes, signs and stores a block of those transactions that the rules allow, even an empty one; `refused` is
   * told of the others, and may throw to call it off: nothing is changed then.
   */
  produce(
    transactions: Iterable<SignedTransaction>,
    refused: (transaction: SignedTransaction, error: RefusedError) => void,
  ): AddedBlock {
    const { chain, chainId, state } = this.#parts;
    const inputs = this.nextInputs();
    const producer = state.native.account(inputs.account);
    invariant(producer !== undefined, 'the producers are accounts of the genesis');
    const key = this.#keys.get(bytesToHex(producer.echorandKey));
    if (key === undefined) throw new NoProducerKeyError(inputs.account);
    const delegate = producer.options.delegatingAccount;
    return this.#add(() => {
      const applied = applyBlock(this.#context(), inputs, transactions, refused);
      const header = assembleHeader(chain.head().id, inputs, delegate, applied);
      return { header: signHeader(header, inputs.rand, key, chainId), applied };
    });
  }

  /** Checks and stores a block that was made elsewhere. Throws `BlockRejectedError`; nothing is changed then. */
  import(block: Block): AddedBlock {
    const { transactions: _transactions, ...header } = block;
    return this.#add(() => ({ header, applied: replayBlock(this.#context(), this.#parts.genesis, block) }));
  }

  #context(): ApplyContext {
    const { state, chain, chainId, genesis, store } = this.#parts;
    const evmChainId = networkOf(genesis.network).chainId;
    return { state, chain, chainId, evmChainId, accumulator: store.accumulator() };
  }

  /** Stores what `make` made of the state in memory, or brings the state back to the head. */
  #add(make: () => { header: SignedBlockHeader; applied: AppliedBlock }): AddedBlock {
    const { state, store, chain } = this.#parts;
    try {
      const made = make();
      const number = chain.head().number + 1;
      const summary = summarize(number, made.header, made.applied);
      storeBlock(store, summary, made.applied);
      chain.advance(summary);
      state.settle();
      return { summary, applied: made.applied };
    } catch (error) {
      state.discard();
      throw error;
    }
  }
}
