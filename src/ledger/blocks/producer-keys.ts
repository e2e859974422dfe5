import {
  type AccountId,
  bytesToHex,
  invariant,
  type KeyPair,
  type PublicKey,
  type SignedBlockHeader,
} from '../../protocol/index.ts';
import type { Account } from '../chain/records.ts';
import { serializeBlock } from '../chain/stored-block.ts';
import type { LedgerCore } from '../core.ts';
import { attemptsOf, producerOf } from '../genesis/turns.ts';
import type { AppliedBlock } from './apply-block.ts';
import { type SignedBefore, type SignedBlocks, signedBefore } from './signed-blocks.ts';

/** The consensus keys of a node, and the record of the blocks that they have signed. */
export class ProducerKeys {
  readonly #core: LedgerCore;
  readonly #keys: ReadonlyMap<string, KeyPair>;
  readonly #signed: SignedBlocks | undefined;

  /** @param signed undefined where no record is kept */
  constructor(core: LedgerCore, keys: readonly KeyPair[], signed: SignedBlocks | undefined) {
    this.#core = core;
    this.#keys = new Map(keys.map((key) => [bytesToHex(key.publicKey), key]));
    this.#signed = signed;
  }

  /** The pair of a consensus key; undefined where this node does not hold it. */
  pairOf(key: PublicKey): KeyPair | undefined {
    return this.#keys.get(bytesToHex(key));
  }

  /** Whether this node holds the consensus key of any account of the consensus configuration. */
  holdsAny(): boolean {
    return this.#core.origin.genesis.producers.some((producer) => this.ofProducer(producer) !== undefined);
  }

  /** Whether this node holds the consensus key that the next block has to be signed with. */
  holdsNext(): boolean {
    return this.#ofNext(0) !== undefined;
  }

  /** The attempts of the next block that are turns of keys which this node holds, the least first. */
  nextAttempts(): number[] {
    const { chain, origin } = this.#core;
    const isHeld = (producer: AccountId): boolean => this.ofProducer(producer) !== undefined;
    return attemptsOf(origin.genesis, chain.head().number + 1, isHeld);
  }

  /**
   * Blocks of the next number or later that keys of this node have signed, whatever the chain has: the next one by any
   * of them, which is to be added before another one is made, or later ones by the key whose turn an attempt is.
   */
  signedBefore(attempt = 0): SignedBefore {
    const { chain } = this.#core;
    for (const { publicKey } of this.#keys.values()) {
      const before = signedBefore(this.#signed, publicKey, chain);
      if (before.kind === 'next') return before;
    }
    const key = this.#ofNext(attempt);
    return key === undefined ? { kind: 'nothing' } : signedBefore(this.#signed, key.publicKey, chain);
  }

  /** Puts a signed block on record, durably. When it throws, the block must not be used. */
  record({ publicKey }: KeyPair, header: SignedBlockHeader, { transactions }: AppliedBlock): void {
    this.#signed?.record(publicKey, Number(header.round), serializeBlock(header, transactions));
  }

  /** The key that a producer signs with; undefined where this node does not hold it. */
  ofProducer(producer: AccountId): KeyPair | undefined {
    return this.pairOf(producerAccount(this.#core, producer).echorandKey);
  }

  /** The key whose turn an attempt of the next block is. */
  #ofNext(attempt: number): KeyPair | undefined {
    const { chain, origin } = this.#core;
    return this.ofProducer(producerOf(origin.genesis, chain.head().number + 1, attempt));
  }
}

/** The account of a producer. */
export function producerAccount({ origin }: LedgerCore, producer: AccountId): Account {
  const account = origin.state.reading.native.account(producer);
  invariant(account !== undefined, 'the producers are accounts of the genesis');
  return account;
}
