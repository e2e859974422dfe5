import { deepStrictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { contentOf } from '../../src/node/chain.testing.ts';
import { Random } from '../fuzz/random.ts';
import { NodeProcess } from '../node-process.ts';
import { verify } from './commands.ts';
import { CrashFinding } from './finding.ts';

/** What a campaign does. */
export interface MigrationKillOptions {
  readonly kills: number;
  /** Determines when the node is killed; the machine's own timing it does not. */
  readonly seed: number;
  report(line: string): void;
}

/** Kills by the format that the store had afterwards. */
export interface MigrationKillSummary {
  readonly former: number;
  readonly migrated: number;
}

/** A chain of 20 blocks, and what waited, that a version of before has written. */
const FORMER = gunzipSync(readFileSync(new URL('../store-formats/format-4.mdb.gz', import.meta.url)));
/** The name of the store's format in what it holds. */
const FORMAT = `meta ${Buffer.from('format').toString('hex')}`;
/** The status of a start on the chain of another genesis, which is found out once the store is open. */
const OTHER_CHAIN = 3;
/** What a migration makes first: the folder of the former file. */
const COPY = 'ledger.before-format-5';
/** Milliseconds that a migration has at most, which is many times what it takes. */
const MIGRATION_MS_MAX = 10_000;

/**
 * Kills a node again and again while it migrates the store of an earlier format: the chain is whole afterwards, in one
 * format or the other, and the next start has it in the newest one, with the former file beside it.
 *
 * @throws CrashFinding for anything else; the folder stays then
 */
export async function runMigrationKills(options: MigrationKillOptions): Promise<MigrationKillSummary> {
  const above = mkdtempSync(join(tmpdir(), 'ledgerd-migrations-'));
  const random = new Random(options.seed);
  const before = await contentWithoutFormat(folderIn(above, 'untouched'));
  const summary = { former: 0, migrated: 0 };
  try {
    const wholeMs = Math.ceil(await killAfter(folderIn(above, 'measured'), MIGRATION_MS_MAX));
    for (let kill = 1; kill <= options.kills; kill += 1) {
      const folder = folderIn(above, `killed-${kill}`);
      const milliseconds = random.below(1 + wholeMs);
      await killAfter(folder, milliseconds);
      const isMigrated = await hasNewestFormat(folder);
      summary[isMigrated ? 'migrated' : 'former'] += 1;
      deepStrictEqual(await contentWithoutFormat(folder), before);
      await expectMigration(folder, before);
      options.report(
        `migration ${kill}: killed after ${milliseconds} ms, ${isMigrated ? 'done' : 'not done'}`,
      );
      rmSync(folder, { recursive: true });
    }
    rmSync(above, { recursive: true });
    return summary;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CrashFinding(`seed ${options.seed}: ${message}\nthe folders are kept: ${above}`, {
      cause: error,
    });
  }
}

function folderIn(above: string, name: string): string {
  const folder = join(above, name);
  mkdirSync(join(folder, 'ledger'), { recursive: true });
  writeFileSync(join(folder, 'ledger', 'ledger.mdb'), FORMER);
  return folder;
}

function startOn(folder: string): NodeProcess {
  return new NodeProcess(['start', '--test', '--data-dir', folder, '--port', '0', '--log-format', 'json']);
}

/**
 * Kills a start so many milliseconds after its migration began, or lets it end by itself before.
 * @returns the milliseconds that it had
 */
async function killAfter(folder: string, milliseconds: number): Promise<number> {
  let began = Number.NaN;
  const changed = new Promise<void>((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (name?.startsWith(COPY) !== true) return;
      watcher.close();
      began = performance.now();
      resolve();
    });
  });
  const node = startOn(folder);
  const late = new AbortController();
  const { signal } = late;
  await Promise.race([changed.then(() => delay(milliseconds, undefined, { signal })), node.ended()]);
  const ms = performance.now() - began;
  late.abort();
  if (node.isRunning) await node.end('SIGKILL');
  return ms;
}

/** The next start has the store in the newest format, all that it held in it, and the former file beside it. */
async function expectMigration(folder: string, before: readonly string[]): Promise<void> {
  const { status } = await startOn(folder).ended();
  if (status !== OTHER_CHAIN) throw new CrashFinding(`the start after it ends with status ${status}`);
  if (!(await hasNewestFormat(folder))) throw new CrashFinding('the start after it does not migrate');
  deepStrictEqual(await contentWithoutFormat(folder), before);
  const kept = readFileSync(join(folder, COPY, 'ledger.mdb'));
  if (!kept.equals(FORMER)) throw new CrashFinding('the former file is not kept as it was');
  await verify(folder);
}

/** Not the index of operations by address either, nor what takes it back. */
async function contentWithoutFormat(folder: string): Promise<string[]> {
  const lines = await contentOf(folder, 'addressOperations');
  return lines.filter((line) => !line.startsWith(FORMAT) && !/^blocks [0-9a-f]{16} /.test(line));
}

async function hasNewestFormat(folder: string): Promise<boolean> {
  const [line = ''] = (await contentOf(folder)).filter((entry) => entry.startsWith(FORMAT));
  return line.endsWith('5');
}
