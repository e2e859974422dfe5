import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeMethods } from '../scripts/methods-document.js';
import { describeInterface, ETHEREUM_INTERFACE, ETHEREUM_METHODS, METHODS } from '../src/rpc/index.ts';

const openrpc = describeInterface(METHODS.values(), '');
const ethereum = describeInterface(ETHEREUM_METHODS.values(), '', ETHEREUM_INTERFACE);

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

test('default: docs/methods.md is up to date with the methods of the program', () => {
  const current = writeMethods(read('scripts/methods.template.md'), openrpc, ethereum);
  expect(read('docs/methods.md'), 'docs/methods.md is stale: renew it by `npm run docs`').toBe(current);
});

test('behavior: every method, every object and every difference is listed', () => {
  const text = read('docs/methods.md');
  for (const name of [...METHODS.keys(), ...ETHEREUM_METHODS.keys()])
    expect(text).toMatch(new RegExp(`^\\| [^|]*\`${name}\`[^|]*<br>`, 'm'));
  for (const name of ['Block', 'Transaction', 'Receipt', 'Log', 'SyncStatus', 'CallObject']) {
    expect(text).toContain(`### ${name}\n`);
  }
  for (const { reason } of openrpc['x-shape-differences']) expect(text).toContain(reason);
  for (const name of Object.keys(openrpc['x-not-implemented'])) expect(text).toContain(`\`${name}\``);
});

test('error: a template without a mark', () => {
  expect(() => writeMethods('# Methods', openrpc, ethereum)).toThrow(
    'the template lacks the mark <!-- methods -->',
  );
});
