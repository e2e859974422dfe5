import { once } from 'node:events';
import { existsSync, lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { LedgerdError, messageOf } from '../../protocol/index.ts';

/** Connections in the accept queue of the system: the server accepts one in each iteration of the event loop. */
export const LISTEN_BACKLOG = 4_096;

/** Bytes of the path of a Unix socket: those of macOS, the fewest. */
const PATH_BYTES_MAX = 103;
/** Removes the permissions of everybody but the owner, and those to execute: the socket has the mode 0600. */
const OWNER_ONLY = 0o177;

/** The socket of `--ipc` cannot be made. */
export class IpcError extends LedgerdError {
  override readonly code = 'IPC';

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`the IPC socket ${path}: ${reason}`, options);
  }
}

/**
 * Listens at a Unix socket, which only its owner may use. A socket that nobody listens at is replaced. The file is
 * removed when the server closes.
 * @throws IpcError
 */
export async function listenAtPath(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const bytes = Buffer.byteLength(path);
  if (bytes > PATH_BYTES_MAX) {
    throw new IpcError(path, `its path has ${bytes} bytes, more than the ${PATH_BYTES_MAX} of a socket`);
  }
  if (!existsSync(dirname(path))) throw new IpcError(path, 'its folder does not exist');
  try {
    await removeUnused(path);
    // A client that has sent its last request still gets the responses.
    return await listening(createServer({ allowHalfOpen: true }, onConnection), path);
  } catch (cause) {
    throw cause instanceof IpcError ? cause : new IpcError(path, messageOf(cause), { cause });
  }
}

async function listening(server: Server, path: string): Promise<Server> {
  const umask = process.umask(OWNER_ONLY);
  try {
    // The file is made at once.
    server.listen({ path, backlog: LISTEN_BACKLOG });
  } finally {
    process.umask(umask);
  }
  await once(server, 'listening');
  return server;
}

/** Removes a socket that nobody listens at. @throws IpcError for one in use, and for any other file */
async function removeUnused(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket()) throw new IpcError(path, 'a file that is no socket is there');
  if (await isServed(path)) throw new IpcError(path, 'another process listens there');
  rmSync(path);
}

async function isServed(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') return false;
    throw cause;
  } finally {
    socket.destroy();
  }
}
