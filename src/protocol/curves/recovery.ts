import { lazily } from '../../lazily.ts';
import { compareBytes, hexToBytes } from '../bytes/bytes.ts';
import { hashedAddress } from '../hashing/keccak256.ts';
import type { Address } from '../values.ts';
import { SECP256K1 } from './mcl.ts';
import { loadNativeRecovery, type RecoverKey } from './native-recovery.ts';
import { SignatureCurve } from './signature-curve.ts';

/** The order of secp256k1's group: r and s lie below it. Source: SEC 2, section 2.4.1. */
export const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GROUP_ORDER_WORD = hexToBytes(GROUP_ORDER.toString(16));
/** The curve is y² = x³ + 7. */
const CURVE_CONSTANT = 7;

const curve = lazily(() => new SignatureCurve(SECP256K1));

/** The library that recovers keys: machine code if there is some for this platform, else WebAssembly. */
const recovery = lazily((): { readonly kind: 'native' | 'wasm'; readonly recover: RecoverKey } => {
  const native = loadNativeRecovery();
  return native === undefined
    ? { kind: 'wasm', recover: recoverInWasm }
    : { kind: 'native', recover: native };
});

/** Returns the kind of library that recovers keys, chosen once for the process. */
export function signatureRecovery(): 'native' | 'wasm' {
  return recovery().kind;
}

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
  const publicKey = recovery().recover(hash, r, s, yParity === 1);
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
