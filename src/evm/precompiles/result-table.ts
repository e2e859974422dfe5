import { invariant } from '../../protocol/index.ts';

/** Places that an entry may have; when all are taken, that of the oldest is. */
const WAYS = 4;
const NOWHERE = -1;

/** An entry begins with these words: function, length of the input, length of the output and 1, hash. */
const WORD_BYTES = 4;
const HEADER_BYTES = 4 * WORD_BYTES;
/** Stands in the place of a function where nothing follows up to the end of the ring. */
const GAP = -1;
/** Stands in the place of the length of an output where the function has refused the input. */
const REFUSED = 0;

/** Of multiplicative hashing: 2^32 divided by the golden ratio. */
const HASH_FACTOR = 0x9e3779b1;
const HASH_SHIFT = 15;

/** Bytes that are passed on in one piece, about. */
const PIECE_BYTES = 64 * 1024;

/**
 * The newest results of functions by their inputs, within a bound of bytes. Entries lie one after the other in a ring
 * outside of the heap, so that a hundred thousand of them cost the garbage collector nothing. Whole inputs are
 * compared: inputs that were chosen for one hash are only forgotten sooner.
 */
export class ResultTable {
  readonly #bytesMax: number;
  /** Where entries begin, counted as `#end` is: some places for each hash. */
  readonly #places: Float64Array;
  /** Both are the ring, which is made with the first entry. */
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  /** Bytes that have been written. It begins so far on that the place 0 counts as overwritten. */
  #end: number;
  /** Entries from before this are entered anew when they are found. */
  #renewedFrom = 0;

  /** Makes an empty table. @param entriesMax a power of two @param bytesMax a multiple of 4 */
  constructor(entriesMax: number, bytesMax: number) {
    invariant(
      (entriesMax & (entriesMax - 1)) === 0 && bytesMax % WORD_BYTES === 0,
      'the bounds have their form',
    );
    this.#bytesMax = bytesMax;
    this.#places = new Float64Array(entriesMax);
    this.#end = 2 * bytesMax;
  }

  /**
   * Returns the output of a function for an input, found or computed and kept; undefined where the function refuses it.
   *
   * @param number of the function, not negative
   * @param work the function; what it throws is thrown, and nothing is kept
   */
  outputOf(number: number, input: Uint8Array, work: () => Uint8Array | undefined): Uint8Array | undefined {
    const hash = hashOf(number, input);
    const index = this.#indexOf(number, input, hash);
    if (index === NOWHERE) {
      const output = work();
      this.#add(number, input, output, hash);
      return output;
    }
    const place = this.#places[index] ?? 0;
    const output = entryAt(this.#bytes, this.#words, place % this.#bytesMax).output?.slice();
    if (place < this.#renewedFrom) {
      this.#places[index] = 0;
      this.#add(number, input, output, hash);
    }
    return output;
  }

  /** Begins to note which results are used, by entering older ones anew. */
  beginNoting(): void {
    this.#renewedFrom = this.#end;
  }

  /** Ends that, and returns the first of the noted entries, in pieces for `takeIn`. */
  endNoting(bytesMax: number): Uint8Array[] {
    const from = this.#renewedFrom;
    this.#renewedFrom = 0;
    const pieces: Uint8Array[] = [];
    if (this.#end - from > this.#bytesMax) return pieces;
    let start = from;
    for (let place = from; place < this.#end && place - from < bytesMax; ) {
      const offset = place % this.#bytesMax;
      const isGap = this.#words[offset / WORD_BYTES] === GAP;
      const end = place + (isGap ? this.#bytesMax - offset : sizeOfEntry(this.#words, offset));
      if (isGap || end - start >= PIECE_BYTES || end >= this.#end || end - from >= bytesMax) {
        const first = start % this.#bytesMax;
        pieces.push(this.#bytes.slice(first, first + (isGap ? place : end) - start));
        start = end;
      }
      place = end;
    }
    return pieces;
  }

  /** Enters what another process of this program has noted. */
  takeIn(piece: Uint8Array): void {
    const bytes = new Uint8Array(piece);
    const words = new Int32Array(bytes.buffer);
    for (let offset = 0; offset < bytes.length; offset += sizeOfEntry(words, offset)) {
      const { number, input, output, hash } = entryAt(bytes, words, offset);
      if (this.#indexOf(number, input, hash) === NOWHERE) this.#add(number, input, output, hash);
    }
  }

  /** Returns the index of the place that has the entry of an input; NOWHERE for none. */
  #indexOf(number: number, input: Uint8Array, hash: number): number {
    const first = this.#firstIndex(hash);
    for (let index = first; index < first + WAYS; index += 1) {
      const place = this.#places[index] ?? 0;
      // What is further back has been overwritten, by bytes that somebody may have chosen.
      if (this.#end - place > this.#bytesMax) continue;
      if (this.#isOf(place % this.#bytesMax, number, input, hash)) return index;
    }
    return NOWHERE;
  }

  #isOf(offset: number, number: number, input: Uint8Array, hash: number): boolean {
    const words = this.#words;
    const word = offset / WORD_BYTES;
    if (words[word + 3] !== hash || words[word] !== number || words[word + 1] !== input.length) return false;
    const bytes = this.#bytes;
    const start = offset + HEADER_BYTES;
    for (let index = 0; index < input.length; index += 1) {
      if (bytes[start + index] !== input[index]) return false;
    }
    return true;
  }

  #add(number: number, input: Uint8Array, output: Uint8Array | undefined, hash: number): void {
    const size = entryBytes(input.length, output?.length ?? 0);
    if (size > this.#bytesMax / WAYS) return;
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(this.#bytesMax);
      this.#words = new Int32Array(this.#bytes.buffer);
    }
    const rest = this.#bytesMax - (this.#end % this.#bytesMax);
    if (size > rest) {
      this.#words[(this.#end % this.#bytesMax) / WORD_BYTES] = GAP;
      this.#end += rest;
    }
    const offset = this.#end % this.#bytesMax;
    const mark = output === undefined ? REFUSED : output.length + 1;
    this.#words.set([number, input.length, mark, hash], offset / WORD_BYTES);
    this.#bytes.set(input, offset + HEADER_BYTES);
    if (output !== undefined) this.#bytes.set(output, offset + HEADER_BYTES + input.length);
    this.#places[this.#oldestIndex(hash)] = this.#end;
    this.#end += size;
  }

  #firstIndex(hash: number): number {
    return (hash & (this.#places.length - 1) & ~(WAYS - 1)) >>> 0;
  }

  #oldestIndex(hash: number): number {
    const first = this.#firstIndex(hash);
    let oldest = first;
    for (let index = first + 1; index < first + WAYS; index += 1) {
      if ((this.#places[index] ?? 0) < (this.#places[oldest] ?? 0)) oldest = index;
    }
    return oldest;
  }
}

/** Returns the bytes of an entry, up to where the next one begins. */
function entryBytes(inputLength: number, outputLength: number): number {
  return Math.ceil((HEADER_BYTES + inputLength + outputLength) / WORD_BYTES) * WORD_BYTES;
}

function sizeOfEntry(words: Int32Array, offset: number): number {
  const word = offset / WORD_BYTES;
  return entryBytes(words[word + 1] ?? 0, Math.max((words[word + 2] ?? 0) - 1, 0));
}

/** Returns views of an entry. */
function entryAt(bytes: Uint8Array, words: Int32Array, offset: number) {
  const word = offset / WORD_BYTES;
  const number = words[word] ?? 0;
  const inputLength = words[word + 1] ?? 0;
  const mark = words[word + 2] ?? 0;
  const hash = words[word + 3] ?? 0;
  const inputEnd = offset + HEADER_BYTES + inputLength;
  const input = bytes.subarray(offset + HEADER_BYTES, inputEnd);
  const output = mark === REFUSED ? undefined : bytes.subarray(inputEnd, inputEnd + mark - 1);
  return { number, input, output, hash };
}

/** Spreads inputs over the places; not for anything that has to withstand somebody who chooses them. */
function hashOf(number: number, input: Uint8Array): number {
  let hash = Math.imul(number + 1, HASH_FACTOR) ^ input.length;
  const wholeBytes = input.length - (input.length % WORD_BYTES);
  for (let index = 0; index < wholeBytes; index += WORD_BYTES) {
    // The four bytes lie below the length.
    const word =
      (input[index] as number) |
      ((input[index + 1] as number) << 8) |
      ((input[index + 2] as number) << 16) |
      ((input[index + 3] as number) << 24);
    hash = mixed(hash ^ word);
  }
  for (let index = wholeBytes; index < input.length; index += 1)
    hash = mixed(hash ^ (input[index] as number));
  return mixed(hash);
}

function mixed(hash: number): number {
  const product = Math.imul(hash, HASH_FACTOR);
  return product ^ (product >>> HASH_SHIFT);
}
