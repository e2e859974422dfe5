import { type Block, blockCodec, decode, equalBytes, type PublicKey } from '../../protocol/index.ts';
import type { Chain } from '../chain/chain.ts';

/**
 * Remembers what was signed with consensus keys, wherever the chain is: no key may sign two blocks of one number, of
 * which other nodes could each take one.
 */
export interface SignedBlocks {
  /** Number of the newest block that a key has signed; 0 where it has signed none. */
  last(key: PublicKey): number;
  /** The newest block that a key has signed, serialized; undefined where it is not kept. */
  block(key: PublicKey): Uint8Array | undefined;
  /** Remembers a signed block, durably. When it throws, the block must not be used. */
  record(key: PublicKey, number: number, block: Uint8Array): void;
}

/** Blocks of the next number or later that a key has signed already. */
export type SignedBefore =
  | { readonly kind: 'nothing' }
  /** The next block itself, which got no further than its record. */
  | { readonly kind: 'next'; readonly block: Block }
  /** Blocks up to a number, which this chain does not have. */
  | { readonly kind: 'missing'; readonly last: number };

/** Compares what a key has signed with the chain. */
export function signedBefore(signed: SignedBlocks | undefined, key: PublicKey, chain: Chain): SignedBefore {
  const head = chain.head();
  const last = signed?.last(key) ?? 0;
  if (signed === undefined || last <= head.number) return { kind: 'nothing' };
  const bytes = last === head.number + 1 ? signed.block(key) : undefined;
  const block = bytes === undefined ? undefined : decode(blockCodec, bytes);
  if (block === undefined || !equalBytes(block.previous, head.id)) return { kind: 'missing', last };
  return { kind: 'next', block };
}
