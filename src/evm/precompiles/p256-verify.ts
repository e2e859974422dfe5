import { lazily } from '../../caching/lazily.ts';
import { compareBytes, hexToBytes, NIST_P256, SignatureCurve } from '../../protocol/index.ts';
import { booleanWord, type Precompile } from './precompile.ts';

const GAS = 6_900n;
const WORD_BYTES = 32;

/** The input: hash, r, s, and the key's coordinates x and y. */
const R_OFFSET = 32;
const S_OFFSET = 64;
const X_OFFSET = 96;
const Y_OFFSET = 128;
const INPUT_BYTES = 160;

/** The field's modulus and the group's order. Source: SEC 2, section 2.4.2. */
const FIELD_MODULUS = hexToBytes('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff');
const GROUP_ORDER = hexToBytes('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

const curve = lazily(() => new SignatureCurve(NIST_P256));

/**
 * Contract 0x100: one, as a word, for a valid signature of the hash by the key on the curve P-256; otherwise no bytes.
 * s may be in either half of its range. Source: EIP-7951.
 */
export const p256Verify: Precompile = {
  name: 'P256VERIFY',
  gas: () => GAS,
  run: (input) => (isWellFormed(input) && verifies(input) ? booleanWord(true) : new Uint8Array()),
};

function isWellFormed(input: Uint8Array): boolean {
  return (
    input.length === INPUT_BYTES &&
    isScalar(wordAt(input, R_OFFSET)) &&
    isScalar(wordAt(input, S_OFFSET)) &&
    compareBytes(wordAt(input, X_OFFSET), FIELD_MODULUS) < 0 &&
    compareBytes(wordAt(input, Y_OFFSET), FIELD_MODULUS) < 0
  );
}

function wordAt(input: Uint8Array, offset: number): Uint8Array {
  return input.subarray(offset, offset + WORD_BYTES);
}

/** True if a word is a number from 1 to the group's order minus one. */
function isScalar(word: Uint8Array): boolean {
  return word.some((byte) => byte !== 0) && compareBytes(word, GROUP_ORDER) < 0;
}

/** True if x of (hash / s)·G + (r / s)·key equals r, modulo the group's order. */
function verifies(input: Uint8Array): boolean {
  const p256 = curve();
  const { functions, firstNumber: r, secondNumber: inverse } = p256;
  p256.readField(wordAt(input, X_OFFSET), p256.point);
  p256.readField(wordAt(input, Y_OFFSET), p256.pointY);
  // The point (0, 0), which encodes infinity, is not on the curve.
  if (!p256.isPointValid()) return false;
  p256.readScalar(wordAt(input, S_OFFSET), inverse);
  functions.mclBnFr_inv(inverse, inverse);
  p256.readScalar(wordAt(input, R_OFFSET), r);
  functions.mclBnFr_mul(p256.pointFactor, r, inverse);
  p256.readScalar(wordAt(input, 0), p256.generatorFactor);
  functions.mclBnFr_mul(p256.generatorFactor, p256.generatorFactor, inverse);
  const sum = p256.addProducts();
  if (sum.length === 0) return false;
  const x = p256.generatorFactor;
  p256.readScalar(wordAt(sum, 0), x);
  return functions.mclBnFr_isEqual(x, r) === 1;
}
