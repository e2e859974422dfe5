import { expect, test } from 'vitest';
import type { Hash } from '../../protocol/index.ts';
import { accountAt, GENESIS_TIME, keyAt, openTestLedger, sign, transfer } from '../ledger.testing.ts';

test('default: after 10,000 transfers of one account, transfers of other accounts are still accepted', async () => {
  const { ledger } = await openTestLedger({ mining: 'manual' });
  const pay = (from: number, amount: bigint): Hash => {
    const operation = transfer(from, accountAt(3), amount);
    return ledger.pool.submit(sign(ledger, [operation], [keyAt(from)], { expiration: GENESIS_TIME + 600 }))
      .hash;
  };
  for (let amount = 1n; amount <= 10_000n; amount += 1n) pay(0, amount);
  const honest = [1, 2, 1, 2, 1].map((from, index) => pay(from, BigInt(index + 1)));
  expect(() => pay(0, 10_001n)).toThrow('the pending pool is full');
  expect(ledger.pool.pendingCount).toBe(10_000);
  while (ledger.pool.pendingCount > 0) ledger.miner.mine();
  for (const hash of honest) expect(ledger.pool.findOperation(hash)?.kind).toBe('included');
});
