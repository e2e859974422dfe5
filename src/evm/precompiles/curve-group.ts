import type { MclCurve } from '../../protocol/index.ts';

/** Points or factors that the library works on at a time: more come in batches, so its memory is bounded. */
export const BATCH = 256;

/** The functions of one group of a curve, and how the coordinates of its points are read and written. */
export interface GroupOperations {
  /** Bytes of a coordinate in a contract's input. */
  readonly coordinateBytes: number;
  /** Bytes of a coordinate in the library's memory. */
  readonly memoryBytes: number;
  /** Reads a coordinate of the input to a pointer; false where it is not below the field's modulus. */
  readonly read: (input: Uint8Array, offset: number, pointer: number) => boolean;
  readonly write: (pointer: number, output: Uint8Array, offset: number) => void;
  /** Writes the number 1. */
  readonly writeOne: (pointer: number) => void;
  readonly clear: (point: number) => void;
  readonly isZero: (point: number) => number;
  readonly isValid: (point: number) => number;
  readonly isValidOrder: (point: number) => number;
  readonly normalize: (result: number, point: number) => void;
  readonly add: (result: number, first: number, second: number) => void;
  readonly mulVec: (result: number, points: number, factors: number, count: number) => void;
}

/**
 * One of the groups of a curve. A point of an input is its coordinates x and y, all zeros for infinity; one in
 * the library's memory has a third, z, which is 0 for infinity and else 1 where x and y are as they are read.
 */
export class CurveGroup {
  /** Bytes of a point in a contract's input and output. */
  readonly pointBytes: number;
  /** Bytes of a point in the library's memory. */
  readonly memoryBytes: number;
  /** Pointer to a batch of points, one after the other. */
  readonly points: number;
  /** Pointers to two points more. */
  readonly result: number;
  readonly sum: number;
  readonly #operations: GroupOperations;

  constructor(library: MclCurve, operations: GroupOperations) {
    this.#operations = operations;
    this.pointBytes = 2 * operations.coordinateBytes;
    this.memoryBytes = 3 * operations.memoryBytes;
    this.points = library.allocate((BATCH + 2) * this.memoryBytes);
    this.result = this.points + BATCH * this.memoryBytes;
    this.sum = this.result + this.memoryBytes;
  }

  /** Pointer to a point of the batch. */
  pointer(index: number): number {
    return this.points + index * this.memoryBytes;
  }

  /** Reads a point of the input to a pointer; false where it is malformed or not on the curve. */
  read(input: Uint8Array, offset: number, pointer: number): boolean {
    const { coordinateBytes, memoryBytes, read, writeOne, clear, isValid } = this.#operations;
    if (isAllZero(input, offset, this.pointBytes)) {
      clear(pointer);
      return true;
    }
    if (!read(input, offset, pointer)) return false;
    if (!read(input, offset + coordinateBytes, pointer + memoryBytes)) return false;
    writeOne(pointer + 2 * memoryBytes);
    return isValid(pointer) === 1;
  }

  /** The same for a point that has to be in the subgroup of the right order. */
  readOfSubgroup(input: Uint8Array, offset: number, pointer: number): boolean {
    return this.read(input, offset, pointer) && this.#operations.isValidOrder(pointer) === 1;
  }

  /** The point at a pointer as a contract writes it. */
  write(pointer: number): Uint8Array {
    const { coordinateBytes, memoryBytes, write, normalize } = this.#operations;
    const output = new Uint8Array(this.pointBytes);
    if (this.isZero(pointer)) return output;
    normalize(pointer, pointer);
    write(pointer, output, 0);
    write(pointer + memoryBytes, output, coordinateBytes);
    return output;
  }

  isZero(pointer: number): boolean {
    return this.#operations.isZero(pointer) === 1;
  }

  clear(pointer: number): void {
    this.#operations.clear(pointer);
  }

  add(result: number, first: number, second: number): void {
    this.#operations.add(result, first, second);
  }

  /** The sum of the first points of the batch times the factors at a pointer; all are in the subgroup. */
  multiplyAndAdd(result: number, factors: number, count: number): void {
    this.#operations.mulVec(result, this.points, factors, count);
  }
}

function isAllZero(input: Uint8Array, offset: number, length: number): boolean {
  for (let index = offset; index < offset + length; index++) if (input[index] !== 0) return false;
  return true;
}
