import { createReadStream, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addBlocks, CommandFolders, run } from './chain.testing.ts';

const folders = new CommandFolders();
/** The folder of a chain of 12 blocks. */
let chain = '';
/** The whole of it. */
let archive = '';

beforeAll(async () => {
  chain = folders.folder();
  archive = folders.unused('archive');
  await addBlocks(chain, 12);
  await run(['export', '--data-dir', chain, archive]);
});
afterAll(() => folders.clean());

describe('export', () => {
  test('default: a new file and a line about it', async () => {
    const file = folders.unused('archive');
    const { status, output, errors } = await run(['export', '--data-dir', chain, file]);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/ has blocks 1 to 12, 12 of them written now, [\d.]+ KiB, in [\d.]+ s\n$/);
    expect(readFileSync(file)).toEqual(readFileSync(archive));
  });

  test('args: --from, --to and stdout, which receives only the archive', async () => {
    const words = ['export', '--data-dir', chain, '--from', '5', '--to', '6', '-'];
    const { status, output, bytes, errors } = await run(words);
    expect({ status, output }).toEqual({ status: 0, output: '' });
    expect(errors).toMatch(/^standard output has blocks 5 to 6, 2 of them written now, in [\d.]+ s\n$/);
    expect(Buffer.from(bytes.subarray(0, 8)).toString()).toBe('ledgerd\n');
  });

  test('args: --resume', async () => {
    const file = folders.unused('archive');
    writeFileSync(file, readFileSync(archive));
    truncateSync(file, 500);
    const { status, output } = await run(['export', '--data-dir', chain, '--resume', file]);
    expect(status).toBe(0);
    expect(output).toContain('has blocks 1 to 12, 12 of them written now');
    expect(readFileSync(file)).toEqual(readFileSync(archive));
  });

  test('behavior: interrupted', async () => {
    const file = folders.unused('archive');
    const stopped = await run(['export', '--data-dir', chain, file], { isStopped: true });
    expect(stopped).toMatchObject({ status: 1, output: '' });
    expect(stopped.errors).toMatch(
      /^ledgerd: cannot export: interrupted (after block \d+|before the first block): /,
    );
    expect(stopped.errors).toMatch(/: the same command with --resume continues\n$/);
    expect((await run(['export', '--data-dir', chain, '--resume', file])).status).toBe(0);
  });

  test.each<[words: string[], status: number, message: string]>([
    [['-', '--resume'], 2, '--resume: an archive on the standard output cannot be continued; name a file'],
    [['a', '--from', '3', '--to', '2'], 2, '--from 3 comes after --to 2'],
    [['a', '--from', '0'], 2, '--from: expected a whole number from 1 to 4294967295, got "0"'],
    [[], 2, "missing required argument 'file'"],
    [['nowhere/archive'], 1, 'cannot export: nowhere/archive cannot be opened: ENOENT'],
    [['nowhere/archive', '--to', '13'], 1, 'cannot export: the chain has blocks up to 12 only, not to 13'],
  ])('error: %j', async (words, status, message) => {
    const ended = await run(['export', '--data-dir', chain, ...words]);
    expect(ended).toMatchObject({ status, output: '' });
    expect(ended.errors).toContain(`ledgerd: ${message}`);
  });

  test('error: a file that is there', async () => {
    const { status, errors } = await run(['export', '--data-dir', chain, archive]);
    expect(status).toBe(1);
    expect(errors).toContain('exists already: give --resume to continue it, or another name');
  });

  test('error: no chain', async () => {
    const { status, errors } = await run(['export', '--data-dir', folders.folder(), folders.unused('a')]);
    expect(status).toBe(3);
    expect(errors).toContain('ledgerd: cannot export: there is no chain in ');
  });
});

describe('import', () => {
  test('default: imports into a new folder, and a second import skips stored blocks', async () => {
    const dataDir = folders.unused('chain');
    const first = await run(['import', '--data-dir', dataDir, archive]);
    expect(first).toMatchObject({ status: 0, errors: '' });
    expect(first.output).toMatch(/^blocks imported: 12; the head is block 12, in [\d.]+ s\n$/);
    const again = await run(['import', '--data-dir', dataDir, archive]);
    expect(again.output).toMatch(/^blocks imported: 0, already stored: 12; the head is block 12, in/);
  });

  test('args: the standard input, --to and --history', async () => {
    const dataDir = folders.unused('chain');
    const input = createReadStream(archive);
    const words = ['import', '--data-dir', dataDir, '--to', '7', '--history', '-'];
    expect(await run(words, { input })).toMatchObject({ status: 0, errors: '' });
    const { output } = await run(['info', '--json', '--data-dir', dataDir]);
    expect(JSON.parse(output)).toMatchObject({ head: { number: 7 }, history: true });
  });

  test('behavior: interrupted', async () => {
    const dataDir = folders.unused('chain');
    const stopped = await run(['import', '--data-dir', dataDir, archive], { isStopped: true });
    expect(stopped).toMatchObject({ status: 1, output: '' });
    expect(stopped.errors).toMatch(
      /^ledgerd: cannot import: interrupted( after block \d+: the same command continues after it)?\n$/,
    );
    expect((await run(['import', '--data-dir', dataDir, archive])).output).toContain('the head is block 12');
  });

  test('error: a cut archive', async () => {
    const file = folders.unused('cut');
    writeFileSync(file, readFileSync(archive).subarray(0, -1));
    const { status, errors } = await run(['import', '--data-dir', folders.unused('chain'), file]);
    expect(status).toBe(1);
    expect(errors).toBe(
      "ledgerd: cannot import: the archive is cut off before the end of block 13; the chain's head is block 12\n",
    );
  });

  test('error: no such file', async () => {
    const dataDir = folders.unused('chain');
    const { status, errors } = await run(['import', '--data-dir', dataDir, folders.unused('archive')]);
    expect(status).toBe(1);
    expect(errors).toMatch(/^ledgerd: cannot import: ENOENT[^\n]*\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });
});
