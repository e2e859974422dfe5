import { invariant } from '../../protocol/index.ts';

/** Slots of each set; when all are occupied, a new entry replaces the oldest. */
const WAYS = 4;
const NOT_FOUND = -1;

/** An entry begins with four words: function, length of the input, length of the output plus 1, hash. */
const WORD_BYTES = 4;
const HEADER_BYTES = 4 * WORD_BYTES;
/** Function number of an entry that fills the rest of the ring buffer. */
const GAP = -1;
/** Length word of the output of an input that the function rejected. */
const REJECTED = 0;

/** Multiplicative hashing: 2^32 divided by the golden ratio. */
const HASH_FACTOR = 0x9e3779b1;
const HASH_SHIFT = 15;

/** Approximate bytes of a piece that is passed to another process. */
const PIECE_BYTES = 64 * 1024;

/**
 * A set-associative cache of function results by input, with a maximum of bytes. Entries are in a ring buffer outside
 * of the heap, so that a hundred thousand of them cost the garbage collector nothing. Lookups compare whole inputs:
 * collisions of hashes only evict entries earlier.
 */
export class ResultCache {
  readonly #bytesMax: number;
  /** Positions of entries, counted like `#end`, in sets of {@link WAYS}. */
  readonly #slots: Float64Array;
  /** Views of the ring buffer, which the first entry allocates. */
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  /** Total bytes written. Starts high enough that the position 0 counts as overwritten. */
  #end: number;
  /** Start of the recording: entries before this position are appended again when they are used. */
  #recordedFrom = 0;

  /** Creates an empty cache. @param entriesMax a power of two @param bytesMax a multiple of 4 */
  constructor(entriesMax: number, bytesMax: number) {
    invariant(
      (entriesMax & (entriesMax - 1)) === 0 && bytesMax % WORD_BYTES === 0,
      'the bounds are a power of two and a multiple of a word',
    );
    this.#bytesMax = bytesMax;
    this.#slots = new Float64Array(entriesMax);
    this.#end = 2 * bytesMax;
  }

  /**
   * Returns the cached output of a function for an input, or computes and caches it; undefined if the function rejects
   * it.
   *
   * @param number the function's number, at least 0
   * @param compute the function; its exceptions are rethrown and not cached
   */
  getOrCompute(
    number: number,
    input: Uint8Array,
    compute: () => Uint8Array | undefined,
  ): Uint8Array | undefined {
    const hash = hashOf(number, input);
    const index = this.#indexOf(number, input, hash);
    if (index === NOT_FOUND) {
      const output = compute();
      this.#add(number, input, output, hash);
      return output;
    }
    const position = this.#slots[index] ?? 0;
    const output = entryAt(this.#bytes, this.#words, position % this.#bytesMax).output?.slice();
    if (position < this.#recordedFrom) {
      this.#slots[index] = 0;
      this.#add(number, input, output, hash);
    }
    return output;
  }

  /** Starts to record the used results, by appending older ones again. */
  beginRecording(): void {
    this.#recordedFrom = this.#end;
  }

  /** Stops recording. Returns the first recorded entries, in pieces for `importEntries`. */
  endRecording(bytesMax: number): Uint8Array[] {
    const from = this.#recordedFrom;
    this.#recordedFrom = 0;
    const pieces: Uint8Array[] = [];
    if (this.#end - from > this.#bytesMax) return pieces;
    let start = from;
    for (let position = from; position < this.#end && position - from < bytesMax; ) {
      const offset = position % this.#bytesMax;
      const isGap = this.#words[offset / WORD_BYTES] === GAP;
      const end = position + (isGap ? this.#bytesMax - offset : sizeOfEntry(this.#words, offset));
      if (isGap || end - start >= PIECE_BYTES || end >= this.#end || end - from >= bytesMax) {
        const first = start % this.#bytesMax;
        pieces.push(this.#bytes.slice(first, first + (isGap ? position : end) - start));
        start = end;
      }
      position = end;
    }
    return pieces;
  }

  /** Adds entries that another process of this program has recorded. */
  importEntries(piece: Uint8Array): void {
    const bytes = new Uint8Array(piece);
    const words = new Int32Array(bytes.buffer);
    for (let offset = 0; offset < bytes.length; offset += sizeOfEntry(words, offset)) {
      const { number, input, output, hash } = entryAt(bytes, words, offset);
      if (this.#indexOf(number, input, hash) === NOT_FOUND) this.#add(number, input, output, hash);
    }
  }

  /** Returns the slot of an input's entry; NOT_FOUND for none. */
  #indexOf(number: number, input: Uint8Array, hash: number): number {
    const first = this.#firstIndex(hash);
    for (let index = first; index < first + WAYS; index += 1) {
      const position = this.#slots[index] ?? 0;
      // Older entries are overwritten, perhaps by bytes that an attacker has chosen.
      if (this.#end - position > this.#bytesMax) continue;
      if (this.#matches(position % this.#bytesMax, number, input, hash)) return index;
    }
    return NOT_FOUND;
  }

  #matches(offset: number, number: number, input: Uint8Array, hash: number): boolean {
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
    const lengthWord = output === undefined ? REJECTED : output.length + 1;
    this.#words.set([number, input.length, lengthWord, hash], offset / WORD_BYTES);
    this.#bytes.set(input, offset + HEADER_BYTES);
    if (output !== undefined) this.#bytes.set(output, offset + HEADER_BYTES + input.length);
    this.#slots[this.#oldestIndex(hash)] = this.#end;
    this.#end += size;
  }

  #firstIndex(hash: number): number {
    return (hash & (this.#slots.length - 1) & ~(WAYS - 1)) >>> 0;
  }

  #oldestIndex(hash: number): number {
    const first = this.#firstIndex(hash);
    let oldest = first;
    for (let index = first + 1; index < first + WAYS; index += 1) {
      if ((this.#slots[index] ?? 0) < (this.#slots[oldest] ?? 0)) oldest = index;
    }
    return oldest;
  }
}

/** Returns the size of an entry in bytes, with its padding. */
function entryBytes(inputLength: number, outputLength: number): number {
  return Math.ceil((HEADER_BYTES + inputLength + outputLength) / WORD_BYTES) * WORD_BYTES;
}

function sizeOfEntry(words: Int32Array, offset: number): number {
  const word = offset / WORD_BYTES;
  return entryBytes(words[word + 1] ?? 0, Math.max((words[word + 2] ?? 0) - 1, 0));
}

function entryAt(bytes: Uint8Array, words: Int32Array, offset: number) {
  const word = offset / WORD_BYTES;
  const number = words[word] ?? 0;
  const inputLength = words[word + 1] ?? 0;
  const lengthWord = words[word + 2] ?? 0;
  const hash = words[word + 3] ?? 0;
  const inputEnd = offset + HEADER_BYTES + inputLength;
  const input = bytes.subarray(offset + HEADER_BYTES, inputEnd);
  const output = lengthWord === REJECTED ? undefined : bytes.subarray(inputEnd, inputEnd + lengthWord - 1);
  return { number, input, output, hash };
}

/** Hashes an input. Not resistant against chosen inputs. */
function hashOf(number: number, input: Uint8Array): number {
  let hash = Math.imul(number + 1, HASH_FACTOR) ^ input.length;
  const wholeBytes = input.length - (input.length % WORD_BYTES);
  for (let index = 0; index < wholeBytes; index += WORD_BYTES) {
    // The four bytes are within the input.
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
