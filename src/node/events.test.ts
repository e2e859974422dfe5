import { expect, test } from 'vitest';
import { accountAddress, accountId } from '../protocol/index.ts';
import { withFewFailures } from './events.ts';
import { describeNotice, type NodeNotice, type NoticeLevel } from './notices.ts';

const URL = 'http://node:8545/';

test.each<[NodeNotice, NoticeLevel, string]>([
  [
    { kind: 'keysLoaded', producers: [accountId(1_023), accountId(1_022)], registrar: true },
    'info',
    'loaded the keys of 1.2.1023, 1.2.1022 and of the registrar',
  ],
  [
    { kind: 'keysLoaded', producers: [], registrar: false },
    'info',
    'no producer key loaded: this node only imports blocks',
  ],
  [
    { kind: 'keyUnused', account: accountId(1_024), path: '/keys/treasury.json' },
    'warn',
    'this node does not use the key of 1.2.1024 in /keys/treasury.json: store it elsewhere',
  ],
  [
    { kind: 'productionPaused', reason: 'the disk is full' },
    'error',
    'transactions and blocks are paused: the disk is full',
  ],
  [{ kind: 'productionResumed' }, 'info', 'transactions and blocks are resumed'],
  [{ kind: 'followedAnswers', url: URL, head: 7 }, 'info', `following ${URL}: its head is block 7`],
  [
    { kind: 'followedSilent', url: URL, reason: 'refused' },
    'warn',
    `cannot fetch blocks from ${URL}: refused`,
  ],
  [{ kind: 'followedRejected', url: URL, reason: 'wrong' }, 'error', `no longer following ${URL}: wrong`],
  [
    { kind: 'followedBehind', url: URL, head: 5, behind: 2 },
    'warn',
    `${URL} is 2 blocks behind this node: its head is block 5`,
  ],
  [{ kind: 'catchingUp', head: 1, highest: 9 }, 'info', 'catching up: block 1 of 9'],
  [{ kind: 'caughtUp', head: 9 }, 'info', 'caught up: the head is block 9'],
  [
    { kind: 'requestRefused', message: 'the host "a" is not allowed', others: 0 },
    'warn',
    'the host "a" is not allowed',
  ],
  [
    { kind: 'requestRefused', message: 'the host "a" is not allowed', others: 7 },
    'warn',
    'the host "a" is not allowed (7 more were refused before)',
  ],
  [
    { kind: 'ethereumClient', client: '::1', method: 'eth_call' },
    'warn',
    '::1 called eth_call of the native interface with an address of Ethereum: ' +
      "Ethereum's tools use /ethereum of this node, or a node with --root ethereum",
  ],
  [
    { kind: 'balanceCut', address: accountAddress(accountId(1_024)), asked: 9n, most: 7n },
    'warn',
    '0x0000000000000000000000000000000000000400 gets 7 wei, the most that an account can have, instead of 9',
  ],
])('default: %o', (notice, level, message) => {
  expect(describeNotice(notice)).toEqual({ level, message });
});

test('behavior: 60 failures a minute are reported, and the number of the others', () => {
  const reported: string[] = [];
  let now = 0;
  const events = withFewFailures(
    { onInternalFailure: (task, error) => reported.push(`${task}: ${String(error)}`) },
    { now: () => now },
  );
  for (let count = 0; count < 100; count += 1) events.onInternalFailure?.('eth_call', count);
  expect(reported).toEqual(Array.from({ length: 60 }, (_, count) => `eth_call: ${count}`));
  now = 59_999;
  events.onInternalFailure?.('eth_call', 100);
  expect(reported).toHaveLength(60);
  now = 60_000;
  events.onInternalFailure?.('chain 3: eth_call', 101);
  expect(reported.slice(60)).toEqual([
    'several tasks: UnreportedError: 41 further failures were not reported',
    'chain 3: eth_call: 101',
  ]);
});
