import { decodedOrNone } from '../../solidity/index.ts';

/** Characters of a name or a symbol that a contract states; the rest is cut. */
const FOREIGN_NAME_CHARACTERS_MAX = 64;
/** Characters of a text of a contract in the explanation of a failure; the rest is cut. */
const FOREIGN_TEXT_CHARACTERS_MAX = 200;
/** Bytes of a name or a symbol that are decoded. */
const FOREIGN_NAME_BYTES_MAX = 1_024;

const WORD_BYTES = 32;
const TEXT = [{ name: '', type: { kind: 'bytes' } }] as const;

const LINE_ENDS = /[\t-\r\u2028\u2029]+/g;
/** Control, format and direction characters, halves of surrogate pairs, and unassigned characters. */
const INVISIBLE = /\p{C}/gu;
/** Marks above or below a letter: more than two in a row cover the lines beside them. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** Decodes the name or symbol that a contract returned, as `string` or `bytes32`; undefined for none. */
export function foreignName(output: Uint8Array): string | undefined {
  const bytes = output.length === WORD_BYTES ? output : decodedOrNone(TEXT, output)?.[0];
  if (!(bytes instanceof Uint8Array)) return undefined;
  const decoded = new TextDecoder().decode(bytes.subarray(0, FOREIGN_NAME_BYTES_MAX));
  const text = foreignText(decoded.replace(/\s+/g, ' ').trim(), FOREIGN_NAME_CHARACTERS_MAX).trim();
  return text === '' ? undefined : text;
}

/** Cleans a stranger's text, so that it can neither hide characters nor reorder or cover the text around it. */
export function foreignText(text: string, charactersMax = FOREIGN_TEXT_CHARACTERS_MAX): string {
  const visible = text.replace(LINE_ENDS, ' ').replace(INVISIBLE, '').replace(STACKED_MARKS, '$1');
  const characters = [...visible];
  if (characters.length <= charactersMax) return visible;
  return `${characters.slice(0, charactersMax - 1).join('')}…`;
}
