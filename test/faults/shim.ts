import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('shim.c', import.meta.url));
const TARGET = fileURLToPath(new URL('../../build/faults.so', import.meta.url));

/** Kinds of failures of a call; with `+` all later calls fail too. */
export const FAULT_KINDS = ['ENOSPC+', 'EIO', 'short', 'EDQUOT', 'EIO+', 'ENOSPC'] as const;

/** The number of the call that fails, and how; none without a number. */
export interface FaultChoice {
  readonly at?: number;
  readonly kind?: (typeof FAULT_KINDS)[number];
}

/**
 * Compiles the library by the system's C compiler.
 * @returns false without a compiler, or on another system
 */
export function compileShim(): boolean {
  if (process.platform !== 'linux') return false;
  mkdirSync(fileURLToPath(new URL('../../build', import.meta.url)), { recursive: true });
  const compiling = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', TARGET, SOURCE, '-ldl'],
    {
      encoding: 'utf8',
    },
  );
  if (compiling.error !== undefined) return false;
  if (compiling.status !== 0) throw new TypeError(`${SOURCE} cannot be compiled: ${compiling.stderr}`);
  return true;
}

/**
 * Runs a scenario in a new folder, with or without a fault below it. Returns the number of counted calls.
 *
 * @param scenario gets the words before a command line under which calls are counted, and fail
 */
export async function countCalls(
  folder: string,
  { at, kind }: FaultChoice,
  scenario: (launcher: readonly string[]) => Promise<void>,
): Promise<number> {
  // A line for each call, such as `17 pwrite /ledger.mdb !`.
  const log = `${folder}.log`;
  for (const path of [folder, log]) rmSync(path, { recursive: true, force: true });
  const failing = at === undefined || kind === undefined ? [] : [`FAULTS_AT=${at}`, `FAULTS_KIND=${kind}`];
  await scenario(['env', `LD_PRELOAD=${TARGET}`, `FAULTS_BELOW=${folder}`, `FAULTS_LOG=${log}`, ...failing]);
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').length : 0;
}
