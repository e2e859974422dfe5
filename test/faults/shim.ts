import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('shim.c', import.meta.url));
const TARGET = fileURLToPath(new URL('../../build/faults.so', import.meta.url));

/** Kinds of failures of a call; with `+` all later calls fail too. */
export const FAULT_KINDS = ['ENOSPC+', 'EIO', 'short', 'EDQUOT', 'EIO+', 'ENOSPC'] as const;

/** A fault below a folder; none without a number. */
export interface Fault {
  readonly below: string;
  /** File with a line for each counted call, beside the folder. */
  readonly log: string;
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

/** A command line, to be followed by another one, under which calls fail. */
export function withFault({ below, log, at, kind }: Fault): string[] {
  rmSync(log, { force: true });
  const failing = at === undefined || kind === undefined ? [] : [`FAULTS_AT=${at}`, `FAULTS_KIND=${kind}`];
  return ['env', `LD_PRELOAD=${TARGET}`, `FAULTS_BELOW=${below}`, `FAULTS_LOG=${log}`, ...failing];
}

/** The calls that were counted, a line for each, such as `17 pwrite /ledger.mdb !`. */
export function countedCalls({ log }: Fault): string[] {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
