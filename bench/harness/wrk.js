/** Load by wrk: C with one thread, which looks at nothing of a response but its status. */

import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('requests.lua', import.meta.url));
/** Requests that wrk makes for a second of load: more than can be responded to. */
const LINES_A_SECOND = 100_000;

/** Returns true if wrk is installed. */
export function hasWrk() {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // wrk exits with status 1 after printing its version.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT';
  }
}

/**
 * Sends the requests that are the lines of a file, over connections that stay open; after the last one the first again.
 *
 * @param {{ port: number, file: string, from?: number, connections: number, seconds: number }} load `from` is the line
 *   to begin with; at least one is left there
 * @returns {Promise<{ requests: number, rate: number }>} responses, and how many a second
 * @throws {Error} when a request failed
 */
export async function sendLines({ port, file, from = 0, connections, seconds }) {
  const whole = Math.ceil(seconds);
  const { stdout } = await run('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${whole}s`],
    ...['--timeout', '60s', '--script', SCRIPT, `http://127.0.0.1:${port}/`, '--', file],
    ...[String(from), String(whole * LINES_A_SECOND)],
  ]);
  const { requests, seconds: taken, failed } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`);
  if (requests === 0) throw new Error('nothing was responded to in time');
  return { requests, rate: requests / taken };
}
