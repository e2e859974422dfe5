import type { TreeLine, TreePiece } from '../../contracts/index.ts';
import type { Paint } from '../text.ts';

/** Characters of one message in the node's log on the terminal. */
export const PRINTED_MESSAGE_CHARACTERS_MAX = 300;
/** Indentation steps of deep calls in the node's log. */
const CALL_TREE_INDENTATIONS_MAX = 32;

/** Control and format characters, which could move the cursor, or colour or reorder the text of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Prepares a text for a line of a terminal: escapes unprintable characters, and truncates it. */
export function printable(text: string, charactersMax = PRINTED_MESSAGE_CHARACTERS_MAX): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  return cut.replace(
    UNPRINTABLE,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

export const INDENTATION = '  ';

const STYLES: Readonly<Record<TreePiece['kind'], Parameters<Paint>[0] | undefined>> = {
  gas: 'dim',
  contract: 'bold',
  function: 'green',
  text: undefined,
  failure: 'red',
  location: 'yellow',
};

/** Writes a line of a tree of calls, without its line feed. Names and reasons are untrusted text. */
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

const CAUSE_DEPTH = 4;

/** Returns type, code, message and stack of an error and its causes. Other properties may contain secrets. */
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
