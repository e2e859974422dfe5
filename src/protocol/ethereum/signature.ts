import { numberToBytes } from '../bytes/bytes.ts';
import { GROUP_ORDER, recoverAddress } from '../curves/recovery.ts';
import { FormatError } from '../errors.ts';
import type { Address } from '../values.ts';
import type { EthereumTransaction } from './transaction.ts';

/** s lies in the lower half of its range (EIP-2). */
export const HIGHEST_S = GROUP_ORDER / 2n;

/** Begins the message about a signature that nobody can have made, in the words of Ethereum's nodes. */
export const INVALID_SIGNATURE = 'invalid transaction v, r, s values';

const WORD_BYTES = 32;

/**
 * The address whose key signed a transaction.
 *
 * @throws {FormatError} where no key can have made the signature
 */
export function recoverSender({ signingHash, r, s, yParity }: EthereumTransaction): Address {
  const sender = recoverAddress(
    signingHash,
    numberToBytes(r, WORD_BYTES),
    numberToBytes(s, WORD_BYTES),
    yParity,
  );
  if (sender === undefined) {
    throw new FormatError('transaction', `${INVALID_SIGNATURE}: no key has made this signature`);
  }
  return sender;
}
