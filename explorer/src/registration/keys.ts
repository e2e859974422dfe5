import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_512 } from '@noble/hashes/sha3.js';

const PREFIX = 'ECHO';
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58n;
const KEY_BYTES = 32;

/**
 * The public key of a private one, as text: Ed25519 of RFC 8032 with SHA3-512 wherever the RFC has SHA-512, which the
 * keys of the browser cannot do.
 *
 * @param seed 32 bytes
 */
export function publicKeyOf(seed: Uint8Array): string {
  const half = sha3_512(seed).subarray(0, KEY_BYTES);
  let scalar = 0n;
  for (const [index, byte] of half.entries()) {
    // RFC 8032, 5.1.5: the lowest three bits and the highest one are cleared, the second highest is set.
    const kept = index === 0 ? byte & 0xf8 : index === KEY_BYTES - 1 ? (byte & 0x7f) | 0x40 : byte;
    scalar |= BigInt(kept) << BigInt(8 * index);
  }
  const { Point } = ed25519;
  return `${PREFIX}${base58(Point.BASE.multiply(scalar % Point.Fn.ORDER).toBytes())}`;
}

/** Returns true if a text has the form of a public key; the node checks the key itself. */
export function isPublicKey(text: string): boolean {
  return text.startsWith(PREFIX) && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text.slice(PREFIX.length));
}

/** 32 random bytes. */
export function newSeed(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

function base58(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  let text = '';
  for (; number > 0n; number /= BASE) text = ALPHABET.charAt(Number(number % BASE)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
