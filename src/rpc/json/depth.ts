import { LimitError } from '../errors.ts';

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/**
 * Checks how deep arrays and objects are nested, before anything recursive sees the text.
 *
 * Works on bytes: in UTF-8 no byte of a longer character equals a bracket, a quote or a backslash.
 * Text that is not JSON may pass; parsing finds it.
 *
 * @throws LimitError when the text nests deeper than `depthMax`
 */
export function checkDepth(text: Uint8Array, depthMax: number): void {
  let depth = 0;
  let position = 0;
  while (position < text.length) {
    const byte = text[position];
    if (byte === QUOTE) {
      position = endOfString(text, position + 1);
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > depthMax)
        throw new LimitError(`the request is nested deeper than the limit of ${depthMax}`);
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth -= 1;
    }
    position += 1;
  }
}

/** Finds the closing quote of the string whose first character is at `position`; the end of the text if none. */
export function endOfString(text: Uint8Array, position: number): number {
  let end = position;
  while (end < text.length) {
    const byte = text[end];
    if (byte === QUOTE) return end;
    end += byte === BACKSLASH ? 2 : 1;
  }
  return end;
}
