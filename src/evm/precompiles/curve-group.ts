import type { MclCurve } from '../../protocol/index.ts';

/** Maximum points or scalars per batch, which bounds the library's memory. */
export const BATCH = 256;

/** The encoding of the coordinates of a group's points. */
export interface CoordinateEncoding {
  /** Bytes of a coordinate in a contract's input. */
  readonly inputBytes: number;
  /** Bytes of a coordinate in the library's memory. */
  readonly memoryBytes: number;
  /** Reads a coordinate of the input to a pointer. Returns false if it is not below the field's modulus. */
  readonly read: (input: Uint8Array, offset: number, pointer: number) => boolean;
  readonly write: (pointer: number, output: Uint8Array, offset: number) => void;
  readonly writeOne: (pointer: number) => void;
}

/**
 * A group of a curve. A point of an input has the coordinates x and y, all zeros for infinity. A point in the library's
 * memory is projective: z is 0 for infinity, and 1 after reading.
 */
export class CurveGroup {
  /** Bytes of a point in a contract's input and output. */
  readonly pointBytes: number;
  /** Bytes of a point in the library's memory. */
  readonly memoryBytes: number;
  /** Pointer to a batch of points, one after the other. */
  readonly points: number;
  /** Pointers to two further points. */
  readonly result: number;
  readonly sum: number;
  /** The library's functions for the group. */
  readonly functions: ReturnType<typeof functionsOf>;
  readonly #encoding: CoordinateEncoding;

  constructor(library: MclCurve, name: 'G1' | 'G2', encoding: CoordinateEncoding) {
    this.functions = functionsOf(library, name);
    this.#encoding = encoding;
    this.pointBytes = 2 * encoding.inputBytes;
    this.memoryBytes = 3 * encoding.memoryBytes;
    this.points = library.allocate((BATCH + 2) * this.memoryBytes);
    this.result = this.points + BATCH * this.memoryBytes;
    this.sum = this.result + this.memoryBytes;
  }

  /** Returns the pointer to a point of the batch. */
  pointer(index: number): number {
    return this.points + index * this.memoryBytes;
  }

  /** Reads a point of the input to a pointer. Returns false if it is malformed or not on the curve. */
  read(input: Uint8Array, offset: number, pointer: number): boolean {
    const { inputBytes, memoryBytes, read, writeOne } = this.#encoding;
    if (isAllZero(input, offset, this.pointBytes)) {
      this.functions.clear(pointer);
      return true;
    }
    if (!read(input, offset, pointer)) return false;
    if (!read(input, offset + inputBytes, pointer + memoryBytes)) return false;
    writeOne(pointer + 2 * memoryBytes);
    return this.functions.isValid(pointer) === 1;
  }

  /** Reads a point like `read`. Returns false also for a point outside of the subgroup. */
  readInSubgroup(input: Uint8Array, offset: number, pointer: number): boolean {
    return this.read(input, offset, pointer) && this.functions.isValidOrder(pointer) === 1;
  }

  /** Encodes the point at a pointer as a contract's output. */
  write(pointer: number): Uint8Array {
    const { inputBytes, memoryBytes, write } = this.#encoding;
    const output = new Uint8Array(this.pointBytes);
    if (this.isZero(pointer)) return output;
    this.functions.normalize(pointer, pointer);
    write(pointer, output, 0);
    write(pointer + memoryBytes, output, inputBytes);
    return output;
  }

  isZero(pointer: number): boolean {
    return this.functions.isZero(pointer) === 1;
  }
}

function functionsOf({ functions }: MclCurve, name: 'G1' | 'G2') {
  return {
    clear: functions[`mclBn${name}_clear`],
    isZero: functions[`mclBn${name}_isZero`],
    isValid: functions[`mclBn${name}_isValid`],
    isValidOrder: functions[`mclBn${name}_isValidOrder`],
    normalize: functions[`mclBn${name}_normalize`],
    add: functions[`mclBn${name}_add`],
    /** Sums points of the subgroup, each multiplied by a scalar. */
    mulVec: functions[`mclBn${name}_mulVec`],
  };
}

function isAllZero(input: Uint8Array, offset: number, length: number): boolean {
  for (let index = offset; index < offset + length; index++) if (input[index] !== 0) return false;
  return true;
}
