/** Load by wrk: one thread, which asks one thing after the other, so that no two answers need be the same. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('requests.lua', import.meta.url));
const run = promisify(execFile);

/**
 * Sends the requests that are the lines of a file, over connections that stay open, again from the first on when all
 * have been sent.
 *
 * @param {{ port: number, file: string, from: number, connections: number, seconds: number }} load `from` is the line
 *   to begin with
 * @returns {Promise<{ requests: number, rate: number, late: number }>} answers, and how many a second; milliseconds
 *   that 99 of 100 of them took at most
 * @throws when an answer failed
 */
export async function sendLines({ port, file, from, connections, seconds }) {
  const { stdout } = await run('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${Math.ceil(seconds)}s`],
    ...['--timeout', '60s', '--script', SCRIPT, `http://127.0.0.1:${port}/`, '--', file, String(from)],
  ]);
  const { requests, seconds: taken, late, failed } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`);
  if (requests === 0) throw new Error('nothing was answered in time');
  return { requests, rate: requests / taken, late };
}
