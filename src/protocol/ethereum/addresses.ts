import { bytesToHex, concatBytes, numberToBytes, utf8ToBytes } from '../bytes/bytes.ts';
import { keccak256 } from '../hashing/keccak256.ts';
import { type Address, type Hash, toAddress } from '../values.ts';
import { encodeRlp } from './rlp.ts';

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

/** Where an address begins in the hash that it is taken from. */
const ADDRESS_OFFSET = 12;
/** Precedes what is hashed for CREATE2. */
const CREATE2_PREFIX = 0xff;

/**
 * The address of the contract that a sender creates by a transaction of this nonce, or by CREATE. Source: yellow paper,
 * section 7.
 */
export function createAddress(sender: Address, nonce: bigint): Address {
  return toAddress(keccak256(encodeRlp([sender, numberToBytes(nonce)])).slice(ADDRESS_OFFSET));
}

/** The address of the contract that a sender creates by CREATE2 (EIP-1014). */
export function create2Address(sender: Address, salt: Hash, initCode: Uint8Array): Address {
  const parts = concatBytes(Uint8Array.of(CREATE2_PREFIX), sender, salt, keccak256(initCode));
  return toAddress(keccak256(parts).slice(ADDRESS_OFFSET));
}
