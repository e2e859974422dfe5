import { LimitError } from '../rpc-errors.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Bytes of a string that are scanned one by one, before a search for its end. */
const SHORT_STRING_BYTES = 16;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface JsonBounds {
  /** Maximum depth of nested arrays and objects. */
  readonly jsonDepthMax: number;
  /** Maximum number of values, including the text itself. */
  readonly jsonValuesMax: number;
}

/**
 * Checks the depth and the number of values of a text before it is parsed. An empty array or object counts as two
 * values. Text that is not JSON may pass: parsing rejects it.
 *
 * @throws LimitError for too deep nesting, or too many values
 */
export function checkJsonBounds(text: Uint8Array, bounds: JsonBounds): void {
  new JsonScan(bounds, 0).add(text);
}

/**
 * Checks the bounds of a text piece by piece, and finds the items of an array. In UTF-8 no byte of a longer character
 * equals a bracket, a quote, a comma or a backslash.
 */
export class JsonScan {
  readonly #bounds: JsonBounds;
  readonly #itemsMax: number;
  readonly #ends: number[] = [];
  #depth = 0;
  // An array or object counts with its first value, and each comma counts the next value.
  #values = 1;
  #commas = 0;
  #close: number | undefined;
  #offset = 0;
  #isInString = false;
  /** Bytes of an escape that continues in the next piece. */
  #escaped = 0;

  /** @param itemsMax number of items whose ends are recorded */
  constructor(bounds: JsonBounds, itemsMax: number) {
    this.#bounds = bounds;
    this.#itemsMax = itemsMax;
  }

  /** Positions of the opening bracket of the array, of the commas between its items, and of its closing bracket. */
  get ends(): readonly number[] {
    return this.#ends;
  }

  /** Number of items; an empty array counts as one. */
  get count(): number {
    return this.#commas + 1;
  }

  /** Position of the closing bracket of the array; undefined before it is scanned. */
  get close(): number | undefined {
    return this.#close;
  }

  /** Scans the next piece. @throws LimitError for too deep nesting, or too many values */
  add(piece: Uint8Array): void {
    const { jsonDepthMax, jsonValuesMax } = this.#bounds;
    let depth = this.#depth;
    let values = this.#values;
    let position = this.#isInString ? this.#skipString(piece, this.#escaped) + 1 : 0;
    for (; position < piece.length; position += 1) {
      const byte = piece[position];
      if (byte === QUOTE) {
        position = this.#skipString(piece, position + 1);
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

  /** Returns the position of the closing quote of a string; the end of the piece if it continues in the next one. */
  #skipString(piece: Uint8Array, position: number): number {
    const end = endOfString(piece, position);
    this.#isInString = end >= piece.length;
    this.#escaped = this.#isInString ? end - piece.length : 0;
    return end;
  }
}

function tooMuch(excess: string, max: number): LimitError {
  return new LimitError(`the request ${excess} the limit of ${max}`);
}

/**
 * Finds the closing quote of the string whose first character is at `position`. Returns the end of the text if there is
 * none, or the position after it if the text ends within an escape.
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

/** Finds the closing quote by a search, which is faster for long strings and slower for short ones. */
function endOfLongString(text: Uint8Array, position: number): number {
  let from = position;
  for (;;) {
    const quote = text.indexOf(QUOTE, from);
    const end = quote < 0 ? text.length : quote;
    let start = end;
    while (start > position && text[start - 1] === BACKSLASH) start -= 1;
    // Pairs of backslashes escape each other; an odd one escapes the quote.
    const isEscaped = (end - start) % 2 === 1;
    if (quote < 0) return isEscaped ? end + 1 : end;
    if (!isEscaped) return quote;
    from = quote + 1;
  }
}
