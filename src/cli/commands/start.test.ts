import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testEnvironment } from '../environment.testing.ts';
import { main } from '../main.ts';

/** The address of the node, in a log of either format. */
const ENDPOINT = /(?:^Endpoint +|"url":")(http:\/\/[\d.]+:\d+)/m;

/** A line about the machine: its native add-ons. */
const ABOUT_MACHINE = /^.*signatures are recovered in WebAssembly.*\n/m;

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-start-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a node during `meanwhile`, which gets the node's address and a function that awaits a line of its log. */
async function run(
  words: readonly string[],
  meanwhile: (url: string, printed: (pattern: RegExp) => Promise<unknown>) => Promise<unknown>,
) {
  const { environment, output, errors, printed, stop } = testEnvironment();
  const ended = main(['start', '--port', '0', ...words], environment);
  const failed = ended.then((status) => expect.unreachable(`ended with status ${status}: ${errors()}`));
  const [, url = ''] = await Promise.race([printed(ENDPOINT), failed]);
  failed.catch(() => undefined);
  await meanwhile(url, printed);
  stop();
  return { status: await ended, output: output().replace(ABOUT_MACHINE, ''), errors: errors() };
}

async function post(url: string, method: string, ...params: unknown[]): Promise<void> {
  await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
}

/** Returns the objects of a JSON log without their times, which it checks. */
function objects(output: string): readonly Readonly<Record<string, unknown>>[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { time, ...facts } = JSON.parse(line);
      expect(new Date(time).toISOString()).toBe(time);
      return facts;
    });
}

describe('test mode', () => {
  test('default: the banner, a line for each block and failed call, and the end', async () => {
    const { status, output, errors } = await run([], async (url) => {
      await post(url, 'evm_mine');
      await post(url, 'eth_nothing');
    });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/^ledgerd \d+\.\d+\.\d+\n/);
    expect(output).toContain(
      '(0) 1.2.1024  0x0000000000000000000000000000000000000400  100000000000000000 (0.1)\n',
    );
    expect(output).toMatch(/^block 1 {2}0x[0-9a-f]{64} {2}0 operations {2}gas 0$/m);
    expect(output).toMatch(/^failed eth_nothing: .+$/m);
    expect(output).toMatch(/\nstopping\n$/);
  });

  test('args: --root ethereum: both profiles, also of further chains; the banner names them', async () => {
    const { status, output, errors } = await run(['--root', 'ethereum'], async (url) => {
      const chainId = async (path: string): Promise<unknown> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
        return Object(await (await fetch(`${url}${path}`, { method: 'POST', body })).json()).result;
      };
      for (const chain of ['', '/chain/3']) {
        const paths = ['', '/', '/ethereum', '/ledger'].map((path) => chainId(`${chain}${path}`));
        expect(await Promise.all(paths)).toEqual(['0x7a69', '0x7a69', '0x7a69', 31_337]);
      }
    });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/^Endpoint +(http:\S+) for wallets and tools of Ethereum\nLedger +\1\/ledger$/m);
    expect(output).toMatch(/^Wallets and tools of Ethereum use http:\/\/127\.0\.0\.1:\d+ and these keys/m);
  });

  test('args: --log-level warn', async () => {
    const { environment, output, errors, stop } = testEnvironment();
    stop();
    expect(await main(['start', '--port', '0', '--log-level', 'warn'], environment)).toBe(0);
    expect([output(), errors()]).toEqual(['', '']);
  });

  test('args: --quiet', async () => {
    const { environment, output, errors, stop } = testEnvironment();
    stop();
    expect(await main(['start', '--port', '0', '--quiet'], environment)).toBe(0);
    expect([output(), errors()]).toEqual(['', '']);
  });

  test('args: --log-format json: no keys', async () => {
    const { status, output, errors } = await run(['--log-format', 'json'], async (url) => {
      await post(url, 'evm_mine');
      await post(url, 'eth_nothing');
    });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(objects(output)).toMatchObject([
      { level: 'info', event: 'started', mode: 'test', chainId: 255, dataDir: null, accounts: 10 },
      { level: 'info', event: 'block', number: 1, operations: 0, gas: '0', message: 'block 1' },
      { level: 'debug', event: 'failedCall', method: 'eth_nothing' },
      { level: 'info', event: 'stopping' },
      { level: 'info', event: 'stopped', message: 'stopped' },
    ]);
  });
});

describe('node mode', () => {
  const BLOCKS = ['--block-interval', '0.1', '--min-free-space', '0'];

  async function initialized(): Promise<string> {
    const { environment, errors } = testEnvironment();
    const path = join(folder, 'node');
    expect([await main(['init', '--data-dir', path], environment), errors()]).toEqual([0, '']);
    return path;
  }

  test('default: JSON lines from its start to its end', async () => {
    const path = await initialized();
    const { status, output, errors } = await run(['--data-dir', path, ...BLOCKS], async (url, printed) => {
      await post(url, 'eth_nothing');
      await printed(/"number":2/);
    });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    const log = objects(output);
    expect(log.find(({ event }) => event === 'started')).toMatchObject({
      level: 'info',
      mode: 'node',
      message: expect.stringContaining('listening at http://127.0.0.1:'),
      network: 'default',
      chainId: 255,
      networkId: 255,
      hardfork: 'osaka',
      head: 0,
      dataDir: path,
      exposed: false,
      blockInterval: 0.1,
      producers: ['1.2.1023'],
      keys: [
        { account: '1.2.1023', publicKey: expect.stringMatching(/^ECHO\w+$/) },
        { account: '1.2.1022', publicKey: expect.stringMatching(/^ECHO\w+$/) },
      ],
      registers: true,
      follow: [],
      log: null,
    });
    expect(log.find(({ event }) => event === 'block')).toEqual({
      level: 'info',
      event: 'block',
      number: 1,
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      operations: 0,
      gas: '0',
      message: 'block 1',
    });
    expect(log.slice(-2)).toMatchObject([{ event: 'stopping' }, { event: 'stopped' }]);
    expect(output).not.toContain('failedCall');
  });

  test('args: --log-format text --log-level debug', async () => {
    const words = [
      '--data-dir',
      await initialized(),
      ...BLOCKS,
      '--log-format',
      'text',
      '--log-level',
      'debug',
    ];
    const { status, output, errors } = await run(words, async (url, printed) => {
      await post(url, 'eth_nothing');
      await printed(/block 1/);
    });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/^Produces as +1\.2\.1023$/m);
    expect(output).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z block 1 {2}0x[0-9a-f]{64} /m);
    expect(output).toMatch(/Z failed eth_nothing: /);
    expect(output).toMatch(/Z stopping\n$/);
  });
});
