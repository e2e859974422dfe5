import { expect, test } from 'vitest';
import { METHODS } from '../registries.ts';
import { DIFFERENCES } from './differences.ts';

test('behavior: every row is of a method, by its first name', () => {
  const rows = Object.keys(DIFFERENCES);
  expect(rows.filter((name) => METHODS.get(name)?.name !== name)).toEqual([]);
});
