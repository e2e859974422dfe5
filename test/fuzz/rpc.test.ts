import { expect, test } from 'vitest';
import { METHODS } from '../../src/rpc/index.ts';
import { runCampaign } from './campaign.ts';
import { VALID_PARAMETERS } from './parameters.ts';

test('behavior: the fuzzer knows how to call every method', () => {
  const names = new Set([...METHODS.values()].map(({ name }) => name));
  expect([...VALID_PARAMETERS.keys()].sort()).toEqual([...names].sort());
});

test('behavior: 4,000 cases find nothing, and every method answers', async () => {
  const { cases, tally } = await runCampaign({ seed: 1, isOver: (count) => count >= 4_000 });
  expect(cases).toBe(4_000);
  const answering = [...METHODS.keys()].filter((method) => !method.endsWith('_setRpcUrl'));
  expect(tally.answered()).toEqual(expect.arrayContaining(answering));
});
