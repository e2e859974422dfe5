import { bytesToNumber } from '../bytes/bytes.ts';
import type { Address } from '../values.ts';
import type { EthereumSignature } from './transaction.ts';

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
