import {
  type AccountId,
  type Block,
  blockCodec,
  decode,
  equalBytes,
  invariant,
  type PublicKey,
} from '../../protocol/index.ts';
import type { Chain } from '../chain/chain.ts';
import { type Account, serializeBlock } from '../chain/records.ts';
import type { LedgerCore } from '../core.ts';
import { attemptsOf, producerOf } from '../genesis/chain-parameters.ts';
import type { BlockSigner, EncodedHeader } from './block-assembly.ts';
import type { AppliedBlock } from './conclude-block.ts';

/**
 * A record of signatures by consensus keys, independent of the chain: no key may sign two blocks of one number, of
 * which other nodes could each accept one.
 */
export interface SignedBlocks {
  /** Number of the newest block that a key has signed; 0 for none. */
  last(key: PublicKey): number;
  /** Returns the newest block that a key has signed, serialized; undefined without a record. */
  block(key: PublicKey): Uint8Array | undefined;
  /** Records a signed block, durably. If it throws, the block must not be used. */
  record(key: PublicKey, number: number, block: Uint8Array): void;
}

/** Blocks of the next number or later that a key has signed already. */
export type SignedBefore =
  | { readonly kind: 'nothing' }
  /** The next block itself, which was recorded but not stored. */
  | { readonly kind: 'next'; readonly block: Block }
  /** Blocks up to a number, which this chain lacks. */
  | { readonly kind: 'missing'; readonly last: number };

/** Compares the record of a key with the chain. */
function signedBefore(signed: SignedBlocks, key: PublicKey, chain: Chain): SignedBefore {
  const head = chain.head();
  const last = signed.last(key);
  if (last <= head.number) return { kind: 'nothing' };
  const bytes = last === head.number + 1 ? signed.block(key) : undefined;
  const block = bytes === undefined ? undefined : decode(blockCodec, bytes);
  if (block === undefined || !equalBytes(block.previous, head.id)) return { kind: 'missing', last };
  return { kind: 'next', block };
}

/** The consensus keys of a node, and the record of the blocks that they have signed. */
export class ProducerKeys {
  readonly #core: LedgerCore;
  readonly #keys: BlockSigner[];
  readonly #signed: SignedBlocks | undefined;

  /** @param signed undefined without a record */
  constructor(core: LedgerCore, keys: readonly BlockSigner[], signed: SignedBlocks | undefined) {
    this.#core = core;
    this.#keys = [...keys];
    this.#signed = signed;
  }

  /** Adds a consensus key, of which the record of signatures knows. */
  add(signer: BlockSigner): void {
    this.#keys.push(signer);
  }

  /** Returns the signer of a consensus key; undefined if this node does not hold it. */
  signerOf(key: PublicKey): BlockSigner | undefined {
    for (const signer of this.#keys) if (equalBytes(signer.publicKey, key)) return signer;
    return undefined;
  }

  /** Returns true if this node holds the consensus key of any account of the consensus configuration. */
  holdsAny(): boolean {
    return this.#core.origin.genesis.producers.some((producer) => this.ofProducer(producer) !== undefined);
  }

  /** Returns true if this node holds the consensus key that signs the next block. */
  holdsNext(): boolean {
    return this.#ofNext(0) !== undefined;
  }

  /** Lists the attempts of the next block that belong to keys of this node, in ascending order. */
  nextAttempts(): number[] {
    const { chain, origin } = this.#core;
    const isHeld = (producer: AccountId): boolean => this.ofProducer(producer) !== undefined;
    return attemptsOf(origin.genesis, chain.head().number + 1, isHeld);
  }

  /**
   * Returns the recorded blocks of the next number or later that keys of this node have signed: one of the next number,
   * by any key, must be added before another one is made; later ones count for the key of the attempt.
   */
  signedBefore(attempt = 0): SignedBefore {
    if (this.#signed === undefined) return { kind: 'nothing' };
    const { chain } = this.#core;
    for (const { publicKey } of this.#keys) {
      const before = signedBefore(this.#signed, publicKey, chain);
      if (before.kind === 'next') return before;
    }
    const key = this.#ofNext(attempt);
    return key === undefined ? { kind: 'nothing' } : signedBefore(this.#signed, key.publicKey, chain);
  }

  /** Records a signed block, durably. If it throws, the block must not be used. */
  record(
    { publicKey }: BlockSigner,
    { header, headerBytes }: EncodedHeader,
    { transactions }: AppliedBlock,
  ): void {
    this.#signed?.record(publicKey, Number(header.round), serializeBlock(headerBytes, transactions));
  }

  /** Returns the signer of a producer; undefined if this node does not hold it. */
  ofProducer(producer: AccountId): BlockSigner | undefined {
    return this.signerOf(producerAccount(this.#core, producer).echorandKey);
  }

  #ofNext(attempt: number): BlockSigner | undefined {
    const { chain, origin } = this.#core;
    return this.ofProducer(producerOf(origin.genesis, chain.head().number + 1, attempt));
  }
}

export function producerAccount({ origin }: LedgerCore, producer: AccountId): Account {
  const account = origin.state.reading.native.account(producer);
  invariant(account !== undefined, 'the producers are accounts of the genesis');
  return account;
}
