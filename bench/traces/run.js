/** Measures the worst trace and ordinary ones. See ../README.md. */

import { ANVIL_PACKAGE } from '../harness/anvil.js';
import { outputOf, readFlags } from '../harness/flags.js';
import { load, machine, writeReport } from '../harness/report.js';
import { ordinaryTraces } from './ordinary.js';
import { worstTrace } from './worst.js';

const flags = readFlags({
  rounds: 5,
  'skip-worst': false,
  'skip-ordinary': false,
  output: outputOf('traces'),
});

const before = load();
const tables = [
  ...(flags['skip-worst'] ? [] : [await worstTrace()]),
  ...(flags['skip-ordinary'] ? [] : [await ordinaryTraces(flags.rounds)]),
];
const about = `${machine()}; load ${before} at the start, ${load()} at the end; ${ANVIL_PACKAGE}.`;
writeReport(flags.output, ['# Traces\n', `${about}\n`, ...tables.map((text) => `${text}\n`)].join('\n'), {
  machine: machine(),
  tables,
});
