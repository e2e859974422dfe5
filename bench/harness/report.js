/** Formats measurements. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the quantile of values for a share.
 *
 * @param {readonly number[]} values
 * @param {number} share
 * @returns {number} NaN for no values
 */
export function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** @param {number} ms shown with three digits that count */
export function showMs(ms) {
  return `${threeDigits(ms)} ms`;
}

/** @param {number} microseconds shown with three digits that count */
export function showMicroseconds(microseconds) {
  return `${threeDigits(microseconds)} µs`;
}

/** @param {number} value */
export function threeDigits(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** @param {number} count shown with commas between its thousands */
export function showCount(count) {
  return Math.round(count).toLocaleString('en-US');
}

/**
 * Rows of text as a table of Markdown; the first row is its head.
 *
 * @param {readonly (readonly string[])[]} rows
 */
export function table([head = [], ...rows]) {
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Prints a line. */
export function print(text = '') {
  process.stdout.write(`${text}\n`);
}

/** @param {string} text how far something has come; printed over the last such line, where someone watches */
export function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`);
}

/** The machine's load now. */
export function load() {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** The machine and the runtime. */
export function machine() {
  return `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`;
}

/**
 * Prints a report and writes it to `table.md` in a folder, beside a record for programs.
 *
 * @param {string} folder
 * @param {string} text
 * @param {object} record for `results.json`
 */
export function writeReport(folder, text, record) {
  print(text);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'table.md'), `${text}\n`);
  writeFileSync(join(folder, 'results.json'), toJson(record));
}

/** @param {unknown} value */
export function toJson(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
