import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pack, ROOT } from './library/installed-package.ts';

/** The action as GitHub's runner runs it: its steps, in bash, with the variables that the runner sets. */

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly [
      {
        readonly id: string;
        readonly shell: string;
        readonly env: Record<string, string>;
        readonly run: string;
      },
    ];
  };
}

const action: Action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const [step] = action.runs.steps;

let tarball: string;
let folder: string;

beforeAll(() => {
  const packed = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  tarball = pack(ROOT, packed);
  return () => rmSync(packed, { recursive: true });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  writeFileSync(join(folder, 'output'), '');
});

afterEach(() => {
  if (existsSync(join(folder, 'ledgerd/ledgerd.pid'))) use({ command: 'stop' });
  rmSync(folder, { recursive: true });
});

/** Runs the action with inputs; returns its status, what it printed, and its outputs. */
function use(given: Readonly<Record<string, string>>) {
  const inputs = (name: string) => given[name] ?? action.inputs[name]?.default ?? `no input ${name}`;
  const variables = Object.entries(step.env).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => inputs(input)),
  ]);
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_OUTPUT: join(folder, 'output'),
        RUNNER_TEMP: folder,
        ...Object.fromEntries(variables),
      },
    },
  );
  const lines = readFileSync(join(folder, 'output'), 'utf8').matchAll(/^([\w-]+)=(.*)$/gm);
  return {
    status,
    printed: `${stdout}${stderr}`,
    outputs: new Map(Array.from(lines, ([, name, value]) => [name, value])),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function chainId(url: string | undefined): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  return Object(await (await fetch(String(url), { method: 'POST', body })).json()).result;
}

test('default: a composite action with the outputs of its script', () => {
  expect([action.runs.using, step.shell]).toEqual(['composite', 'bash']);
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
  expect(values).toEqual(
    ['url', 'ethereum-url', 'log'].map((name) => [name, `\${{ steps.${step.id}.outputs.${name} }}`]),
  );
});

test('default: it starts a node for later steps, and stops it', async () => {
  const { status, printed, outputs } = use({ package: tarball, arguments: '--ethereum --port 0' });
  expect(status, printed).toBe(0);
  expect(await chainId(outputs.get('ethereum-url'))).toBe('0x7a69');
  expect(await chainId(outputs.get('url'))).toBe(await chainId(`${outputs.get('url')}/`));
  expect(readFileSync(String(outputs.get('log')), 'utf8')).toContain(outputs.get('url'));
  expect(use({ package: tarball })).toMatchObject({
    status: 1,
    printed: expect.stringContaining('stop it first'),
  });
  expect(use({ command: 'stop' })).toMatchObject({ status: 0, printed: expect.stringContaining('Endpoint') });
  await expect(chainId(outputs.get('url'))).rejects.toThrow('fetch failed');
});

test('args: arguments: a log in JSON, which has the URLs, too', async () => {
  const { status, printed, outputs } = use({
    package: tarball,
    arguments: '--ethereum --port 0 --log-format json',
  });
  expect(status, printed).toBe(0);
  expect(await chainId(outputs.get('ethereum-url'))).toBe('0x7a69');
  expect(use({ command: 'stop' }).status).toBe(0);
});

test('behavior: a node that ended meanwhile is reported, and does not block the next one', async () => {
  const start = () => use({ package: tarball, arguments: '--port 0' });
  const kill = async () => {
    const pid = Number(readFileSync(join(folder, 'ledgerd/ledgerd.pid'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  };
  expect(start().status).toBe(0);
  await kill();
  expect(use({ command: 'stop' })).toMatchObject({
    status: 1,
    printed: expect.stringContaining('::error title=ledgerd::the node had ended before this step:%0A'),
  });
  expect(start().status).toBe(0);
  await kill();
  expect(start()).toMatchObject({ status: 0, printed: expect.stringContaining('the node serves http:') });
  expect(use({ command: 'stop' }).status).toBe(0);
});

test('args: arguments: a chain without Ethereum', () => {
  const { outputs } = use({ package: tarball, arguments: '--port 0' });
  expect(outputs.get('url')).toMatch(/^http:/);
  expect(outputs.get('ethereum-url')).toBe('');
  expect(readFileSync(String(outputs.get('log')), 'utf8')).not.toContain('failed');
  expect(use({ command: 'stop' }).status).toBe(0);
});

test.each([
  [{ arguments: '--port 0 --quiet' }, 'arguments: omit --quiet'],
  [{ arguments: '--log-level error --port 0' }, 'arguments: omit --log-level error'],
  [{ arguments: '--port none' }, 'the node ended with 2:%0A'],
  [{ package: './none.tgz' }, 'npm could not install ./none.tgz'],
  [{ command: 'restart' }, 'command: expected start or stop, not restart'],
  [{ command: 'stop' }, 'no node runs'],
])('error: %j', (inputs, message) => {
  const { status, printed } = use({ package: tarball, ...inputs });
  expect(status).toBe(1);
  expect(printed).toContain(`::error title=ledgerd::${message}`);
});
