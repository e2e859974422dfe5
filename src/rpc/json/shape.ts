import { LimitError } from '../errors.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Bytes up to which a string is scanned byte by byte. */
const SHORT_STRING_BYTES = 16;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The bounds of a JSON text. */
export interface JsonShape {
  /** Depth of nested arrays and objects. */
  readonly jsonDepthMax: number;
  /** Number of values of any kind, the whole text included. */
  readonly jsonValuesMax: number;
}

/**
 * Checks the depth and the number of values of a text before it is parsed. An empty array or object counts as two
 * values. In UTF-8 no byte of a longer character equals a bracket, a quote, a comma or a backslash. Text that is not
 * JSON may pass; parsing finds it.
 *
 * @throws LimitError for too deep nesting, or too many values
 */
export function checkShape(text: Uint8Array, shape: JsonShape): void {
  new ShapeScan(shape, 0).add(text);
}

/** Checks the shape of a text piece by piece, and finds the items of an array. */
export class ShapeScan {
  readonly #shape: JsonShape;
  readonly #itemsMax: number;
  readonly #ends: number[] = [];
  #depth = 0;
  // An array or object begins with its first value, if it has one, and each comma is followed by another.
  #values = 1;
  #commas = 0;
  #close: number | undefined;
  /** Position of the next piece. */
  #offset = 0;
  #isInString = false;
  /** Bytes at the beginning of the next piece that belong to an escape before it. */
  #escaped = 0;

  /** @param itemsMax number of items whose ends are kept */
  constructor(shape: JsonShape, itemsMax: number) {
    this.#shape = shape;
    this.#itemsMax = itemsMax;
  }

  /** Positions of the bracket that opens the array, of the commas between its items, and of the one that closes it. */
  get ends(): readonly number[] {
    return this.#ends;
  }

  /** Number of items; an empty array counts as one. */
  get count(): number {
    return this.#commas + 1;
  }

  /** Position of the bracket that closes the array; undefined for none so far. */
  get close(): number | undefined {
    return this.#close;
  }

  /** Scans the next piece. @throws LimitError for too deep nesting, or too many values */
  add(piece: Uint8Array): void {
    const { jsonDepthMax, jsonValuesMax } = this.#shape;
    let [depth, values] = [this.#depth, this.#values];
    let position = this.#isInString ? this.#passString(piece, this.#escaped) + 1 : 0;
    for (; position < piece.length; position += 1) {
      const byte = piece[position];
      if (byte === QUOTE) {
        position = this.#passString(piece, position + 1);
      } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        depth += 1;
        values += 1;
        if (depth > jsonDepthMax) throw tooMuch('is nested deeper than', jsonDepthMax);
        if (depth === 1) this.#end(position);
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
        depth -= 1;
        if (depth === 0 && this.#close === undefined) {
          this.#end(position);
          this.#close = this.#offset + position;
        }
      } else if (byte === COMMA) {
        values += 1;
        if (depth === 1 && this.#close === undefined) {
          this.#commas += 1;
          this.#end(position);
        }
      }
      if (values > jsonValuesMax) throw tooMuch('holds more JSON values than', jsonValuesMax);
    }
    this.#depth = depth;
    this.#values = values;
    this.#offset += piece.length;
  }

  #end(position: number): void {
    if (this.#close === undefined && this.#ends.length <= this.#itemsMax)
      this.#ends.push(this.#offset + position);
  }

  /** Returns the position of the quote that closes a string; the end of the piece if it continues in the next one. */
  #passString(piece: Uint8Array, position: number): number {
    const end = endOfString(piece, position);
    this.#isInString = end >= piece.length;
    this.#escaped = this.#isInString ? end - piece.length : 0;
    return end;
  }
}

function tooMuch(what: string, most: number): LimitError {
  return new LimitError(`the request ${what} the limit of ${most}`);
}

/**
 * Finds the closing quote of the string whose first character is at `position`. Without one returns the end of the
 * text, or the position after it for a text that ends within an escape.
 */
function endOfString(text: Uint8Array, position: number): number {
  let end = position;
  const nearEnd = Math.min(text.length, position + SHORT_STRING_BYTES);
  while (end < nearEnd) {
    const byte = text[end];
    if (byte === QUOTE) return end;
    end += byte === BACKSLASH ? 2 : 1;
  }
  return end < text.length ? endOfLongString(text, end) : end;
}

/** Does the same by a search for quotes, faster for each byte and slower to begin. */
function endOfLongString(text: Uint8Array, position: number): number {
  let from = position;
  for (;;) {
    const quote = text.indexOf(QUOTE, from);
    const end = quote < 0 ? text.length : quote;
    let start = end;
    while (start > position && text[start - 1] === BACKSLASH) start -= 1;
    // Of an even number of backslashes each second one is escaped itself.
    const isEscaped = (end - start) % 2 === 1;
    if (quote < 0) return isEscaped ? end + 1 : end;
    if (!isEscaped) return quote;
    from = quote + 1;
  }
}
