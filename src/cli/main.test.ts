import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../node/index.ts';
import type { Environment } from './environment.ts';
import { main } from './main.ts';
import { plain } from './paint.ts';

interface Run {
  readonly status: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the program; `meanwhile` gets the endpoint once the node stands, and the node stops at its end. */
async function run(
  words: string[],
  meanwhile: (url: string) => Promise<void> = async () => {},
): Promise<Run> {
  let out = '';
  let errors = '';
  let announce: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const environment: Environment = {
    print: (text) => {
      out += text;
      const url = /^Endpoint +(http\S+)$/m.exec(out)?.[1];
      if (url !== undefined) announce(url);
    },
    printError: (text) => {
      errors += text;
    },
    paint: plain,
    hasTerminal: false,
    stopRequested: async () => meanwhile(words.includes('--quiet') ? '' : await listening),
  };
  return { status: await main(words, environment), out, errors };
}

async function post(url: string, method: string, ...params: unknown[]): Promise<void> {
  await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
}

describe('start', () => {
  test('default: the banner, a line for each block and failed call, and the end', async () => {
    const { status, out, errors } = await run(['--port', '0'], async (url) => {
      await post(url, 'evm_mine');
      await post(url, 'eth_nothing');
    });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(out).toMatch(/^ledgerd \d+\.\d+\.\d+\n/);
    expect(out).toContain('(0) 1.2.1024  0x0000000000000000000000000000000000000400  100000000000000000\n');
    expect(out).toMatch(/^block 1 {2}0x[0-9a-f]{64} {2}0 operations {2}gas 0$/m);
    expect(out).toMatch(/^failed eth_nothing: .+$/m);
    expect(out).toMatch(/\nstopping\n$/);
  });

  test('args: --quiet', async () => {
    expect(await run(['--port', '0', '--quiet'])).toEqual({ status: 0, out: '', errors: '' });
  });
});

describe('print', () => {
  test('args: --version', async () => {
    expect(await run(['--version'])).toEqual({ status: 0, out: `ledgerd ${VERSION}\n`, errors: '' });
  });

  test('args: --help', async () => {
    const { status, out, errors } = await run(['--help']);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(out).toContain('Usage: ledgerd');
  });
});

describe('failures', () => {
  test.each([
    [['--port', 'x'], '--port: expected a whole number from 0 to 65535, got "x"'],
    [
      ['--host', '0.0.0.0'],
      'refusing to listen at 0.0.0.0: test mode holds keys, and whoever reaches this host',
    ],
    [['--accounts', '1', '--balance', '9223372036854775807'], 'all balances together are'],
  ])('error: %j has status 2', async (words, message) => {
    const { status, out, errors } = await run(words);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(errors).toMatch(/^ledgerd: [^\n]+\n$/);
    expect(errors).toContain(message);
  });

  test('error: a port in use has status 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this shape.
    const { port } = other.address() as AddressInfo;
    const { status, out, errors } = await run(['--port', String(port)]);
    other.close();
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(errors).toMatch(/^ledgerd: cannot start: [^\n]*the port is in use; --port names another[^\n]*\n$/);
  });

  test('error: a data folder that is a file has status 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-main-'));
    const path = join(folder, 'file');
    writeFileSync(path, '');
    const { status, errors } = await run(['--port', '0', '--data-dir', path]);
    rmSync(folder, { recursive: true });
    expect(status).toBe(1);
    expect(errors).toContain(`ledgerd: cannot start: the data folder ${path} cannot be used: `);
  });
});
