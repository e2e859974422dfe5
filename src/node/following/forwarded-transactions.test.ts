import { expect, test } from 'vitest';
import { ethereumGenesis, sendBy } from '../../ledger/ethereum.testing.ts';
import { openTestLedger } from '../../ledger/ledger.testing.ts';
import { watchForwarded } from './forwarded-transactions.ts';

/** Watches a ledger with a pending transaction. `round` runs one round of questions; its end can be awaited. */
async function watching(mayHave: () => Promise<boolean>) {
  const { ledger } = await openTestLedger({ genesis: ethereumGenesis(), mining: 'manual' });
  sendBy(0, ledger);
  const failures: unknown[] = [];
  let round = (): void => undefined;
  const time = {
    every: (_milliseconds: number, callback: () => void) => {
      round = callback;
      return () => undefined;
    },
  };
  const stop = watchForwarded(ledger, { mayHave }, time, (error) => failures.push(error));
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { ledger, failures, stop, round: () => round(), settled };
}

test('default: a transaction that no followed node has is dropped', async () => {
  const { ledger, failures, round, settled } = await watching(async () => false);
  round();
  await settled();
  expect([ledger.pool.pendingCount, failures]).toEqual([0, []]);
});

test('error: a failed round is reported, and the next one goes on', async () => {
  const answers = [() => Promise.reject(new TypeError('broken')), async () => false];
  const { ledger, failures, round, settled } = await watching(async () => answers.shift()?.() ?? true);
  round();
  await settled();
  expect([ledger.pool.pendingCount, failures]).toEqual([1, [new TypeError('broken')]]);
  round();
  await settled();
  expect([ledger.pool.pendingCount, failures.length]).toEqual([0, 1]);
});

test('behavior: a round that ends after the stop changes nothing', async () => {
  let answer = (_has: boolean): void => undefined;
  const asked = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const { ledger, failures, stop, round, settled } = await watching(() => asked);
  round();
  stop();
  answer(false);
  await settled();
  expect([ledger.pool.pendingCount, failures]).toEqual([1, []]);
});
