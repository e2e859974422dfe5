import { beforeEach, expect, test } from 'vitest';
import { Journal } from './journal.ts';
import type { SignedBytes } from './transactions.ts';

const NAME = '1'.repeat(40);
const BYTES: SignedBytes = {
  raw: '0x00',
  operationHashes: [NAME],
  pendingHash: `0x${'0'.repeat(24)}${NAME}`,
  expiration: 1_800_000_000,
};
const KNOWN = { code: -32000, message: 'already known: the transaction is pending' };
const TOO_LATE = { code: -32000, message: "the transaction expired at 1; the head block's time is 2" };

let journal: Journal;

beforeEach(() => {
  journal = new Journal();
  journal.life = 1;
});

test('default: a sent operation is unanswered until its hash is returned', () => {
  const sent = journal.send(BYTES, 'transfer');
  expect([...journal.unanswered.keys()]).toEqual([NAME]);
  journal.accept(sent, BYTES.pendingHash);
  expect([journal.unanswered.size, [...journal.given.keys()]]).toEqual([0, [NAME]]);
  expect([...journal.lines()]).toEqual([
    `given life 1 expires 1800000000 ${BYTES.pendingHash} transfer ${BYTES.raw}`,
  ]);
});

test('behavior: an unanswered operation is sent once more after a restart', () => {
  const sent = journal.send(BYTES, 'transfer');
  expect(journal.oneToRepeat()).toBeUndefined();
  journal.life += 1;
  expect(journal.oneToRepeat()).toBe(sent);
  sent.attempts += 1;
  expect(journal.oneToRepeat()).toBeUndefined();
});

test('behavior: the response already known to a resend counts as an acknowledgement', () => {
  const sent = journal.send(BYTES, 'transfer');
  sent.attempts += 1;
  journal.refuse(sent, KNOWN);
  expect(journal.given.has(NAME)).toBe(true);
});

test('behavior: an expired operation is recorded as refused, unless it is a resend', () => {
  const repeated = journal.send(BYTES, 'transfer');
  repeated.attempts += 1;
  journal.refuse(repeated, TOO_LATE);
  expect(journal.unanswered.has(NAME)).toBe(true);
  repeated.attempts = 1;
  journal.refuse(repeated, TOO_LATE);
  expect(journal.refused.has(NAME)).toBe(true);
});

test('error: the hash of another operation', () => {
  const sent = journal.send(BYTES, 'transfer');
  expect(() => journal.accept(sent, `0x${'2'.repeat(64)}`)).toThrow('is answered 0x2222');
  expect(() => journal.accept(sent, null)).toThrow('is answered null');
});

test('error: a refusal that the load does not give reason for', () => {
  const sent = journal.send(BYTES, 'transfer');
  expect(() => journal.refuse(sent, KNOWN)).toThrow('transfer is refused: -32000 already known');
  expect(() => journal.refuse(sent, { code: -32603, message: 'internal error' })).toThrow('internal error');
});

test('error: two blocks of one number', () => {
  journal.show({ number: '0x2', hash: '0xaa' });
  journal.show({ number: '0x2', hash: '0xaa' });
  expect(() => journal.show({ number: '0x2', hash: '0xbb' })).toThrow('block 2 was 0xaa and now is 0xbb');
});
