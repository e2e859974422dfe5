import { expect, test } from 'vitest';
import { ERRORS } from '../../src/rpc/description/described-errors.ts';
import { METHODS } from '../../src/rpc/index.ts';
import { runCampaign } from './campaign.ts';
import { VALID_PARAMETERS } from './parameters.ts';

test('behavior: the fuzzer knows how to call every method', () => {
  expect([...VALID_PARAMETERS.keys()].sort()).toEqual([...METHODS.keys()].sort());
});

test('behavior: 4,000 cases find nothing, and every method answers that is not refused always', async () => {
  const { cases, tally } = await runCampaign({ seed: 1, isOver: (count) => count >= 4_000 });
  expect(cases).toBe(4_000);
  const answering = [...METHODS].filter(([, { errors = [] }]) => !errors.includes(ERRORS.notSupported));
  expect(tally.answered()).toEqual(expect.arrayContaining(answering.map(([name]) => name)));
});
