import { type Address, bytesToHex, numberToBytes, utf8ToBytes } from '../bytes/bytes.ts';
import { hashedAddress, keccak256 } from '../hashing/hashes.ts';
import { encodeRlp } from './rlp.ts';

/** Least digit of the hash that makes a letter a capital. */
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

/** Returns the address of a contract created by a transaction, or by CREATE (yellow paper, section 7). */
export function createAddress(sender: Address, nonce: bigint): Address {
  return hashedAddress(encodeRlp([sender, numberToBytes(nonce)]));
}
