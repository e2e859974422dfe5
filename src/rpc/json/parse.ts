import { isUtf8 } from 'node:buffer';
import { ParseError } from '../errors.ts';
import { checkDepth } from './depth.ts';

/**
 * Parses the body of a request.
 *
 * Of a key given twice the last one counts, as `JSON.parse` has it.
 *
 * @throws LimitError when the body nests deeper than `depthMax`
 * @throws ParseError when the body is not JSON in UTF-8
 */
export function parseJson(body: Uint8Array | string, depthMax: number): unknown {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (!isUtf8(bytes)) throw new ParseError('parse error: the body is not UTF-8');
  checkDepth(bytes, depthMax);
  const text =
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  if (text.trim() === '') throw new ParseError('parse error: the body is empty');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError('parse error: the body is not JSON', { cause });
  }
}
