import { expect, test } from 'vitest';
import { ETHEREUM_METHODS, METHODS, type ProfileId } from '../../src/rpc/index.ts';
import { runCampaign } from './campaign.ts';
import { ETHEREUM_PARAMETERS } from './ethereum-parameters.ts';
import { VALID_PARAMETERS } from './parameters.ts';

/** Methods that never answer anything but why not. */
const REFUSED = new Set([
  ...['anvil_setChainId', 'anvil_impersonateSignature', 'anvil_setRpcUrl'],
  // Its bytes are random.
  'debug_traceBlock',
]);

test('behavior: the fuzzer knows how to call every method', () => {
  const namesIn = (methods: typeof METHODS) => [...new Set([...methods.values()].map(({ name }) => name))];
  expect([...VALID_PARAMETERS.keys()].sort()).toEqual(namesIn(METHODS).sort());
  expect([...ETHEREUM_PARAMETERS.keys()].sort()).toEqual(namesIn(ETHEREUM_METHODS).sort());
});

test.each<readonly [ProfileId, typeof METHODS]>([
  ['ledger', METHODS],
  ['ethereum', ETHEREUM_METHODS],
])(
  'behavior: 9,000 cases of %s find nothing, and every method answers that is not refused always',
  async (profile, methods) => {
    const { cases, tally } = await runCampaign({ seed: 2, profile, isOver: (count) => count >= 9_000 });
    expect(cases).toBe(9_000);
    const answered = new Set(tally.answered());
    const silent = [...methods.values()].filter(
      ({ name, aliases = [] }) => !REFUSED.has(name) && ![name, ...aliases].some((one) => answered.has(one)),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  },
);
