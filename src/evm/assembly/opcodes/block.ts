/** The block. Its words are pushed by `pushWord`; what is here needs more. */

import { loadBlockHash } from '../host';
import { BLOCK_NUMBER } from '../layout';
import { clearWord, fitsLimb, WORD_BYTES } from '../word';

/** How far BLOCKHASH sees. */
const BLOCKHASH_WINDOW: u64 = 256;

/** BLOCKHASH: zero for the running block, later ones, and those more than 256 blocks back. */
export function blockhash(top: usize): usize {
  const item = top - WORD_BYTES;
  const number = load<u64>(item);
  const current = load<u64>(BLOCK_NUMBER);
  const isKnown = fitsLimb(item) && number < current && current - number <= BLOCKHASH_WINDOW;
  if (isKnown) loadBlockHash(<u32>(current - number), item);
  else clearWord(item);
  return top;
}

/** BLOBHASH: no transaction of this ledger carries blobs (EIP-4844). */
@inline
export function blobhash(top: usize): usize {
  clearWord(top - WORD_BYTES);
  return top;
}
