import type { Block, KeyPair, SignedBlockHeader, SignedTransaction } from '../../protocol/index.ts';
import type { LedgerCore } from '../core.ts';
import { NoProducerKeyError, SignedBeforeError } from '../errors/errors.ts';
import type { RefusedError } from '../errors/refusal.ts';
import type { DroppedTransaction } from '../transactions/pending-pool.ts';
import { applyBlock, type BlockInputs } from './apply-block.ts';
import { assembleHeader, type NextBlockOptions, nextInputs, signHeader } from './block-assembly.ts';
import { BlockBuild, type MadeBlock } from './block-build.ts';
import { checkAttempt, checkHeader, replayBlock } from './import-block.ts';
import { type ProducerKeys, producerAccount } from './producer-keys.ts';

/** How a block is made. */
export interface ProduceOptions extends NextBlockOptions {
  /** Milliseconds after which the block takes no more transactions than those that it has; absent: it takes all. */
  readonly timeLimit?: number;
  /** Gas that the block may take: a transaction that offers more than what is left waits. Absent: any. */
  readonly gasLimit?: bigint | undefined;
  /** Told of what the rules do not allow; may throw to call the block off. */
  onRefused?(error: RefusedError): void;
}

/** Adds blocks to the chain: the only way in which the stored state changes, but for patches. */
export class BlockProducer {
  readonly #core: LedgerCore;
  readonly #keys: ProducerKeys;

  constructor(core: LedgerCore, keys: ProducerKeys) {
    this.#core = core;
    this.#keys = keys;
  }

  /**
   * Begins to make a block of those transactions that the rules allow, even an empty one. Of transactions that are not
   * taken for want of time nothing is told. A block of this number that any key of this node has signed before takes
   * its place.
   *
   * @throws NoProducerKeyError, SignedBeforeError, and BlockRejectedError for an attempt that comes too early
   */
  produce(transactions: Iterable<SignedTransaction>, options: ProduceOptions = {}): BlockBuild {
    const { chain, origin } = this.#core;
    const inputs = nextInputs(this.#core, options);
    const before = this.#keys.signedBefore(inputs.attempt);
    if (before.kind === 'next') return this.import(before.block);
    const key = this.#keys.ofProducer(inputs.account);
    if (key === undefined) throw new NoProducerKeyError(inputs.account);
    if (before.kind === 'missing') throw new SignedBeforeError(inputs.account, inputs.number, before.last);
    checkAttempt(origin.genesis, chain.head().header, { ...inputs, round: BigInt(inputs.number) });
    return new BlockBuild(this.#core, this.#make(inputs, key, transactions, options));
  }

  /** Begins to check and store a block that was made elsewhere; its steps throw `BlockRejectedError`. */
  import(block: Block): BlockBuild {
    return new BlockBuild(this.#core, this.#replay(block));
  }

  /**
   * Checks that a header that was made elsewhere can be that of the next block: number, order, producer, signature.
   *
   * @throws BlockRejectedError
   */
  checkNext(header: SignedBlockHeader): void {
    checkHeader(this.#core, this.#core.origin.state.reading, header);
  }

  *#make(
    inputs: BlockInputs,
    key: KeyPair,
    transactions: Iterable<SignedTransaction>,
    { timeLimit, gasLimit, onRefused }: ProduceOptions,
  ): Generator<void, MadeBlock> {
    const { chain, origin, time } = this.#core;
    const delegate = producerAccount(this.#core, inputs.account).options.delegatingAccount;
    const refused: DroppedTransaction[] = [];
    const end = timeLimit === undefined ? Number.POSITIVE_INFINITY : time.now() + timeLimit;
    const applied = yield* applyBlock(this.#core, inputs, transactions, {
      refused: (transaction, error) => {
        onRefused?.(error);
        // Those of lower nonces may have found no room: it waits on.
        if (error.reason.code === 'nonceTooHigh') return;
        refused.push({ transaction, error });
      },
      isFull: () => time.now() >= end,
      gasLimit,
    });
    const unsigned = assembleHeader(chain.head().id, inputs, delegate, applied);
    const header = signHeader(unsigned, inputs.rand, key, origin.chainId);
    // Before anybody can see it: whatever becomes of this block, there is no other one of its number.
    this.#keys.record(key, header, applied);
    return { header, applied, refused };
  }

  *#replay(block: Block): Generator<void, MadeBlock> {
    const { transactions: _transactions, ...header } = block;
    const applied = yield* replayBlock(this.#core, block);
    return { header, applied, refused: [] };
  }
}
