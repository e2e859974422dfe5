import { expect, test } from 'vitest';
import { METHODS } from '../../src/rpc/index.ts';
import { runCampaign } from './campaign.ts';
import { VALID_PARAMETERS } from './parameters.ts';

/** Methods that never answer anything but why not. */
const REFUSED = new Set(['anvil_setChainId', 'anvil_impersonateSignature', 'anvil_setRpcUrl']);

test('behavior: the fuzzer knows how to call every method', () => {
  const names = new Set([...METHODS.values()].map(({ name }) => name));
  expect([...VALID_PARAMETERS.keys()].sort()).toEqual([...names].sort());
});

test('behavior: 4,000 cases find nothing, and every method answers', async () => {
  const { cases, tally } = await runCampaign({ seed: 1, isOver: (count) => count >= 4_000 });
  expect(cases).toBe(4_000);
  const answered = new Set(tally.answered());
  const silent = [...METHODS.values()].filter(
    ({ name, aliases = [] }) => !REFUSED.has(name) && ![name, ...aliases].some((one) => answered.has(one)),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});
