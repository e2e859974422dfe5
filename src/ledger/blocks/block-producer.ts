import type {
  AccountId,
  Block,
  KeyPair,
  Operation,
  SignedBlockHeader,
  SignedTransaction,
} from '../../protocol/index.ts';
import { bytesToHex, invariant } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Stopwatch } from '../../time.ts';
import {
  type Account,
  type BlockSummary,
  type Chain,
  type MovableClock,
  serializeBlock,
} from '../chain/index.ts';
import { NoProducerKeyError, type RefusedError, SignedBeforeError } from '../errors/index.ts';
import { attemptsOf, type Genesis, producerOf } from '../genesis/index.ts';
import type { HeadState } from '../state/index.ts';
import { type DroppedTransaction, signTransaction, type TransactionRules } from '../transactions/index.ts';
import { AddingBlock, type MadeBlock } from './adding-block.ts';
import { type ApplyContext, applyBlock, type BlockInputs } from './apply-block.ts';
import { assembleHeader, signHeader } from './block-assembly.ts';
import { checkAttempt, checkHeader, replayBlock } from './import-block.ts';
import { type NextBlockOptions, nextInputs } from './next-block.ts';
import { type SignedBefore, type SignedBlocks, signedBefore } from './signed-blocks.ts';

/**
 * What blocks are made and checked with. A ledger without keys only imports: it makes no block of its own.
 */
export interface BlockProducerParts extends TransactionRules {
  readonly store: Store;
  readonly chain: Chain;
  readonly state: HeadState;
  readonly genesis: Genesis;
  readonly clock: MovableClock;
  readonly time: Stopwatch;
  /** The consensus keys that this node holds. */
  readonly keys: readonly KeyPair[];
  /** Record of the blocks that they have signed; undefined where none is kept. */
  readonly signed: SignedBlocks | undefined;
  /** The sequences under which the store keeps the pending transactions with these ids. */
  leaving(ids: readonly string[]): readonly number[];
}

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
  readonly #parts: BlockProducerParts;
  readonly #keys: ReadonlyMap<string, KeyPair>;

  constructor(parts: BlockProducerParts) {
    this.#parts = parts;
    this.#keys = new Map(parts.keys.map((key) => [bytesToHex(key.publicKey), key]));
  }

  /** The inputs of the next block, if it were made now. */
  nextInputs(): BlockInputs {
    return nextInputs(this.#parts);
  }

  /** Puts an operation into a transaction that refers to a block, and signs it, as `signTransaction` does. */
  sign(
    operation: Operation,
    keys: KeyPair,
    reference: Pick<BlockSummary, 'number' | 'id'>,
    expiration: number,
  ): SignedTransaction {
    const { chainId, signatures } = this.#parts;
    return signTransaction(operation, keys, chainId, reference, expiration, signatures);
  }

  /** Whether the node holds the consensus key of any producer, and so makes blocks at all. */
  holdsAnyKey(): boolean {
    return this.#parts.genesis.producers.some((producer) => this.#keyOf(producer) !== undefined);
  }

  /** Whether the node holds the consensus key of the producer whose turn the next block is. */
  holdsNextKey(): boolean {
    return this.#nextKey(0) !== undefined;
  }

  /** The attempts of the next block that are turns of keys which the node holds, the least first. */
  nextAttempts(): number[] {
    const { chain, genesis } = this.#parts;
    return attemptsOf(genesis, chain.head().number + 1, (producer) => this.#keyOf(producer) !== undefined);
  }

  /**
   * Blocks of the next number or later that keys of this node have signed: the next one by any of them, which is to be
   * added before another one is made, or later ones by the key whose turn an attempt is.
   */
  signedBefore(attempt = 0): SignedBefore {
    const { signed, chain } = this.#parts;
    for (const key of this.#keys.values()) {
      const before = signedBefore(signed, key.publicKey, chain);
      if (before.kind === 'next') return before;
    }
    const key = this.#nextKey(attempt);
    return key === undefined ? { kind: 'nothing' } : signedBefore(signed, key.publicKey, chain);
  }

  /**
   * Begins to make a block of those transactions that the rules allow, even an empty one. Of transactions that are not
   * taken for want of time nothing is told. A block of this number that any key of this node has signed before takes
   * its place.
   *
   * @throws NoProducerKeyError, SignedBeforeError, and BlockRejectedError for an attempt that comes too early
   */
  produce(transactions: Iterable<SignedTransaction>, options: ProduceOptions = {}): AddingBlock {
    const { chain, genesis } = this.#parts;
    const inputs = nextInputs(this.#parts, options);
    const before = this.signedBefore(inputs.attempt);
    if (before.kind === 'next') return this.import(before.block);
    const key = this.#keyOf(inputs.account);
    if (key === undefined) throw new NoProducerKeyError(inputs.account);
    if (before.kind === 'missing') throw new SignedBeforeError(inputs.account, inputs.number, before.last);
    checkAttempt(genesis, chain.head().header, { ...inputs, round: BigInt(inputs.number) });
    return new AddingBlock(this.#parts, this.#make(inputs, key, transactions, options));
  }

  /** Begins to check and store a block that was made elsewhere; its steps throw `BlockRejectedError`. */
  import(block: Block): AddingBlock {
    return new AddingBlock(this.#parts, this.#replay(block));
  }

  *#make(
    inputs: BlockInputs,
    key: KeyPair,
    transactions: Iterable<SignedTransaction>,
    { timeLimit, gasLimit, onRefused }: ProduceOptions,
  ): Generator<void, MadeBlock> {
    const { chain, chainId, signed, time } = this.#parts;
    const delegate = this.#account(inputs.account).options.delegatingAccount;
    const refused: DroppedTransaction[] = [];
    const end = timeLimit === undefined ? Number.POSITIVE_INFINITY : time.now() + timeLimit;
    const applied = yield* applyBlock(this.#context(), inputs, transactions, {
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
    const header = signHeader(unsigned, inputs.rand, key, chainId);
    // Before anybody can see it: whatever becomes of this block, there is no other one of its number.
    signed?.record(key.publicKey, inputs.number, serializeBlock(header, applied.transactions));
    return { header, applied, refused };
  }

  *#replay(block: Block): Generator<void, MadeBlock> {
    const { transactions: _transactions, ...header } = block;
    const applied = yield* replayBlock(this.#context(), this.#parts.genesis, block);
    return { header, applied, refused: [] };
  }

  /** Checks that a header that was made elsewhere can be that of the next block. Throws `BlockRejectedError`. */
  checkNext(header: SignedBlockHeader): void {
    const { state, chain, chainId, signatures, genesis } = this.#parts;
    checkHeader({ state: state.reading, chain, chainId, signatures }, genesis, header);
  }

  #account(producer: AccountId): Account {
    const account = this.#parts.state.reading.native.account(producer);
    invariant(account !== undefined, 'the producers are accounts of the genesis');
    return account;
  }

  /** The key whose turn an attempt of the next block is, if the node holds it. */
  #nextKey(attempt: number): KeyPair | undefined {
    const { chain, genesis } = this.#parts;
    return this.#keyOf(producerOf(genesis, chain.head().number + 1, attempt));
  }

  #keyOf(producer: AccountId): KeyPair | undefined {
    return this.#keys.get(bytesToHex(this.#account(producer).echorandKey));
  }

  #context(): ApplyContext {
    const { state, chain, chainId, signatures, isTestChain, ethereum, genesis, store } = this.#parts;
    const evmChainId = genesis.network.chainId;
    return {
      state: state.applying,
      chain,
      chainId,
      signatures,
      isTestChain,
      ethereum,
      evmChainId,
      accumulator: store.accumulator(),
    };
  }
}
