/** Runs programs in separate processes, each with a time-out. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Running processes, which end with the suite. */
const running = new Set();

/** Time-out of stopping a program. */
const STOP_MS = 10_000;
/** Greatest number of printed characters of a command-line argument. */
const WORD_CHARACTERS = 120;

/** Ends what still runs, at once. */
function endAll() {
  for (const child of running) endGroup(child, 'SIGKILL');
}

/**
 * Ends what still runs with this process, which ends as well when it takes longer than this.
 *
 * @param {number} limitMs
 * @returns {() => void} takes the limit away
 */
export function boundSuite(limitMs) {
  const timer = setTimeout(() => {
    process.stderr.write(`the suite did not end within ${limitMs} ms\n`);
    endAll();
    process.exit(1);
  }, limitMs);
  process.once('exit', endAll);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.once(signal, () => process.exit(1));
  return () => clearTimeout(timer);
}

/**
 * Ends a program and its children: they are one process group.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {'SIGTERM' | 'SIGKILL'} signal
 */
function endGroup(child, signal) {
  if (child.pid === undefined || !running.has(child)) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

/**
 * Starts a program that runs until it is stopped.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: string, isInputOpen?: boolean }} [options]
 */
export function start(program, words, { cwd, env, input = '', isInputOpen = false } = {}) {
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  if (!isInputOpen) child.stdin.end();
  const outputs = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    outputs.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    outputs.stderr += text;
  });
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  const ended = Promise.race([once(child, 'close'), failed]).finally(() => running.delete(child));
  ended.catch(() => undefined);
  const stop = async (/** @type {'SIGTERM' | 'SIGKILL'} */ signal = 'SIGTERM') => {
    endGroup(child, signal);
    const killer = setTimeout(() => endGroup(child, 'SIGKILL'), STOP_MS);
    await ended.catch(() => undefined);
    clearTimeout(killer);
  };
  return { child, outputs, ended, stop };
}

/**
 * Runs a program to its end and returns its standard output.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: string, limitMs?: number }} [options]
 * @returns {Promise<string>}
 * @throws {Error} with all that it wrote when it fails or takes longer than it may
 */
export async function run(program, words, { limitMs = 120_000, ...options } = {}) {
  const { child, outputs, ended, stop } = start(program, words, options);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void stop('SIGKILL');
  }, limitMs);
  try {
    await ended;
  } finally {
    clearTimeout(timer);
  }
  if (child.exitCode === 0) return outputs.stdout;
  const ending = late
    ? `did not end within ${limitMs} ms`
    : `ended with ${child.exitCode ?? child.signalCode}`;
  const line = [program, ...words].map((word) => word.slice(0, WORD_CHARACTERS)).join(' ');
  throw new Error(`${line} ${ending}\n${outputs.stdout}\n${outputs.stderr}`);
}
