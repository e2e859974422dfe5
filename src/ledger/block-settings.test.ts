import { expect, test } from 'vitest';
import {
  accountAddress,
  bytesToNumber,
  headerDigest,
  hexToBytes,
  toAddress,
  toHash,
  ZERO_ADDRESS,
} from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import { ethereumGenesis, MOVING_FEES, sendBy } from './ethereum.testing.ts';
import { compareChains, type Ledger, type Patch, replayChain, verifyState } from './index.ts';
import { openTestLedger, PRODUCER_KEY, testGenesis, transported } from './ledger.testing.ts';

/** Stores COINBASE in slot 0, and GASLIMIT in slot 1. */
const CODE = hexToBytes('415f5545600155');
const STORING = toAddress(hexToBytes('11'.repeat(20)));
const MINER = toAddress(hexToBytes('22'.repeat(20)));
const GAS_LIMIT = 1_000_000n;

const genesis = ethereumGenesis({ features: MOVING_FEES });
const slotsOf = ({ accounts }: Pick<Ledger, 'accounts'>): bigint[] =>
  [0, 1].map((slot) => {
    const key = toHash(hexToBytes(slot.toString(16).padStart(64, '0')));
    return bytesToNumber(accounts.storageAt(STORING, key));
  });
const patch = (ledger: Ledger, change: Patch): void => ledger.chain.patch(() => change);
const call = (ledger: Ledger): unknown => sendBy(0, ledger, { to: STORING, gas: 100_000n });

test('default: blocks keep what a test has set, and a replay and an import give the same', async () => {
  const { ledger, store } = await openTestLedger({ genesis });
  const { blockGasLimit } = ledger.parameters.rules;
  patch(ledger, { type: 'code', address: STORING, code: CODE });
  call(ledger);
  expect(slotsOf(ledger)).toEqual([0n, blockGasLimit]);
  patch(ledger, { type: 'coinbase', coinbase: MINER });
  patch(ledger, { type: 'gasLimit', gasLimit: GAS_LIMIT });
  expect(ledger.prices.settings()).toEqual({ coinbase: MINER, gasLimit: GAS_LIMIT });
  const producerBefore = ledger.accounts.weiBalanceOf(ledger.parameters.coinbase);
  for (let block = 0; block < 2; block += 1) {
    call(ledger);
    expect(slotsOf(ledger)).toEqual([bytesToNumber(MINER), GAS_LIMIT]);
    expect(ledger.prices.settings(ledger.blocks.head())).toEqual({ coinbase: MINER, gasLimit: GAS_LIMIT });
  }
  expect(ledger.accounts.weiBalanceOf(MINER)).toBe(0n);
  expect(ledger.accounts.weiBalanceOf(ledger.parameters.coinbase)).toBeGreaterThan(producerBefore);
  await verifyState(store);
  const target = openStore({ durable: false });
  await replayChain({ source: store, target });
  expect(await compareChains(store, target)).toBeUndefined();
  await target.close();
  ledger.chain.revertTo(1);
  expect(ledger.prices.settings()).toEqual({ coinbase: ZERO_ADDRESS, gasLimit: blockGasLimit });
});

test('behavior: the base fee follows the gas limit of the block (EIP-1559)', async () => {
  const { ledger } = await openTestLedger({ genesis });
  ledger.miner.mine();
  patch(ledger, { type: 'gasLimit', gasLimit: 42_000n });
  const { baseFee } = ledger.prices.next();
  sendBy(0, ledger, { to: MINER, gas: 21_000n });
  expect(ledger.prices.next().baseFee).toBe(baseFee);
  patch(ledger, { type: 'gasLimit', gasLimit: 1n });
  ledger.miner.mine();
  expect(ledger.prices.next().baseFee).toBe(baseFee - baseFee / 8n);
});

test('error: a block that states no settings', async () => {
  const { ledger } = await openTestLedger({ genesis });
  sendBy(0, ledger, { to: MINER, gas: 21_000n });
  const block = transported(ledger, 1);
  const changed = { ...block, vmRoot: block.vmRoot.slice(0, 3) };
  const edSignature = PRODUCER_KEY.sign(headerDigest(ledger.parameters.chainId, changed));
  const { ledger: importing } = await openTestLedger({ genesis });
  expect(() => importing.chain.importBlock({ ...changed, edSignature })).toThrow('vm_root');
  importing.chain.importBlock(block);
});

test('error: settings of a chain without Ethereum, and a gas limit of no block', async () => {
  const { ledger } = await openTestLedger({ genesis: { ...testGenesis(), ethereum: undefined } });
  expect(() => patch(ledger, { type: 'coinbase', coinbase: MINER })).toThrow(
    'only test chains with Ethereum',
  );
  const { ledger: other } = await openTestLedger({ genesis });
  for (const gasLimit of [0n, 2n ** 63n]) {
    expect(() => patch(other, { type: 'gasLimit', gasLimit })).toThrow('a gas limit from 1 to');
  }
});

test('behavior: the headers of other chains with Ethereum state no settings', async () => {
  const [first, ...accounts] = genesis.accounts;
  if (first === undefined) return expect.unreachable();
  const real = { ...genesis, accounts: [{ ...first, name: 'somebody' }, ...accounts] };
  const { ledger } = await openTestLedger({ genesis: real });
  ledger.miner.mine();
  const { header } = ledger.blocks.head();
  expect(header.vmRoot).toHaveLength(3);
  expect(ledger.prices.settings()).toEqual({
    coinbase: accountAddress(header.account),
    gasLimit: ledger.parameters.rules.blockGasLimit,
  });
});
