import { expect, test } from 'vitest';
import { hexToBytes } from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import { ethereumGenesis, MOVING_FEES, sendBy } from './ethereum.testing.ts';
import { compareChains, replayChain, verifyState } from './index.ts';
import { openTestLedger, transported } from './ledger.testing.ts';

/** Returns 0x8000 zero bytes as code. */
const CREATION = hexToBytes('6180005ff3');

test('default: a replay and an import have the limit of code sizes of the genesis', async () => {
  const genesis = ethereumGenesis({ features: { ...MOVING_FEES, codeSizeLimit: 0x8000 } });
  const { ledger, store } = await openTestLedger({ genesis });
  sendBy(0, ledger, { to: undefined, data: CREATION, gas: 10_000_000n });
  expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ contractAddress: expect.anything() });
  await verifyState(store);
  const target = openStore({ durable: false });
  await replayChain({ source: store, target });
  expect(await compareChains(store, target)).toBeUndefined();
  await target.close();
  const { ledger: importing } = await openTestLedger({ genesis });
  importing.chain.importBlock(transported(ledger, 1));
  expect(importing.blocks.head().header).toEqual(ledger.blocks.head().header);
});

test('error: a block that a higher limit made is rejected', async () => {
  const { ledger } = await openTestLedger({
    genesis: ethereumGenesis({ features: { ...MOVING_FEES, codeSizeLimit: 0x8000 } }),
  });
  const { ledger: other } = await openTestLedger({ genesis: ethereumGenesis({ features: MOVING_FEES }) });
  sendBy(0, ledger, { to: undefined, data: CREATION, gas: 10_000_000n });
  expect(() => other.chain.importBlock(transported(ledger, 1))).toThrow();
});
