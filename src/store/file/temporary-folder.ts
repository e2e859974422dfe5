import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { lstat, opendir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazily } from '../../caching/lazily.ts';

/** The temporary folders of this process that still exist. */
const folders = new Set<string>();

/** Prefix, scope, process id and its start, and the random end of `mkdtemp`. */
const NAME = /^ledgerd-([0-9a-f]{16})-([0-9]+)-([0-9]+)-[A-Za-z0-9]{6}$/;
const SCOPE_DIGITS = 16;
/** Names in the folder of temporary files that a process looks at. */
const MOST_NAMES = 20_000;
/** The position of the start among the fields of `/proc/PID/stat` after the name of the program. */
const START_FIELD = 19;

let hasLooked = false;

/**
 * Creates an empty folder among the system's temporary files. It is removed at the exit of the process, if not earlier.
 * If the process is killed, the first call in a later one removes it: its name has the id and the start of the process.
 */
export function createTemporaryFolder(): string {
  if (!hasLooked) void removeAbandonedFolders();
  hasLooked = true;
  const { pid } = process;
  const folder = mkdtempSync(join(tmpdir(), `ledgerd-${scope()}-${pid}-${startOf(pid) ?? 0}-`));
  if (folders.size === 0) process.on('exit', removeTemporaryFolders);
  folders.add(folder);
  return folder;
}

export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeTemporaryFolders);
}

function removeTemporaryFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Removes the folders of this user whose processes have ended, one after another, while other work goes on. */
async function removeAbandonedFolders(): Promise<void> {
  try {
    let count = 0;
    for await (const { name } of await opendir(tmpdir())) {
      count += 1;
      if (count > MOST_NAMES) return;
      if (isAbandoned(name)) await removeOwnFolder(join(tmpdir(), name));
    }
  } catch {
    // Without a list of the names nothing is removed, and a store that cannot be created there says so.
  }
}

async function removeOwnFolder(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    // Windows has no user ids, and a separate folder for each user.
    const isOwn = process.getuid === undefined || stats.uid === process.getuid();
    if (stats.isDirectory() && isOwn) await rm(path, { recursive: true, force: true });
  } catch {
    // Another process that starts removes the same folder, or a later one removes the rest.
  }
}

/** Returns true for the name of a folder whose process has ended. */
function isAbandoned(name: string): boolean {
  const [, ofScope, id, start] = NAME.exec(name) ?? [];
  if (ofScope !== scope()) return false;
  const now = startOf(Number(id));
  return now === undefined ? !isRunning(Number(id)) : String(now) !== start;
}

/** Returns true for a process that runs, or may run. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Returns the moment at which a process was started, which no later process of its id has; undefined if unknown. */
function startOf(id: number): number | undefined {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
    return Number(fields.split(' ')[START_FIELD]);
  } catch {
    return undefined;
  }
}

/** Identifies the processes whose ids this process knows: those of its container since the start of the system. */
const scope = lazily((): string => {
  let parts = [hostname()];
  try {
    parts = [readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), readlinkSync('/proc/self/ns/pid')];
  } catch {
    // Systems other than Linux have no such files.
  }
  return createHash('sha256').update(parts.join()).digest('hex').slice(0, SCOPE_DIGITS);
});
