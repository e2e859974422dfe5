import { keccak_256 } from '@noble/hashes/sha3.js';
import { toHex } from './hex.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const NATIVE = /^1\.(2|11)\.(0|[1-9]\d{0,14})$/;
const INSTANCE_END = 2n ** 48n;
const CONTRACT_MARK = 1n << 152n;

/** An address with its checksum (EIP-55). Takes 20 bytes in hexadecimal. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  let text = '0x';
  for (let index = 0; index < digits.length; index += 1) {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf;
    const digit = digits.charAt(index);
    text += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return text;
}

/** `1.2.N` or `1.11.N` as an address; undefined for anything else. */
export function nativeAddress(text: string): string | undefined {
  const [, type, digits] = NATIVE.exec(text) ?? [];
  if (type === undefined || digits === undefined) return undefined;
  const instance = BigInt(digits);
  if (instance >= INSTANCE_END) return undefined;
  const number = instance | (type === '11' ? CONTRACT_MARK : 0n);
  return `0x${number.toString(16).padStart(40, '0')}`;
}

/**
 * Reads a typed address: 20 bytes in hexadecimal, with a valid checksum if the case is mixed, or `1.2.N`, or `1.11.N`.
 * Returns it in lower case, or the problem.
 */
export function readAddress(text: string): { readonly address: string } | { readonly problem: string } {
  const trimmed = text.trim();
  const native = nativeAddress(trimmed);
  if (native !== undefined) return { address: native };
  if (!ADDRESS.test(trimmed)) return { problem: 'expected 0x and 40 digits, 1.2.N or 1.11.N' };
  const digits = trimmed.slice(2);
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (isMixed && checksumAddress(trimmed) !== trimmed) {
    return { problem: 'the checksum is wrong: is there a typing mistake?' };
  }
  return { address: trimmed.toLowerCase() };
}

/** The first four bytes of the hash of a signature, by which a function or an error is called. */
export function selectorOf(signature: string): string {
  return hashOf(signature).slice(0, 10);
}

/** The hash of a signature, which an event's logs have as their first topic. */
export function hashOf(signature: string): string {
  return keccak(new TextEncoder().encode(signature));
}

/** The Keccak-256 hash of bytes in hexadecimal. */
export function keccak(bytes: Uint8Array): string {
  return toHex(keccak_256(bytes));
}
