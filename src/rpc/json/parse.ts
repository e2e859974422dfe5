import { isUtf8 } from 'node:buffer';
import { ParseError } from '../errors.ts';
import { checkShape, type JsonShape } from './shape.ts';

/** Characters that a value takes at least, with its comma. */
const VALUE_CHARACTERS = 2;

/**
 * Parses the body of a request.
 *
 * Of a key given twice the last one counts, as `JSON.parse` has it.
 *
 * @throws LimitError when the body nests deeper, or holds more values, than it may
 * @throws ParseError when the body is not JSON in UTF-8
 */
export function parseJson(body: Uint8Array | string, shape: JsonShape): unknown {
  const text = typeof body === 'string' ? body : decode(body);
  if (text.length > shape.jsonValuesMax * VALUE_CHARACTERS || hasMoreOpened(text, shape.jsonDepthMax))
    checkShape(typeof body === 'string' ? Buffer.from(body) : body, shape);
  return parseText(text);
}

/**
 * Parses JSON whose shape is known to be allowed.
 * @throws ParseError when it is none
 */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError(`parse error: the body is ${text.trim() === '' ? 'empty' : 'not JSON'}`, { cause });
  }
}

/** Text of UTF-8. Throws `ParseError` for what is none. */
export function decode(body: Uint8Array): string {
  if (!isUtf8(body)) throw new ParseError('parse error: the body is not UTF-8');
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.toString();
}

/** Whether a text has more than `most` opening brackets, wherever: one that has not cannot be nested deeper. */
function hasMoreOpened(text: string, most: number): boolean {
  let opened = 0;
  for (const bracket of ['[', '{']) {
    let position = text.indexOf(bracket);
    while (position >= 0 && opened <= most) {
      opened += 1;
      position = text.indexOf(bracket, position + 1);
    }
  }
  return opened > most;
}
