/** Measures queries for event logs inside the process. */

import { median, quantile, showCount, showMs } from '../harness/report.js';
import { measured } from '../harness/rounds.js';
import { MATCHES, POPULAR_CONTRACT, PROBES, probeOf, RARE_TOPIC, TRANSFER_TOPIC } from './plan.js';

/** Runs of each query after its first one. */
const REPEATS = 20;
const LIMIT = 10_000;

/** The measured queries; each has several variants, so that most runs read new data. */
const QUERIES = [
  {
    name: 'contract and account',
    forms: probes((account) => ({ addresses: [POPULAR_CONTRACT], topics: [[], [account]] })),
  },
  {
    name: 'contract, event and account',
    forms: probes((account) => ({ addresses: [POPULAR_CONTRACT], topics: [[TRANSFER_TOPIC], [account]] })),
  },
  {
    name: 'contract and rare event',
    forms: [{ addresses: [POPULAR_CONTRACT], topics: [[RARE_TOPIC]] }],
  },
];

function probes(form) {
  return Array.from({ length: PROBES }, (_, index) => form(probeOf(index)));
}

/** Rows of a table: for each query the matches, the first run of each form, and the later runs. */
export function measureQueries(ledger) {
  const head = ledger.blocks.head().number;
  const rows = [];
  for (const { name, forms } of QUERIES) {
    /** @type {{ first: number[], later: number[] }} */
    const { first, later } = { first: [], later: [] };
    for (const form of forms) {
      const query = { fromBlock: 0, toBlock: head, ...form };
      const { value, taken } = measured(() => ledger.blocks.logs(query, LIMIT));
      if (value.logs.length !== MATCHES || !value.complete) {
        throw new RangeError(`${value.logs.length} logs match ${name}, not ${MATCHES}`);
      }
      first.push(taken.ms);
      for (let run = 0; run < REPEATS; run += 1) {
        later.push(measured(() => ledger.blocks.logs(query, LIMIT)).taken.ms);
      }
    }
    rows.push([
      name,
      showCount(MATCHES),
      showMs(Math.min(...first)),
      showMs(median(first)),
      showMs(Math.min(...later)),
      showMs(median(later)),
      showMs(quantile(later, 0.9)),
    ]);
  }
  return [['query', 'matches', 'first run: fastest', 'median', 'later: fastest', 'median', '90 %'], ...rows];
}
