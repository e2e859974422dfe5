import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import libraryOf from 'secp256k1/lib/index.js';
import { lazily } from '../../caching/lazily.ts';
import { secp256k1Binary } from '../built-files.ts';
import { messageOf } from '../protocol-errors.ts';
import { linuxLibraries } from './linux-libraries.ts';

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

/** The environment variable that replaces native add-ons, except that of LMDB, if it is `true`. */
export const NO_ADDONS_VARIABLE = 'LEDGERD_NO_NATIVE_ADDONS';

/** The library, or the reason why WebAssembly and JavaScript replace it. */
type Loading = { readonly library: NativeLibrary } | { readonly missing: string };

const loading = lazily((): Loading => {
  if (process.env[NO_ADDONS_VARIABLE] === 'true') return { missing: `${NO_ADDONS_VARIABLE} is true` };
  const folder = `${process.platform}-${process.arch}`;
  const names = process.platform === 'linux' ? linuxLibraries().map((libc) => `.${libc}`) : [''];
  const files = names.map((name) => secp256k1Binary(`${folder}/secp256k1${name}.node`)).filter(existsSync);
  const failures: string[] = [];
  for (const file of files) {
    try {
      // Without the slow fallback in JavaScript of its package.
      const { Secp256k1 } = createRequire(import.meta.url)(file);
      return { library: libraryOf(new Secp256k1()) };
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  return { missing: failures.length > 0 ? failures.join('; ') : `ledgerd has no binary for ${folder}` };
});

/** Returns the native library, loaded once; undefined where WebAssembly and JavaScript replace it. */
export function nativeLibrary(): NativeLibrary | undefined {
  const result = loading();
  return 'library' in result ? result.library : undefined;
}

/** Returns the reason why the native library is replaced; undefined if it is loaded. */
export function nativeLibraryMissing(): string | undefined {
  const result = loading();
  return 'missing' in result ? result.missing : undefined;
}
