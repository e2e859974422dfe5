/**
 * Ed25519 with SHA3-512 in place of SHA-512: `build/signatures.wasm`. The functions take addresses in its memory.
 *
 * Messages come in pieces, by `absorb`, between the steps of a signature or of a verification; one of them is made at a
 * time. The steps leave secrets in the memory until `wipe`.
 *
 * Source: RFC 8032, sections 5.1.5 to 5.1.7.
 */
import { absorb, beginDigest, finishDigest } from '../sha3-512';
import { multiplyBase } from './base-multiple';
import { multiplyBoth } from './double-multiple';
import { beginAdd, decodePoint, encodePoint, finishWithoutT, isOfSmallOrder, toSummand } from './points';
import { isBelowOrder, multiplyAdd, reduce } from './scalars';
import { EXCHANGE, SIGNING_SCRATCH } from './scratch';

export { absorb } from '../sha3-512';
export { wipe } from './scratch';

/** Where the second half of an expanded key, and of a signature, begins. */
const HALF: usize = 32;

const DIGEST: usize = SIGNING_SCRATCH;
const NONCE: usize = SIGNING_SCRATCH + 64;
const POINT: usize = SIGNING_SCRATCH + 96;

/** What is verified; public. */
const KEY_POINT: usize = memory.data(160, 16);
const NONCE_POINT: usize = memory.data(160, 16);
const SUMMAND: usize = memory.data(160, 16);

/** Where the caller's memory begins; scratch.ts says how long it is. */
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

/** First step of a signature: the message has to follow. */
export function beginNonce(expandedKey: usize): void {
  beginDigest();
  absorb(expandedKey + HALF, 32);
}

/** Second step of a signature: writes its first half, and the same message has to follow once more. */
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
 * First step of a verification: whether key and signature have the form of such. If so the message has to follow.
 *
 * Both points have to be encoded as RFC 8032 demands, and the scalar has to be below the order. Beyond the RFC, a key
 * of small order is none: with it, one signature would be good for many messages.
 */
export function beginVerification(publicKey: usize, signature: usize): bool {
  if (!isBelowOrder(signature + HALF)) return false;
  if (!decodePoint(KEY_POINT, publicKey) || !decodePoint(NONCE_POINT, signature)) return false;
  if (isOfSmallOrder(KEY_POINT)) return false;
  absorbCommitment(publicKey, signature);
  return true;
}

/** Last step of a verification: whether 8 S B = 8 R + 8 k A, the equation with the cofactor 8. */
export function finishVerification(signature: usize): bool {
  finishDigest(DIGEST);
  reduce(DIGEST, DIGEST);
  multiplyBoth(POINT, signature + HALF, DIGEST, KEY_POINT);
  toSummand(SUMMAND, NONCE_POINT);
  beginAdd(POINT, SUMMAND, true);
  finishWithoutT(POINT);
  return isOfSmallOrder(POINT);
}

/** Begins the digest of which the challenge k is made. */
function absorbCommitment(publicKey: usize, signature: usize): void {
  beginDigest();
  absorb(signature, 32);
  absorb(publicKey, 32);
}
