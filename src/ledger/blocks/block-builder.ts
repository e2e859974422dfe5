import type { AccountId, SignedTransaction } from '../../protocol/index.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import type { DroppedTransaction, LedgerCore } from '../core.ts';
import { NoProducerKeyError, SignedBeforeError } from '../errors/chain-errors.ts';
import { isEarly, type RefusedError } from '../errors/refusal.ts';
import { applyBlock, takeExecuted } from './apply-block.ts';
import {
  assembleHeader,
  type BlockSigner,
  checkAttempt,
  type EncodedHeader,
  type NextBlockOptions,
  nextInputs,
  signHeader,
} from './block-assembly.ts';
import { importBlock } from './import-block.ts';
import type { MadeBlock } from './new-block.ts';
import { type ProducerKeys, producerAccount } from './producer-keys.ts';

export interface BuildOptions extends NextBlockOptions {
  /** Milliseconds after which the block takes no more transactions than those that it has; absent: it takes all. */
  readonly timeLimit?: number;
  /** Gas limit of the block: a transaction that offers more than the rest stays pending. Absent: no limit. */
  readonly gasLimit?: bigint | undefined;
  /** Receives rejected transactions' errors; may throw to abort the block. */
  onRefused?(error: RefusedError): void;
}

/** Builds blocks of this node: executes, concludes, signs and records them. */
export class BlockBuilder {
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
  build(transactions: readonly SignedTransaction[], options: BuildOptions = {}): Generator<void, MadeBlock> {
    const { chain, origin } = this.#core;
    const inputs = nextInputs(this.#core, options);
    const before = this.#keys.signedBefore(inputs.attempt);
    if (before.kind === 'next') return importBlock(this.#core, before.block);
    const producer = producerAccount(this.#core, inputs.account);
    const signer = this.#keys.signerOf(producer.echorandKey);
    if (signer === undefined) throw new NoProducerKeyError(inputs.account);
    if (before.kind === 'missing') throw new SignedBeforeError(inputs.account, inputs.number, before.last);
    checkAttempt(origin.genesis, chain.head().header, { round: BigInt(inputs.number), ...inputs });
    return this.#build(inputs, signer, producer.options.delegatingAccount, transactions, options);
  }

  *#build(
    inputs: BlockInputs,
    signer: BlockSigner,
    delegate: AccountId,
    transactions: readonly SignedTransaction[],
    { timeLimit, gasLimit, onRefused }: BuildOptions,
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
    const header = assembleHeader(chain.head().id, inputs, delegate, applied);
    // Before the block leaves this node: a key never signs two blocks of one number.
    const record = (signed: EncodedHeader): EncodedHeader => {
      this.#keys.record(signer, signed, applied);
      return signed;
    };
    const sign = (): EncodedHeader | Promise<EncodedHeader> => {
      const signed = signHeader(header, inputs.rand, signer, origin.chainId);
      return signed instanceof Promise ? signed.then(record) : record(signed);
    };
    return { applied, refused, isExecutedByPool: taken !== undefined, header: sign };
  }
}
