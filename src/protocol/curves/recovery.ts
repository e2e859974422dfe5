import { lazily } from '../../caching/lazily.ts';
import { type Address, bytesToHex, compareBytes, hexToBytes } from '../bytes/bytes.ts';
import { hashedAddress } from '../hashing/hashes.ts';
import { invariant } from '../protocol-errors.ts';
import { SECP256K1 } from './mcl.ts';
import { nativeLibrary } from './native-library.ts';
import { SignatureCurve } from './signature-curve.ts';

/**
 * Recovers the coordinates of the key that signed a hash: no bytes if there is none. r and s are below the group's
 * order, and not 0.
 */
export type RecoverKey = (hash: Uint8Array, r: Uint8Array, s: Uint8Array, isOdd: boolean) => Uint8Array;

/** The library's message without a key; any other failure is a defect. */
const NO_KEY = 'Public key could not be recover';

const WORD_BYTES = 32;

/** A signature of go-ethereum's tests, and the address of the key that made it. */
const KNOWN = {
  hash: hexToBytes('18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c'),
  r: hexToBytes('73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f'),
  s: hexToBytes('eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549'),
  address: 'a94f5374fce5edbc8e2a8697c15331677e6ebf0b',
};

/**
 * Loads the native library; undefined where WebAssembly replaces it.
 *
 * @throws {InvariantError} for a binary that does not recover a known key
 */
export function loadNativeRecovery(): RecoverKey | undefined {
  const library = nativeLibrary();
  if (library === undefined) return undefined;
  const recover: RecoverKey = (hash, r, s, isOdd) => {
    const signature = new Uint8Array(2 * WORD_BYTES);
    signature.set(r);
    signature.set(s, WORD_BYTES);
    try {
      // The first byte (4) marks an uncompressed key: both coordinates follow.
      return library.ecdsaRecover(signature, isOdd ? 1 : 0, hash, false).subarray(1);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== NO_KEY) throw error;
      return new Uint8Array();
    }
  };
  const known = hashedAddress(recover(KNOWN.hash, KNOWN.r, KNOWN.s, true));
  invariant(bytesToHex(known) === KNOWN.address, 'the native library recovers the key of a known signature');
  return recover;
}

/** The order of secp256k1's group: an upper bound of r and s. Source: SEC 2, section 2.4.1. */
export const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GROUP_ORDER_WORD = hexToBytes(GROUP_ORDER.toString(16));
/** Greatest s of a canonical signature: the lower half of its range (EIP-2). */
export const HIGHEST_S = GROUP_ORDER / 2n;
/** The curve is y² = x³ + 7. */
const CURVE_CONSTANT = 7;

const curve = lazily(() => new SignatureCurve(SECP256K1));

/** The library that recovers keys: machine code if the package has a binary for this platform, else WebAssembly. */
let recover: RecoverKey | undefined;

/**
 * Recovers the address that signed a hash, by ECDSA on secp256k1; undefined for an impossible signature. Hash, r and s
 * are words of 32 bytes; s may be in either half, and the parity is that of the nonce point's y. Source: yellow paper,
 * appendix F.
 */
export function recoverAddress(
  hash: Uint8Array,
  r: Uint8Array,
  s: Uint8Array,
  yParity: 0 | 1,
): Address | undefined {
  if (!isScalar(r) || !isScalar(s)) return undefined;
  recover ??= loadNativeRecovery() ?? recoverInWasm;
  const publicKey = recover(hash, r, s, yParity === 1);
  return publicKey.length === 0 ? undefined : hashedAddress(publicKey);
}

/** Returns true for a number from 1 to the group's order less one. */
function isScalar(word: Uint8Array): boolean {
  return word.some((byte) => byte !== 0) && compareBytes(word, GROUP_ORDER_WORD) < 0;
}

/**
 * Computes the key (s / r)·R - (hash / r)·G, where R is the point with the coordinate r and a y of the given parity; no
 * bytes without such a point, or for infinity. Source: SEC 1, section 4.1.6.
 */
export function recoverInWasm(hash: Uint8Array, r: Uint8Array, s: Uint8Array, isOdd: boolean): Uint8Array {
  const secp256k1 = curve();
  const { functions, point, pointY, firstNumber: inverse, secondNumber: number } = secp256k1;
  secp256k1.readField(r, point);
  if (!findY(secp256k1)) return new Uint8Array();
  if ((functions.mclBnFp_isOdd(pointY) === 1) !== isOdd) functions.mclBnFp_neg(pointY, pointY);
  secp256k1.readScalar(r, inverse);
  functions.mclBnFr_inv(inverse, inverse);
  secp256k1.readScalar(s, number);
  functions.mclBnFr_mul(secp256k1.pointFactor, number, inverse);
  secp256k1.readScalar(hash, number);
  functions.mclBnFr_neg(number, number);
  functions.mclBnFr_mul(secp256k1.generatorFactor, number, inverse);
  return secp256k1.addProducts();
}

/** Computes one of the two y for the point's x; false if there is none. */
function findY({ functions, point, pointY, constant }: SignatureCurve): boolean {
  functions.mclBnFp_sqr(pointY, point);
  functions.mclBnFp_mul(pointY, pointY, point);
  functions.mclBnFp_setInt32(constant, CURVE_CONSTANT);
  functions.mclBnFp_add(pointY, pointY, constant);
  return functions.mclBnFp_squareRoot(pointY, pointY) === 0;
}
