import { expect, test } from 'vitest';
import { METHODS } from '../registries.ts';
import { NATIVE_DOCUMENTATION } from './documentation.ts';

test('behavior: every row is of a method, by its first name', () => {
  const rows = Object.keys(NATIVE_DOCUMENTATION);
  expect(rows.filter((name) => METHODS.get(name)?.name !== name)).toEqual([]);
});
