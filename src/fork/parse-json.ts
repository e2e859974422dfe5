import { JSONParser, TokenType } from '@streamparser/json';
import { JSON_DEPTH_MAX } from '../limits.ts';
import { RemoteDataError } from './errors.ts';

/** Characters of a text that is parsed in one step, by V8, which is faster. */
const QUICK_CHARACTERS = 64 * 1024;
/** Characters that one step of a longer text parses. */
const STEP_CHARACTERS = 8 * 1024;

/**
 * Parses JSON in steps, between which other tasks may run.
 * @throws {RemoteDataError} for another text, and for values nested so deep that recursion over them may fail
 */
export function* parseJson(text: string): Generator<void, unknown> {
  if (text.length > QUICK_CHARACTERS) return yield* parseLong(text);
  const value = parseQuickly(text);
  if (isNestedBelow(value, JSON_DEPTH_MAX)) return value;
  throw tooDeep();
}

function parseQuickly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
}

function* parseLong(text: string): Generator<void, unknown> {
  const parser = new JSONParser({ paths: ['$'], keepStack: false });
  let value: unknown;
  parser.onValue = (parsed) => {
    ({ value } = parsed);
  };
  let depth = 0;
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    if (depth > JSON_DEPTH_MAX) throw tooDeep();
  };
  try {
    for (let start = 0; start < text.length; start += STEP_CHARACTERS) {
      parser.write(text.slice(start, start + STEP_CHARACTERS));
      yield;
    }
    if (!parser.isEnded) parser.end();
  } catch (error) {
    throw error instanceof RemoteDataError ? error : notJson(error);
  }
  return value;
}

function isNestedBelow(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depthMax > 0 && Object.values(value).every((member) => isNestedBelow(member, depthMax - 1));
}

function tooDeep(): RemoteDataError {
  return new RemoteDataError(`the remote node sent JSON nested deeper than ${JSON_DEPTH_MAX}`);
}

function notJson(cause: unknown): RemoteDataError {
  return new RemoteDataError('the remote node sent a text that is not JSON', { cause });
}
