/** Reports measurements as text and as JSON. */

import { showCount, table, threeDigits } from '../harness/report.js';
import { goalsFor } from './goals.js';

/** Processors of the load from which on it may be the limit: wrk and our own client have one thread. */
export const TOOL_BUSY = 0.85;

/** Returns true if the load generator was probably the limit. */
function isLimitedByTool(measured, peer) {
  return measured.tool !== 'client' && (measured.busy(peer)?.tool ?? 0) >= TOOL_BUSY;
}

function showValue(value) {
  return value >= 1_000 ? showCount(value) : threeDigits(value);
}

function valueCell(measured, peer) {
  const { failure } = measured.peers[peer] ?? {};
  if (failure !== undefined) return `failed: ${failure.replaceAll('|', '/')}`;
  const median = measured.median(peer);
  if (median === undefined) return '';
  const mark = isLimitedByTool(measured, peer) ? ' \\*' : '';
  return `${showValue(median)} ± ${Math.round(100 * measured.spread(peer))} %${mark}`;
}

function ratioCell(ratio) {
  return ratio === undefined ? '' : ratio.toPrecision(ratio >= 100 ? 3 : 2);
}

/** Describes the reached and missed goals. */
function goalCell(measured) {
  return Object.entries(goalsFor(measured))
    .flatMap(([peer, least]) => {
      const ratio = measured.ratio('ledgerd', peer);
      if (ratio === undefined) return [];
      return [`${peer} ${Number(least.toFixed(2))}: ${ratio >= least ? 'met' : '**missed**'}`];
    })
    .join(', ');
}

/** The table of all work: a column for each peer, and one for how many times better ledgerd is. */
export function resultTable(all, [own, ...others]) {
  const head = ['work', 'unit', own, ...others.flatMap((peer) => [peer, '×']), 'goal'];
  const rows = all.map((measured) => [
    measured.title,
    measured.unit,
    valueCell(measured, own),
    ...others.flatMap((peer) => [valueCell(measured, peer), ratioCell(measured.ratio(own, peer))]),
    goalCell(measured),
  ]);
  return table([head, ...rows]);
}

/** The table of what was busy: the peer, the load, and everything else on the machine. */
export function busyTable(all, peers) {
  const cell = (busy) =>
    busy === undefined
      ? ''
      : [busy.server, busy.tool, busy.others].map((share) => share.toFixed(2)).join(' / ');
  const rows = all
    .filter((measured) => peers.some((peer) => measured.busy(peer) !== undefined))
    .map((measured) => [measured.title, measured.tool, ...peers.map((peer) => cell(measured.busy(peer)))]);
  return table([['work', 'load by', ...peers], ...rows]);
}

export function resultRecords(all, [own, ...others]) {
  return all.map((measured) => ({
    ...{ group: measured.group, name: measured.name, title: measured.title },
    ...{ unit: measured.unit, tool: measured.tool },
    peers: Object.fromEntries(
      Object.entries(measured.peers).map(([peer, { values, failure }]) => [
        peer,
        failure === undefined
          ? {
              median: measured.median(peer),
              spread: measured.spread(peer),
              values,
              busy: measured.busy(peer),
            }
          : { failure },
      ]),
    ),
    ratios: Object.fromEntries(others.map((peer) => [peer, measured.ratio(own, peer)])),
    goals: goalsFor(measured),
  }));
}
