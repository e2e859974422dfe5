/** Load by wrk: one thread, which asks one thing after the other, so that no two answers need be the same. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('requests.lua', import.meta.url));
const run = promisify(execFile);

/** Requests that wrk makes for a second of load: more than can be answered. */
const LINES_A_SECOND = 100_000;

/**
 * Sends the requests that are the lines of a file, over connections that stay open.
 *
 * @param {{ port: number, file: string, from: number, connections: number, seconds: number }} load `from` is the line
 *   to begin with; at least one is left there
 * @returns {Promise<{ requests: number, rate: number }>} answers, and how many a second
 * @throws when an answer failed
 */
export async function sendLines({ port, file, from, connections, seconds }) {
  const lines = Math.ceil(seconds) * LINES_A_SECOND;
  const { stdout } = await run('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${Math.ceil(seconds)}s`],
    ...['--timeout', '60s', '--script', SCRIPT, `http://127.0.0.1:${port}/`, '--', file],
    ...[String(from), String(lines)],
  ]);
  const { requests, seconds: taken, failed } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`);
  if (requests === 0) throw new Error('nothing was answered in time');
  return { requests, rate: requests / taken };
}
