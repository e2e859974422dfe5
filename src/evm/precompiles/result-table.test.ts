import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ResultTable } from './result-table.ts';

/** A table, and how often it had something worked out. */
function counting(entriesMax = 64, bytesMax = 4_096) {
  const table = new ResultTable(entriesMax, bytesMax);
  let worked = 0;
  const ask = (number: number, input: Uint8Array, output: Uint8Array | undefined): Uint8Array | undefined =>
    table.outputOf(number, input, () => {
      worked += 1;
      return output;
    });
  return { table, ask, worked: () => worked };
}

/** What the functions of these tests give: something else for each function and input; now and then they refuse. */
function outputFor(number: number, input: Uint8Array): Uint8Array | undefined {
  if (input[0] === 1) return undefined;
  return Uint8Array.from([...input, number]).reverse();
}

const bytes = (...values: number[]) => Uint8Array.from(values);

const questions = fc.array(
  fc.record({
    number: fc.nat(2),
    // Few enough that many come again.
    input: fc.array(fc.nat(2), { maxLength: 9 }).map((values) => Uint8Array.from(values)),
  }),
  { maxLength: 200 },
);

describe('outputOf', () => {
  test('default', () => {
    const { ask, worked } = counting();
    expect(ask(0, bytes(1, 2), bytes(3))).toEqual(bytes(3));
    expect(ask(0, bytes(1, 2), bytes(9))).toEqual(bytes(3));
    expect(ask(1, bytes(1, 2), bytes(4))).toEqual(bytes(4));
    expect(ask(0, bytes(1, 2, 0), bytes(5))).toEqual(bytes(5));
    expect(ask(0, bytes(), bytes())).toEqual(bytes());
    expect(ask(0, bytes(), bytes(9))).toEqual(bytes());
    expect(worked()).toBe(4);
  });

  test('behavior: that an input is refused is remembered too', () => {
    const { ask, worked } = counting();
    expect([ask(0, bytes(7), undefined), ask(0, bytes(7), bytes(1)), worked()]).toEqual([
      undefined,
      undefined,
      1,
    ]);
  });

  test('behavior: an output belongs to whoever asked', () => {
    const { ask } = counting();
    ask(0, bytes(1), bytes(2));
    ask(0, bytes(1), bytes())?.fill(9);
    expect(ask(0, bytes(1), bytes())).toEqual(bytes(2));
  });

  test('behavior: the newest are kept, as many as there is room for', () => {
    const { ask, worked } = counting(1_024, 400);
    const input = (index: number) => bytes(index, 1, 2, 3);
    for (let index = 0; index < 100; index += 1) ask(0, input(index), bytes(index));
    // An entry takes 24 bytes: 16, the input, and the output with what follows it.
    for (let index = 84; index < 100; index += 1) expect(ask(0, input(index), bytes())).toEqual(bytes(index));
    expect(worked()).toBe(100);
    expect(ask(0, input(0), bytes(200))).toEqual(bytes(200));
  });

  test('behavior: of inputs with the same places the newest are kept', () => {
    const { ask, worked } = counting(4, 4_096);
    for (let index = 0; index < 6; index += 1) ask(0, bytes(index), bytes(index));
    for (let index = 5; index > 1; index -= 1) expect(ask(0, bytes(index), bytes())).toEqual(bytes(index));
    expect(worked()).toBe(6);
    expect(ask(0, bytes(0), bytes(9))).toEqual(bytes(9));
  });

  test('behavior: what is larger than a part of the table is not kept', () => {
    const { ask, worked } = counting();
    ask(0, new Uint8Array(2_000), bytes());
    ask(0, new Uint8Array(2_000), bytes());
    expect(worked()).toBe(2);
  });

  test('behavior: whatever is asked for, in whatever order, outputs are right', () => {
    fc.assert(
      fc.property(questions, fc.constantFrom(128, 260, 1_024), (asked, bytesMax) => {
        const { ask } = counting(8, bytesMax);
        for (const { number, input } of asked) {
          const output = outputFor(number, input);
          expect(ask(number, input, output)).toEqual(output);
        }
      }),
    );
  });

  test('error: what the function throws, and nothing is kept', () => {
    const table = new ResultTable(64, 4_096);
    const fail = () => {
      throw new RangeError('no');
    };
    expect(() => table.outputOf(0, bytes(1), fail)).toThrow('no');
    expect(table.outputOf(0, bytes(1), () => bytes(2))).toEqual(bytes(2));
  });
});

describe('what is noted', () => {
  test('default: another table has it then, whether or not it was known before', () => {
    const { table, ask } = counting();
    ask(0, bytes(1), bytes(1));
    ask(0, bytes(2), bytes(2));
    table.beginNoting();
    for (let count = 0; count < 3; count += 1) {
      ask(0, bytes(1), undefined);
      ask(0, bytes(3), undefined);
    }
    const pieces = table.endNoting(4_096);
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(2 * 20);
    const other = counting();
    for (const piece of pieces) other.table.takeIn(piece);
    expect([other.ask(0, bytes(1), bytes(9)), other.ask(0, bytes(3), bytes(9))]).toEqual([
      bytes(1),
      undefined,
    ]);
    expect([other.ask(0, bytes(2), bytes(9)), other.worked()]).toEqual([bytes(9), 1]);
  });

  test('behavior: no more than is asked for, and nothing where the table could not hold it', () => {
    const { table, ask } = counting(1_024, 800);
    table.beginNoting();
    for (let index = 0; index < 10; index += 1) ask(0, bytes(index), bytes(index));
    expect(table.endNoting(50).map(({ length }) => length)).toEqual([60]);
    table.beginNoting();
    for (let index = 0; index < 100; index += 1) ask(0, bytes(index), bytes(index));
    expect(table.endNoting(800)).toEqual([]);
  });

  test('behavior: wherever in the table it lies', () => {
    fc.assert(
      fc.property(questions, questions, (before, noted) => {
        const { table, ask } = counting(1_024, 16_384);
        const other = counting(1_024, 16_384);
        // Some times around the ring.
        for (let round = 0; round < 10; round += 1) {
          for (const { number, input } of before) ask(3 + round, input, outputFor(number, input));
        }
        table.beginNoting();
        for (const { number, input } of noted) ask(number, input, outputFor(number, input));
        for (const piece of table.endNoting(16_384)) other.table.takeIn(piece);
        for (const { number, input } of noted) {
          expect(other.ask(number, input, bytes(7, 7, 7))).toEqual(outputFor(number, input));
        }
        expect(other.worked()).toBe(0);
      }),
    );
  });
});
