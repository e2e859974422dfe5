import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FOLDER_CLAIM_ATTEMPTS, FOLDER_CLAIM_PAUSE_MS } from '../limits.ts';
import { messageOf } from '../protocol/index.ts';
import { DataFolderError } from './errors.ts';

const CLAIM_PREFIX = '.in-use-';
const CLAIM_RANDOM_BYTES = 8;

/**
 * Claims a folder for this process: two nodes that write one chain would ruin it. A claim is a local socket in the
 * folder with a random name, at which its process listens. So only users with write access can claim it, containers
 * with a common volume see each other's claims, and the system ends a claim with its process; a name without a listener
 * stays behind. A process listens first and looks for other claims then: of two at the same time at least one sees the
 * other and aborts.
 * @param path a folder that exists
 * @returns the function that releases it
 * @throws DataFolderError when another process holds the folder, or it takes no sockets
 */
export async function lockFolder(path: string, platform = process.platform): Promise<() => Promise<void>> {
  for (let attempt = 1; attempt <= FOLDER_CLAIM_ATTEMPTS; attempt += 1) {
    const claim = platform === 'win32' ? await claimByPipe(path) : await claimBySocket(path);
    if (claim !== undefined) return claim;
    // Two that gave up because of each other are not to meet again.
    if (attempt < FOLDER_CLAIM_ATTEMPTS) await delay(FOLDER_CLAIM_PAUSE_MS * (1 + Math.random()));
  }
  throw new DataFolderError('inUse', `the data folder ${path} is in use by another running ledgerd`);
}

/** Returns true if a process holds the folder at this moment. */
export async function isFolderLocked(path: string, platform = process.platform): Promise<boolean> {
  if (platform === 'win32') return isListening(pipeOf(path));
  const folder = new OpenFolder(path);
  try {
    return await othersListen(folder, undefined);
  } finally {
    folder.close();
  }
}

/** Claims once; undefined where there is another claim. */
async function claimBySocket(path: string): Promise<(() => Promise<void>) | undefined> {
  const folder = new OpenFolder(path);
  const name = CLAIM_PREFIX + randomBytes(CLAIM_RANDOM_BYTES).toString('hex');
  let server: Server | undefined;
  // The end of the server takes its name away, which needs the folder.
  const letGo = async (): Promise<void> => {
    if (server !== undefined) await closed(server);
    folder.close();
  };
  try {
    server = await listenIn(folder, name);
    // Whoever looked before this one listened may have taken it for a leftover, and its name away.
    if (!(await othersListen(folder, name)) && existsSync(folder.pathOf(name))) return letGo;
  } catch (error) {
    await letGo();
    throw error;
  }
  await letGo();
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

/** Returns true if another process holds the folder; removes names that crashed processes left. */
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

/** Claims by a pipe, whose name the system gives to one process at a time. */
async function claimByPipe(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const server = await listenAt(pipeOf(path));
    return () => closed(server);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Returns the name of a folder's pipe, the same by every path. */
function pipeOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `\\\\.\\pipe\\ledgerd-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
}

function listenAt(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    // The claim alone keeps no process alive.
    server.unref();
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Returns true if a process listens, or may: at a socket whose queue is full. */
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
