import { bytesToHex, utf8ToBytes } from '../bytes/bytes.ts';
import { keccak256 } from '../hashing/keccak256.ts';
import type { Address } from '../values.ts';

/** A letter is a capital where its digit of the hash is at least this. */
const CAPITAL_FROM = 8;

/** Writes an address with its checksum in the case of its letters (ERC-55). */
export function checksumAddress(address: Address): `0x${string}` {
  const digits = bytesToHex(address);
  const hash = bytesToHex(keccak256(utf8ToBytes(digits)));
  const letters = Array.from(digits, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= CAPITAL_FROM ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}
