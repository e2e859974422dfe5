import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readLimits, sourcesOf, writeLimits, writeLimitTables } from '../scripts/limits-document.js';

const limits = readLimits(sourcesOf(new URL('../src/', import.meta.url)));

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

test('default: docs/limits.md is up to date with the bounds of the sources', () => {
  const current = writeLimits(read('scripts/limits.template.md'), limits);
  expect(read('docs/limits.md'), 'docs/limits.md is stale: renew it by `npm run docs`').toBe(current);
});

test('default: the tables of SECURITY.md are up to date with the bounds of the sources', () => {
  const document = read('SECURITY.md');
  const current = writeLimitTables(document, read('scripts/security-limits.template.txt'), limits);
  expect(document, 'SECURITY.md is stale: renew it by `npm run docs`').toBe(current);
});

test('behavior: a bound has its value, the unit of its name, and the first sentence of its docstring', () => {
  const text = [
    '/** Bytes of a body (1.5 KiB). Longer ones are refused. */',
    'export const BODY_BYTES_MAX = 3 * HALF;',
    '/** Pauses: at first,',
    ' * and at most. */',
    'const PAUSE_MS_MIN = 250;',
    'const PAUSE_MS_MAX = 2_000;',
    '',
    'const SECOND_MS = 1_000;',
    '/** A name that is no bound. */',
    'const HALF = 512;',
    'export const DEFAULT_SERVER_LIMITS = {',
    '  /** Filters at one time. */',
    '  filtersMax: 10_000,',
    '  pathsMax: 1,',
    '  /** A share of the machine. */',
    '  heldBytesMax: Math.floor(memory() / 4),',
    '};',
  ].join('\n');
  const sources = ['src/server/a.ts', 'src/server/a.test.ts', 'src/cli/a.ts'].map((path) => ({ path, text }));
  expect(readLimits(sources).map(({ path, name, value, words }) => [path, name, value, words])).toEqual([
    ['src/server/a.ts', 'BODY_BYTES_MAX', '1.5 KiB', 'Bytes of a body (1.5 KiB).'],
    ['src/server/a.ts', 'PAUSE_MS_MIN', '250 ms', 'Pauses: at first, and at most.'],
    ['src/server/a.ts', 'PAUSE_MS_MAX', '2 s', 'Pauses: at first, and at most.'],
    ['src/server/a.ts', 'filtersMax', '10,000', 'Filters at one time.'],
    ['src/server/a.ts', 'heldBytesMax', '`Math.floor(memory() / 4)`', 'A share of the machine.'],
  ]);
});

test('error: a template names an unknown bound', () => {
  expect(() => writeLimitTables('', '{NOTHING_MAX}', limits)).toThrow('no bound is named NOTHING_MAX');
});
