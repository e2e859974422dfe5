/**
 * Measures the cost of the longest trace for others: memory of the node and the time of `eth_blockNumber`.
 */

import { request } from 'node:http';
import { requestOf } from '../../test/rpc-client.js';
import { Connection, withConnection } from '../harness/connection.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { memoryOf } from '../harness/processor.js';
import { quantile, showCount, showMs, table } from '../harness/report.js';

/** Gas of one operation, at most. */
const GAS = 16_700_000;
/** A loop of JUMPDESTs, which cost 1 gas each. */
const CODE = `0x${'5b'.repeat(24_500)}5f56`;
const CONTRACT = '0x00000000000000000000000000000000000c0de0';
const STATE = { stateOverrides: { [CONTRACT]: { code: CODE } } };
const MEBIBYTE = 1024 * 1024;
const LOOK_MS = 20;
/** Bytes that the slow client reads of a second. */
const SLOW_BYTES = 4 * MEBIBYTE;

/**
 * The outcome of a response: its bytes, its duration and its end.
 *
 * @typedef {{ bytes: number, ms: number, end: string }} Outcome
 */

/**
 * Requests the trace and reads it fast or slowly, or leaves after a part.
 *
 * @param {string} url
 * @param {'fast' | 'slow' | 'leaving'} manner
 * @returns {Promise<Outcome>}
 */
function readTrace(url, manner) {
  const started = performance.now();
  const body = requestOf('debug_traceCall', { to: CONTRACT, gas: `0x${GAS.toString(16)}` }, 'latest', STATE);
  return new Promise((resolve) => {
    let bytes = 0;
    let first = '';
    const asking = request(url, { method: 'POST', agent: false }, (response) => {
      /** @param {string} end */
      const done = (end) => resolve({ bytes, ms: performance.now() - started, end });
      response.on('data', (piece) => {
        bytes += piece.length;
        if (first.length < 200) first += piece.toString('latin1', 0, 200);
        if (manner === 'leaving' && bytes > 64 * MEBIBYTE) {
          asking.destroy();
          done('left');
        }
        if (manner === 'slow') {
          response.pause();
          setTimeout(() => response.resume(), (1_000 * piece.length) / SLOW_BYTES);
        }
      });
      response.on('end', () => done(first.includes('"result":') ? 'whole' : `one error: ${first}`));
      response.on('error', () => done('cut off: an error of the HTTP client'));
    });
    asking.on('error', () => undefined);
    asking.end(body);
  });
}

/** @param {number} processId of the node, and what it took before */
function memoryWatch(processId) {
  let most = memoryOf(processId);
  const timer = setInterval(() => {
    const { resident, own } = memoryOf(processId);
    most = { resident: Math.max(most.resident, resident), own: Math.max(most.own, own) };
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/**
 * @param {number} port
 * @param {() => boolean} isOver
 */
async function numbersUntil(port, isOver) {
  /** @type {number[]} */
  const times = [];
  const connection = await Connection.open(port);
  while (!isOver()) {
    const started = performance.now();
    await connection.call('eth_blockNumber');
    times.push(performance.now() - started);
    // Pauses, since continuous requests would occupy one core.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  connection.close();
  return times;
}

/**
 * @param {'fast' | 'slow' | 'leaving'} manner
 * @param {readonly string[]} words
 */
async function measure(manner, words) {
  const node = await startLedgerd(['--quiet', ...words]);
  try {
    // The process is started, its code compiled, its engine warm.
    await withConnection(node.port, async (connection) => {
      for (let count = 0; count < 5; count += 1) {
        await connection.call('debug_traceCall', { to: CONTRACT, gas: '0xf4240' }, 'latest', {
          ...STATE,
          limit: 1_000,
        });
      }
    });
    await numbersUntil(node.port, stopwatch(500));
    const before = memoryOf(node.processId);
    const idle = await numbersUntil(node.port, stopwatch(2_000));
    const memory = memoryWatch(node.processId);
    let isOver = false;
    const [outcome, times] = await Promise.all([
      readTrace(node.url, manner).finally(() => {
        isOver = true;
      }),
      numbersUntil(node.port, () => isOver),
    ]);
    const most = memory();
    return { outcome, times, idle, grown: most.resident - before.resident, before: before.resident };
  } finally {
    await node.stop();
  }
}

/** @param {number} milliseconds */
function stopwatch(milliseconds) {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}

/** @type {readonly (readonly [name: string, manner: 'fast' | 'slow' | 'leaving', words: readonly string[]])[]} */
const CASES = [
  ['default bounds', 'fast', []],
  ['no bounds', 'fast', ['--trace-bytes', '64GiB', '--trace-timeout', '3600']],
  ['a client that reads 4 MiB/s', 'slow', ['--trace-timeout', '3600']],
  ['a client that leaves', 'leaving', ['--trace-bytes', '64GiB', '--trace-timeout', '3600']],
];

/** Measures the worst trace and tabulates it. */
export async function worstTrace() {
  const head = [
    'the worst trace',
    'what the client gets',
    'MiB',
    'took',
    'node and worker grow by',
    'p99 of eth_blockNumber',
    'without a trace',
  ];
  const rows = [head];
  for (const [name, manner, words] of CASES) {
    const { outcome, times, idle, grown, before } = await measure(manner, words);
    rows.push([
      name,
      outcome.end,
      showCount(outcome.bytes / MEBIBYTE),
      `${(outcome.ms / 1_000).toFixed(1)} s`,
      `${grown.toFixed(0)} MiB, of ${before.toFixed(0)} before`,
      showMs(quantile(times, 0.99)),
      showMs(quantile(idle, 0.99)),
    ]);
  }
  return table(rows);
}
