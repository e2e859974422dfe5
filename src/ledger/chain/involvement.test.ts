import { describe, expect, test } from 'vitest';
import { type Address, bytesToHex, contractId, createAddress } from '../../protocol/index.ts';
import { ethereumAddress, ethereumGenesis, sendBy } from '../ethereum.testing.ts';
import type { Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  evmAddressOf,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../ledger.testing.ts';
import { deploying } from '../verification/busy-chain.testing.ts';

/** Logs its call data as a topic. */
const LOGGING = deploying('5f355f5fa100');

/** Returns the addresses that the operations of the head involve, their senders first. */
function involvedAtHead(ledger: Ledger): string[][] {
  return ledger.blocks
    .blockTransactions(ledger.blocks.head().number)
    .map((operation) => ledger.blocks.addressesOf(operation).map(bytesToHex));
}

const hex = (...addresses: readonly Address[]): string[] => addresses.map(bytesToHex);

test('behavior: the operation after a count that a test has set is found by it', async () => {
  const { ledger } = await openTestLedger();
  const send = () => ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
  send();
  ledger.chain.patch(() => ({ type: 'operationCount', address: addressAt(0), count: 72n }));
  send();
  const [sent] = ledger.blocks.operationsOf({ address: addressAt(0), order: 'newestFirst', limit: 1 });
  expect(ledger.accounts.operationCount(addressAt(0))).toBe(73);
  expect(ledger.blocks.paidOperation(addressAt(0), 72n)).toEqual(sent?.operation);
});

describe('the addresses of an operation', () => {
  test('default: a transfer has its sender and its receiver', async () => {
    const { ledger } = await openTestLedger();
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
    expect(involvedAtHead(ledger)).toEqual([hex(addressAt(0), addressAt(1))]);
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(0), 5n)], [keyAt(0)]));
    expect(involvedAtHead(ledger)).toEqual([hex(addressAt(0))]);
  });

  test('behavior: a registration has its account, its EVM address and its authorised keys and accounts', async () => {
    const { ledger } = await openTestLedger();
    const evmAddress = evmAddressOf(keyAt(0).publicKey.slice(1));
    const operation = {
      type: 'accountCreate',
      fee: core(150n),
      registrar: accountAt(0),
      name: 'somebody-new',
      active: { weightThreshold: 1, accountAuths: [[accountAt(2), 1]], keyAuths: [] },
      echorandKey: keyAt(1).publicKey,
      evmAddress,
      options: { delegatingAccount: accountAt(3), delegateShare: 1 },
    } as const;
    ledger.pool.submit(sign(ledger, [operation], [keyAt(0)]));
    const created = addressAt(4);
    expect(ledger.accounts.accountByAddress(created)?.name).toBe('somebody-new');
    expect(involvedAtHead(ledger)).toEqual([hex(addressAt(0), created, evmAddress, addressAt(2))]);
  });

  test('behavior: a contract has its creation, its calls and its logs', async () => {
    const { ledger } = await openTestLedger();
    ledger.pool.submit(sign(ledger, [createContract(0, LOGGING)], [keyAt(0)]));
    const contract = ledger.accounts.contractAddressOf(contractId(0));
    if (contract === undefined) throw new TypeError('there is no contract');
    expect(involvedAtHead(ledger)).toEqual([hex(addressAt(0), contract)]);
    // Calls the contract that logs, so that only its log involves it.
    const caller = deploying(`5f5f5f5f5f73${bytesToHex(contract)}5af100`);
    ledger.pool.submit(sign(ledger, [createContract(1, caller)], [keyAt(1)]));
    const called = ledger.accounts.contractAddressOf(contractId(1));
    if (called === undefined) throw new TypeError('there is no contract');
    const call = {
      type: 'contractCall',
      fee: core(200_000n),
      registrar: accountAt(2),
      value: core(0n),
      code: '',
      callee: contractId(1),
    } as const;
    ledger.pool.submit(sign(ledger, [call], [keyAt(2)]));
    expect(involvedAtHead(ledger)).toEqual([hex(addressAt(2), called, contract)]);
    const found = ledger.blocks.operationsOf({ address: contract, order: 'oldestFirst', limit: 10 });
    expect(found.map(({ operation }) => operation.block.number)).toEqual([1, 3]);
  });

  test('behavior: an Ethereum transaction involves its sender, its receiver and the contract it creates', async () => {
    const { ledger } = await openTestLedger({ genesis: ethereumGenesis() });
    sendBy(0, ledger, { to: ethereumAddress(1), value: 1n });
    expect(involvedAtHead(ledger)).toEqual([hex(ethereumAddress(0), ethereumAddress(1))]);
    sendBy(0, ledger, { to: undefined, data: Buffer.from(LOGGING, 'hex'), gas: 200_000n });
    expect(involvedAtHead(ledger)).toEqual([hex(ethereumAddress(0), createAddress(ethereumAddress(0), 1n))]);
  });

  test('behavior: past states have the operations of earlier blocks', async () => {
    const { ledger } = await openTestLedger();
    for (const amount of [1n, 2n, 3n]) {
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
    }
    const blocksAt = (order: 'newestFirst' | 'oldestFirst') =>
      ledger.history
        .stateBefore(3)
        .blocks.operationsOf({ address: addressAt(1), order, limit: 10 })
        .map(({ operation }) => operation.block.number);
    expect([blocksAt('newestFirst'), blocksAt('oldestFirst')]).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });
});
