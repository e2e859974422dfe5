import { deepStrictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { contentOf } from '../../src/node/chain.testing.ts';
import { Random } from '../fuzz/random.ts';
import { NodeProcess } from '../node-process.ts';
import { verify } from './commands.ts';
import { CrashFinding } from './finding.ts';

/** Options of a campaign. */
export interface MigrationKillOptions {
  readonly kills: number;
  /** Determines when the node is killed; the machine's own timing it does not. */
  readonly seed: number;
  report(line: string): void;
}

/** Kills by the format that the store had afterwards. */
export interface MigrationKillSummary {
  /** Files whose migration was killed. */
  readonly files: readonly string[];
  readonly former: number;
  readonly migrated: number;
}

/** Files that versions of before have written, of each format that is migrated: a chain, and what waited. */
const FORMER_FILES = new URL('../store-formats/', import.meta.url);
/** Key of the store's format in a dump. */
const FORMAT = `meta ${Buffer.from('format').toString('hex')}`;
/** The status of a start on the chain of another genesis, which is found out once the store is open. */
const OTHER_CHAIN = 3;
/** The copy of the old file, which a migration creates first. */
const COPY = 'ledger.before-format-5';
/** The draft of the store in its new format, which is removed at the end. */
const DRAFT = 'ledger.to-format-5';
/** Runs for measuring a migration, of which the shortest counts, since other load delays the others. */
const MEASURED_RUNS = 3;
/** No kill is later than after so much of the time that a migration takes. */
const LATEST_SHARE = 1.25;
/** Time-out of a migration in milliseconds, many times its usual duration. */
const MIGRATION_MS_MAX = 10_000;

/** A file of an earlier format. */
interface PreviousStore {
  readonly name: string;
  readonly file: Uint8Array;
  /** The content that every format holds. */
  readonly content: readonly string[];
  /** Milliseconds that its migration takes. */
  readonly wholeMs: number;
}

/**
 * Kills a node repeatedly while it migrates the store of an earlier format, each file in turn: the chain must be
 * complete in one format or the other, and the next start must have it in the newest one, with the old file beside it.
 *
 * @throws CrashFinding for anything else
 */
export async function runMigrationKills(options: MigrationKillOptions): Promise<MigrationKillSummary> {
  const above = mkdtempSync(join(tmpdir(), 'ledgerd-migrations-'));
  const random = new Random(options.seed);
  const summary = { former: 0, migrated: 0 };
  try {
    const formers = await formerStores(above);
    for (let kill = 1; kill <= options.kills; kill += 1) {
      const former = formers[kill % formers.length] as PreviousStore;
      const folder = folderIn(above, `killed-${kill}`, former.file);
      const milliseconds = random.below(1 + Math.ceil(former.wholeMs * LATEST_SHARE));
      await killAfter(folder, milliseconds);
      const isMigrated = await hasNewestFormat(folder);
      summary[isMigrated ? 'migrated' : 'former'] += 1;
      deepStrictEqual(await contentWithoutFormat(folder), former.content);
      await expectMigration(folder, former);
      options.report(
        `migration ${kill} of ${former.name}: killed after ${milliseconds} ms, ${isMigrated ? 'done' : 'not done'}`,
      );
      rmSync(folder, { recursive: true });
    }
    rmSync(above, { recursive: true });
    return { ...summary, files: formers.map(({ name }) => name) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CrashFinding(`seed ${options.seed}: ${message}\nthe folders are kept: ${above}`, {
      cause: error,
    });
  }
}

async function formerStores(above: string): Promise<readonly PreviousStore[]> {
  const names = readdirSync(FORMER_FILES).sort();
  const formers: PreviousStore[] = [];
  for (const name of names) {
    const file = gunzipSync(readFileSync(new URL(name, FORMER_FILES)));
    const content = await contentWithoutFormat(folderIn(above, `untouched-${name}`, file));
    let wholeMs = MIGRATION_MS_MAX;
    for (let run = 1; run <= MEASURED_RUNS; run += 1) {
      const folder = folderIn(above, `measured-${run}-${name}`, file);
      wholeMs = Math.min(wholeMs, await killAfter(folder, MIGRATION_MS_MAX));
    }
    formers.push({ name, file, content, wholeMs });
  }
  return formers;
}

function folderIn(above: string, name: string, file: Uint8Array): string {
  const folder = join(above, name);
  mkdirSync(join(folder, 'ledger'), { recursive: true });
  writeFileSync(join(folder, 'ledger', 'ledger.mdb'), file);
  return folder;
}

function startOn(folder: string): NodeProcess {
  return new NodeProcess(['start', '--test', '--data-dir', folder, '--port', '0', '--log-format', 'json']);
}

/**
 * Kills a start a number of milliseconds after its migration began, unless it ends before.
 * @returns the milliseconds of the migration so far
 */
async function killAfter(folder: string, milliseconds: number): Promise<number> {
  let began = Number.NaN;
  let lasted = 0;
  const watcher = watch(folder);
  const changed = new Promise<void>((resolve) => {
    watcher.on('change', (_event, name) => {
      if (Number.isNaN(began) && name === COPY) {
        began = performance.now();
        resolve();
      }
      if (name === DRAFT) lasted = performance.now() - began;
    });
  });
  const node = startOn(folder);
  const late = new AbortController();
  const { signal } = late;
  await Promise.race([changed.then(() => delay(milliseconds, undefined, { signal })), node.ended()]);
  late.abort();
  if (node.isRunning) await node.end('SIGKILL');
  watcher.close();
  return lasted;
}

/** Checks that the next start has the complete store in the newest format, and the old file beside it. */
async function expectMigration(folder: string, former: PreviousStore): Promise<void> {
  const { status } = await startOn(folder).ended();
  if (status !== OTHER_CHAIN) throw new CrashFinding(`the start after it ends with status ${status}`);
  if (!(await hasNewestFormat(folder))) throw new CrashFinding('the start after it does not migrate');
  deepStrictEqual(await contentWithoutFormat(folder), former.content);
  const kept = readFileSync(join(folder, COPY, 'ledger.mdb'));
  if (!kept.equals(former.file)) throw new CrashFinding('the former file is not kept as it was');
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
