import { BLOCK_NUMBER_MAX } from '../consensus.ts';

/** The field of a response that says which block is the newest one here. */
export const HEAD_FIELD = 'ledgerd-block';

/** The field of a request that says which block has to be here before it is answered. */
export const MIN_BLOCK_FIELD = 'ledgerd-min-block';

const NUMBER = /^\d{1,10}$/;

/**
 * Reads the number of a block out of a header field; undefined for anything that is none. A field that was sent twice
 * is none either.
 */
export function readMinBlock(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return number <= BLOCK_NUMBER_MAX ? number : undefined;
}
