import { JSONParser, TokenType } from '@streamparser/json';

/** Nesting depth of arrays and objects in a JSON text, such as a request. */
export const JSON_DEPTH_MAX = 64;

/** Characters of a long text that are parsed in one step. */
const STEP_CHARACTERS = 8 * 1024;

/** A JSON text whose values are nested so deep that recursion over them may fail. */
export class JsonDepthError extends Error {
  constructor() {
    super(`the JSON is nested deeper than ${JSON_DEPTH_MAX}`);
  }
}

/** Values that are taken out of a parsed text. */
export interface TakenParts {
  /** Selectors of `@streamparser/json`, such as `$.accounts.*`. */
  readonly paths: readonly string[];
  /** Receives each of these values with the names of the objects around it and its own; they are left without it. */
  take(names: readonly unknown[], value: unknown): void;
}

/**
 * Parses a JSON text that is given in pieces, in steps, between which other tasks may run.
 *
 * @returns the value, without the taken parts
 * @throws JsonDepthError, and the errors of the parser for another text
 */
export function* parseJsonPieces(pieces: Iterable<string>, parts?: TakenParts): Generator<void, unknown> {
  const parser = new JSONParser({ paths: ['$', ...(parts?.paths ?? [])] });
  let result: unknown;
  parser.onValue = ({ value, key, parent, stack }) => {
    if (parent === undefined) result = value;
    else if (typeof key === 'string' && !Array.isArray(parent)) {
      Reflect.deleteProperty(parent, key);
      parts?.take([...stack.slice(1).map((one) => one.key), key], value);
    }
  };
  let depth = 0;
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    if (depth > JSON_DEPTH_MAX) throw new JsonDepthError();
  };
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += STEP_CHARACTERS) {
      parser.write(piece.slice(start, start + STEP_CHARACTERS));
      yield;
    }
  }
  if (!parser.isEnded) parser.end();
  return result;
}
