import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VERSION } from '../node/index.ts';
import { testEnvironment } from './environment.testing.ts';
import { main } from './main.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-main-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command to its end. */
async function run(...words: string[]) {
  const { environment, output, errors } = testEnvironment();
  const status = await main(words, environment);
  return { status, output: output(), errors: errors() };
}

describe('print', () => {
  test('args: --version', async () => {
    expect(await run('--version')).toEqual({ status: 0, output: `ledgerd ${VERSION}\n`, errors: '' });
  });

  test('args: --help', async () => {
    const { status, output, errors } = await run('--help');
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toContain('Usage: ledgerd');
  });
});

describe('failures', () => {
  test.each([
    [['--port', 'x'], '--port: expected a whole number from 0 to 65535, got "x"'],
    [
      ['--host', '0.0.0.0'],
      'refusing to listen at 0.0.0.0: test mode has keys, and anyone who reaches this host',
    ],
    [['--accounts', '2', '--balance', '9223372036854775807'], 'exceed the largest sum of balances'],
    [['nothing'], 'unexpected argument "nothing"'],
    [['config', '--data-dir', 'x', '--seed', 'y'], '--seed belongs to test mode'],
  ])('error: %j has status 2', async (words, message) => {
    const { status, output, errors } = await run(...words);
    expect({ status, output }).toEqual({ status: 2, output: '' });
    expect(errors).toMatch(/^ledgerd: [^\n]+\n$/);
    expect(errors).toContain(message);
  });

  test('error: a port in use has status 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this shape.
    const { port } = other.address() as AddressInfo;
    const { status, output, errors } = await run('--port', String(port));
    other.close();
    expect({ status, output }).toEqual({ status: 1, output: '' });
    expect(errors).toMatch(/^ledgerd: cannot start: [^\n]*the port is in use; --port names another[^\n]*\n$/);
  });

  test.each([
    ['a data folder that is a file', ['--test'], 'cannot be read'],
    ['a data folder that was not initialised', [], 'ledgerd init'],
  ])('error: %s has status 3', async (title, words, message) => {
    const path = join(folder, 'data');
    if (title.endsWith('file')) writeFileSync(path, '');
    const { status, output, errors } = await run('start', '--port', '0', '--data-dir', path, ...words);
    expect({ status, output }).toEqual({ status: 3, output: '' });
    expect(errors).toMatch(/^ledgerd: cannot start: [^\n]+\n$/);
    expect(errors).toContain(path);
    expect(errors).toContain(message);
  });
});
