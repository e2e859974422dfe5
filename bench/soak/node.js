/** Runs a real node in a separate process, and reads its metrics. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startLedgerd } from '../harness/ledgerd.js';

const MEBIBYTE = 2 ** 20;
/** Blocks of a file are counted in units of 512 bytes by the system. */
const DISK_UNIT = 512;
/** Number of stored error lines of the node's log. */
const KEPT_LINES = 20;

/**
 * Starts a node; `complaints` are the error lines of its log.
 *
 * @param {string} dataDir
 * @param {...string} words further flags
 */
export async function startNode(dataDir, ...words) {
  /** @type {string[]} */
  const complaints = [];
  /** @param {string} line */
  const onLine = (line) => {
    if (/^\{"level":"error"/.test(line) && complaints.length < KEPT_LINES) complaints.push(line);
  };
  const flags = ['--data-dir', dataDir, '--log-format', 'json', ...words];
  return { ...(await startLedgerd(flags, { onLine })), complaints };
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

/** MiB on the disk that the chain takes. */
export function diskOf(dataDir) {
  return (statSync(join(dataDir, 'ledger', 'ledger.mdb')).blocks * DISK_UNIT) / MEBIBYTE;
}
