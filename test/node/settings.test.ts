import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/ledgerd.js', import.meta.url));

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerd-settings-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs the program in the test's folder with variables of its own. */
async function run(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.errors += text;
  });
  const [status] = await once(child, 'close');
  return { status, ...written };
}

test('default: ledgerd config: flag, environment and file, and the secret masked', async () => {
  await writeFile(
    join(folder, 'mine.json'),
    JSON.stringify({ port: 1, accounts: 3, seed: 'kept to itself' }),
  );
  const { status, output, errors } = await run(['config', '--config', 'mine.json', '--accounts', '5'], {
    LEDGERD_PORT: '2',
    LEDGERD_CORS: 'http://a.example,http://b.example',
  });
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(output).not.toContain('kept to itself');
  expect(JSON.parse(output)).toMatchObject({
    mode: 'test',
    file: join(folder, 'mine.json'),
    settings: {
      accounts: { value: 5, source: 'flag' },
      port: { value: 2, source: 'environment' },
      cors: { value: ['http://a.example', 'http://b.example'], source: 'environment' },
      seed: { value: '***', source: 'file' },
      host: { value: '127.0.0.1', source: 'default' },
    },
  });
});

test.each<[string, string[], Record<string, string>, string]>([
  ['a variable that no setting has', [], { LEDGERD_PROT: '1' }, 'LEDGERD_PROT: no setting has this variable'],
  ['a bad variable', [], { LEDGERD_PORT: 'x' }, 'LEDGERD_PORT: expected a whole number'],
  ['a bad flag', ['--port', 'x'], {}, '--port: expected a whole number'],
  ['a bad file', ['--config', 'bad.json'], {}, 'bad.json: "prot": there is no such setting'],
])('error: %s has status 2, for start as well', async (_title, words, variables, message) => {
  await writeFile(join(folder, 'bad.json'), '{"prot":1}');
  for (const command of ['config', 'start']) {
    const { status, output, errors } = await run([command, ...words], variables);
    expect({ status, output }).toEqual({ status: 2, output: '' });
    expect(errors).toMatch(/^ledgerd: [^\n]+\n$/);
    expect(errors).toContain(message);
  }
});
