import { LimitError } from '../errors.ts';

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Bytes up to which a string is looked at byte by byte. */
const SHORT_STRING_BYTES = 16;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** How a JSON text may be at most. */
export interface JsonShape {
  /** How deep arrays and objects may be nested. */
  readonly jsonDepthMax: number;
  /** How many values there may be, of whatever kind, the one of the text itself included. */
  readonly jsonValuesMax: number;
}

/**
 * Checks how deep arrays and objects are nested, and how many values there are, before anything recursive sees
 * the text, and before anything is made of it. An empty array or object counts as two values.
 *
 * Works on bytes: in UTF-8 no byte of a longer character equals a bracket, a quote, a comma or a backslash.
 * Text that is not JSON may pass; parsing finds it.
 *
 * @throws LimitError when the text nests deeper, or holds more values
 */
export function checkShape(text: Uint8Array, { jsonDepthMax, jsonValuesMax }: JsonShape): void {
  let depth = 0;
  // An array or object begins with its first value, if it has one, and each comma is followed by another.
  let values = 1;
  for (let position = 0; position < text.length; position += 1) {
    const byte = text[position];
    if (byte === QUOTE) {
      position = endOfString(text, position + 1);
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      values += 1;
      if (depth > jsonDepthMax) throw tooMuch('is nested deeper than', jsonDepthMax);
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
    }
    if (values > jsonValuesMax) throw tooMuch('holds more JSON values than', jsonValuesMax);
  }
}

function tooMuch(what: string, most: number): LimitError {
  return new LimitError(`the request ${what} the limit of ${most}`);
}

/** Finds the closing quote of the string whose first character is at `position`; the end of the text if none. */
export function endOfString(text: Uint8Array, position: number): number {
  let end = position;
  const nearEnd = Math.min(text.length, position + SHORT_STRING_BYTES);
  while (end < nearEnd) {
    const byte = text[end];
    if (byte === QUOTE) return end;
    end += byte === BACKSLASH ? 2 : 1;
  }
  return end < text.length ? endOfLongString(text, end) : end;
}

/** The same by a search for quotes, which takes longer to begin and less for each byte. */
function endOfLongString(text: Uint8Array, position: number): number {
  let from = position;
  for (;;) {
    const quote = text.indexOf(QUOTE, from);
    if (quote < 0) return text.length;
    let start = quote;
    while (start > position && text[start - 1] === BACKSLASH) start -= 1;
    // Of an even number of backslashes each second one is escaped itself.
    if ((quote - start) % 2 === 0) return quote;
    from = quote + 1;
  }
}
