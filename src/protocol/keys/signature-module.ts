/**
 * The Wasm module of the signatures, and its memory. Messages are passed in chunks, so that the memory never grows. The
 * module has ten kilobytes and is compiled at import. The first key or verification computes its tables of multiples,
 * in one or two milliseconds. The tables of 512 public keys are kept, 5 KiB each.
 *
 * Guarantees for secrets: no function that creates a key or a signature branches on a seed, a nonce or a value derived
 * from them, or accesses an address that depends on them; lengths of messages are public. A test compares the traces of
 * many keys. After each call the memory of the module contains no secret.
 *
 * Limits: WebAssembly does not specify timing, so that an engine or a processor may multiply some numbers more slowly
 * than others. Registers and the stack are not wiped. The seed and the expanded key of a key pair are JavaScript
 * arrays: they live as long as the pair, and the garbage collector may leave copies. Verification has no secrets, and
 * its time depends on its input.
 */

import { loadSignaturesModule } from '../built-files.ts';
import type { Seed } from '../bytes/bytes.ts';

/** The functions of `assembly/ed25519/index.ts`; all arguments are offsets and lengths in bytes. */
interface SignatureModule {
  readonly memory: WebAssembly.Memory;
  exchangeOffset(): number;
  absorb(piece: number, length: number): void;
  expandSeed(seed: number, expandedKey: number, publicKey: number): void;
  beginNonce(expandedKey: number): void;
  beginChallenge(publicKey: number, signature: number): void;
  finishSignature(expandedKey: number, signature: number): void;
  beginVerification(publicKey: number, signature: number): number;
  finishVerification(signature: number): number;
  wipe(): void;
}

/** The private scalar and the nonce prefix of a seed (RFC 8032, 5.1.5). Secret. */
export interface ExpandedKey {
  /** 32 bytes of the private scalar, and the 32 of the nonce prefix. */
  readonly bytes: Uint8Array;
  readonly publicKey: Uint8Array;
}

const EXPANDED_KEY_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const PIECE_BYTES = 1_024;

const signatureModule = new WebAssembly.Instance(loadSignaturesModule())
  .exports as unknown as SignatureModule;

export const signatureMemory = new Uint8Array(signatureModule.memory.buffer);

/** Offsets in the caller's part of the memory. A seed is replaced by its expanded key. */
const EXPANDED_KEY = signatureModule.exchangeOffset();
const PUBLIC_KEY = EXPANDED_KEY + EXPANDED_KEY_BYTES;
const SIGNATURE = PUBLIC_KEY + PUBLIC_KEY_BYTES;
const PIECE = SIGNATURE + SIGNATURE_BYTES;

export function expandSeed(seed: Seed): ExpandedKey {
  try {
    signatureMemory.set(seed, EXPANDED_KEY);
    signatureModule.expandSeed(EXPANDED_KEY, EXPANDED_KEY, PUBLIC_KEY);
    return {
      bytes: signatureMemory.slice(EXPANDED_KEY, EXPANDED_KEY + EXPANDED_KEY_BYTES),
      publicKey: signatureMemory.slice(PUBLIC_KEY, PUBLIC_KEY + PUBLIC_KEY_BYTES),
    };
  } finally {
    signatureModule.wipe();
  }
}

/** Signs a message of any length: 64 bytes. */
export function sign(key: ExpandedKey, message: Uint8Array): Uint8Array {
  // The message is hashed twice. If shared memory changed in between, the signature would reveal the key.
  const copy = Uint8Array.from(message);
  try {
    signatureMemory.set(key.bytes, EXPANDED_KEY);
    signatureMemory.set(key.publicKey, PUBLIC_KEY);
    signatureModule.beginNonce(EXPANDED_KEY);
    absorb(copy);
    signatureModule.beginChallenge(PUBLIC_KEY, SIGNATURE);
    absorb(copy);
    signatureModule.finishSignature(EXPANDED_KEY, SIGNATURE);
    return signatureMemory.slice(SIGNATURE, SIGNATURE + SIGNATURE_BYTES);
  } finally {
    signatureModule.wipe();
  }
}

/** Returns true for a signature of the message by the key; false also for wrong lengths. */
export function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  signatureMemory.set(publicKey, PUBLIC_KEY);
  signatureMemory.set(signature, SIGNATURE);
  if (signatureModule.beginVerification(PUBLIC_KEY, SIGNATURE) === 0) return false;
  absorb(message);
  return signatureModule.finishVerification(SIGNATURE) !== 0;
}

/** Adds a message to the current digest. */
function absorb(message: Uint8Array): void {
  for (let offset = 0; offset < message.length; offset += PIECE_BYTES) {
    const piece = message.subarray(offset, offset + PIECE_BYTES);
    signatureMemory.set(piece, PIECE);
    signatureModule.absorb(PIECE, piece.length);
  }
}
