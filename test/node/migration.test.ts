import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentOf } from '../../src/node/chain.testing.ts';
import { killedBeforeStep } from '../killed-program.ts';
import { runProgram } from '../program.ts';

const FORMER = gunzipSync(readFileSync(new URL('../store-formats/format-4.mdb.gz', import.meta.url)));

let above = '';
beforeAll(() => {
  above = mkdtempSync(join(tmpdir(), 'ledgerd-migration-'));
});
afterAll(() => rmSync(above, { recursive: true }));

/** A data folder with the chain of 20 blocks that an earlier version made. */
function folderOf(name: string): string {
  const folder = join(above, name);
  mkdirSync(join(folder, 'ledger'), { recursive: true });
  writeFileSync(join(folder, 'ledger', 'ledger.mdb'), FORMER);
  return folder;
}

/** Lists the content of a chain in any format, without the index of operations by address and undo records. */
async function chainOf(folder: string): Promise<string[]> {
  const format = `meta ${Buffer.from('format').toString('hex')}`;
  const lines = await contentOf(folder, 'addressOperations');
  return lines.filter((line) => !line.startsWith(format) && !/^blocks [0-9a-f]{16} /.test(line));
}

test('behavior: a start that is killed at any step of a migration leaves the whole chain', async () => {
  const before = await chainOf(folderOf('untouched'));
  const formats: number[] = [];
  for (let step = 1; ; step += 1) {
    const folder = folderOf(`killed-${step}`);
    // Its genesis is not that of the flags, which is found out when the store is open.
    const words = ['start', '--test', '--data-dir', folder, '--port', '0', '--quiet'];
    const status = await killedBeforeStep(words, folder, step);
    expect(await chainOf(folder)).toEqual(before);
    const [line = ''] = (await contentOf(folder)).filter((entry) => entry.includes('666f726d6174'));
    formats.push(Number(line.at(-1)));
    const again = await killedBeforeStep(words, folder, 1_000_000);
    expect([again, await chainOf(folder)]).toEqual([3, before]);
    const kept = join(folder, 'ledger.before-format-5');
    expect(readdirSync(kept)).toEqual(['ledger.mdb']);
    expect(readFileSync(join(kept, 'ledger.mdb')).equals(FORMER)).toBe(true);
    expect(existsSync(join(folder, 'ledger.to-format-5'))).toBe(false);
    if (status !== undefined) break;
  }
  expect(formats.filter((format) => format === 4).length).toBeGreaterThan(3);
  expect(formats.at(-1)).toBe(5);
  expect(formats).toEqual([...formats].sort());
}, 240_000);

test('behavior: a chain of an earlier format is checked, and read by every command, as it is', async () => {
  const folder = folderOf('read');
  for (const words of [['verify'], ['verify', '--quick'], ['info']]) {
    const { status, errors } = await runProgram(...words, '--data-dir', folder);
    expect([words, status, errors]).toEqual([words, 0, '']);
  }
  expect(readFileSync(join(folder, 'ledger', 'ledger.mdb')).equals(FORMER)).toBe(true);
});
