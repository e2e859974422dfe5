import { expect, test } from 'vitest';
import { RequestFailedError } from '../rpc/index.ts';
import { REFUSAL_NOTICE_MS, type RefusalNotice, RefusalNotices } from './server.ts';

test('default: at most one for each reason in a while, and how many were left out', () => {
  const told: RefusalNotice[] = [];
  let now = 5;
  const notices = new RefusalNotices(
    (notice) => told.push(notice),
    () => now,
  );
  const refuse = (reason: 'host' | 'origin', message: string): void =>
    notices.note({ reason, error: new RequestFailedError(message) });
  for (const name of ['first', 'second', 'third']) refuse('origin', name);
  refuse('host', 'other');
  now += REFUSAL_NOTICE_MS - 1;
  refuse('origin', 'early');
  now += 1;
  refuse('origin', 'late');
  refuse('origin', 'again');
  expect(told).toEqual([
    { message: 'first', others: 0 },
    { message: 'other', others: 0 },
    { message: 'late', others: 3 },
  ]);
});
