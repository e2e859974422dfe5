/** Load by wrk: C with one thread, which writes a request that was made once and looks at nothing but the status. */

import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('request.lua', import.meta.url));
const run = promisify(execFile);

/** Whether wrk is there. */
export function hasWrk() {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // Asked for its version, wrk ends with status 1.
    return error.code !== 'ENOENT';
  }
}

/**
 * Asks the same again and again, over connections that stay open.
 *
 * @returns {Promise<{ rate: number, median: number, late: number }>} answers a second; milliseconds that half and
 *   that 99 of 100 of the answers took at most
 * @throws when an answer failed
 */
export async function drive({ port, body, connections, seconds, folder }) {
  const file = join(folder, 'request.json');
  writeFileSync(file, body);
  const { stdout } = await run('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${Math.ceil(seconds)}s`],
    ...['--timeout', '60s', '--script', SCRIPT, `http://127.0.0.1:${port}/`, '--', file],
  ]);
  const result = JSON.parse(stdout.trim().split('\n').at(-1));
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} requests failed`);
  if (result.requests === 0) throw new Error('nothing was answered in time');
  return { rate: result.requests / result.seconds, median: result.median, late: result.late };
}
