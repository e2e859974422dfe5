/** Judges the figures of a soak. */

import { median, showCount } from '../harness/report.js';

/** Share of the parts at the beginning in which memory may still grow: caches fill. */
const WARM_UP = 0.25;
/** Greatest growth of a node's own memory after that: a share, or MiB. */
const GROWTH_MOST = 0.1;
const GROWTH_MOST_MEBIBYTES = 32;
/** Greatest ratio of late to early transaction times, and of late to early starts. */
const RATIO_MOST = 1.25;
const RESTART_RATIO_MOST = 1.5;
const MEBIBYTE = 2 ** 20;

/** @returns the lines of the verdict, and true if all bounds hold */
export function judge({ rows, restarts, kinds, bytesBefore }) {
  const verdicts = [memory(rows), time(rows), restart(restarts)];
  const [last] = rows.slice(-1);
  const bytes = ((last.disk - bytesBefore) * MEBIBYTE) / last.transactions;
  const sent = Object.entries(kinds).map(([kind, count]) => `${showCount(count)} ${kind}`);
  return {
    holds: verdicts.every(({ holds }) => holds),
    lines: [
      ...verdicts.map(({ holds, text }) => `- ${holds ? 'holds' : 'DOES NOT HOLD'}: ${text}`),
      `- on the disk: ${bytes.toFixed(0)} bytes for each transaction`,
      `- sent: ${sent.join(', ')}`,
    ],
  };
}

function memory(rows) {
  const warm = rows.slice(Math.floor(rows.length * WARM_UP));
  const half = Math.ceil(warm.length / 2);
  const [early, late] = [warm.slice(0, half), warm.slice(-half)].map((part) => ({
    own: median(part.map(({ own }) => own)),
    ownMost: Math.max(...part.map(({ ownMost }) => ownMost)),
    heap: median(part.map(({ heapLeast }) => heapLeast)),
  }));
  const grown = late.own - early.own;
  const change = (name) => `${early[name].toFixed(0)} to ${late[name].toFixed(0)} MiB`;
  return {
    holds: grown <= Math.max(GROWTH_MOST * early.own, GROWTH_MOST_MEBIBYTES),
    text:
      `memory is flat after the first quarter: the process's own ${change('own')}, at most ${change('ownMost')} ` +
      `(heap after collection ${change('heap')}), early half to late half`,
  };
}

function time(rows) {
  const quarter = Math.max(1, Math.floor(rows.length / 4));
  // The first part includes compilation.
  const warm = rows.length > quarter ? rows.slice(1) : rows;
  const [early, late] = [warm.slice(0, quarter), warm.slice(-quarter)];
  const ratio = (of) => median(late.map(of)) / median(early.map(of));
  const total = ratio(({ applyMs, commitMs }) => applyMs + commitMs);
  const parts = {
    apply: ratio(({ applyMs }) => applyMs),
    commit: ratio(({ commitMs }) => commitMs),
    'the whole process': ratio(({ processorMs }) => processorMs),
  };
  const list = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return {
    holds: total <= RATIO_MOST,
    text:
      'the time of a block does not depend on its height: a transaction of the last quarter takes ' +
      `${total.toFixed(2)} times what one of the first takes (${list.join(', ')})`,
  };
}

/** Judges starts by CPU time, since other load affects the elapsed time. */
function restart(restarts) {
  const [first, ...later] = restarts;
  const [last = first] = later.slice(-1);
  const list = restarts.map(
    ({ height, startMs, startProcessorMs }) =>
      `${startMs.toFixed(0)} (${startProcessorMs.toFixed(0)}) ms at ${showCount(height)}`,
  );
  return {
    holds: last.startProcessorMs / first.startProcessorMs <= RESTART_RATIO_MOST,
    text: `the time of a start (of the processor) does not depend on the height: ${list.join(', ')}`,
  };
}
