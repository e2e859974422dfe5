/**
 * The Wasm module of the signatures, and its memory: what `keys.ts` is made of. Messages come piece by piece, so that
 * the memory never grows. The module has ten kilobytes and is compiled at import; its tables of multiples are made by
 * the first key or verification, in a millisecond or two.
 *
 * Secrets, the guarantees. No function of the module that makes a key or a signature branches on a seed, a nonce, or
 * anything made of them, and none reads or writes an address that depends on them; lengths of messages are public. A
 * test compares the traces of many keys. When a call returns, nothing in the module's memory depends on a secret any
 * more.
 *
 * Secrets, the limits. The engine may compile the module as it likes, and the machine may take more time to multiply
 * some numbers than others: WebAssembly says nothing of time. Registers and the stack are not wiped, and neither are
 * the seed and the expanded key of a key pair, which are arrays of JavaScript: they live as long as the pair, and the
 * collector may copy and leave them. Verification has no secrets, and its time depends on what is verified.
 */

import type { Seed } from '../bytes/bytes.ts';
import { loadSignaturesModule } from '../wasm-files.ts';

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

/** The private scalar and the nonce prefix that a seed expands to (RFC 8032, 5.1.5). Secret. */
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
  // The message is hashed twice. Were it to change in between, as shared memory can, the signature would give the key
  // away.
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

/** Adds a message to the digest that was begun. */
function absorb(message: Uint8Array): void {
  for (let offset = 0; offset < message.length; offset += PIECE_BYTES) {
    const piece = message.subarray(offset, offset + PIECE_BYTES);
    signatureMemory.set(piece, PIECE);
    signatureModule.absorb(PIECE, piece.length);
  }
}
