/** Collects the findings of the suite: one for each expectation of a tool. */

import { exceptionOf } from './exceptions.js';

/**
 * @typedef {object} Finding
 * @property {string} row
 * @property {string} tool with its version
 * @property {string} what the expectation
 * @property {'pass' | 'fail' | 'excepted' | 'skipped'} outcome
 * @property {number} ms
 * @property {string} [detail] output of the tool, or the reason of an exception
 */

/** Time-out of one check. */
const CHECK_MS = 180_000;

/** Collects the findings of one row. */
export class Checks {
  /** @type {Finding[]} */
  findings = [];
  /** @type {(finding: Finding) => void} */
  #report;

  /**
   * @param {string} row
   * @param {string} tool
   * @param {string} target
   * @param {(finding: Finding) => void} report
   */
  constructor(row, tool, target, report) {
    this.row = row;
    this.tool = tool;
    this.target = target;
    this.#report = report;
  }

  /**
   * Runs one check, and continues whatever its outcome.
   *
   * @template T
   * @param {string} what
   * @param {() => Promise<T> | T} body throws if the expectation is not met
   * @returns {Promise<T | undefined>} the result of the body; undefined if it threw
   */
  async check(what, body) {
    const started = performance.now();
    const add = (/** @type {Finding['outcome']} */ outcome, /** @type {string} */ detail = '') => {
      const finding = {
        row: this.row,
        tool: this.tool,
        what,
        outcome,
        ms: performance.now() - started,
        detail,
      };
      this.findings.push(finding);
      this.#report(finding);
    };
    try {
      const result = await withinLimit(body);
      add('pass');
      return result;
    } catch (error) {
      const reason = exceptionOf(this.target, this.row, what);
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (reason === undefined) add('fail', words);
      else add('excepted', `${reason}: ${words.split('\n')[0]}`);
      return undefined;
    }
  }

  /**
   * Runs the whole row. An exception outside its checks is a finding, too.
   *
   * @param {() => Promise<void>} body
   */
  async runRow(body) {
    try {
      await body();
    } catch (error) {
      await this.check('runs to its end', () => {
        throw error;
      });
    }
  }

  /**
   * Notes that a check is skipped here.
   *
   * @param {string} what
   * @param {string} reason
   */
  skip(what, reason) {
    const finding = {
      row: this.row,
      tool: this.tool,
      what,
      outcome: /** @type {const} */ ('skipped'),
      ms: 0,
      detail: reason,
    };
    this.findings.push(finding);
    this.#report(finding);
  }
}

/**
 * @template T
 * @param {() => Promise<T> | T} body
 * @returns {Promise<T>}
 */
async function withinLimit(body) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${CHECK_MS} ms`)), CHECK_MS);
  });
  try {
    return await Promise.race([Promise.resolve().then(body), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asserts equality; numbers of different kinds are compared as text.
 *
 * @param {unknown} got
 * @param {unknown} expected
 * @param {string} what
 */
export function same(got, expected, what) {
  const [left, right] = [textOf(got), textOf(expected)];
  if (left !== right) throw new Error(`${what}: got ${left}, expected ${right}`);
}

/**
 * Asserts a condition.
 *
 * @param {unknown} condition
 * @param {string} what
 * @returns {asserts condition}
 */
export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

/**
 * Asserts that a call fails with a text that a client parses.
 *
 * @param {() => Promise<unknown>} body
 * @param {RegExp} words
 */
export async function refused(body, words) {
  let result;
  try {
    result = await body();
  } catch (error) {
    const text = wordsOf(error);
    holds(words.test(text), `expected ${words}, got: ${text}`);
    return;
  }
  throw new Error(`expected ${words}, but it was accepted: ${textOf(result)}`);
}

/**
 * The message of an error with those of its causes.
 *
 * @param {any} error
 * @returns {string}
 */
function wordsOf(error) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
  const { message, cause } = error;
  return cause === undefined ? message : `${message}; ${wordsOf(cause)}`;
}

/** @param {unknown} value */
function textOf(value) {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.toLowerCase();
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
}
