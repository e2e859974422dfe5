import type {
  AccountId,
  Block,
  KeyPair,
  SignedBlockHeader,
  SignedTransaction,
} from '../../protocol/index.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import type { DroppedTransaction, LedgerCore } from '../core.ts';
import { NoProducerKeyError, SignedBeforeError } from '../errors/errors.ts';
import { isEarly, type RefusedError } from '../errors/refusal.ts';
import { applyBlock, takeExecuted } from './apply-block.ts';
import {
  assembleHeader,
  encodeHeader,
  type NextBlockOptions,
  nextInputs,
  signHeader,
} from './block-assembly.ts';
import { BlockBuild, type MadeBlock } from './block-build.ts';
import { checkAttempt, checkHeader, replayBlock } from './import-block.ts';
import { type ProducerKeys, producerAccount } from './producer-keys.ts';

export interface ProduceOptions extends NextBlockOptions {
  /** Milliseconds after which the block takes no more transactions than those that it has; absent: it takes all. */
  readonly timeLimit?: number;
  /** Gas limit of the block: a transaction that offers more than the rest stays pending. Absent: no limit. */
  readonly gasLimit?: bigint | undefined;
  /** Receives rejected transactions' errors; may throw to abort the block. */
  onRefused?(error: RefusedError): void;
}

/** Produces and imports blocks: the only change of the stored state except patches. */
export class BlockProducer {
  readonly #core: LedgerCore;
  readonly #keys: ProducerKeys;

  constructor(core: LedgerCore, keys: ProducerKeys) {
    this.#core = core;
    this.#keys = keys;
  }

  /**
   * Begins a block of the transactions that the rules allow, even an empty one. Transactions that are skipped for lack
   * of time are not reported. If a key of this node has already signed a block of this number, that block is made
   * instead.
   * @throws NoProducerKeyError, SignedBeforeError, and BlockRejectedError for a premature attempt
   */
  produce(transactions: readonly SignedTransaction[], options: ProduceOptions = {}): BlockBuild {
    const { chain, origin } = this.#core;
    const inputs = nextInputs(this.#core, options);
    const before = this.#keys.signedBefore(inputs.attempt);
    if (before.kind === 'next') return this.import(before.block);
    const producer = producerAccount(this.#core, inputs.account);
    const key = this.#keys.pairOf(producer.echorandKey);
    if (key === undefined) throw new NoProducerKeyError(inputs.account);
    if (before.kind === 'missing') throw new SignedBeforeError(inputs.account, inputs.number, before.last);
    checkAttempt(origin.genesis, chain.head().header, { round: BigInt(inputs.number), ...inputs });
    const { delegatingAccount } = producer.options;
    return new BlockBuild(this.#core, this.#make(inputs, key, delegatingAccount, transactions, options));
  }

  /** Begins to check and store a block that was made elsewhere; its steps throw `BlockRejectedError`. */
  import(block: Block, following?: () => Block | undefined): BlockBuild {
    return new BlockBuild(this.#core, this.#replay(block, following));
  }

  /**
   * Checks that a header that was made elsewhere can be that of the next block: number, order, producer, signature.
   * @throws BlockRejectedError
   */
  checkNext(header: SignedBlockHeader): void {
    checkHeader(this.#core, this.#core.origin.state.reading, header);
  }

  *#make(
    inputs: BlockInputs,
    key: KeyPair,
    delegate: AccountId,
    transactions: readonly SignedTransaction[],
    { timeLimit, gasLimit, onRefused }: ProduceOptions,
  ): Generator<void, MadeBlock> {
    const { chain, origin, pool, time } = this.#core;
    const refused: DroppedTransaction[] = [];
    const end = timeLimit === undefined ? Number.POSITIVE_INFINITY : time.now() + timeLimit;
    const executed = pool.state.executedFor(inputs, transactions);
    const taken = executed && takeExecuted(this.#core, inputs, executed, gasLimit);
    const applied = yield* taken ??
      applyBlock(this.#core, inputs, transactions, {
        refused: (transaction, error) => {
          onRefused?.(error);
          // It stays pending, and the pool decides: lower nonces may not have fitted into the block, the base fee may
          // fall, and a transaction that was executed before it by price may have spent its funds.
          if (isEarly(error) || error.reason.code === 'insufficientWei') return;
          refused.push({ transaction, error });
        },
        isFull: () => time.now() >= end,
        gasLimit,
      });
    const unsigned = assembleHeader(chain.head().id, inputs, delegate, applied);
    const signed = signHeader(unsigned, inputs.rand, key, origin.chainId);
    // Before the block leaves this node: a key never signs two blocks of one number.
    this.#keys.record(key, signed, applied);
    return { ...signed, applied, refused, isExecutedByPool: taken !== undefined };
  }

  *#replay(block: Block, following?: () => Block | undefined): Generator<void, MadeBlock> {
    const { transactions: _transactions, ...header } = block;
    const applied = yield* replayBlock(this.#core, block, following);
    return { ...encodeHeader(header), applied, refused: [], isExecutedByPool: false };
  }
}
