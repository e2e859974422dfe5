import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Evaluates CommonJS in the checkout, and returns its JSON result. */
function evaluate(body: string, ...parameters: readonly string[]): unknown {
  const program = `(async () => { ${body} })().then((value) => console.log(JSON.stringify(value)))`;
  const run = spawnSync(process.execPath, ['--eval', program, ...parameters], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}

describe('loadProgram', () => {
  const program = () => join(folder, 'ledgerd.cjs');
  const code = () => join(folder, 'ledgerd.cache');

  /** Writes a program that prints a text; texts of one length give files of one length. */
  function write(answer: string): void {
    const id = answer.repeat(64).slice(0, 64);
    writeFileSync(program(), `(function (exports) { exports.answer = () => '${answer}'; })\n// ${id}`);
  }

  /** Loads the program and returns its text, after the time to cache its code. */
  const load = (milliseconds: number) =>
    evaluate(
      `const { loadProgram } = require('./bin/load-program.js');
       const { answer } = loadProgram(process.argv[1]);
       const given = answer();
       await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
       return given;`,
      program(),
    );

  test('default: the code cache is written after a longer start, and reused afterwards', () => {
    write('one');
    expect(load(0)).toBe('one');
    expect(existsSync(code())).toBe(false);
    expect(load(1_500)).toBe('one');
    const kept = readFileSync(code());
    expect(load(1_500)).toBe('one');
    expect(readFileSync(code())).toEqual(kept);
  });

  test('behavior: the code is taken again by a process that has functions optimised sooner', () => {
    write('one');
    const soon = (milliseconds: number) =>
      evaluate(
        `const { loadProgram, optimiseSoonAfterStart } = require('./bin/load-program.js');
         const { answer } = loadProgram(process.argv[1]);
         optimiseSoonAfterStart();
         await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
         return answer();`,
        program(),
      );
    expect(soon(1_500)).toBe('one');
    const kept = readFileSync(code());
    expect(soon(1_500)).toBe('one');
    expect(readFileSync(code())).toEqual(kept);
  });

  test('behavior: the code of another build is not taken, though it has the same length', () => {
    write('one');
    load(1_500);
    write('two');
    expect(load(1_500)).toBe('two');
    expect(load(0)).toBe('two');
  });

  test('error: a damaged code cache is regenerated', () => {
    write('one');
    load(1_500);
    const kept = readFileSync(code());
    writeFileSync(code(), kept.subarray(0, 100));
    expect(load(1_500)).toBe('one');
    expect(readFileSync(code()).length).toBe(kept.length);
  });

  test('error: the program runs when the code cache cannot be written', () => {
    write('one');
    mkdirSync(code());
    expect(load(1_500)).toBe('one');
  });
});

describe('isUnchanged', () => {
  const unchanged = () =>
    evaluate("return require('./scripts/unchanged.cjs').isUnchanged(process.argv[1]);", folder);
  const note = () =>
    evaluate(
      "const { lookAtInputs, note } = require('./scripts/unchanged.cjs');" +
        'note(process.argv[1], lookAtInputs(process.argv[1])); return true;',
      folder,
    );

  beforeEach(() => {
    const files = [
      ...['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'scripts/setup.js'],
      ...['tsconfig.json', 'tsconfig.build.json', 'src/room/index.ts', 'src/room/index.test.ts'],
      ...['explorer/index.html', 'build/explorer/index.html', 'build/secp256k1/linux-x64/secp256k1.node'],
      ...['evm', 'evm-steps', 'hashes', 'mcl', 'precompiles', 'signatures'].map(
        (name) => `build/${name}.wasm`,
      ),
      ...['blob-worker.js', 'ledgerd.cjs', 'query-worker.js', 'signature-worker.js', 'solver-worker.js'].map(
        (file) => `build/program/${file}`,
      ),
    ].map((name) => join(folder, name));
    for (const file of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'text');
    }
    note();
  });

  test('default', () => {
    expect(unchanged()).toBe(true);
  });

  test('behavior: a test is no part of the program', () => {
    writeFileSync(join(folder, 'src/room/index.test.ts'), 'other text');
    expect(unchanged()).toBe(true);
  });

  test.each([
    ['a source of another length', () => writeFileSync(join(folder, 'src/room/index.ts'), 'longer text')],
    ['an older source', () => utimesSync(join(folder, 'src/room/index.ts'), 0, 0)],
    ['a new source', () => writeFileSync(join(folder, 'src/room/new.ts'), 'text')],
    ['a source that is gone', () => rmSync(join(folder, 'src/room/index.ts'))],
    ['other packages', () => writeFileSync(join(folder, 'node_modules/.package-lock.json'), 'others')],
    ['a file of the build that is gone', () => rmSync(join(folder, 'build/program/ledgerd.cjs'))],
    ['no note', () => rmSync(join(folder, 'build/unchanged.json'))],
  ])('behavior: %s is a change', (_title, change) => {
    change();
    expect(unchanged()).toBe(false);
  });
});
