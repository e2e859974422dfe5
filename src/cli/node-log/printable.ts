import { PRINTED_MESSAGE_CHARACTERS_MAX } from '../../limits.ts';

/** All that could move the cursor, colour or reorder a terminal's text: control and format characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes a text fit for one line of a terminal: nothing unprintable, and no more than the limit. */
export function printable(text: string): string {
  const cut =
    text.length > PRINTED_MESSAGE_CHARACTERS_MAX ? `${text.slice(0, PRINTED_MESSAGE_CHARACTERS_MAX)}…` : text;
  return cut.replace(
    UNPRINTABLE,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
