import { JSON_DEPTH_MAX, JsonDepthError, parseJsonPieces } from '../json/parser.ts';
import { jsonPieces } from '../json/pieces.ts';
import { inSlices } from '../time/job.ts';
import { RemoteDataError } from './fork-errors.ts';

/** Characters of a text that is parsed in one step, by V8, which is faster. */
const QUICK_CHARACTERS = 64 * 1024;

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

/** Parses JSON as `parseJson`, in slices. */
export function parseInSlices(text: string): Promise<unknown> {
  return inSlices(parseJson(text));
}

/** Returns the JSON of a value, written in slices. */
export function jsonInSlices(value: unknown): Promise<string> {
  return inSlices(joinPieces(jsonPieces(value)));
}

function* joinPieces(pieces: Iterable<string>): Generator<void, string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    yield;
  }
  return text;
}

function parseQuickly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
}

function* parseLong(text: string): Generator<void, unknown> {
  try {
    return yield* parseJsonPieces([text]);
  } catch (error) {
    throw error instanceof JsonDepthError ? tooDeep() : notJson(error);
  }
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
