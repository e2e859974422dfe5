/**
 * Bindings of the library mcl. Its package supports one curve per process; here each curve has a separate instance of
 * the same compiled module, created at its first use. Functions take pointers into the memory of the instance: results
 * first.
 */

import { loadMclModule } from '../built-files.ts';
import { invariant } from '../protocol-errors.ts';

/** Numbers of the curves in the library. */
export const BN_SNARK1 = 4;
export const BLS12_381 = 5;
export const SECP256K1 = 102;
export const NIST_P256 = 107;

/** Bytes of the library's values, the same for all curves. */
export const FP_BYTES = 48;
export const FP2_BYTES = 2 * FP_BYTES;
export const FR_BYTES = 32;
/** A point's coordinates: x, y, z. */
export const G1_MEMORY_BYTES = 3 * FP_BYTES;
export const GT_BYTES = 12 * FP_BYTES;

/** The sizes that the library was compiled for, checked by its `mclBn_init`. */
const COMPILED_SIZES = 46;
/** The mode of `mapToG1` and `mapToG2` of RFC 9380. */
const MAP_TO_CURVE_RFC_9380 = 5;
/** Pages of memory that the module requires. */
const INITIAL_PAGES = 32;

/** The used functions. Predicates return 1 for true; `squareRoot` returns 0 for success. */
export interface MclFunctions {
  malloc(bytes: number): number;
  mclBnFp_setBigEndianMod(result: number, bytes: number, length: number): number;
  mclBnFp_setInt32(result: number, value: number): void;
  mclBnFp_serialize(bytes: number, length: number, value: number): number;
  mclBnFp_isNegative(value: number): number;
  mclBnFp_isOdd(value: number): number;
  mclBnFp_neg(result: number, value: number): void;
  mclBnFp_add(result: number, first: number, second: number): void;
  mclBnFp_sqr(result: number, value: number): void;
  mclBnFp_mul(result: number, first: number, second: number): void;
  mclBnFp_squareRoot(result: number, value: number): number;
  mclBnFp_mapToG1(result: number, value: number): number;
  mclBnFp2_mapToG2(result: number, value: number): number;
  mclBnFr_setBigEndianMod(result: number, bytes: number, length: number): number;
  mclBnFr_setInt32(result: number, value: number): void;
  mclBnFr_isEqual(first: number, second: number): number;
  mclBnFr_neg(result: number, value: number): void;
  mclBnFr_inv(result: number, value: number): void;
  mclBnFr_add(result: number, first: number, second: number): void;
  mclBnFr_sub(result: number, first: number, second: number): void;
  mclBnFr_mul(result: number, first: number, second: number): void;
  mclBnG1_clear(result: number): void;
  mclBnG1_isZero(point: number): number;
  mclBnG1_isValid(point: number): number;
  mclBnG1_isValidOrder(point: number): number;
  mclBnG1_getBasePoint(result: number): number;
  mclBnG1_normalize(result: number, point: number): void;
  mclBnG1_neg(result: number, point: number): void;
  mclBnG1_add(result: number, first: number, second: number): void;
  mclBnG1_mul(result: number, point: number, factor: number): void;
  mclBnG1_mulVec(result: number, points: number, factors: number, count: number): void;
  mclBnG2_clear(result: number): void;
  mclBnG2_isZero(point: number): number;
  mclBnG2_isValid(point: number): number;
  mclBnG2_isValidOrder(point: number): number;
  mclBnG2_normalize(result: number, point: number): void;
  mclBnG2_add(result: number, first: number, second: number): void;
  mclBnG2_mulVec(result: number, points: number, factors: number, count: number): void;
  mclBnGT_isOne(value: number): number;
  mclBnGT_mul(result: number, first: number, second: number): void;
  mclBn_getUint64NumToPrecompute(): number;
  mclBn_precomputeG2(result: number, point: number): void;
  mclBn_precomputedMillerLoop2(
    result: number,
    firstPoint: number,
    firstPrepared: number,
    secondPoint: number,
    secondPrepared: number,
  ): void;
  mclBn_millerLoopVec(result: number, g1Points: number, g2Points: number, count: number): void;
  mclBn_finalExp(result: number, value: number): void;
}

interface MclExports extends MclFunctions {
  __wasm_call_ctors(): void;
  mclBn_init(curve: number, compiledSizes: number): number;
  mclBn_setMapToMode(mode: number): number;
  mclBn_verifyOrderG1(verify: number): void;
  mclBn_verifyOrderG2(verify: number): void;
}

/** An instance of the library for one curve. */
export class MclCurve {
  readonly functions: MclFunctions;
  readonly #memory: WebAssembly.Memory;
  #bytes: Uint8Array;

  constructor(curve: number) {
    this.#memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
    const cryptoGetRandomValues = () => invariant(false, 'nothing here is random');
    const environment = { memory: this.#memory, cryptoGetRandomValues };
    const library = new WebAssembly.Instance(loadMclModule(), { env: environment })
      .exports as unknown as MclExports;
    library.__wasm_call_ctors();
    invariant(library.mclBn_init(curve, COMPILED_SIZES) === 0, 'mcl-wasm knows the curve');
    if (curve === BLS12_381) library.mclBn_setMapToMode(MAP_TO_CURVE_RFC_9380);
    if (curve === BN_SNARK1 || curve === BLS12_381) {
      // Callers check the subgroup explicitly by `isValidOrder`, so that the check runs once.
      library.mclBn_verifyOrderG1(0);
      library.mclBn_verifyOrderG2(0);
    }
    this.functions = library;
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }

  /** The instance's memory; void after the next call of a function, which may grow it. */
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  /** Allocates memory for good. */
  allocate(bytes: number): number {
    const pointer = this.functions.malloc(bytes);
    invariant(pointer !== 0, 'mcl-wasm has memory');
    return pointer;
  }
}
