import { bytesToNumber, numberToBytes } from '../bytes/bytes.ts';
import { GROUP_ORDER, recoverAddress } from '../curves/recovery.ts';
import { FormatError } from '../errors.ts';
import type { Address } from '../values.ts';
import type { EthereumSignature, EthereumTransaction } from './transaction.ts';

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

/** Lies above all addresses, so that r and s are never 0. */
const MARK = 2n ** 160n;

/** The signature of a transaction that its sender did not sign: r and s name the sender. On test chains only. */
export function impersonatedSignature(sender: Address): EthereumSignature {
  const word = MARK + bytesToNumber(sender);
  return { r: word, s: word, yParity: 0 };
}

/** Tells whether a signature is the one of a transaction that its sender did not sign. */
export function isImpersonatedSignature({ r, s, yParity }: EthereumSignature, sender: Address): boolean {
  return r === s && yParity === 0 && r === impersonatedSignature(sender).r;
}
