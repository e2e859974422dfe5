/**
 * A lock among processes: a file that holds the process id of its owner.
 * A lock whose owner has ended is taken over.
 */

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks at a lock that another process holds. */
const POLL_INTERVAL_MS = 100;
/** Milliseconds that a process waits for the lock of another: a first set-up on a slow line takes minutes. */
const WAIT_TIMEOUT_MS = 15 * 60 * 1000;

/**
 * Runs `work` while this process holds the lock at `path`, and gives the lock back afterwards.
 *
 * @param {string} path the lock file; its folder is made when it is missing
 * @param {(owner: number) => void} onWait called once, with the owner's process id, when the lock is taken
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what `work` returns
 * @throws {Error} when the other process keeps the lock too long
 * @template T
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  await acquire(path, onWait);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path, onWait) {
  let isAnnounced = false;
  for (let waited = 0; waited < WAIT_TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    if (tryAcquire(path)) return;
    const owner = ownerOf(path);
    if (owner === undefined) continue;
    if (!isRunning(owner)) {
      removeStale(path, owner);
      continue;
    }
    if (!isAnnounced) onWait(owner);
    isAnnounced = true;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(
    `the lock ${path} is held by process ${ownerOf(path)}; remove the file if that is not a set-up`,
  );
}

/** A link appears at once and with its content, so that nobody reads a lock without an owner. */
function tryAcquire(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function ownerOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A lock with our own process id is one that an earlier process of that number left behind. */
function isRunning(processId) {
  if (!Number.isSafeInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Renaming lets one process win; one that took a fresh lock by mistake puts it back. */
function removeStale(path, owner) {
  const taken = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, taken);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (Number(readFileSync(taken, 'utf8')) === owner || Number.isNaN(owner)) rmSync(taken);
  else renameSync(taken, path);
}
