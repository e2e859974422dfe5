/** Runs another program to its end. */

import { spawn } from 'node:child_process';

/**
 * Runs a command in a folder, without input.
 *
 * @param {string} folder
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {{ shell?: boolean }} [options] shell true to start it by a shell
 * @returns {Promise<{ status: number | null, output: string }>} status null after a signal; output of both streams
 * @throws {Error} if the command does not start
 */
export function runCommand(folder, command, parameters, { shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd: folder, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (cause) => reject(new Error(`${command} does not start: ${cause.message}`, { cause })));
    child.on('close', (status) => resolve({ status, output }));
  });
}
