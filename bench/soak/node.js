/** A real node in a process of its own, and what the system says of it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/ledgerd.js', import.meta.url));
const MEBIBYTE = 2 ** 20;
/** Blocks of a file are counted in units of 512 bytes by the system. */
const DISK_UNIT = 512;
/** Lines of the node's log that are kept: the last ones, and the first ones that tell of errors. */
const KEPT_LINES = 20;

/** Runs a command of the program to its end. @throws when it fails */
export async function runCommand(...words) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`ledgerd ${words.join(' ')} ends with status ${status}: ${errors}`);
}

/**
 * Starts a node and waits until it serves requests.
 *
 * @returns {Promise<{ url: string, processId: number, startMs: number, startProcessorMs: number,
 *   failed: Promise<never>, complaints: string[], stop: Function }>} `startMs` is the time from the start of the
 *   process to its first answer, `startProcessorMs` what of it the process used itself; `failed` rejects when it ends
 *   by itself; `complaints` are lines of its log that tell of errors
 */
export async function startNode(dataDir, ...words) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [PROGRAM, 'start', '--data-dir', dataDir, '--port', '0', '--log-format', 'json', ...words],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const lines = [];
  const complaints = [];
  let isStopping = false;
  const ended = once(child, 'close');
  const failed = ended.then(([status]) => {
    if (!isStopping) throw new Error(`the node ended with status ${status}:\n${lines.join('\n')}`);
  });
  const url = await Promise.race([
    new Promise((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          lines.push(line);
          if (lines.length > KEPT_LINES) lines.shift();
          if (/^\{"level":"error"/.test(line) && complaints.length < KEPT_LINES) complaints.push(line);
          const [, found] = /"event":"started".*"url":"([^"]+)"/.exec(line) ?? [];
          if (found !== undefined) resolve(found);
        });
      }
    }),
    failed,
  ]);
  await call(url, 'eth_blockNumber');
  return {
    url,
    processId: child.pid,
    startMs: performance.now() - started,
    startProcessorMs: 1_000 * processorSeconds(child.pid),
    failed,
    complaints,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Calls a method of the node; an error is thrown. */
export async function call(url, method, ...params) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { result, error } = await (await fetch(url, { method: 'POST', headers, body })).json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** The metrics of the node by their names, labels left away; those of one name are added up. */
export async function metricsOf(url) {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const metrics = new Map();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_:]+)(?:\{[^}]*\})? (\S+)$/i.exec(line) ?? [];
    if (name !== undefined) metrics.set(name, (metrics.get(name) ?? 0) + Number(value));
  }
  return metrics;
}

/**
 * Memory of a process in MiB, as Linux counts it: what it has all in all, and what of that is its own. The rest is
 * pages of files, the database above all, which the system takes back when it needs them.
 */
export function memoryOf(processId) {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return { resident: field('VmRSS'), own: field('RssAnon') };
}

/** Seconds of processor time that a process has used. */
export function processorSeconds(processId) {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1].split(' ');
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** MiB on the disk that the chain takes. */
export function diskOf(dataDir) {
  return (statSync(join(dataDir, 'ledger', 'ledger.mdb')).blocks * DISK_UNIT) / MEBIBYTE;
}
