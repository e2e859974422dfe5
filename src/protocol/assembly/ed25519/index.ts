/**
 * Ed25519 with SHA3-512 instead of SHA-512: `build/signatures.wasm`. The functions take addresses in its memory.
 *
 * Messages are passed in chunks by `absorb` between the steps of a signature or a verification. Only one of them runs
 * at a time. The steps leave secrets in the memory until `wipe`.
 *
 * Source: RFC 8032, sections 5.1.5 to 5.1.7.
 */
import { absorb, beginDigest, finishDigest } from '../sha3-512';
import { multiplyBase } from './base-multiple';
import { multiplyBoth } from './double-multiple';
import { tableOfKey } from './key-tables';
import { beginAdd, decodePoint, encodePoint, finishWithoutT, isOfSmallOrder, toSummand } from './points';
import { isBelowOrder, multiplyAdd, reduce } from './scalars';
import { EXCHANGE, SIGNING_SCRATCH } from './scratch';

export { absorb } from '../sha3-512';
export { wipe } from './scratch';

/** Offset of the second half of an expanded key, and of a signature. */
const HALF: usize = 32;

const DIGEST: usize = SIGNING_SCRATCH;
const NONCE: usize = SIGNING_SCRATCH + 64;
const POINT: usize = SIGNING_SCRATCH + 96;

/** The table of the key, and the points of a verification; public. */
let keyTable: usize = 0;
const NONCE_POINT: usize = memory.data(160, 16);
const SUMMAND: usize = memory.data(160, 16);

/** Returns the address of the caller's memory; scratch.ts defines its size. */
export function exchangeOffset(): usize {
  return EXCHANGE;
}

/** Writes the expanded key of a seed, which is a scalar and a prefix of 32 bytes each, and the public key. */
export function expandSeed(seed: usize, expandedKey: usize, publicKey: usize): void {
  beginDigest();
  absorb(seed, 32);
  finishDigest(expandedKey);
  store<u8>(expandedKey, load<u8>(expandedKey) & 0xf8);
  store<u8>(expandedKey, (load<u8>(expandedKey, 31) & 0x7f) | 0x40, 31);
  multiplyBase(POINT, expandedKey);
  encodePoint(publicKey, POINT);
}

/** First step of a signature: the message must follow. */
export function beginNonce(expandedKey: usize): void {
  beginDigest();
  absorb(expandedKey + HALF, 32);
}

/** Second step of a signature: writes its first half. The same message must follow again. */
export function beginChallenge(publicKey: usize, signature: usize): void {
  finishDigest(DIGEST);
  reduce(NONCE, DIGEST);
  multiplyBase(POINT, NONCE);
  encodePoint(signature, POINT);
  absorbCommitment(publicKey, signature);
}

/** Last step of a signature: writes its second half. */
export function finishSignature(expandedKey: usize, signature: usize): void {
  finishDigest(DIGEST);
  reduce(DIGEST, DIGEST);
  multiplyAdd(signature + HALF, DIGEST, expandedKey, NONCE);
}

/**
 * First step of a verification. Returns true if key and signature are well-formed: then the message must follow.
 *
 * Both points must have canonical encodings (RFC 8032), and the scalar must be below the order. Beyond the RFC, keys of
 * small order are invalid: with such a key, one signature would be valid for many messages.
 */
export function beginVerification(publicKey: usize, signature: usize): bool {
  if (!isBelowOrder(signature + HALF)) return false;
  if (!decodePoint(NONCE_POINT, signature)) return false;
  keyTable = tableOfKey(publicKey);
  if (keyTable == 0) return false;
  absorbCommitment(publicKey, signature);
  return true;
}

/** Last step of a verification. Returns true if 8 S B = 8 R + 8 k A, the equation with the cofactor 8. */
export function finishVerification(signature: usize): bool {
  finishDigest(DIGEST);
  reduce(DIGEST, DIGEST);
  multiplyBoth(POINT, signature + HALF, DIGEST, keyTable);
  toSummand(SUMMAND, NONCE_POINT);
  beginAdd(POINT, SUMMAND, true);
  finishWithoutT(POINT);
  return isOfSmallOrder(POINT);
}

/** Begins the digest for the challenge k. */
function absorbCommitment(publicKey: usize, signature: usize): void {
  beginDigest();
  absorb(signature, 32);
  absorb(publicKey, 32);
}
