import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LongBody } from '../json/text-writer.ts';
import { InvalidRequestError, LimitError, ParseError } from '../rpc-errors.ts';
import { type LongBodyOptions, LongBodyParser, type ParsedBody } from './long-body-parser.ts';

const OPTIONS: LongBodyOptions = {
  jsonDepthMax: 20,
  jsonValuesMax: 1_000,
  batchRequestsMax: 100,
  checkCount: (count) => {
    if (count === 0) throw new InvalidRequestError('invalid request: the batch is empty');
    if (count > 100) throw new LimitError(`the batch has ${count} requests`);
  },
};

/** A body in pieces of some sizes, which are taken again and again. */
function bodyOf(text: string | Buffer, sizes: readonly number[] = [7]): LongBody {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += pieces.at(-1)?.length ?? 1) {
    pieces.push(bytes.subarray(start, start + (sizes[pieces.length % sizes.length] ?? 1)));
  }
  return new LongBody(pieces);
}

/** Reads a body to its end; waits after every so many steps. */
function read(body: LongBody, waitsAfter = Number.POSITIVE_INFINITY, options = OPTIONS): ParsedBody {
  const parser = new LongBodyParser(body, options);
  const job = parser.parse();
  for (let steps = 1; ; steps += 1) {
    const { done, value } = job.next();
    if (done === true) return value;
    if (steps % waitsAfter === 0) parser.releaseParsed();
  }
}

/** Returns the value of a parsed body, as `JSON.parse` does. */
function parsedValue(body: ParsedBody): unknown {
  if (body.kind === 'value') return body.value;
  return Array.from({ length: body.items.length }, (_, index) => body.items.at(index));
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });

describe('LongBodyParser', () => {
  test('default', () => {
    const text = ' \n[ {"a":[1,{"b":"],["}]} , [], "x\\\\\\",", null,\t-1.5e3 ,"é€😀"] ';
    const body = read(bodyOf(text));
    expect(body.kind).toBe('batch');
    expect(parsedValue(body)).toEqual(JSON.parse(text));
  });

  test('behavior: any array in any pieces, with and without pauses', () => {
    const items = fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(items, fc.nat(4), sizes, fc.integer({ min: 1, max: 9 }), (values, spaces, cut, waits) => {
        const text = JSON.stringify(values, undefined, spaces);
        fc.pre(text.length < 900);
        const expected = JSON.parse(text);
        expect(parsedValue(read(bodyOf(text, cut)))).toEqual(expected);
        const waiting = read(bodyOf(text, cut), waits);
        expect(parsedValue(waiting)).toEqual(expected);
        if (waiting.kind === 'batch') waiting.items.releaseParsed?.();
        expect(parsedValue(waiting)).toEqual(expected);
      }),
    );
  });

  test('behavior: strings with any escapes', () => {
    const character = fc.constantFrom('"', '\\', 'x', ',', ']', 'é');
    const strings = fc.array(fc.string({ unit: character, maxLength: 60 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(strings, sizes, (values, cut) => {
        expect(parsedValue(read(bodyOf(JSON.stringify(values), cut)))).toEqual(values);
      }),
    );
  });

  test('behavior: accepts and rejects the same texts as JSON.parse', () => {
    const piece = fc.constantFrom(
      ...['[', ']', '{', '}', '"', '\\', ',', ':', '"a":', '1', 'null', '[]', '{}', ' ', '\n', '\u00a0', 'ä'],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 12 }).map((pieces) => `[${pieces.join('')}]`),
      fc.array(piece, { maxLength: 4 }).map((pieces) => `[1,"a"${pieces.join('')}`),
    );
    fc.assert(
      fc.property(text, sizes, (body, cut) => {
        let expected: unknown;
        try {
          expected = JSON.parse(body);
        } catch {
          expected = ParseError;
        }
        if (Array.isArray(expected) && expected.length === 0) expected = InvalidRequestError;
        if (typeof expected === 'function') {
          expect(() => read(bodyOf(body, cut))).toThrow(expected as new () => Error);
        } else expect(parsedValue(read(bodyOf(body, cut)))).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test('behavior: strings of any length with any escapes', () => {
    const character = fc.constantFrom('"', '\\', 'x', ',', ']', 'é');
    const strings = fc.array(fc.string({ unit: character, maxLength: 60 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(strings, sizes, fc.integer({ min: 1, max: 9 }), (items, cut, waits) => {
        expect(parsedValue(read(bodyOf(JSON.stringify(items), cut), waits))).toEqual(items);
      }),
    );
  });

  test('behavior: a step parses one long request or several short ones', () => {
    const long = 'x'.repeat(100_000);
    const values = [1, 2, long, 3, long, long, ...Array(50).fill('y'.repeat(5_000))];
    const options = { ...OPTIONS, jsonValuesMax: 100 };
    expect(parsedValue(read(bodyOf(JSON.stringify(values), [65_536]), undefined, options))).toEqual(values);
  });

  test('behavior: a single value', () => {
    expect(read(bodyOf('{"a":[1,2]} '))).toEqual({ kind: 'value', value: { a: [1, 2] } });
    expect(read(bodyOf('"[1]"'))).toEqual({ kind: 'value', value: '[1]' });
  });

  test('error: too many requests, values or brackets', () => {
    expect(() => read(bodyOf(`[${Array(101).fill(1)}]`))).toThrow('the batch has 101 requests');
    expect(() => read(bodyOf(`[${Array(600).fill(1)}]`))).toThrow('the batch has 600 requests');
    expect(() => read(bodyOf(`[${Array(1_001).fill(1)}]`))).toThrow(LimitError);
    expect(() => read(bodyOf(`${'['.repeat(21)}${']'.repeat(21)}`))).toThrow('nested deeper');
  });

  test('error: not UTF-8', () => {
    for (const text of ['[1,"\xff"]', '{"a":"\xff"}', '[1]\xff', '\xff[1]']) {
      expect(() => read(bodyOf(Buffer.from(text, 'latin1')))).toThrow(ParseError);
    }
  });

  test('error: only white space', () => {
    expect(() => read(bodyOf(' \n '.repeat(20)))).toThrow('the body is empty');
  });
});

describe('LongBody', () => {
  test('behavior: any slice', () => {
    const text = 'the quick brown fox jumps over the lazy dog';
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), sizes, (start, end, cut) => {
        const body = bodyOf(text, cut);
        expect(body.length).toBe(text.length);
        expect(body.slice(start, end).toString()).toBe(text.slice(start, end));
        expect(String(body)).toBe(text);
      }),
    );
  });
});
