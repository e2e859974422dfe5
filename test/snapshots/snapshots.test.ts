import { expect, test } from 'vitest';
import { runSnapshotCampaign } from './campaign.ts';
import { runUndoneAnswers } from './undone-answers.ts';

test('behavior: 60 random sequences reveal no inconsistency', async () => {
  const { sequences, reverts, replays } = await runSnapshotCampaign({ sequences: 60, seed: 1 });
  expect([sequences, replays]).toEqual([60, 1]);
  expect(reverts).toBeGreaterThan(100);
});

test('behavior: with workers no response after a revert contains reverted data', async () => {
  const { reverts, late, exact } = await runUndoneAnswers({ sequences: 8, seed: 1, workers: 2 });
  for (const count of [reverts, late, exact]) expect(count).toBeGreaterThan(5);
});
