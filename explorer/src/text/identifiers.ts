import { checksumAddress } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';

/** Kinds of ledger identifiers. */
export type IdentifierKind = 'account' | 'contract';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;
const IDENTIFIER = /^1\.(2|11)\.(\d{1,15})$/;
/** `0x00` or `0x01`, eleven zero bytes, and an instance of eight. */
const NATIVE_ADDRESS = /^0x0([01])0{22}([0-9a-f]{16})$/;
const INSTANCE_DIGITS = 16;

/** Returns true for an address of 20 bytes. */
export function isAddress(text: string): text is Hex {
  return ADDRESS.test(text);
}

/** Returns true for a hash of 32 bytes. */
export function isHash(text: string): text is Hex {
  return HASH.test(text);
}

/** Returns true for `1.2.N` and `1.11.N`. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** Adds the checksum (EIP-55) to an address without mixed case. Other texts are unchanged. */
export function withChecksum(text: string): string {
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isAddress(text) && !isMixed ? checksumAddress(text) : text;
}

/**
 * The identifier of an address that has the form of the ledger's: `1.2.N` or `1.11.N`. On a chain with Ethereum
 * there need be no such account or contract.
 */
export function identifierOf(address: Hex): string | undefined {
  const [, kind, digits] = NATIVE_ADDRESS.exec(address.toLowerCase()) ?? [];
  if (kind === undefined || digits === undefined) return undefined;
  const instance = BigInt(`0x${digits}`);
  // The zero address is nobody's.
  if (kind === '0' && instance === 0n) return undefined;
  return `1.${kind === '0' ? 2 : 11}.${instance}`;
}

/** The address of `1.2.N` or `1.11.N`; undefined for any other text. */
export function addressOf(identifier: string): Hex | undefined {
  const [, kind, instance] = IDENTIFIER.exec(identifier) ?? [];
  if (kind === undefined || instance === undefined) return undefined;
  const digits = BigInt(instance).toString(16).padStart(INSTANCE_DIGITS, '0');
  return `0x0${kind === '2' ? 0 : 1}${'0'.repeat(22)}${digits}`;
}

/** Returns the kind of an identifier. */
export function kindOf(identifier: string): IdentifierKind | undefined {
  const [, kind] = IDENTIFIER.exec(identifier) ?? [];
  if (kind === undefined) return undefined;
  return kind === '2' ? 'account' : 'contract';
}

/** The hash that an operation had while it waited: only its last 20 bytes are of the operation. */
export function pendingForm(hash: Hex): Hex {
  return `0x${'0'.repeat(24)}${hash.slice(26)}`;
}

/** Shortens a hash for tables: the ledger's hashes begin with their position, so their end is shown. */
export function shortHash(hash: Hex): string {
  return hash.startsWith('0x00000000') ? `0x…${hash.slice(-14)}` : shortened(hash, 8, 6);
}

/** The beginning and the end of long digits. */
export function shortened(text: string, first = 10, last = 6): string {
  return text.length <= first + last + 1 ? text : `${text.slice(0, first)}…${text.slice(-last)}`;
}
