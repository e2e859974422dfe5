import { BufferList, COALESCED_CHUNK_BYTES } from '../buffer-list.ts';
import { FRAMES_COST_MAX, MESSAGE_COST } from '../framing.ts';
import type { ByteConsumer, Consumed } from '../socket-reader.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const BRACE_END = 0x7d;
const BRACKET_END = 0x5d;
/** White space (RFC 8259, 2). */
const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** Values that are passed on at a time. */
const STEP_VALUES = FRAMES_COST_MAX / MESSAGE_COST;

/** The receiver of the values of a stream. */
export interface JsonStreamListener {
  /** Counts bytes of a value; returns false to discard them. */
  onBytes(bytes: number): boolean;
  onValue(value: Buffer): void;
  /** Called once, for a byte with which no object and no array begins, or a value that is too long. */
  onProblem(problem: 'malformed' | 'tooLong'): void;
}

/**
 * Finds the ends of the JSON objects and arrays in a stream of bytes, as in geth's IPC: one after the other, with white
 * space between them or none. It counts nesting without a check: the parser of a request finds what is wrong in it.
 */
export class JsonStream implements ByteConsumer {
  readonly #bytesMax: number;
  readonly #listener: JsonStreamListener;
  /** The begin of an incomplete value. */
  readonly #buffers = new BufferList();
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #hasEnded = false;

  /** @param bytesMax of a value */
  constructor(bytesMax: number, listener: JsonStreamListener) {
    this.#bytesMax = bytesMax;
    this.#listener = listener;
  }

  consume(bytes: Buffer): Consumed {
    const most = Math.min(bytes.length, COALESCED_CHUNK_BYTES);
    let end = 0;
    let requests = 0;
    while (end < most && requests < STEP_VALUES && !this.#hasEnded) {
      if (this.#depth === 0 && SPACES.has(bytes[end])) {
        end += 1;
        continue;
      }
      const start = end;
      end = this.#endOf(bytes, start, most);
      if (end === start) this.#refuse('malformed');
      else if (this.#take(bytes.subarray(start, end))) requests += 1;
    }
    return { bytes: this.#hasEnded ? bytes.length : end, requests };
  }

  /** Returns the end of the value, or of its part in the bytes; the start if no value begins there. */
  #endOf(bytes: Buffer, start: number, most: number): number {
    for (let index = start; index < most; index += 1) {
      const byte = bytes[index];
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === BRACE || byte === BRACKET) {
        this.#depth += 1;
      } else if (this.#depth === 0) {
        return start;
      } else if (byte === QUOTE) {
        this.#isInText = true;
      } else if (byte === BRACE_END || byte === BRACKET_END) {
        this.#depth -= 1;
        if (this.#depth === 0) return index + 1;
      }
    }
    return most;
  }

  /** Takes a part of a value; returns true if that is complete. */
  #take(part: Buffer): boolean {
    if (this.#buffers.length + part.length > this.#bytesMax) {
      this.#refuse('tooLong');
      return false;
    }
    if (!this.#listener.onBytes(part.length)) {
      this.#hasEnded = true;
      return false;
    }
    this.#buffers.add(part);
    if (this.#depth > 0) return false;
    const [first = part, ...others] = this.#buffers.take();
    this.#listener.onValue(others.length === 0 ? first : Buffer.concat([first, ...others]));
    return true;
  }

  /** Ends the stream: where the next value begins is unknown. */
  #refuse(problem: 'malformed' | 'tooLong'): void {
    this.#hasEnded = true;
    this.#buffers.take();
    this.#listener.onProblem(problem);
  }
}
