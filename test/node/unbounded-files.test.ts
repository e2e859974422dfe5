import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTextFile } from '../../src/files/bounded-file.ts';
import { runProgram, startProgram } from '../program.ts';

let folder: string;
let pipe: string;
let huge: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  huge = join(folder, 'huge.json');
  writeFileSync(huge, '');
  truncateSync(huge, 2 ** 40);
});

afterAll(() => rmSync(folder, { recursive: true }));

const REGULAR = 'it is not a regular file';
const endless = (): [string, string][] => [
  ['/dev/zero', REGULAR],
  [pipe, REGULAR],
  [huge, 'it has 1099511627776 bytes, and '],
];

describe('files without an end', () => {
  test.each([
    ['--config', (path: string) => ['start', '--config', path]],
    ['--state', (path: string) => ['start', '--ethereum', '--port', '0', '--state', path]],
    ['--load-state', (path: string) => ['start', '--ethereum', '--port', '0', '--load-state', path]],
    ['--genesis', (path: string) => ['start', '--data-dir', join(folder, 'node'), '--genesis', path]],
    ['--key-file', (path: string) => ['sign', path, '--key-file', path, '--chain-id', '00'.repeat(32)]],
  ])('error: %s refuses a device, a pipe and a file of 1 TiB at once', async (_flag, wordsOf) => {
    for (const [path, reason] of endless()) {
      const { status, errors } = await runProgram(...wordsOf(path));
      expect(status).not.toBe(0);
      expect(errors).toContain(path);
      expect(errors).toContain(reason);
    }
  });
});

describe('readTextFile', () => {
  const refuse = (reason: string): Error => new Error(reason);

  test('default: the text of a file, up to its bound', () => {
    const path = join(folder, 'short');
    writeFileSync(path, 'ä'.repeat(50));
    expect(readTextFile(path, 100, refuse)).toBe('ä'.repeat(50));
    expect(() => readTextFile(path, 99, refuse)).toThrow(
      'it has 100 bytes, and 99 are the most that are read',
    );
  });

  test('behavior: the bound holds for a file whose size is unknown', () => {
    const path = '/proc/self/environ';
    const text = readTextFile(path, 1_000_000, refuse);
    expect(text).toContain('PATH=');
    expect(readTextFile(path, text.length, refuse)).toBe(text);
    expect(() => readTextFile(path, text.length - 1, refuse)).toThrow('it has more bytes');
    expect(() => readTextFile(path, 10, refuse)).toThrow('it has more bytes');
  });
});

describe('a state that inflates to many values', () => {
  const refusal = 'a dump has at most 10000000 values';
  let bomb: Buffer;
  beforeAll(() => {
    const start = Buffer.from('{"accounts":[');
    bomb = gzipSync(Buffer.concat([start, Buffer.alloc(200 * 1024 * 1024, '{},')]));
  });

  test('error: --load-state', async () => {
    const path = join(folder, 'bomb.json');
    writeFileSync(path, bomb);
    const { status, errors } = await runProgram('start', '--ethereum', '--port', '0', '--load-state', path);
    expect(status).not.toBe(0);
    expect(errors).toContain(refusal);
  });

  test.each(['anvil_loadState', 'hardhat_loadState'])(
    'error: %s, and the next one is loaded',
    async (method) => {
      const program = await startProgram('--ethereum');
      try {
        const state = await program.call('anvil_dumpState');
        const { error } = await program.response(method, `0x${bomb.toString('hex')}`);
        expect(error?.message).toContain('a dump has at most');
        expect(await program.call('anvil_loadState', state)).toBe(true);
      } finally {
        await program.stop();
      }
    },
  );
});
