/**
 * Points of the curve alt_bn128 (bn254) as the precompiled contracts read and write them: coordinates are
 * words in big-endian order, infinity is all zeros. Source: EIP-196 and EIP-197, "Encoding".
 */
import { BN_SNARK1, Fp, Fp2, G1, G2, init, verifyOrderG2 } from 'mcl-wasm';
import { compareBytes, hexToBytes, invariant } from '../../protocol/index.ts';

/** Bytes of a point of G1: x, y. */
export const G1_BYTES = 64;
/** Bytes of a point of G2: x, y, each the imaginary part and then the real one. */
export const G2_BYTES = 128;

const WORD_BYTES = 32;

/** Coordinates lie below it. */
const FIELD_MODULUS = hexToBytes('30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47');

/** The coordinate z of a point that is not infinity; set when the library is ready. */
interface Units {
  readonly g1: Fp;
  readonly g2: Fp2;
}
let units: Units | undefined;
let preparation: Promise<void> | undefined;

/** Prepares the library; any number of calls wait for the same preparation. */
export function prepareBn254(): Promise<void> {
  preparation ??= prepare();
  return preparation;
}

async function prepare(): Promise<void> {
  await init(BN_SNARK1);
  // Whether a point lies in the subgroup is asked for by name, so that it is certain and done once.
  verifyOrderG2(false);
  const g1 = new Fp();
  g1.setInt(1);
  const g2 = new Fp2();
  g2.setInt(1, 0);
  units = { g1, g2 };
}

function requireUnits(): Units {
  invariant(units !== undefined, 'preparePrecompiles() was not awaited before a pairing contract ran');
  return units;
}

/**
 * The point of G1 at `offset`; `undefined` where a coordinate is not below the field's modulus or the point
 * is not on the curve, all of which is the group.
 *
 * @throws {InvariantError} when `prepareBn254` was not awaited.
 */
export function readG1(input: Uint8Array, offset: number): G1 | undefined {
  const unit = requireUnits().g1;
  const x = readCoordinate(input, offset);
  const y = readCoordinate(input, offset + WORD_BYTES);
  if (x === undefined || y === undefined) return undefined;
  const point = new G1();
  if (x.isZero() && y.isZero()) return point;
  point.setX(x);
  point.setY(y);
  point.setZ(unit);
  return point.isValid() ? point : undefined;
}

/**
 * The point of G2 at `offset`; `undefined` where a coordinate is not below the field's modulus, or the point
 * is not on the curve, or not in the subgroup of the right order.
 *
 * @throws {InvariantError} when `prepareBn254` was not awaited.
 */
export function readG2(input: Uint8Array, offset: number): G2 | undefined {
  const unit = requireUnits().g2;
  const x = readPair(input, offset);
  const y = readPair(input, offset + 2 * WORD_BYTES);
  if (x === undefined || y === undefined) return undefined;
  const point = new G2();
  if (x.isZero() && y.isZero()) return point;
  point.setX(x);
  point.setY(y);
  point.setZ(unit);
  return point.isValid() && point.isValidOrder() ? point : undefined;
}

/** The 64 bytes of a point of G1. */
export function writeG1(point: G1): Uint8Array {
  const output = new Uint8Array(G1_BYTES);
  if (point.isZero()) return output;
  point.normalize();
  // The library writes numbers in little-endian order.
  output.set(point.getX().serialize().reverse(), 0);
  output.set(point.getY().serialize().reverse(), WORD_BYTES);
  return output;
}

function readPair(input: Uint8Array, offset: number): Fp2 | undefined {
  const imaginary = readCoordinate(input, offset);
  const real = readCoordinate(input, offset + WORD_BYTES);
  if (imaginary === undefined || real === undefined) return undefined;
  const pair = new Fp2();
  pair.set_a(real);
  pair.set_b(imaginary);
  return pair;
}

function readCoordinate(input: Uint8Array, offset: number): Fp | undefined {
  const word = input.subarray(offset, offset + WORD_BYTES);
  if (compareBytes(word, FIELD_MODULUS) >= 0) return undefined;
  const coordinate = new Fp();
  coordinate.setBigEndianMod(word);
  return coordinate;
}
