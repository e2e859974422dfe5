import { lazily } from '../../lazily.ts';
import { compareBytes, FP_BYTES, hexToBytes, sha256 } from '../../protocol/index.ts';
import { bls12381 } from './bls12-381.ts';
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
/** Number of field elements in a blob: the first word of the output. */
const BLOB_ELEMENTS = '1000';
/** The order of the groups, which z and y must be below. The second word of the output. */
const GROUP_ORDER = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001';

/** Generators as in EIP-2537, without the leading zeros of each coordinate. */
const G1_GENERATOR = [
  '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  '08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1',
];
const G2_GENERATOR = [
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
  '13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e',
  '0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801',
  '0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be',
];

/**
 * The generator of G2 multiplied by the secret of Ethereum's KZG ceremony, the part of the setup that verification
 * needs. Source: consensus specifications, "trusted_setup_4096", the second of `g2_monomial`.
 */
const G2_SECRET = [
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
  '15bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72',
  '014353bdb96b626dd7d5ee8599d1fca2131569490e28de18e82451a496a9c9794ce26d105941f383ee689bfbbb832a99',
  '1666c54b0a32529503432fcae0181b4bef79de09fc63671fda5ed1ba9bfa07899495346f3d7ac9cd23048ef30d0a154f',
];

/** Flags in the first of a point's 48 bytes. Source: draft-irtf-cfrg-bls-signature, to which EIP-4844 refers. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
/** Set if y is the greater of the two roots. */
const GREATER = 0x20;
const FLAGS = COMPRESSED | INFINITY | GREATER;
/** The curve is y² = x³ + 4. */
const CURVE_CONSTANT = 4;
/** Leading zeros of a coordinate as the curve reads it. */
const LEADING_ZEROS = 16;

const order = hexToBytes(GROUP_ORDER);
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

/** Verifies proofs, with precomputed pairings for the two points of G2. */
class Evaluator {
  readonly #curve: PairingCurve;
  readonly #generator: number;
  readonly #generatorLines: number;
  readonly #secretLines: number;

  constructor(curve: PairingCurve) {
    this.#curve = curve;
    this.#generator = curve.library.allocate(curve.g1.memoryBytes);
    curve.g1.read(pointBytes(G1_GENERATOR), 0, this.#generator);
    this.#generatorLines = curve.prepareG2(pointBytes(G2_GENERATOR));
    this.#secretLines = curve.prepareG2(pointBytes(G2_SECRET));
  }

  /**
   * Returns true if the proof shows p(z) = y. With C the commitment and P the proof, that is
   * e(C - y·G1 + z·P, G2) = e(P, secret·G2).
   */
  verifies(input: Uint8Array): boolean {
    const curve = this.#curve;
    const { g1, scalars } = curve;
    const { functions } = curve.library;
    if (!isBelowOrder(input, Z_OFFSET) || !isBelowOrder(input, Y_OFFSET)) return false;
    const [generator, proof, commitment] = [g1.pointer(0), g1.pointer(1), g1.pointer(2)];
    if (!readCompressedG1(curve, input, COMMITMENT_OFFSET, commitment)) return false;
    if (!readCompressedG1(curve, input, PROOF_OFFSET, proof)) return false;

    curve.library.bytes.copyWithin(generator, this.#generator, this.#generator + g1.memoryBytes);
    curve.readScalar(input, Y_OFFSET, scalars);
    functions.mclBnFr_neg(scalars, scalars);
    curve.readScalar(input, Z_OFFSET, curve.scalar(1));
    g1.functions.mulVec(g1.result, g1.points, scalars, 2);
    g1.functions.add(g1.result, g1.result, commitment);
    // A pairing is one exactly if one of its points is infinity.
    if (g1.isZero(proof) || g1.isZero(g1.result)) return g1.isZero(proof) && g1.isZero(g1.result);
    functions.mclBnG1_neg(proof, proof);
    return curve.isPreparedPairingOne(g1.result, this.#generatorLines, proof, this.#secretLines);
  }
}

/**
 * Reads a compressed point of G1 to a pointer. Returns false if it is malformed or not in the subgroup. Allows
 * infinity.
 */
function readCompressedG1(curve: PairingCurve, input: Uint8Array, offset: number, pointer: number): boolean {
  const { functions } = curve.library;
  const x = new Uint8Array(LEADING_ZEROS + FP_BYTES);
  x.set(input.subarray(offset, offset + FP_BYTES), LEADING_ZEROS);
  const flags = (x[LEADING_ZEROS] ?? 0) & FLAGS;
  x[LEADING_ZEROS] = (x[LEADING_ZEROS] ?? 0) & ~FLAGS;
  if (!(flags & COMPRESSED)) return false;
  if (flags & INFINITY) {
    curve.g1.functions.clear(pointer);
    return flags === (COMPRESSED | INFINITY) && x.every((byte) => byte === 0);
  }
  const [y, z] = [pointer + FP_BYTES, pointer + 2 * FP_BYTES];
  if (!curve.readField(x, 0, pointer)) return false;
  functions.mclBnFp_sqr(y, pointer);
  functions.mclBnFp_mul(y, y, pointer);
  functions.mclBnFp_setInt32(z, CURVE_CONSTANT);
  functions.mclBnFp_add(y, y, z);
  if (functions.mclBnFp_squareRoot(y, y) !== 0) return false;
  if ((functions.mclBnFp_isNegative(y) === 1) !== (flags & GREATER) > 0) functions.mclBnFp_neg(y, y);
  functions.mclBnFp_setInt32(z, 1);
  return functions.mclBnG1_isValidOrder(pointer) === 1;
}

function pointBytes(coordinates: readonly string[]): Uint8Array {
  return hexToBytes(coordinates.map((coordinate) => '00'.repeat(LEADING_ZEROS) + coordinate).join(''));
}

function isBelowOrder(input: Uint8Array, offset: number): boolean {
  return compareBytes(input.subarray(offset, offset + order.length), order) < 0;
}
