import { expect, test } from 'vitest';
import { runSnapshotCampaign } from './campaign.ts';

test('behavior: 25 random sequences find nothing', async () => {
  const { sequences, reverts, replays } = await runSnapshotCampaign({ sequences: 25, seed: 1 });
  expect([sequences, replays]).toEqual([25, 1]);
  expect(reverts).toBeGreaterThan(50);
});
