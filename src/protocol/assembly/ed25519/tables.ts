/**
 * Tables of multiples of the base point B, one for each kind of multiplication. They are computed at their first use,
 * in one or two milliseconds.
 *
 * An entry is a summand (see points.ts) with Z = 1, without its 2 Z.
 */
import { BASE_POINT, TWICE_CURVE_D } from './constants';
import { add, copy, ELEMENT_BYTES, multiply, subtract } from './field';
import {
  beginAdd, beginDouble, DIFFERENCE, doubleTimes, finish, POINT_BYTES, toSummand, TWICE_DT, Y, Z,
} from './points';
import { invert } from './powers';

/** Bytes of an entry: three elements, and 8 bytes of padding to a multiple of a vector. */
export const ENTRY_BYTES: usize = 128;

/** Entry j of row i of `MULTIPLES` is (j + 1) 256^i B. */
const ROWS: usize = 32;
export const ROW_ENTRIES: usize = 8;
export const ROW_BYTES: usize = 1024;
const MULTIPLES: usize = memory.data(32768, 16);

/** Parts of a public scalar, each multiplied by a table of its own. */
export const PARTS: usize = 4;
export const PART_BITS: usize = 64;

/** Entry j of table i of `ODD_MULTIPLES` is (2 j + 1) 2^(64 i) B: for signed digits of 8 bits. */
export const ODD_TABLE_WIDTH: usize = 8;
export const ODD_TABLE_BYTES: usize = 8192;
const ODD_MULTIPLES: usize = memory.data(32768, 16);

/** Number of points that are converted to entries together, the points, and the products of their Z. */
const BATCH: usize = 64;
const POINTS: usize = memory.data(10240, 16);
const PRODUCTS: usize = memory.data(2560, 16);
/** A point and a summand. */
const FIRST: usize = memory.data(160, 16);
const STEP: usize = memory.data(160, 16);
/** Three elements. */
const INVERSE: usize = memory.data(40, 16);
const AFFINE_X: usize = memory.data(40, 16);
const AFFINE_Y: usize = memory.data(40, 16);

let areMade = false;

/** Returns the table of `ROWS` rows of 8 entries. */
export function multiples(): usize {
  if (!areMade) makeTables();
  return MULTIPLES;
}

/** Returns the tables of 64 entries each, one for each part of a scalar. */
export function oddMultiples(): usize {
  if (!areMade) makeTables();
  return ODD_MULTIPLES;
}

function makeTables(): void {
  memory.copy(FIRST, BASE_POINT, POINT_BYTES);
  for (let row: usize = 0; row < ROWS; row++) {
    const inBatch = (row * ROW_ENTRIES) % BATCH;
    toSummand(STEP, FIRST);
    const last = addSteps(POINTS + inBatch * POINT_BYTES, ROW_ENTRIES);
    // `last` is 8 times the first point of the row; doubled five times it is 256 times that point.
    memory.copy(FIRST, last, POINT_BYTES);
    doubleTimes(FIRST, 5);
    if (inBatch + ROW_ENTRIES == BATCH) writeEntries(MULTIPLES + (row + 1) * ROW_BYTES - BATCH * ENTRY_BYTES);
  }
  memory.copy(FIRST, BASE_POINT, POINT_BYTES);
  for (let part: usize = 0; part < PARTS; part++) {
    if (part > 0) doubleTimes(FIRST, PART_BITS);
    memory.copy(POINTS, FIRST, POINT_BYTES);
    beginDouble(POINTS);
    finish(POINTS);
    toSummand(STEP, POINTS);
    addSteps(POINTS, BATCH);
    writeEntries(ODD_MULTIPLES + part * ODD_TABLE_BYTES);
  }
  areMade = true;
}

/** Writes `count` points, from `FIRST` on in steps of `STEP`. Returns the address of the last. */
function addSteps(points: usize, count: usize): usize {
  memory.copy(points, FIRST, POINT_BYTES);
  for (let index: usize = 1; index < count; index++) {
    memory.copy(points + POINT_BYTES, points, POINT_BYTES);
    points += POINT_BYTES;
    beginAdd(points, STEP, false);
    finish(points);
  }
  return points;
}

/**
 * Writes the entries of `POINTS`. One inversion serves all Z: 1/Z of the last point is the product of all earlier Z
 * times the inverse of the product of all (Montgomery, "Speeding the Pollard and Elliptic Curve Methods of
 * Factorization", 1987, section 10.3.1).
 */
function writeEntries(entries: usize): void {
  copy(PRODUCTS, POINTS + Z);
  for (let index: usize = 1; index < BATCH; index++) {
    const product = PRODUCTS + index * ELEMENT_BYTES;
    multiply(product, product - ELEMENT_BYTES, POINTS + index * POINT_BYTES + Z);
  }
  invert(INVERSE, PRODUCTS + (BATCH - 1) * ELEMENT_BYTES);
  for (let index: usize = BATCH - 1; index > 0; index--) {
    const point = POINTS + index * POINT_BYTES;
    const inverseOfZ = PRODUCTS + (index - 1) * ELEMENT_BYTES;
    multiply(inverseOfZ, inverseOfZ, INVERSE);
    multiply(INVERSE, INVERSE, point + Z);
    writeEntry(entries + index * ENTRY_BYTES, point, inverseOfZ);
  }
  writeEntry(entries, POINTS, INVERSE);
}

function writeEntry(entry: usize, point: usize, inverseOfZ: usize): void {
  multiply(AFFINE_X, point, inverseOfZ);
  multiply(AFFINE_Y, point + Y, inverseOfZ);
  add(entry, AFFINE_Y, AFFINE_X);
  subtract(entry + DIFFERENCE, AFFINE_Y, AFFINE_X);
  multiply(entry + TWICE_DT, AFFINE_X, AFFINE_Y);
  multiply(entry + TWICE_DT, entry + TWICE_DT, TWICE_CURVE_D);
}
