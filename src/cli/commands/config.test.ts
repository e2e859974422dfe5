import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testEnvironment } from '../environment.testing.ts';
import { main } from '../main.ts';
import { TABLE } from '../settings/table.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-config-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function config(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { environment, output, errors } = testEnvironment(variables);
  const status = await main(['config', ...words], environment);
  expect({ status, errors: errors() }).toEqual({ status: 0, errors: '' });
  return JSON.parse(output());
}

test('default: every setting of test mode', async () => {
  const { mode, file, settings } = await config([]);
  expect({ mode, file }).toEqual({ mode: 'test', file: null });
  const names = TABLE.filter((entry) => entry.mode !== 'node').map(({ name }) => name);
  expect(Object.keys(settings)).toEqual(names);
  expect(settings.port).toEqual({ value: 8_545, source: 'default' });
  expect(settings['data-dir']).toEqual({ value: null, source: 'default' });
  expect(settings.balance).toEqual({ value: '100000000000000000', source: 'default' });
});

test('behavior: limits in the units of their flags', async () => {
  const file = join(folder, 'limits.json');
  writeFileSync(file, JSON.stringify({ 'call-gas': 30_000, 'idle-timeout': 7 }));
  const { settings } = await config(['--config', file, '--call-timeout', '1.001', '--max-logs', '7']);
  expect(settings).toMatchObject({
    'call-gas': { value: 30_000, source: 'file' },
    'call-timeout': { value: 1.001, source: 'flag' },
    'max-logs': { value: 7, source: 'flag' },
    'idle-timeout': { value: 7, source: 'file' },
    'headers-timeout': { value: 10, source: 'default' },
    'max-body': { value: 5 * 2 ** 20, source: 'default' },
  });
});

test('behavior: reports the source of each setting', async () => {
  const file = join(folder, 'ledgerd.json');
  writeFileSync(file, JSON.stringify({ 'block-interval': 0.5, port: 1, 'min-free-space': '1GiB' }));
  const words = ['--data-dir', folder, '--follow', 'http://a:1'];
  const { mode, file: read, settings } = await config(words, { LEDGERD_PORT: '2' });
  expect({ mode, read }).toEqual({ mode: 'node', read: file });
  expect(settings).toMatchObject({
    'data-dir': { value: folder, source: 'flag' },
    port: { value: 2, source: 'environment' },
    'block-interval': { value: 0.5, source: 'file' },
    'min-free-space': { value: 2 ** 30, source: 'file' },
    follow: { value: ['http://a:1/'], source: 'flag' },
    'registration-difficulty': { value: 20, source: 'default' },
  });
  expect(settings).not.toHaveProperty('seed');
});

test.each<[string[], Record<string, string>]>([
  [['--seed', 'a hidden text'], {}],
  [[], { LEDGERD_SEED: 'a hidden text' }],
])('behavior: a secret is masked: %j %j', async (words, variables) => {
  const { environment, output } = testEnvironment(variables);
  await main(['config', ...words], environment);
  expect(output()).not.toContain('hidden');
  expect(JSON.parse(output()).settings.seed.value).toBe('***');
});

test('error: an invalid setting exits with status 2 and prints nothing to stdout', async () => {
  const { environment, output, errors } = testEnvironment({ LEDGERD_PORT: 'x' });
  expect([await main(['config'], environment), output()]).toEqual([2, '']);
  expect(errors()).toMatch(
    /^ledgerd: LEDGERD_PORT: expected a whole number from 0 to 65535, got "x"[^\n]*\n$/,
  );
});
