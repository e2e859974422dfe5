import { expect, test } from 'vitest';
import { METHODS } from '../../src/rpc/index.ts';
import { runCampaign } from './campaign.ts';
import { VALID_PARAMETERS } from './parameters.ts';

test('behavior: the fuzzer knows how to call every method', () => {
  expect([...VALID_PARAMETERS.keys()].sort()).toEqual([...METHODS.keys()].sort());
});

test('behavior: 2,500 cases find nothing, and every method answers', async () => {
  const { cases, tally } = await runCampaign({ seed: 1, isOver: (count) => count >= 2_500 });
  expect(cases).toBe(2_500);
  expect(tally.answered()).toEqual(expect.arrayContaining([...METHODS.keys()]));
});
