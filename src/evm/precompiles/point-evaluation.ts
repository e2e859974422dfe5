import { lazily } from '../../caching/lazily.ts';
import { compareBytes, hexToBytes, sha256 } from '../../protocol/index.ts';
import { bls12381 } from './bls12-381.ts';
import { GROUP_ORDER, isFieldElement, KzgEquation, readCompressedG1 } from './kzg.ts';
import { G1_POWERS, G2_SECRET } from './kzg-setup.ts';
import type { PairingCurve } from './pairing-curve.ts';
import type { Precompile } from './precompile.ts';

const GAS = 50_000n;

/** The input: versioned hash, z, y, commitment, proof. */
const Z_OFFSET = 32;
const Y_OFFSET = 64;
const COMMITMENT_OFFSET = 96;
const PROOF_OFFSET = 144;
const INPUT_BYTES = 192;

/** First byte of the versioned hash of a commitment; the others are those of SHA-256. */
const VERSION = 1;
/** Number of field elements in a blob: the first word of the output. The second one is the order of the groups. */
const BLOB_ELEMENTS = '1000';

const output = hexToBytes(BLOB_ELEMENTS.padStart(64, '0') + GROUP_ORDER);

/**
 * Contract 0x0a: verifies that a committed polynomial has the value y at z. The output is two constants; rejects a
 * malformed input or an invalid proof. Source: EIP-4844, "Point evaluation precompile".
 */
export const pointEvaluation: Precompile = {
  name: 'KZG_POINT_EVALUATION',
  gas: () => GAS,
  run(input) {
    if (input.length !== INPUT_BYTES) return undefined;
    const commitment = input.subarray(COMMITMENT_OFFSET, PROOF_OFFSET);
    const hash = Uint8Array.from(sha256(commitment));
    hash[0] = VERSION;
    if (compareBytes(hash, input.subarray(0, Z_OFFSET)) !== 0) return undefined;
    return evaluator().verifies(input) ? output.slice() : undefined;
  },
};

const evaluator = lazily(() => new Evaluator(bls12381()));

/** Verifies proofs of values. */
class Evaluator {
  readonly #curve: PairingCurve;
  readonly #generator: number;
  readonly #equation: KzgEquation;

  constructor(curve: PairingCurve) {
    this.#curve = curve;
    this.#generator = curve.library.allocate(curve.g1.memoryBytes);
    readCompressedG1(curve, hexToBytes(G1_POWERS[0] ?? ''), 0, this.#generator);
    this.#equation = new KzgEquation(curve, G2_SECRET);
  }

  /**
   * Returns true if the proof shows p(z) = y. With C the commitment and P the proof, that is
   * e(C - y·G1 + z·P, G2) = e(P, secret·G2).
   */
  verifies(input: Uint8Array): boolean {
    const curve = this.#curve;
    const { g1, scalars } = curve;
    const { functions } = curve.library;
    if (!isFieldElement(input, Z_OFFSET) || !isFieldElement(input, Y_OFFSET)) return false;
    const generator = g1.pointer(0);
    const proof = g1.pointer(1);
    const commitment = g1.pointer(2);
    if (!readCompressedG1(curve, input, COMMITMENT_OFFSET, commitment)) return false;
    if (!readCompressedG1(curve, input, PROOF_OFFSET, proof)) return false;

    curve.library.bytes.copyWithin(generator, this.#generator, this.#generator + g1.memoryBytes);
    curve.readScalar(input, Y_OFFSET, scalars);
    functions.mclBnFr_neg(scalars, scalars);
    curve.readScalar(input, Z_OFFSET, curve.scalar(1));
    g1.functions.mulVec(g1.result, g1.points, scalars, 2);
    g1.functions.add(g1.result, g1.result, commitment);
    return this.#equation.holds(g1.result, proof);
  }
}
