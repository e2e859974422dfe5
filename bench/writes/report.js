/** Formats the results. */

import { median, showCount, table, threeDigits } from '../harness/report.js';
import { ANVIL_PACKAGE } from './peers.js';

/** Processors that a generator may use, so that the node is the limit. */
const GENERATOR_MAX = 0.5;

/**
 * @typedef {{ name: string, outcomes: import('./outcome.js').Outcome[], failure: string }} Result of a peer
 * @typedef {{ row: import('./rows.js').Row, results: Result[] }} Measured
 */

/** Writes the report of all rows. */
export function reportOf(all, { machine, loads, rounds, transfers, programs }) {
  const names = [...new Set(all.flatMap(({ results }) => results.map(({ name }) => name)))];
  const builds = programs.map((program, index) => `ledgerd ${index + 1}: ${program}`);
  return [
    '# Writes\n',
    `${machine}; load ${loads[0]} at the start, ${loads[1]} at the end; ${ANVIL_PACKAGE}. Medians of ${rounds} ` +
      `alternating rounds, ± half the range; up to ${showCount(transfers)} transfers in a round.` +
      `${programs.length > 1 ? ` ${builds.join('; ')}.` : ''}\n`,
    table(valueRows(all, names)),
    '\nCPU time of the node (all threads) for a transaction, and processors that were busy: the node / the ' +
      `generator / everything else. A star marks a generator above ${GENERATOR_MAX} processors.\n`,
    table(processorRows(all, names)),
    ...all.flatMap(failuresOf),
    ...all.flatMap(notesOf),
  ].join('\n');
}

/** Returns the results for programs. */
export function recordsOf(all) {
  return all.map(({ row: { name, title, unit, goal }, results }) => ({ name, title, unit, goal, results }));
}

function valueRows(all, names) {
  const own = names.filter((name) => name !== 'anvil');
  const pairs = own.slice(1);
  const head = [
    ...['row', 'unit', ...names],
    ...(names.includes('anvil') ? ['× anvil'] : []),
    ...pairs.map((name) => `× ${name}`),
    'goal',
  ];
  const rows = all.map(({ row, results }) => {
    const of = (name) => results.find((result) => result.name === name);
    const first = of(own[0]);
    return [
      ...[row.title, row.unit],
      ...names.map((name) => shownValues(of(name))),
      ...(names.includes('anvil') ? [shownRatio(ratioOf(row, first, of('anvil')))] : []),
      ...pairs.map((name) => shownRatio(ratioOf(row, first, of(name)))),
      verdictOf(row, first, of('anvil')),
    ];
  });
  return [head, ...rows];
}

function processorRows(all, names) {
  const head = ['row', ...names.flatMap((name) => [`${name}, µs`, 'busy'])];
  const rows = all
    .filter(({ results }) => results.some(({ outcomes }) => outcomes.some(({ busy }) => busy !== undefined)))
    .map(({ row, results }) => [
      row.title,
      ...names.flatMap((name) => shownProcessor(results.find((result) => result.name === name))),
    ]);
  return [head, ...rows];
}

function shownProcessor(result) {
  const outcomes = (result?.outcomes ?? []).filter(({ busy }) => busy !== undefined);
  if (outcomes.length === 0) return ['', ''];
  const middle = (name) => median(outcomes.map(({ busy }) => busy[name]));
  const star = middle('tool') > GENERATOR_MAX ? '*' : '';
  const shares = [middle('server').toFixed(2), middle('tool').toFixed(2) + star, middle('others').toFixed(2)];
  return [threeDigits(median(outcomes.map(({ processor }) => processor))), shares.join(' / ')];
}

function valuesOf(result) {
  return (result?.outcomes ?? []).map(({ value }) => value);
}

function shownValues(result) {
  if (result === undefined) return '';
  const values = valuesOf(result);
  if (values.length === 0) return 'failed';
  const middle = median(values);
  const half = (Math.max(...values) - Math.min(...values)) / 2;
  const shown = middle >= 1_000 ? showCount(middle) : threeDigits(middle);
  return `${shown} ± ${Math.round((100 * half) / middle)} %`;
}

/** Returns how many times better the first is, as the median of the rounds' ratios; undefined without both. */
function ratioOf({ unit }, first, second) {
  const [own, others] = [valuesOf(first), valuesOf(second)];
  const rounds = Math.min(own.length, others.length);
  if (rounds === 0) return undefined;
  const ratios = own.slice(0, rounds).map((value, round) => {
    return unit === 'per second' ? value / others[round] : others[round] / value;
  });
  return median(ratios);
}

function shownRatio(ratio) {
  return ratio === undefined ? '' : ratio.toFixed(2);
}

function verdictOf(row, first, anvil) {
  const { goal } = row;
  const met = (text, isMet) => `${text}: ${isMet ? 'met' : '**missed**'}`;
  if (valuesOf(first).length === 0) return 'failed';
  const value = median(valuesOf(first));
  if ('atLeast' in goal) return met(`≥ ${showCount(goal.atLeast)}`, value >= goal.atLeast);
  if ('atMost' in goal) return met(`≤ ${showCount(goal.atMost)}`, value <= goal.atMost);
  const ratio = ratioOf(row, first, anvil);
  return ratio === undefined
    ? `${goal.timesAnvil} × anvil`
    : met(`${goal.timesAnvil} × anvil`, ratio >= goal.timesAnvil);
}

function failuresOf({ row, results }) {
  return results
    .filter(({ failure }) => failure !== '')
    .map(({ name, failure }) => `\n- ${row.name}, ${name}, failed: ${failure}`);
}

function notesOf({ row, results }) {
  return results.flatMap(({ name, outcomes }) => {
    const note = outcomes.at(-1)?.note;
    return note === undefined ? [] : [`\n- ${row.name}, ${name}, last round: ${note}`];
  });
}
