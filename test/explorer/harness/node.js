/** Nodes that the browser looks at: the program itself, started as its users start it. */

import { fileURLToPath } from 'node:url';
import { call } from '../../rpc-client.js';
import { run, start } from '../../tools/harness/processes.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/ledgerd.js', import.meta.url));
const START_MS = 120_000;
const LOOK_MS = 50;

/**
 * @typedef {object} Node
 * @property {string} url without a slash at the end
 * @property {(method: string, ...parameters: unknown[]) => Promise<any>} call on `/`; throws the error's message
 * @property {() => Promise<void>} stop
 */

/**
 * Runs the program to its end.
 *
 * @param {readonly string[]} words
 */
export function runProgram(...words) {
  return run(process.execPath, [PROGRAM, ...words]);
}

/**
 * Starts a node and waits until it serves.
 *
 * @param {readonly string[]} words flags of `ledgerd start`
 * @returns {Promise<Node>}
 * @throws {Error} with what it wrote when it ends before
 */
export async function startNode(...words) {
  const program = start(process.execPath, [
    PROGRAM,
    'start',
    ...(words.includes('--port') ? [] : ['--port', '0']),
    ...words,
  ]);
  const began = performance.now();
  for (;;) {
    const text = program.outputs.stdout + program.outputs.stderr;
    const [, url] = /(?:^Endpoint +|"event":"started".*"url":")(http:[^\s"]+)/m.exec(text) ?? [];
    if (url !== undefined) return nodeAt(url, program.stop);
    if (program.child.exitCode !== null || performance.now() - began > START_MS) {
      await program.stop('SIGKILL');
      throw new Error(`the node does not serve:\n${text}`);
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

/**
 * @param {string} url
 * @param {() => Promise<void>} stop
 * @returns {Node}
 */
function nodeAt(url, stop) {
  return {
    url,
    stop: () => stop(),
    call: (method, ...params) => call(url, method, ...params),
  };
}
