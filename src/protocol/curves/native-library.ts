import { existsSync } from 'node:fs';
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
  /** Computes the public key of a private key, in 33 or 65 bytes. Throws for an invalid key. */
  publicKeyCreate(privateKey: Uint8Array, isCompressed: boolean): Uint8Array;
}

/**
 * Loads the native binding of the package, without its slow fallback in JavaScript; undefined if the package has no
 * binary for this platform.
 */
export const nativeLibrary = lazily((): NativeLibrary | undefined => {
  const load = createRequire(import.meta.url);
  try {
    return loadPrebuilt(load);
  } catch {
    return loadCompiled(load);
  }
});

/** Loads the binary that the package contains. The package's own search takes longer than loading. */
function loadPrebuilt(load: NodeJS.Require): NativeLibrary {
  const library = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  const name = process.platform === 'linux' ? `secp256k1.${library}.node` : 'secp256k1.node';
  const { Secp256k1 } = load(`secp256k1/prebuilds/${process.platform}-${process.arch}/${name}`);
  return load('secp256k1/lib/index.js')(new Secp256k1());
}

/** Loads a binary that was compiled when the package was installed. */
function loadCompiled(load: NodeJS.Require): NativeLibrary | undefined {
  try {
    return load('secp256k1/bindings.js');
  } catch {
    return undefined;
  }
}
