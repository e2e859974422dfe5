import { printable } from './log.ts';

/** What the operating system's answers mean for somebody who starts a node. */
const MEANINGS = new Map(
  Object.entries({
    EADDRINUSE: 'the port is in use; --port names another, --port 0 takes a free one',
    EADDRNOTAVAIL: 'the address of --host is none of this machine',
    ENOTFOUND: 'the name of --host is unknown',
    EAI_AGAIN: 'the name of --host cannot be resolved at the moment',
    ENOSPC: 'no space is left on the device',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is no folder',
  }),
);

/**
 * Says in one line why the node could not start.
 * @param error whatever was thrown; the reasons of the operating system are looked for along its causes
 */
export function startFailure(error: unknown): string {
  const message = printable(error instanceof Error ? error.message : String(error));
  const meaning = MEANINGS.get(systemCode(error) ?? '');
  return meaning === undefined ? message : `${message}: ${meaning}`;
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && MEANINGS.has(error.code)) return error.code;
  return systemCode(error.cause);
}
