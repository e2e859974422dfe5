import { expect, test } from 'vitest';
import { runWorldsCampaign } from './campaign.ts';

test('behavior: native and Ethereum operations side by side, 20 random sequences', async () => {
  const { sequences, native, ethereum, blocks, blob, setCode } = await runWorldsCampaign({
    sequences: 20,
    seed: 1,
  });
  expect(sequences).toBe(20);
  for (const count of [blob, setCode]) expect(count).toBeGreaterThan(5);
  for (const count of [native, ethereum, blocks]) expect(count).toBeGreaterThan(20);
});
