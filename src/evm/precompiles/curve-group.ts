import type { MclCurve } from './mcl.ts';

/** Points or factors that the library works on at a time: more come in batches, so its memory is bounded. */
export const BATCH = 256;

/** The functions of one group of a curve, and how the coordinates of its points are read and written. */
export interface GroupOperations {
  /** Bytes of a coordinate in a contract's input. */
  readonly coordinateBytes: number;
  /** Bytes of a coordinate in the library's memory. */
  readonly placeBytes: number;
  /** Puts a coordinate of the input to a place; false where it is not below the field's modulus. */
  readonly read: (input: Uint8Array, offset: number, place: number) => boolean;
  readonly write: (place: number, output: Uint8Array, offset: number) => void;
  /** Puts the number 1 to a place. */
  readonly writeOne: (place: number) => void;
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
  readonly placeBytes: number;
  /** Places for a batch of points, one after the other. */
  readonly places: number;
  /** Two places more. */
  readonly result: number;
  readonly sum: number;
  readonly #operations: GroupOperations;

  constructor(library: MclCurve, operations: GroupOperations) {
    this.#operations = operations;
    this.pointBytes = 2 * operations.coordinateBytes;
    this.placeBytes = 3 * operations.placeBytes;
    this.places = library.allocate((BATCH + 2) * this.placeBytes);
    this.result = this.places + BATCH * this.placeBytes;
    this.sum = this.result + this.placeBytes;
  }

  /** The place of a point of the batch. */
  place(index: number): number {
    return this.places + index * this.placeBytes;
  }

  /** Puts a point of the input to a place; false where it is malformed or not on the curve. */
  read(input: Uint8Array, offset: number, place: number): boolean {
    const { coordinateBytes, placeBytes, read, writeOne, clear, isValid } = this.#operations;
    if (isAllZero(input, offset, this.pointBytes)) {
      clear(place);
      return true;
    }
    if (!read(input, offset, place)) return false;
    if (!read(input, offset + coordinateBytes, place + placeBytes)) return false;
    writeOne(place + 2 * placeBytes);
    return isValid(place) === 1;
  }

  /** The same for a point that has to be in the subgroup of the right order. */
  readOfSubgroup(input: Uint8Array, offset: number, place: number): boolean {
    return this.read(input, offset, place) && this.#operations.isValidOrder(place) === 1;
  }

  /** The point at a place as a contract writes it. */
  write(place: number): Uint8Array {
    const { coordinateBytes, placeBytes, write, normalize } = this.#operations;
    const output = new Uint8Array(this.pointBytes);
    if (this.isZero(place)) return output;
    normalize(place, place);
    write(place, output, 0);
    write(place + placeBytes, output, coordinateBytes);
    return output;
  }

  isZero(place: number): boolean {
    return this.#operations.isZero(place) === 1;
  }

  clear(place: number): void {
    this.#operations.clear(place);
  }

  add(result: number, first: number, second: number): void {
    this.#operations.add(result, first, second);
  }

  /** The sum of the first points of the batch times the factors at a place; all are in the subgroup. */
  multiplyAndAdd(result: number, factors: number, count: number): void {
    this.#operations.mulVec(result, this.places, factors, count);
  }
}

function isAllZero(input: Uint8Array, offset: number, length: number): boolean {
  for (let index = offset; index < offset + length; index++) if (input[index] !== 0) return false;
  return true;
}
