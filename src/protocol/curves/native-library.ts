import { createRequire } from 'node:module';
import { lazily } from '../../lazily.ts';

/** The used part of the package secp256k1: Bitcoin Core's library, compiled for this machine. */
export interface NativeLibrary {
  /** Throws an Error for an impossible signature. */
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, isCompressed: boolean): Uint8Array;
  /** Signs deterministically (RFC 6979), with s in the lower half: 64 bytes r ‖ s. Throws for an invalid key. */
  ecdsaSign(
    hash: Uint8Array,
    privateKey: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recid: number };
}

/**
 * Loads the native binding of the package, without its slow fallback in JavaScript; undefined if the package has no
 * binary for this platform.
 */
export const nativeLibrary = lazily((): NativeLibrary | undefined => {
  const load = createRequire(import.meta.url);
  try {
    return load('secp256k1/bindings.js') as NativeLibrary; // its functions are those of its documentation
  } catch {
    return undefined;
  }
});
