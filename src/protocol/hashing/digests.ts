import { hash } from 'node:crypto';
import { type Hash, toHash } from '../values.ts';

/** Computes a digest in separate memory: a Buffer of the platform may share its memory. */
export function digest(algorithm: 'sha224' | 'sha256' | 'ripemd160', bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash(algorithm, bytes, 'buffer'));
}

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Hash {
  return toHash(digest('sha256', bytes));
}

/** RIPEMD-160, 20 bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return digest('ripemd160', bytes);
}
