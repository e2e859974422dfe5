/** ledgerd as a user runs it. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROGRAM } from './flags.js';
import { startServer } from './server.js';

const run = promisify(execFile);

/**
 * Runs a command of the program to its end.
 *
 * @param {readonly string[]} words
 * @throws {Error} with what it wrote to standard error when it fails
 */
export async function runCommand(words, program = PROGRAM) {
  await run(process.execPath, [program, ...words]);
}

/**
 * Starts a node and waits until it serves requests.
 *
 * @param {readonly string[]} words flags of `ledgerd start`
 * @param {import('./server.js').ServerOptions & { program?: string, nodeFlags?: readonly string[] }} [options]
 *   `nodeFlags` are those of Node.js
 */
export function startLedgerd(words, { program = PROGRAM, nodeFlags = [], ...options } = {}) {
  return startServer(
    (port) => [process.execPath, ...nodeFlags, program, 'start', '--port', String(port), ...words],
    options,
  );
}
