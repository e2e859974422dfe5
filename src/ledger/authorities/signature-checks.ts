import { BoundedMap } from '../../bounded-map.ts';
import { SIGNATURE_CACHE_ENTRIES_MAX } from '../../limits.ts';
import { type Hash, type PublicKey, type Signature, verifySignature } from '../../protocol/index.ts';

/** The rules by which the signatures of a transaction are checked. */
export interface SignatureRules {
  /** The native chain id, which they cover. */
  readonly chainId: Hash;
  readonly signatures: SignatureChecks;
}

/**
 * A bounded cache of signature checks for one ledger. A transaction is checked on arrival, in its block, and whenever
 * pending transactions are executed again; the result depends only on its bytes.
 */
export class SignatureChecks {
  /** Outcomes by digest, signature and key, byte for byte. */
  readonly #outcomes = new BoundedMap<string, boolean>(SIGNATURE_CACHE_ENTRIES_MAX);

  /** Records a signature that this process has just made with a key, so that it is not checked. */
  recordMade(key: PublicKey, digest: Hash, signature: Signature): void {
    this.#outcomes.set(nameOf(key, digest, signature), true);
  }

  isSignedBy(key: PublicKey, digest: Hash, signature: Signature): boolean {
    const name = nameOf(key, digest, signature);
    const known = this.#outcomes.get(name);
    if (known !== undefined) return known;
    const outcome = verifySignature(key, digest, signature);
    this.#outcomes.set(name, outcome);
    return outcome;
  }
}

function nameOf(key: PublicKey, digest: Hash, signature: Signature): string {
  return Buffer.concat([digest, signature, key]).toString('latin1');
}
