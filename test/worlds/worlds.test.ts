import { expect, test } from 'vitest';
import { runWorldsCampaign } from './campaign.ts';

test('behavior: native and Ethereum operations side by side, 20 random sequences', async () => {
  const { sequences, native, ethereum, blocks } = await runWorldsCampaign({ sequences: 20, seed: 1 });
  expect(sequences).toBe(20);
  for (const count of [native, ethereum, blocks]) expect(count).toBeGreaterThan(20);
});
