import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../scheduling/index.ts';
import { ownBody, ResponseBody } from '../json/response-body.ts';
import { LONG_RESPONSE_CHARACTERS } from '../json/text-writer.ts';
import { BatchBody } from './batch.ts';

describe('BatchBody', () => {
  test('default', () => {
    const answer = new BatchBody(undefined);
    for (const text of ['1', undefined, '"2"']) answer.add(text);
    expect(answer.finish()).toBe('[1,"2"]');
  });

  test('behavior: no array without responses', () => {
    const answer = new BatchBody(undefined);
    answer.add(undefined);
    expect(answer.finish()).toBeUndefined();
  });

  test('behavior: shared bytes are counted once', () => {
    const budget = new MemoryBudget({ bytesMax: 1 }).open('');
    const answer = new BatchBody(budget);
    const shared = { bytes: Buffer.from('"shared"'), isShared: true };
    for (let count = 0; count < 3; count += 1) answer.add(new ResponseBody([shared]));
    expect(String(answer.finish())).toBe('["shared","shared","shared"]');
    expect(budget.bytes).toBe(answer.length - 3 * shared.bytes.length);
  });

  test('behavior: texts and bytes, short and long, keep their order', () => {
    const part = fc.record({
      text: fc.string({ unit: 'grapheme', maxLength: 5 }),
      times: fc.constantFrom(1, LONG_RESPONSE_CHARACTERS),
      isBytes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const budget = new MemoryBudget({ bytesMax: 1 }).open('');
        const answer = new BatchBody(budget);
        const texts = parts.map(({ text, times }) => JSON.stringify(text.repeat(times)));
        for (const [index, text] of texts.entries()) {
          answer.add(parts[index]?.isBytes === true ? ownBody(Buffer.from(text)) : text);
        }
        expect(String(answer.finish())).toBe(`[${texts.join(',')}]`);
        expect(budget.bytes).toBe(answer.length);
      }),
      { numRuns: 50 },
    );
  });
});
