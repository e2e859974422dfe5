import { createReadStream, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BlockRejectedError, formatGenesis, revertChain } from '../../ledger/index.ts';
import { openStore, openStoreForReading } from '../../store/index.ts';
import { chainGenesis, contentOf, headOf, makeChain, TestFolders, testJob } from '../chain.testing.ts';
import { lockFolder } from '../folder-lock.ts';
import { DataFolderError } from '../node-errors.ts';
import { archiveOf, type ExportChanges, exportTo, importFrom, readArchive } from './archive.testing.ts';
import { ArchiveError } from './format.ts';
import type { ImportOptions } from './import.ts';

const kept = new TestFolders();
const folders = new TestFolders();
/** A chain of 40 blocks. */
let chain: string;
/** The whole of it. */
let whole: string;

beforeAll(async () => {
  chain = kept.folder();
  whole = kept.unused('whole');
  await makeChain(chain, { blocks: 40 });
  await exported(whole);
});
afterAll(() => kept.clean());
afterEach(() => folders.clean());

const exported = (file: string, changes: ExportChanges = {}, work = testJob()) =>
  exportTo(file, { dataDir: chain, ...changes }, work);
const imported = (dataDir: string, file = whole, changes: Partial<ImportOptions> = {}, work = testJob()) =>
  importFrom(file, { dataDir, ...changes }, work);

describe('export', () => {
  test('default: a whole chain', async () => {
    const file = folders.unused('archive');
    const work = testJob();
    const report = await exported(file, {}, work);
    expect(report).toEqual({
      first: 1,
      last: 40,
      written: 40,
      fileBytes: statSync(file).size,
      interrupted: false,
    });
    expect(work.seen.at(-1)).toBe(40);
    expect(readFileSync(file)).toEqual(readFileSync(whole));
  });

  test('args: a range', async () => {
    const file = folders.unused('archive');
    expect(await exported(file, { from: 5, to: 7 })).toMatchObject({ first: 5, last: 7, written: 3 });
  });

  test('args: a stream', async () => {
    const parts: Uint8Array[] = [];
    const target = { write: async (bytes: Uint8Array) => void parts.push(bytes) };
    expect(await exported('', { target })).toMatchObject({ written: 40, fileBytes: undefined });
    expect(Buffer.concat(parts)).toEqual(readFileSync(whole));
  });

  test('behavior: a chain that has only its genesis', async () => {
    const dataDir = folders.folder();
    await makeChain(dataDir, { blocks: 0 });
    const file = folders.unused('archive');
    expect(await exported(file, { dataDir })).toMatchObject({ first: 1, last: 0, written: 0 });
    expect(await imported(folders.folder(), file)).toMatchObject({ imported: 0, head: 0 });
  });

  test('behavior: export succeeds while another process holds the folder lock', async () => {
    const release = await lockFolder(chain);
    try {
      expect(await exported(folders.unused('archive'))).toMatchObject({ written: 40 });
    } finally {
      await release();
    }
  });

  test('behavior: cut off anywhere, it is continued to the same archive', async () => {
    const { size } = statSync(whole);
    const file = folders.unused('archive');
    for (let length = 0; length < size; length += 331) {
      writeFileSync(file, readFileSync(whole));
      truncateSync(file, length);
      expect(await exported(file, { resume: true })).toMatchObject({ first: 1, last: 40 });
      // The chunks may be others, the blocks are the same.
      expect(await imported(chain, file)).toMatchObject({ known: 40, imported: 0 });
    }
  });

  test('behavior: an interrupted export is resumed after the last block', async () => {
    const file = folders.unused('archive');
    expect(await exported(file, {}, testJob(15))).toMatchObject({
      last: 15,
      written: 15,
      interrupted: true,
    });
    expect(await exported(file, { resume: true }, testJob(5))).toMatchObject({ last: 20, written: 5 });
    expect(await exported(file, { resume: true })).toMatchObject({
      last: 40,
      written: 20,
      interrupted: false,
    });
    expect(await imported(folders.folder(), file)).toMatchObject({ imported: 40 });
  });

  test('behavior: a whole archive is continued when the chain has grown, and left when it has not', async () => {
    const dataDir = folders.copyOf(chain);
    const file = folders.unused('archive');
    writeFileSync(file, readFileSync(whole));
    expect(await exported(file, { dataDir, resume: true })).toMatchObject({ written: 0, last: 40 });
    expect(readFileSync(file)).toEqual(readFileSync(whole));
    await makeChain(dataDir, { blocks: 2 });
    expect(await exported(file, { dataDir, resume: true })).toMatchObject({ written: 2, last: 42 });
    expect(await imported(folders.folder(), file)).toMatchObject({ imported: 42 });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['a file that is there', () => exported(whole), 'exists already: give --resume to continue it'],
    ['a folder that is not there', () => exported('/nowhere/archive'), 'cannot be opened'],
    ['a range beyond the head', () => exported(folders.unused('a'), { to: 41 }), 'up to 40 only, not to 41'],
    [
      'a first block beyond the head',
      () => exported(folders.unused('a'), { from: 42 }),
      'up to 40 only, not 42',
    ],
    [
      'another first block',
      () => exported(copied(), { from: 2, resume: true }),
      'begins with block 1, not with 2',
    ],
    ['an earlier last block', () => exported(copied(), { to: 39, resume: true }), 'up to 40, beyond 39'],
    ['another file', () => exported(written('PNG'), { resume: true }), 'this is not an archive of blocks'],
  ])('error: %s', async (_, action, message) => {
    await expect(action()).rejects.toThrow(ArchiveError);
    await expect(action()).rejects.toThrow(message);
  });

  test('error: an archive of a diverged chain is not resumed', async () => {
    const dataDir = folders.folder();
    await makeChain(dataDir, { blocks: 45, pending: 1 });
    // An additional block in between: its last block is not that of the chain.
    const other = folders.folder();
    await makeChain(other, { blocks: 20, pending: 1 });
    await makeChain(other, { blocks: 25 });
    const file = folders.unused('archive');
    await exported(file, { dataDir: other });
    const before = readFileSync(file);
    await expect(exported(file, { dataDir, resume: true })).rejects.toThrow('is not that of the chain');
    expect(readFileSync(file)).toEqual(before);
  });

  test('error: blocks reverted during the export', async () => {
    const dataDir = folders.copyOf(chain);
    const store = openStore({ path: join(dataDir, 'ledger'), durable: false });
    const work = {
      ...testJob(),
      onProgress: (_unit: string, done: number) => {
        if (done === 20) revertChain(store, 30);
      },
    };
    const file = folders.unused('archive');
    await expect(exported(file, { dataDir, to: 30 }, { ...work, seen: [] })).rejects.toThrow(
      'blocks were reverted during the export',
    );
    await store.close();
  });

  test('error: no chain', async () => {
    const dataDir = folders.folder();
    await expect(exported(folders.unused('a'), { dataDir })).rejects.toThrow(DataFolderError);
  });
});

describe('import', () => {
  test('default: into an empty folder, with every table the same', async () => {
    const dataDir = folders.folder();
    expect(await imported(dataDir)).toEqual({ imported: 40, known: 0, head: 40, interrupted: false });
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
    expect(existsSync(join(dataDir, 'genesis.json'))).toBe(false);
  });

  test('behavior: importing the chain of a node writes its genesis file and keeps no history', async () => {
    const source = folders.folder();
    await makeChain(source, { blocks: 3, kind: 'node', history: false });
    const file = folders.unused('archive');
    await exported(file, { dataDir: source });
    const dataDir = join(folders.folder(), 'made', 'here');
    await imported(dataDir, file);
    expect(readFileSync(join(dataDir, 'genesis.json'), 'utf8')).toBe(formatGenesis(chainGenesis()));
    expect(await contentOf(dataDir)).toEqual(await contentOf(source));
  });

  test('args: a last block, and history', async () => {
    const dataDir = folders.folder();
    expect(await imported(dataDir, whole, { to: 7, history: false })).toMatchObject({ imported: 7, head: 7 });
    const store = openStoreForReading(join(dataDir, 'ledger'));
    expect(store.history).toBe(false);
    await store.close();
  });

  test('behavior: an interrupted import is resumed after the last block', async () => {
    const dataDir = folders.folder();
    const first = await imported(dataDir, whole, {}, testJob(10));
    expect(first).toEqual({ imported: 10, known: 0, head: 10, interrupted: true });
    expect(await imported(dataDir)).toEqual({ imported: 30, known: 10, head: 40, interrupted: false });
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
  });

  test('behavior: a truncated archive imports its complete blocks, and the next import resumes', async () => {
    const dataDir = folders.folder();
    const file = folders.unused('archive');
    // Many small chunks: an archive that was continued again and again.
    for (let last = 4; last <= 40; last += 4) await exported(file, { to: last, resume: true });
    const bytes = readFileSync(file);
    let head = 0;
    for (let length = 700; length < bytes.length; length += 613) {
      const cut = folders.unused('cut');
      writeFileSync(cut, bytes.subarray(0, length));
      await expect(imported(dataDir, cut)).rejects.toThrow(
        /^the archive is cut off .* the chain's head is block \d+$/,
      );
      const now = (await headOf(dataDir)) ?? 0;
      expect(now % 4).toBe(0);
      expect(now).toBeGreaterThanOrEqual(head);
      head = now;
    }
    expect(head).toBeGreaterThan(20);
    await imported(dataDir, file);
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
  });

  test('error: an archive of another chain leaves the folder as it was', async () => {
    const dataDir = folders.folder();
    await imported(dataDir, whole, { to: 3 });
    const before = await contentOf(dataDir);
    const other = folders.folder();
    writeFileSync(join(other, 'genesis.json'), formatGenesis(chainGenesis('another producer')));
    await expect(imported(other)).rejects.toThrow('their genesis differs');
    expect(existsSync(join(other, 'ledger'))).toBe(false);
    expect(await contentOf(dataDir)).toEqual(before);
  });

  test('error: a chain that diverged from the archive', async () => {
    const dataDir = folders.folder();
    await makeChain(dataDir, { blocks: 20, pending: 1 });
    await makeChain(dataDir, { blocks: 5 });
    const before = await contentOf(dataDir);
    await expect(imported(dataDir)).rejects.toThrow(
      'block 21 of the archive is not that of the chain: they differ from there on; ' +
        "the chain's head is block 25",
    );
    expect(await contentOf(dataDir)).toEqual(before);
  });

  test('error: no wrong block gets in, however well it is packed', async () => {
    const { header, blocks } = await readArchive(createReadStream(whole));
    const list = [...blocks.values()];
    await fc.assert(
      fc.asyncProperty(fc.nat(list.length - 1), fc.nat(), async (index, place) => {
        const wrong = Uint8Array.from(list[index] ?? []);
        const bit = place % (wrong.length * 8);
        wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const file = folders.unused('wrong');
        writeFileSync(file, await archiveOf(header, 1, [list.with(index, wrong)]));
        const dataDir = folders.folder();
        const error = await imported(dataDir, file).catch((thrown: unknown) => thrown);
        expect(error instanceof ArchiveError || error instanceof BlockRejectedError).toBe(true);
        expect(await headOf(dataDir)).toBe(index);
      }),
      { numRuns: 15 },
    );
  });

  test('error: an archive that starts after the next block of the chain', async () => {
    const file = folders.unused('archive');
    await exported(file, { from: 5 });
    await expect(imported(folders.folder(), file)).rejects.toThrow(
      "the archive continues with block 5, but block 1 is needed; the chain's head is block 0",
    );
  });

  test('error: a file that is not an archive creates no folder', async () => {
    const dataDir = folders.unused('folder');
    await expect(imported(dataDir, written('nothing of the kind'))).rejects.toThrow(ArchiveError);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('error: a folder in use', async () => {
    const dataDir = folders.folder();
    const release = await lockFolder(dataDir);
    try {
      await expect(imported(dataDir)).rejects.toThrow('in use');
    } finally {
      await release();
    }
  });
});

function copied(): string {
  const file = folders.unused('copy');
  writeFileSync(file, readFileSync(whole));
  return file;
}

function written(text: string): string {
  const file = folders.unused('file');
  writeFileSync(file, text);
  return file;
}
