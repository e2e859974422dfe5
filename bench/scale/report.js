/** The figures as tables. */

import { median, quantile, showCount, showMicroseconds, showMs, table } from '../harness/report.js';

/** Returns half of the interquartile range, in per cent of the median. */
function spread(values) {
  const half = (quantile(values, 0.75) - quantile(values, 0.25)) / 2;
  return `± ${((100 * half) / median(values)).toFixed(0)} %`;
}

/** Tabulates the chains and their nodes. */
export function chainTable(chains) {
  return table([
    ['accounts and blocks', 'file', 'making it', 'start of the node', 'its own memory after the reads'],
    ...chains.map(({ count, megabytes, seconds, startMs, own }) => [
      showCount(count),
      `${showCount(megabytes)} MB`,
      `${seconds.toFixed(0)} s`,
      showMs(startMs),
      `${own.toFixed(0)} MiB`,
    ]),
  ]);
}

/** Processors that were busy: with the node, with wrk, with anything else. */
function showBusy(looks) {
  return ['server', 'tool', 'others']
    .map((name) => median(looks.map((look) => look[name])).toFixed(1))
    .join(' / ');
}

/** Responses a second, and the processor's time for one, by the size of the chain. */
export function readTable(results) {
  return table([
    ['', 'accounts and blocks', 'responses a second', 'node, for a response', 'busy: node / load / others'],
    ...results.flatMap(({ method, chains }) =>
      chains.map(({ count, rates, microseconds, busy }) => [
        method,
        showCount(count),
        `${showCount(median(rates))} ${spread(rates)}`,
        `${showMicroseconds(median(microseconds))} ${spread(microseconds)}`,
        showBusy(busy),
      ]),
    ),
  ]);
}

/** Milliseconds of a block, and microseconds of the processor's time for each of its transactions. */
export function applicationTable(results) {
  const times = (looks) => looks.map(({ ms }) => ms);
  const each = (looks, size) => {
    return showMicroseconds((1_000 * median(looks.map(({ processorMs }) => processorMs))) / size);
  };
  return table([
    [
      'transactions of a block',
      'blocks',
      'taking one in',
      'making the block',
      'for each',
      'applying the block',
      'for each',
    ],
    ...results.map(({ kind, size, submit, produce, apply }) => [
      `${showCount(size)} × ${kind}`,
      showCount(apply.length),
      each(submit, size),
      `${showMs(median(times(produce)))} ${spread(times(produce))}`,
      each(produce, size),
      `${showMs(median(times(apply)))} ${spread(times(apply))}`,
      each(apply, size),
    ]),
  ]);
}
