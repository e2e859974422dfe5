import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FUSIONS, INVALID, numberFusions, OPCODES } from '../../../scripts/wasm/instructions.js';

const OPCODE_NUMBERS = [INVALID, ...OPCODES.map(({ number }) => number)];
const FREE = Array.from({ length: 256 }, (_, number) => number).filter(
  (number) => !OPCODE_NUMBERS.includes(number),
);

test('default: every fused instruction has a unique number, which no opcode has', () => {
  const numbers = [...numberFusions(OPCODES, FUSIONS).values()];
  expect(numbers).toHaveLength(FUSIONS.length);
  expect(new Set([...numbers, ...OPCODE_NUMBERS]).size).toBe(FUSIONS.length + OPCODE_NUMBERS.length);
});

test('behavior: a new opcode displaces the fused instruction with its number', () => {
  const brought = fc.uniqueArray(fc.constantFrom(...FREE), { maxLength: FREE.length - FUSIONS.length });
  fc.assert(
    fc.property(brought, (numbers) => {
      const fused = [
        ...numberFusions([...OPCODES, ...numbers.map((number) => ({ number }))], FUSIONS).values(),
      ];
      const taken = [...OPCODE_NUMBERS, ...numbers];
      expect(new Set([...fused, ...taken]).size).toBe(FUSIONS.length + taken.length);
    }),
  );
});

test('error: more fused instructions than numbers without an opcode', () => {
  const opcodes = Array.from({ length: 254 }, (_, number) => ({ number }));
  expect(() => numberFusions(opcodes, [{ sequence: 'POP POP' }, { sequence: 'PUSH1 ADD' }])).toThrow(
    '2 fused instructions, but only 1 numbers that no opcode has',
  );
});

test('error: two opcodes with one number', () => {
  expect(() => numberFusions([...OPCODES, { number: 0x01 }], [])).toThrow('two opcodes have the same number');
  expect(() => numberFusions([{ number: INVALID }], [])).toThrow('two opcodes have the same number');
});
