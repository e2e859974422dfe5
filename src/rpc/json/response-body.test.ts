import { describe, expect, test } from 'vitest';
import { resultResponse } from '../messages/json-rpc.ts';
import { ownBody, ResponseBody } from './response-body.ts';
import { writtenInPieces } from './text-in-pieces.ts';
import { LONG_RESPONSE_CHARACTERS, TextWriter } from './text-writer.ts';

const LONG = JSON.stringify('x'.repeat(2 * LONG_RESPONSE_CHARACTERS));

function inSteps(text: string): ResponseBody {
  const pieces = (function* () {
    yield text.slice(0, 1);
    yield text.slice(1);
  })();
  return writtenInPieces(pieces, 'ask for less');
}

function written(text: string): ResponseBody {
  const writer = new TextWriter();
  writer.add(text);
  return writer.body();
}

describe('ResponseBody', () => {
  test.each([
    ['text', (text: string) => new ResponseBody(text)],
    ['shared bytes', (text: string) => new ResponseBody(Buffer.from(text))],
    ['own bytes', (text: string) => ownBody(Buffer.from(text))],
    ['steps', inSteps],
    ['a writer', written],
  ])('default: the same text, also within a response, of %s', (_, bodyOf) => {
    for (const text of ['"short"', LONG]) {
      expect(bodyOf(text).text).toBe(text);
      expect([...bodyOf(text).pieces()].join('')).toBe(text);
      const response = resultResponse('1', bodyOf(text));
      expect(String(response)).toBe(`{"jsonrpc":"2.0","id":1,"result":${text}}`);
    }
  });

  test('behavior: bytes that are given without chunks are shared by all responses', () => {
    expect(new ResponseBody(Buffer.from(LONG)).ownBytes).toBe(0);
    expect([ownBody(Buffer.from(LONG)).ownBytes, written(LONG).ownBytes]).toEqual([LONG.length, LONG.length]);
  });

  test('behavior: a long response is bytes, a short one is text', () => {
    expect(typeof resultResponse('1', LONG)).toBe('object');
    expect(typeof resultResponse('1', '"short"')).toBe('string');
  });

  test('error: a rest for a writer that gathers', () => {
    const rest = (async function* () {
      yield Buffer.from('more');
    })();
    expect(() => new ResponseBody([], rest).gathered()).toThrow('a body with a rest is not buffered');
  });
});
