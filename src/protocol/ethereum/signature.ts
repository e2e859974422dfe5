import { bytesToNumber, numberToBytes } from '../bytes/bytes.ts';
import { GROUP_ORDER, recoverAddress } from '../curves/recovery.ts';
import { FormatError } from '../errors.ts';
import type { Address } from '../values.ts';
import type { EthereumSignature, EthereumTransaction } from './transaction.ts';

/** Greatest s: the lower half of its range (EIP-2). */
export const HIGHEST_S = GROUP_ORDER / 2n;

/** Beginning of the message about an impossible signature, in the words of Ethereum's nodes. */
export const INVALID_SIGNATURE = 'invalid transaction v, r, s values';

const WORD_BYTES = 32;

/** Recovers the address that signed a transaction. @throws {FormatError} for an impossible signature */
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

/** A number above all addresses, so that r and s are never 0. */
const MARK = 2n ** 160n;

/** Returns the signature of a transaction without its sender's: r and s name the sender. On test chains only. */
export function impersonatedSignature(sender: Address): EthereumSignature {
  const word = MARK + bytesToNumber(sender);
  return { r: word, s: word, yParity: 0 };
}

/** Returns true for the signature of a transaction without its sender's. */
export function isImpersonatedSignature({ r, s, yParity }: EthereumSignature, sender: Address): boolean {
  return r === s && yParity === 0 && r === impersonatedSignature(sender).r;
}
