import type { TreeLine, TreePiece } from '../../contracts/index.ts';
import { CALL_TREE_INDENTATIONS_MAX, PRINTED_MESSAGE_CHARACTERS_MAX } from '../../limits.ts';
import type { Paint } from '../text.ts';

/** Characters that could move the cursor, colour or reorder a terminal's text: control and format characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes a text fit for one line of a terminal: escapes unprintable characters, and cuts it at the limit. */
export function printable(text: string): string {
  const cut =
    text.length > PRINTED_MESSAGE_CHARACTERS_MAX ? `${text.slice(0, PRINTED_MESSAGE_CHARACTERS_MAX)}…` : text;
  return cut.replace(
    UNPRINTABLE,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** One level of a tree of calls. */
export const INDENTATION = '  ';

const STYLES: Readonly<Record<TreePiece['kind'], Parameters<Paint>[0] | undefined>> = {
  gas: 'dim',
  contract: 'bold',
  function: 'green',
  text: undefined,
  failure: 'red',
  location: 'yellow',
};

/** Writes a line of a tree of calls, without its end. Names and reasons are foreign text. */
export function treeText({ depth, pieces }: TreeLine, paint: Paint): string {
  const text = pieces.map(({ kind, text: piece }) => {
    const style = STYLES[kind];
    return style === undefined ? printable(piece) : paint(style, printable(piece));
  });
  return `${INDENTATION.repeat(Math.min(depth, CALL_TREE_INDENTATIONS_MAX))}${text.join('')}`;
}

/** The facts of an error in a log record. */
export interface ErrorFacts {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
}

/** Causes of causes that are reported. */
const CAUSE_DEPTH = 4;

/** Returns kind, message and stack of an error, and of its causes. Its other properties may hold secrets. */
export function errorFacts(error: unknown, depth = CAUSE_DEPTH): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || depth === 0 ? {} : { cause: errorFacts(cause, depth - 1) }),
  };
}
