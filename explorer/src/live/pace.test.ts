import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

test('default: the time between two blocks, and operations a second, of the last ten seconds', () => {
  const pace = new Pace();
  for (let at = 0; at <= 20_000; at += 500) {
    pace.note(at);
    pace.noteOperations(at, 3);
  }
  expect(pace.measure(20_000)).toEqual({ blockSeconds: 0.5, operations: 6 });
});

test('behavior: a single block does not define a block interval', () => {
  const pace = new Pace();
  pace.note(1_000);
  expect(pace.measure(1_500)).toEqual({ blockSeconds: undefined, operations: 0 });
  expect(pace.measure(60_000)).toEqual({ blockSeconds: undefined, operations: 0 });
});
