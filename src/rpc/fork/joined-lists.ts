import { isShort, itemPieces, jsonPieces } from '../../json/pieces.ts';
import { ResponseBody } from '../json/response-body.ts';
import { writtenInPieces } from '../json/text-in-pieces.ts';

const ADVICE = 'ask for less';

/** Joins a remote list and one of this chain, which may be written as a text. */
export function joined(before: readonly unknown[], after: unknown): ResponseBody {
  return writtenInPieces(joinedPieces(before, textOf(after).slice(1, -1)), ADVICE);
}

function* joinedPieces(before: readonly unknown[], after: string): Generator<string, void> {
  yield '[';
  yield* itemPieces(before);
  yield before.length > 0 && after !== '' ? `,${after}]` : `${after}]`;
}

/** Returns a remote result; a long one is written in steps. */
export function remoteResult(value: unknown): unknown {
  const isWritten = value instanceof ResponseBody || value === undefined || isShort(value);
  return isWritten ? value : writtenInPieces(jsonPieces(value), ADVICE);
}

/** Returns the JSON of a result, which may be written as a text. */
export function textOf(value: unknown): string {
  return value instanceof ResponseBody ? value.text : JSON.stringify(value);
}
