import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolderError } from './errors.ts';

/** Length of a name in Linux's abstract socket space that leaves nothing to pad (unix(7): 108 bytes). */
const ABSTRACT_NAME_LENGTH = 108;

/**
 * Claims a folder for this process until it ends or lets go: two nodes that write one chain would ruin it.
 *
 * The claim is a listening local socket, named after the folder itself and not its path. The system takes it
 * back when the process ends in whatever way, so that no claim outlives a crash. Processes that do not share
 * their network (containers with a common volume) do not see each other's claims.
 *
 * @param path a folder that exists
 * @returns lets go
 * @throws DataFolderError when another process holds the folder
 */
export async function lockFolder(path: string, platform = process.platform): Promise<() => Promise<void>> {
  const address = lockAddress(path, platform);
  const server =
    (await tryListen(address)) ?? (leavesFiles(platform) ? await replaceLeftover(address) : undefined);
  if (server === undefined) {
    throw new DataFolderError('inUse', `the data folder ${path} is in use by another running ledgerd`);
  }
  // The claim alone keeps no process alive.
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Whether a process holds the folder. It may have come or gone when this is answered. */
export function isFolderLocked(path: string, platform = process.platform): Promise<boolean> {
  return isListening(lockAddress(path, platform));
}

/** The local socket that stands for a folder, whatever path leads to it. */
export function lockAddress(path: string, platform: NodeJS.Platform): string {
  const { dev, ino } = statSync(path, { bigint: true });
  const name = `ledgerd-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
  if (platform === 'linux') return `\0${name}`.padEnd(ABSTRACT_NAME_LENGTH, '.');
  return platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Where sockets are files, the file of a process that crashed stays behind. */
function leavesFiles(platform: NodeJS.Platform): boolean {
  return platform !== 'linux' && platform !== 'win32';
}

/** Takes the place of a socket that nobody listens at any more. */
async function replaceLeftover(address: string): Promise<Server | undefined> {
  if (await isListening(address)) return undefined;
  rmSync(address, { force: true });
  return tryListen(address);
}

function tryListen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => resolve(server));
  });
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
