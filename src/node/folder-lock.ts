import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../protocol/index.ts';
import { DataFolderError } from './node-errors.ts';

/** Attempts to lock a data folder that another process seems to use, and the pause between two. */
const FOLDER_CLAIM_ATTEMPTS = 3;
const FOLDER_CLAIM_PAUSE_MS = 50;

const CLAIM_PREFIX = '.in-use-';
const CLAIM_RANDOM_BYTES = 8;

/**
 * Locks a folder for this process: two nodes that write one chain would destroy it. A lock is a local socket in the
 * folder with a random name, at which its process listens. So only users with write access can lock the folder,
 * containers with a common volume see each other's locks, and the system releases a lock with its process; a name
 * without a listener remains. A process listens first and then looks for other locks: of two processes at the same time
 * at least one sees the other and aborts.
 * @param path of an existing folder
 * @returns the function that releases the lock
 * @throws DataFolderError if another process has the lock, or the folder cannot have sockets
 */
export async function lockFolder(path: string, platform = process.platform): Promise<() => Promise<void>> {
  for (let attempt = 1; attempt <= FOLDER_CLAIM_ATTEMPTS; attempt += 1) {
    const lock = platform === 'win32' ? await lockByPipe(path) : await lockBySocket(path);
    if (lock !== undefined) return lock;
    // A random pause, since two processes may have aborted because of each other.
    if (attempt < FOLDER_CLAIM_ATTEMPTS) await delay(FOLDER_CLAIM_PAUSE_MS * (1 + Math.random()));
  }
  throw new DataFolderError('inUse', `the data folder ${path} is in use by another running ledgerd`);
}

/** Returns true if a process has the lock of a folder. */
export async function isFolderLocked(path: string, platform = process.platform): Promise<boolean> {
  if (platform === 'win32') return isListening(pipeOf(path));
  const folder = new OpenFolder(path);
  try {
    return await othersListen(folder, undefined);
  } finally {
    folder.close();
  }
}

/** Tries to lock once; returns undefined if another process has the lock. */
async function lockBySocket(path: string): Promise<(() => Promise<void>) | undefined> {
  const folder = new OpenFolder(path);
  const name = CLAIM_PREFIX + randomBytes(CLAIM_RANDOM_BYTES).toString('hex');
  let server: Server | undefined;
  // Closing the server removes its name, which needs the folder.
  const release = async (): Promise<void> => {
    if (server !== undefined) await closed(server);
    folder.close();
  };
  try {
    server = await listenIn(folder, name);
    // A process that looked before this one listened may have removed the name as an unused one.
    if (!(await othersListen(folder, name)) && existsSync(folder.pathOf(name))) return release;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}

async function listenIn(folder: OpenFolder, name: string): Promise<Server> {
  try {
    return await listenAt(folder.pathOf(name));
  } catch (cause) {
    const message = `the data folder ${folder.path} cannot be claimed: ${messageOf(cause)}`;
    throw new DataFolderError('unusable', message, { cause });
  }
}

/** Returns true if another process has the lock. Removes names that crashed processes left. */
async function othersListen(folder: OpenFolder, own: string | undefined): Promise<boolean> {
  for (const name of folder.names()) {
    if (!name.startsWith(CLAIM_PREFIX) || name === own) continue;
    if (await isListening(folder.pathOf(name))) return true;
    if (own !== undefined) rmSync(folder.pathOf(name), { force: true });
  }
  return false;
}

/** A folder by a path that is short enough for a socket address (unix(7): 108 bytes). */
class OpenFolder {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  }

  names(): string[] {
    return readdirSync(this.path);
  }

  pathOf(name: string): string {
    const descriptors = '/proc/self/fd';
    return existsSync(descriptors) ? `${descriptors}/${this.#descriptor}/${name}` : join(this.path, name);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Locks by a named pipe, which the system grants to one process at a time. */
async function lockByPipe(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const server = await listenAt(pipeOf(path));
    return () => closed(server);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Returns the name of a folder's pipe, which does not depend on the path. */
function pipeOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `\\\\.\\pipe\\ledgerd-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
}

function listenAt(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    // The lock alone does not keep the process alive.
    server.unref();
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Returns true if a process listens, or may: a socket with a full queue refuses connections as well. */
function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}
