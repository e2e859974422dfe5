import { compareBytes, hexToBytes, keccak256 } from '../../protocol/index.ts';
import { lazily, SECP256K1 } from './mcl.ts';
import { loadNativeRecovery, type RecoverKey } from './native-recovery.ts';
import { type Precompile, paddedInput } from './precompile.ts';
import { SignatureCurve } from './signature-curve.ts';

const GAS = 3_000n;
const INPUT_BYTES = 128;
const OUTPUT_BYTES = 32;
const ADDRESS_OFFSET = 12;

/** Where the word v, and the numbers r and s, begin; the last byte of v holds its value. */
const V_OFFSET = 32;
const V_VALUE_OFFSET = 63;
const R_OFFSET = 64;
const S_OFFSET = 96;

/** v for a point with an even y, and with an odd one. */
const V_EVEN = 27;
const V_ODD = 28;

/** The order of secp256k1's group: r and s lie below it. Source: SEC 2, section 2.4.1. */
const GROUP_ORDER = hexToBytes('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
/** The curve is y² = x³ + 7. */
const CURVE_CONSTANT = 7;

const curve = lazily(() => new SignatureCurve(SECP256K1));

/** How keys are recovered: by machine code where there is some for this platform, else by WebAssembly. */
const recovery = lazily((): { readonly kind: 'native' | 'wasm'; readonly recover: RecoverKey } => {
  const native = loadNativeRecovery();
  return native === undefined
    ? { kind: 'wasm', recover: recoverInWasm }
    : { kind: 'native', recover: native };
});

/** The library that recovers keys, chosen once for the process: in machine code, or in WebAssembly. */
export function signatureRecovery(): 'native' | 'wasm' {
  return recovery().kind;
}

/**
 * Contract 1: the address whose key signed a hash, in a word; no bytes for a signature that nobody can have
 * made. The input is hash, v (27 or 28), r, s, each a word. Unlike a transaction's, its s may be in the upper
 * half of the range. Source: yellow paper, appendices E.1 and F.
 */
export const ecrecover: Precompile = {
  name: 'ecrecover',
  gas: () => GAS,
  run(input) {
    const words = paddedInput(input, INPUT_BYTES);
    const r = words.subarray(R_OFFSET, S_OFFSET);
    const s = words.subarray(S_OFFSET, INPUT_BYTES);
    const v = readParity(words);
    if (v === undefined || !isScalar(r) || !isScalar(s)) return new Uint8Array();
    const publicKey = recovery().recover(words.subarray(0, V_OFFSET), r, s, v === V_ODD);
    if (publicKey.length === 0) return publicKey;
    const output = new Uint8Array(OUTPUT_BYTES);
    output.set(keccak256(publicKey).subarray(ADDRESS_OFFSET), ADDRESS_OFFSET);
    return output;
  },
};

function readParity(words: Uint8Array): number | undefined {
  for (const byte of words.subarray(V_OFFSET, V_VALUE_OFFSET)) {
    if (byte !== 0) return undefined;
  }
  const v = words[V_VALUE_OFFSET];
  return v === V_EVEN || v === V_ODD ? v : undefined;
}

/** Whether the word is a number from 1 to the group's order less one. */
function isScalar(word: Uint8Array): boolean {
  return word.some((byte) => byte !== 0) && compareBytes(word, GROUP_ORDER) < 0;
}

/**
 * The coordinates of the key (s / r)·R - (hash / r)·G, where R is the point with the coordinate r and a y that
 * is odd or even; no bytes where there is no such point, or the key would be infinity. Source: SEC 1, section
 * 4.1.6.
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

/** Works out one of the two y for the point's x; false where there is none. */
function findY({ functions, point, pointY, constant }: SignatureCurve): boolean {
  functions.mclBnFp_sqr(pointY, point);
  functions.mclBnFp_mul(pointY, pointY, point);
  functions.mclBnFp_setInt32(constant, CURVE_CONSTANT);
  functions.mclBnFp_add(pointY, pointY, constant);
  return functions.mclBnFp_squareRoot(pointY, pointY) === 0;
}
