import { expect, test } from 'vitest';
import type { BlockSummary } from '../../ledger/index.ts';
import type { NodeNotice } from '../../node/index.ts';
import { accountId, toBlockId } from '../../protocol/index.ts';
import type { LogLevel } from '../settings/service-settings.ts';
import { jsonLog } from './json-log.ts';

const ID = '0000000c00112233445566778899aabbccddeeff';
// The line needs no more of a block than this.
const BLOCK = {
  number: 12,
  id: toBlockId(Buffer.from(ID, 'hex')),
  operationCount: 2,
  feesCollected: 51_234n,
} as unknown as BlockSummary;

/** A log and the objects that it wrote. */
async function logOf(level: LogLevel) {
  const lines: string[] = [];
  const log = await jsonLog(level, (line) => lines.push(line));
  const written = (): Readonly<Record<string, unknown>>[] => lines.map((line) => JSON.parse(line));
  return { log, lines, written };
}

test('default: a block', async () => {
  const { log, lines, written } = await logOf('info');
  log.events.onBlock?.(BLOCK, undefined);
  expect(lines[0]).toMatch(/^\{"level":"info","time":"\d{4}-\d\d-\d\dT[\d:.]+Z","event":"block",.*\}\n$/);
  expect(written()).toMatchObject([
    { number: 12, hash: `0x${'0'.repeat(24)}${ID}`, operations: 2, gas: '51234', message: 'block 12' },
  ]);
});

test('args: a failed call is logged only at level debug', async () => {
  expect((await logOf('info')).log.events.onFailedCall).toBeUndefined();
  const { log, written } = await logOf('debug');
  log.events.onFailedCall?.('eth_\u202ecall', 'no\nlimit');
  expect(written()).toMatchObject([
    { event: 'failedCall', method: 'eth_\\u202ecall', reason: 'no\\u000alimit', level: 'debug' },
  ]);
});

test('args: notices, with their levels and facts', async () => {
  const { log, written } = await logOf('info');
  const notices: readonly NodeNotice[] = [
    { kind: 'keysLoaded', producers: [accountId(1_023)], registrar: true },
    { kind: 'keyUnused', account: accountId(1_024), path: '/k' },
    { kind: 'productionPaused', reason: 'no room' },
    { kind: 'productionResumed' },
    { kind: 'productionWaits', reason: 'unheard' },
    { kind: 'signingSetBack', after: 7, last: 9 },
    { kind: 'followedAnswers', url: 'http://a', head: 7 },
    { kind: 'followedSilent', url: 'http://a', reason: 'gone\u2028' },
    { kind: 'followedRejected', url: 'http://a', reason: 'another chain' },
    { kind: 'followedBehind', url: 'http://a', head: 5, behind: 2 },
    { kind: 'catchingUp', head: 1, highest: 7 },
    { kind: 'caughtUp', head: 7 },
    { kind: 'requestRefused', message: 'the host "a" is not allowed', others: 3 },
  ];
  for (const notice of notices) log.events.onNotice?.(notice);
  const told = written().map(({ time: _time, message, ...facts }) => {
    expect(message).toMatch(/./);
    return facts;
  });
  expect(told).toEqual([
    { level: 'info', event: 'keysLoaded', producers: ['1.2.1023'], registrar: true },
    { level: 'warn', event: 'keyUnused', account: '1.2.1024', path: '/k' },
    { level: 'error', event: 'productionPaused', reason: 'no room' },
    { level: 'info', event: 'productionResumed' },
    { level: 'warn', event: 'productionWaits', reason: 'unheard' },
    { level: 'warn', event: 'signingSetBack', after: 7, last: 9 },
    { level: 'info', event: 'followedAnswers', url: 'http://a', head: 7 },
    { level: 'warn', event: 'followedSilent', url: 'http://a', reason: 'gone\\u2028' },
    { level: 'error', event: 'followedRejected', url: 'http://a', reason: 'another chain' },
    { level: 'warn', event: 'followedBehind', url: 'http://a', head: 5, behind: 2 },
    { level: 'info', event: 'catchingUp', head: 1, highest: 7 },
    { level: 'info', event: 'caughtUp', head: 7 },
    { level: 'warn', event: 'requestRefused', reason: 'the host "a" is not allowed', others: 3 },
  ]);
});

test('args: warn: entries below that level are not logged', async () => {
  const { log, written } = await logOf('warn');
  log.events.onNotice?.({ kind: 'productionResumed' });
  log.events.onBlock?.(BLOCK, undefined);
  log.events.onNotice?.({ kind: 'productionPaused', reason: 'no room' });
  expect(written()).toMatchObject([{ event: 'productionPaused' }]);
});

test('args: an internal failure logs task, error and cause, and no other properties of the error', async () => {
  const { log, lines, written } = await logOf('error');
  const cause = Object.assign(new Error('inner'), { code: 'EIO', seed: 'hidden' });
  log.events.onInternalFailure?.('eth_call', Object.assign(new Error('outer', { cause }), { key: 'hidden' }));
  log.events.onInternalFailure?.('eth_call', 'a text');
  expect(written()).toMatchObject([
    {
      level: 'error',
      event: 'internalFailure',
      task: 'eth_call',
      error: {
        type: 'Error',
        message: 'outer',
        stack: expect.stringContaining('json-log.test.ts'),
        cause: { type: 'Error', message: 'inner', code: 'EIO' },
      },
    },
    { error: { type: 'string', message: 'a text' } },
  ]);
  expect(lines.join('')).not.toContain('hidden');
});

test('behavior: a chain of causes is cut', async () => {
  const { log, lines } = await logOf('error');
  const loop = new Error('round');
  loop.cause = loop;
  log.events.onInternalFailure?.('eth_call', loop);
  expect(lines.join('').split('"message":"round"').length).toBeLessThan(10);
});
