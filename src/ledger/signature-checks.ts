import { REMEMBERED_SIGNATURES_MAX } from '../limits.ts';
import { type Hash, type PublicKey, type Signature, verifySignature } from '../protocol/index.ts';

/** Outcomes by digest, signature and key, byte for byte, the oldest first. */
const outcomes = new Map<string, boolean>();

/**
 * Whether a signature of a digest is by a key. A transaction is checked when it comes, when its block is applied
 * and whenever what waits is applied anew, while the answer depends on nothing but these bytes: it is computed
 * once and remembered for as long as there is room.
 */
export function isSignedBy(key: PublicKey, digest: Hash, signature: Signature): boolean {
  const name = Buffer.concat([digest, signature, key]).toString('latin1');
  const known = outcomes.get(name);
  if (known !== undefined) return known;
  const outcome = verifySignature(key, digest, signature);
  if (outcomes.size >= REMEMBERED_SIGNATURES_MAX) forgetOldest();
  outcomes.set(name, outcome);
  return outcome;
}

function forgetOldest(): void {
  const [oldest] = outcomes.keys();
  if (oldest !== undefined) outcomes.delete(oldest);
}
