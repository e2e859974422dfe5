/** Measurements of one workload on several peers, and their tables. */

import { quantile, showCount, showProgress, table, threeDigits } from './report.js';
import { inTurn } from './rounds.js';

/** Processors of a load generator from which on it may be the limit: wrk and our clients have one thread. */
export const TOOL_BUSY = 0.85;

/**
 * A goal of the first peer: a bound of its value, or how many times better than another peer it is.
 *
 * @typedef {{ atLeast: number } | { atMost: number } | { peer: string, times: number }} Goal
 * @typedef {import('./processor.js').Busy} Busy
 * @typedef {object} Outcome of one round
 * @property {number} value in the unit of the work
 * @property {number} [processor] CPU microseconds of all threads of the server for a transaction
 * @property {Busy} [busy] processors that were busy
 * @property {string} [note]
 * @typedef {{ name: string, title: string, unit: string, tool?: string }} Work
 */

/** The outcomes of each peer for one workload, or the reason why there are none. */
export class Measured {
  /** @type {Record<string, { outcomes: Outcome[], failure?: string }>} */
  peers = {};

  /**
   * @param {Work} work
   * @param {readonly Goal[]} goals
   */
  constructor({ name, title, unit, tool }, goals = []) {
    this.name = name;
    this.title = title;
    this.unit = unit;
    this.tool = tool;
    this.goals = goals;
  }

  /**
   * Measures rounds of peers, which alternate.
   *
   * @param {readonly any[]} peers
   * @param {number} rounds
   * @param {(peer: any) => Promise<Outcome>} measure
   */
  async measureRounds(peers, rounds, measure) {
    for (let round = 0; round < rounds; round += 1) {
      for (const peer of inTurn(peers, round)) {
        showProgress(`${this.title}: round ${round + 1}, ${peer.name}\n`);
        await this.attempt(peer, async () => this.add(peer.name, await measure(peer)));
      }
    }
  }

  /**
   * Runs an action on a peer, which is left out of all further ones if it fails.
   *
   * @param {{ name: string, endedWith?: () => string | undefined }} peer
   * @param {() => Promise<void>} action
   */
  async attempt(peer, action) {
    if (this.failure(peer.name) !== undefined) return;
    try {
      await action();
    } catch (error) {
      const ended = peer.endedWith?.();
      this.fail(peer.name, ended === undefined ? error : new Error(ended));
    }
  }

  /** @param {string} peer @param {Outcome} outcome */
  add(peer, outcome) {
    this.peers[peer] ??= { outcomes: [] };
    this.peers[peer].outcomes.push(outcome);
  }

  fail(peer, error) {
    this.peers[peer] = { outcomes: [], failure: reasonOf(error) };
  }

  failure(peer) {
    return this.peers[peer]?.failure;
  }

  values(peer) {
    return (this.peers[peer]?.outcomes ?? []).map(({ value }) => value);
  }

  median(peer) {
    const values = this.values(peer);
    return values.length === 0 ? undefined : middle(values);
  }

  /** Half of what lies between the least and the greatest value, as a share of the median. */
  spread(peer) {
    const values = this.values(peer);
    return (Math.max(...values) - Math.min(...values)) / 2 / middle(values);
  }

  /** Returns the ratio by which the first peer is better than the second, the median of the rounds; or undefined. */
  ratio(first, second) {
    const [ones, others] = [this.values(first), this.values(second)];
    const rounds = ones.slice(0, others.length);
    if (rounds.length === 0) return undefined;
    const ratios = rounds.map((one, round) => one / others[round]);
    return middle(this.unit === 'per second' ? ratios : ratios.map((ratio) => 1 / ratio));
  }

  /** Processors that were busy, on the average of all rounds. */
  busy(peer) {
    const looks = (this.peers[peer]?.outcomes ?? []).flatMap(({ busy }) =>
      busy === undefined ? [] : [busy],
    );
    if (looks.length === 0) return undefined;
    const mean = (name) => looks.reduce((sum, look) => sum + look[name], 0) / looks.length;
    return { server: mean('server'), tool: mean('tool'), others: mean('others') };
  }
}

function middle(values) {
  return (quantile(values, 0.5) + quantile(values, (values.length - 1) / 2 / values.length)) / 2;
}

/** The line of an error that says most: what a program of its own wrote last, or the message. */
function reasonOf({ message, stderr = '' }) {
  const [line] = /^\S*Error\b.*/m.exec(stderr) ?? message.split('\n', 1);
  return line.slice(0, 160);
}

/** Returns true if the load generator was probably the limit. */
function isLimitedByTool(measured, peer) {
  return (measured.busy(peer)?.tool ?? 0) >= TOOL_BUSY;
}

function showValue(value) {
  return value >= 1_000 ? showCount(value) : threeDigits(value);
}

function valueCell(measured, peer) {
  const failure = measured.failure(peer);
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
function goalCell(measured, own) {
  const value = measured.median(own);
  return measured.goals
    .flatMap((goal) => {
      const met = (text, isMet) => [`${text}: ${isMet ? 'met' : '**missed**'}`];
      if ('peer' in goal) {
        const ratio = measured.ratio(own, goal.peer);
        return ratio === undefined
          ? []
          : met(`${goal.peer} ${Number(goal.times.toFixed(2))}`, ratio >= goal.times);
      }
      if (value === undefined) return [];
      if ('atLeast' in goal) return met(`≥ ${showCount(goal.atLeast)}`, value >= goal.atLeast);
      return met(`≤ ${showCount(goal.atMost)}`, value <= goal.atMost);
    })
    .join(', ');
}

/** The table of all work: a column for each peer, and one for how many times better the first is. */
export function resultTable(all, [own, ...others]) {
  const head = ['work', 'unit', own, ...others.flatMap((peer) => [peer, '×']), 'goal'];
  const rows = all.map((measured) => [
    measured.title,
    measured.unit,
    valueCell(measured, own),
    ...others.flatMap((peer) => [valueCell(measured, peer), ratioCell(measured.ratio(own, peer))]),
    goalCell(measured, own),
  ]);
  return table([head, ...rows]);
}

/** The table of what was busy: the peer, the load and everything else, and the peer's CPU time of a transaction. */
export function busyTable(all, peers) {
  const cell = (measured, peer) => {
    const busy = measured.busy(peer);
    if (busy === undefined) return '';
    const shares = [busy.server, busy.tool, busy.others].map((share) => share.toFixed(2)).join(' / ');
    const times = measured.peers[peer].outcomes.flatMap(({ processor }) => processor ?? []);
    return times.length === 0 ? shares : `${shares}; ${threeDigits(middle(times))} µs`;
  };
  const rows = all
    .filter((measured) => peers.some((peer) => measured.busy(peer) !== undefined))
    .map((measured) => [measured.title, ...peers.map((peer) => cell(measured, peer))]);
  return table([['work', ...peers], ...rows]);
}

/** Returns the measurements for programs. */
export function resultRecords(all, [own, ...others]) {
  return all.map((measured) => {
    const { name, title, unit, tool, goals, peers } = measured;
    const ratios = Object.fromEntries(others.map((peer) => [peer, measured.ratio(own, peer)]));
    return { name, title, unit, tool, goals, peers, ratios };
  });
}
