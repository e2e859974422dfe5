import { ETHEREUM_NONCE_MAX } from '../../consensus.ts';
import { type Address, bytesToNumber, concatBytes, numberToBytes, toAddress } from '../bytes/bytes.ts';
import { GROUP_ORDER, HIGHEST_S, recoverAddress } from '../curves/recovery.ts';
import { signDigest } from '../curves/signing.ts';
import { keccak256 } from '../hashing/hashes.ts';
import { encodeRlp } from './rlp.ts';

/** The signed fields of an authorization: an account's permission to run the code of another one (EIP-7702). */
export interface AuthorizationFields {
  /** 0 for every chain. */
  readonly chainId: bigint;
  /** The account with the code; the zero address to remove a delegation. */
  readonly address: Address;
  /** Nonce of the signing account, at most 2^64 - 1. */
  readonly nonce: bigint;
}

/** An authorization with its signature, which may be invalid: a transaction skips such an entry. */
export interface Authorization extends AuthorizationFields {
  /** From 0 to 255; 0 or 1 in a valid signature. */
  readonly yParity: number;
  readonly r: bigint;
  readonly s: bigint;
}

export type AuthorizationList = readonly Authorization[];

/** First byte of the signed bytes (EIP-7702). */
const MAGIC = Uint8Array.of(0x05);
const WORD_BYTES = 32;

function signingHashOf({ chainId, address, nonce }: AuthorizationFields): Uint8Array {
  return keccak256(concatBytes(MAGIC, encodeRlp([numberToBytes(chainId), address, numberToBytes(nonce)])));
}

/** Signs an authorization deterministically (RFC 6979). */
export function signAuthorization(fields: AuthorizationFields, privateKey: Uint8Array): Authorization {
  const { r, s, yParity } = signDigest(signingHashOf(fields), privateKey);
  return { ...fields, yParity, r: bytesToNumber(r), s: bytesToNumber(s) };
}

/** Results of recoveries, which cost much more than the look-up: a transaction is executed several times. */
const authorities = new WeakMap<Authorization, Address | typeof NOBODY>();
const NOBODY = 'nobody';

/**
 * Recovers the account that signed an authorization; undefined for an entry that no chain and no state accepts: an
 * invalid signature, or a nonce that cannot grow.
 */
export function recoverAuthority(authorization: Authorization): Address | undefined {
  let authority = authorities.get(authorization);
  if (authority === undefined) {
    authority = findAuthority(authorization) ?? NOBODY;
    authorities.set(authorization, authority);
  }
  return authority === NOBODY ? undefined : authority;
}

function findAuthority(authorization: Authorization): Address | undefined {
  const { nonce, yParity, r, s } = authorization;
  if (nonce > ETHEREUM_NONCE_MAX || (yParity !== 0 && yParity !== 1) || s > HIGHEST_S || r >= GROUP_ORDER) {
    return undefined;
  }
  const words = [numberToBytes(r, WORD_BYTES), numberToBytes(s, WORD_BYTES)] as const;
  return recoverAddress(signingHashOf(authorization), ...words, yParity);
}

/** First bytes of the code of an account with a delegation (EIP-7702). */
const DELEGATION_PREFIX = [0xef, 0x01, 0x00] as const;
const DELEGATION_BYTES = 23;

/** Returns the account whose code this code delegates to; undefined for any other code. */
export function delegationOf(code: Uint8Array): Address | undefined {
  if (code.length !== DELEGATION_BYTES) return undefined;
  if (DELEGATION_PREFIX.some((byte, index) => code[index] !== byte)) return undefined;
  return toAddress(code.slice(DELEGATION_PREFIX.length));
}
