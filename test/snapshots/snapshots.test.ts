import { expect, test } from 'vitest';
import { runSnapshotCampaign } from './campaign.ts';

test('behavior: 60 random sequences find nothing', async () => {
  const { sequences, reverts, replays } = await runSnapshotCampaign({ sequences: 60, seed: 1 });
  expect([sequences, replays]).toEqual([60, 1]);
  expect(reverts).toBeGreaterThan(100);
});
