import { randomBytes } from 'node:crypto';
import { lazily } from '../../caching/lazily.ts';
import {
  BLOB_CELLS,
  type BlobSidecar,
  concatBytes,
  FR_BYTES,
  hexToBytes,
  sha256,
} from '../../protocol/index.ts';
import { BLOB_ELEMENTS, BlobPolynomial, COEFFICIENT_FACTOR, fillPowers } from './blob-polynomial.ts';
import { bls12381 } from './bls12-381.ts';
import { COMPRESSED_BYTES, KzgEquation, readCompressedG1 } from './kzg.ts';
import { G1_POWERS, G2_SECRET, G2_SECRET_64 } from './kzg-setup.ts';
import { type PairingCurve, SCALAR_BYTES } from './pairing-curve.ts';

/** Field elements of a cell. */
const CELL_ELEMENTS = 64;

/** The beginning of the hashed text: the domain of the challenge, and the elements of a blob in 16 bytes. */
const CHALLENGE_PREFIX = Buffer.from(`FSBLOBVERIFY_V1_${'\0'.repeat(14)}\x10\0`, 'latin1');

/** A kind of proofs: each shows the values of a polynomial where the power `size` of the argument is a given number. */
interface ProofKind {
  readonly size: number;
  readonly equation: KzgEquation;
  /** Pointer to the number of each proof. */
  readonly numbers: number;
}

const verifier = lazily(() => new BlobVerifier(bls12381()));

/**
 * Returns true if the proofs of a sidecar show that its commitments are those of its blobs. Rejects numbers that are no
 * field elements, and malformed points. Source: consensus specifications, "verify_blob_kzg_proof" (Deneb) and
 * "verify_cell_kzg_proof_batch" (Fulu).
 */
export function areBlobProofsValid({ version, blobs, commitments, proofs }: BlobSidecar): boolean {
  const ofBlob = version === 0 ? 1 : BLOB_CELLS;
  if (commitments.length !== blobs.length || proofs.length !== blobs.length * ofBlob) return false;
  return blobs.every((blob, index) => {
    const commitment = commitments[index] ?? new Uint8Array();
    const points = [commitment, ...proofs.slice(index * ofBlob, (index + 1) * ofBlob)];
    return verifier().isValid(blob, points, version);
  });
}

/**
 * Verifies the proofs of a blob. A cell has the values of the polynomial p where x^64 is the cell's number g. There p
 * equals its remainder by x^64 - g, whose j-th coefficient is the sum of p[64m + j]·g^m. A proof P shows this if
 * e(C - remainder(secret) + g·P, G2) = e(P, secret^64·G2), for the commitment C. All proofs of a blob are verified by
 * one equation: their sum with random factors. The proof of a blob is that of a cell of one value, at the challenge.
 */
class BlobVerifier {
  readonly #curve: PairingCurve;
  readonly #polynomial: BlobPolynomial;
  /** Pointer to the generator times the powers of the secret. */
  readonly #powers: number;
  readonly #ofBlob: ProofKind;
  readonly #ofCells: ProofKind;
  /** Pointers to the random factors, and to their products with powers of the numbers. */
  readonly #factors: number;
  readonly #products: number;
  /** Pointers to two scalars. */
  readonly #sum: number;
  readonly #product: number;

  constructor(curve: PairingCurve) {
    this.#curve = curve;
    const { library, g1 } = curve;
    const scalars = (count: number) => library.allocate(count * FR_BYTES);
    this.#polynomial = new BlobPolynomial(curve);
    this.#powers = library.allocate(CELL_ELEMENTS * g1.memoryBytes);
    G1_POWERS.forEach((power, index) => {
      readCompressedG1(curve, hexToBytes(power), 0, this.#powers + index * g1.memoryBytes);
    });
    this.#factors = scalars(BLOB_CELLS);
    this.#products = scalars(BLOB_CELLS);
    this.#sum = scalars(1);
    this.#product = scalars(1);
    this.#ofBlob = { size: 1, equation: new KzgEquation(curve, G2_SECRET), numbers: scalars(1) };
    const equation = new KzgEquation(curve, G2_SECRET_64);
    this.#ofCells = { size: CELL_ELEMENTS, equation, numbers: scalars(BLOB_CELLS) };
    this.#fillCellNumbers();
  }

  /** The number of a cell is a root of unity, to the power that has the bits of the cell's position in reverse. */
  #fillCellNumbers(): void {
    const { bytes } = this.#curve.library;
    this.#polynomial.rootOfUnity(BLOB_CELLS, this.#product);
    fillPowers(this.#curve, this.#products, this.#product, BLOB_CELLS);
    const bits = Math.log2(BLOB_CELLS);
    for (let cell = 0; cell < BLOB_CELLS; cell += 1) {
      const reversed = Number.parseInt(cell.toString(2).padStart(bits, '0').split('').reverse().join(''), 2);
      const power = this.#products + reversed * FR_BYTES;
      bytes.copyWithin(this.#ofCells.numbers + cell * FR_BYTES, power, power + FR_BYTES);
    }
  }

  /** Returns true if the points, a commitment followed by its proofs, are those of a blob. */
  isValid(blob: Uint8Array, points: readonly Uint8Array[], version: BlobSidecar['version']): boolean {
    const kind = version === 0 ? this.#ofBlob : this.#ofCells;
    if (!this.#polynomial.read(blob) || !this.#readPoints(points, kind.size)) return false;
    if (version === 0) this.#challenge(blob, points[0] ?? new Uint8Array());
    const count = points.length - 1;
    this.#curve.readScalar(randomBytes(SCALAR_BYTES), 0, this.#product);
    fillPowers(this.#curve, this.#factors, this.#product, count);
    this.#computeFactors(kind, count);

    const { g1, scalars } = this.#curve;
    g1.functions.mulVec(g1.result, g1.points, scalars, 1 + kind.size + count);
    g1.functions.mulVec(g1.sum, g1.pointer(1 + kind.size), this.#factors, count);
    return kind.equation.holds(g1.result, g1.sum);
  }

  /** Puts the commitment, powers of the secret and the proofs into the batch. Returns false for a malformed point. */
  #readPoints(points: readonly Uint8Array[], size: number): boolean {
    const { g1, library } = this.#curve;
    library.bytes.copyWithin(g1.pointer(1), this.#powers, this.#powers + size * g1.memoryBytes);
    return points.every(
      (point, index) =>
        point.length === COMPRESSED_BYTES &&
        readCompressedG1(this.#curve, point, 0, g1.pointer(index === 0 ? 0 : index + size)),
    );
  }

  /** Computes the number of the proof of a blob: a hash, which the prover cannot choose. */
  #challenge(blob: Uint8Array, commitment: Uint8Array): void {
    this.#curve.readScalar(sha256(concatBytes(CHALLENGE_PREFIX, blob, commitment)), 0, this.#ofBlob.numbers);
  }

  /** Computes the factors of the batch's points in the left side of the equation. */
  #computeFactors({ size, numbers }: ProofKind, count: number): void {
    const { library } = this.#curve;
    const { mclBnFr_add: add, mclBnFr_mul: multiply, mclBnFr_setInt32: set } = library.functions;
    const remainder = this.#curve.scalar(1);
    for (let index = 0; index < size; index += 1) set(remainder + index * FR_BYTES, 0);
    library.bytes.copyWithin(this.#products, this.#factors, this.#factors + count * FR_BYTES);
    for (let part = 0; part < BLOB_ELEMENTS; part += size) {
      set(this.#sum, 0);
      for (let offset = 0; offset < count * FR_BYTES; offset += FR_BYTES) {
        add(this.#sum, this.#sum, this.#products + offset);
        multiply(this.#products + offset, this.#products + offset, numbers + offset);
      }
      if (part === 0) this.#keepFactors(size, count);
      for (let offset = 0; offset < size * FR_BYTES; offset += FR_BYTES) {
        multiply(this.#product, this.#polynomial.coefficients + part * FR_BYTES + offset, this.#sum);
        add(remainder + offset, remainder + offset, this.#product);
      }
    }
    this.#scale(remainder, size);
  }

  /** The commitment has the sum of the random factors, a proof its factor times its number. */
  #keepFactors(size: number, count: number): void {
    const { bytes } = this.#curve.library;
    bytes.copyWithin(this.#curve.scalar(0), this.#sum, this.#sum + FR_BYTES);
    bytes.copyWithin(this.#curve.scalar(1 + size), this.#products, this.#products + count * FR_BYTES);
  }

  /** Divides scalars by the factor of the coefficients, and negates them. */
  #scale(scalars: number, count: number): void {
    const { functions } = this.#curve.library;
    functions.mclBnFr_setInt32(this.#product, -COEFFICIENT_FACTOR);
    functions.mclBnFr_inv(this.#product, this.#product);
    for (let offset = 0; offset < count * FR_BYTES; offset += FR_BYTES) {
      functions.mclBnFr_mul(scalars + offset, scalars + offset, this.#product);
    }
  }
}
