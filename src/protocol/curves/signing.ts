import { createECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { nativeLibrary } from './native-library.ts';

/** Offset of s in the 64 bytes of a signature. */
const S_OFFSET = 32;

export interface EcdsaSignature {
  /** 32 bytes each. */
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** Parity of the nonce point's y. */
  readonly yParity: 0 | 1;
}

/** Signs a digest of 32 bytes by ECDSA on secp256k1: deterministically (RFC 6979), with s in the lower half (EIP-2). */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): EcdsaSignature {
  const library = nativeLibrary();
  if (library === undefined) return signInJavaScript(digest, privateKey);
  const { signature, recid } = library.ecdsaSign(digest, privateKey);
  return signatureOf(signature, recid);
}

/** Signs as {@link signDigest} does, about fifteen times slower, on platforms without the native library. */
export function signInJavaScript(digest: Uint8Array, privateKey: Uint8Array): EcdsaSignature {
  const bytes = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
  // The first byte is the recovery id.
  return signatureOf(bytes.subarray(1), bytes[0]);
}

/** Computes the public key of a private key, in 33 or 65 bytes. */
export function publicKeyOf(privateKey: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array {
  const library = nativeLibrary();
  if (library === undefined) return publicKeyByOpenSsl(privateKey, form);
  return library.publicKeyCreate(privateKey, form === 'compressed');
}

/** Computes the same as {@link publicKeyOf}, some fifteen times slower, on platforms without the native library. */
export function publicKeyByOpenSsl(privateKey: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array {
  // Not noble, which first computes tables: that takes longer than the rest of a start.
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(privateKey);
  return curve.getPublicKey(null, form);
}

function signatureOf(signature: Uint8Array, recoveryId: number | undefined): EcdsaSignature {
  return {
    r: signature.subarray(0, S_OFFSET),
    s: signature.subarray(S_OFFSET),
    yParity: recoveryId === 1 ? 1 : 0,
  };
}
