import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import libraryOf from 'secp256k1/lib/index.js';
import { lazily } from '../../lazily.ts';
import { secp256k1Binary } from '../built-files.ts';

/** The used part of the package secp256k1: Bitcoin Core's library, compiled for this machine. */
export interface NativeLibrary {
  /** Throws an Error for an impossible signature. */
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, isCompressed: boolean): Uint8Array;
  /** Signs deterministically (RFC 6979), with s in the lower half: 64 bytes r ‖ s. Throws for an invalid key. */
  ecdsaSign(
    hash: Uint8Array,
    privateKey: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recid: number };
  /** Computes the public key of a private key, in 33 or 65 bytes. Throws for an invalid key. */
  publicKeyCreate(privateKey: Uint8Array, isCompressed: boolean): Uint8Array;
}

/**
 * Loads the native binding, without the slow fallback in JavaScript of its package; undefined if the package has no
 * binary for this platform.
 */
export const nativeLibrary = lazily((): NativeLibrary | undefined => {
  const library = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  const name = process.platform === 'linux' ? `secp256k1.${library}.node` : 'secp256k1.node';
  const file = secp256k1Binary(`${process.platform}-${process.arch}/${name}`);
  if (!existsSync(file)) return undefined;
  const { Secp256k1 } = createRequire(import.meta.url)(file);
  return libraryOf(new Secp256k1());
});
