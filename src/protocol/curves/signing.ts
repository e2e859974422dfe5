import { secp256k1 } from '@noble/curves/secp256k1.js';

/** Where s begins in the 64 bytes of a signature. */
const S_OFFSET = 32;

/** A signature of ECDSA on secp256k1. */
export interface EcdsaSignature {
  /** 32 bytes each. */
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** Of the y of the nonce point: 1 where it is odd. */
  readonly yParity: 0 | 1;
}

/**
 * Signs a digest of 32 bytes with a private key of secp256k1: the nonce is that of RFC 6979, and s lies in the lower
 * half of its range (EIP-2). The same digest gives the same signature.
 */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): EcdsaSignature {
  const bytes = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
  // The library puts the parity in front.
  const signature = bytes.subarray(1);
  return {
    r: signature.subarray(0, S_OFFSET),
    s: signature.subarray(S_OFFSET),
    yParity: bytes[0] === 1 ? 1 : 0,
  };
}
