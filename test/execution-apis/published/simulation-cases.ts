import { casesOf, type PublishedCase } from './published-case.ts';
import { BLOCKS, FEES, NONCES } from './simulation-block-cases.ts';
import { LOGS, PRECOMPILES, STATE } from './simulation-state-cases.ts';

/** The published cases of `eth_simulateV1`, each with a request to the same effect. */
export const SIMULATION_CASES: readonly PublishedCase[] = casesOf(
  'eth_simulateV1',
  Object.fromEntries(
    Object.entries({ ...BLOCKS, ...FEES, ...NONCES, ...PRECOMPILES, ...STATE, ...LOGS }).map(
      ([name, row]) => [`ethSimulate-${name}`, row],
    ),
  ),
);
