import { describe, expect, test } from 'vitest';
import { accountAddress, accountId, contractAddress, contractId, coreAmount } from '../protocol/index.ts';
import { CREATION, included, pending, TRANSFER } from './formatters.testing.ts';
import { toTransaction } from './index.ts';

describe('toTransaction', () => {
  test('default', () => {
    expect(toTransaction(included(TRANSFER))).toEqual({
      blockHash: '0x00000000000000000000000000000bb870e5fd1b147a3fa3cd693129cacdf680',
      blockNumber: '0xbb8',
      blockTimestamp: '0x5df7ba9d',
      type: '0x0',
      from: '0x0000000000000000000000000000000000000018',
      gas: '0x14',
      gasPrice: '0x1',
      hash: expect.stringMatching(/^0x0000000000000bb800000000[0-9a-f]{40}$/),
      input: '0x',
      nonce: '0x0',
      to: '0x0000000000000000000000000000000000000254',
      transactionIndex: '0x0',
      value: '0x12a05f200',
      v: '0x0',
      r: '0x0',
      s: '0x0',
    });
  });

  test('behavior: a pending operation has no position in the chain', () => {
    const shown = toTransaction(pending(TRANSFER));
    const position = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };
    expect(shown).toMatchObject({ type: '0x0', ...position });
    expect(shown.hash).toMatch(/^0x0{24}[0-9a-f]{40}$/);
    expect(shown.hash.slice(26)).toBe(toTransaction(included(TRANSFER)).hash.slice(26));
  });

  test('behavior: a contract creation has no receiver; its code is the input', () => {
    expect(toTransaction(included(CREATION, 3))).toMatchObject({
      to: null,
      input: '0x600aff0000',
      value: '0x7',
      gas: '0x15f90',
      transactionIndex: '0x3',
    });
  });

  test('behavior: an operation that transfers no value has the value zero and empty input', () => {
    const operation = { type: 'accountUpdate', fee: coreAmount(20n), account: accountId(30) } as const;
    expect(toTransaction(included(operation))).toMatchObject({
      value: '0x0',
      input: '0x',
      from: expect.stringMatching(/1e$/),
    });
  });

  test('behavior: the sender of a test call is its caller', () => {
    const [caller, to] = [contractAddress(contractId(5)), accountAddress(accountId(24))];
    const call = {
      type: 'testCall',
      caller,
      to,
      value: 3n,
      data: Uint8Array.of(1, 255),
      gas: 30_000n,
    } as const;
    expect(toTransaction(included(call))).toMatchObject({
      from: '0x0100000000000000000000000000000000000005',
      gas: '0x7530',
      input: '0x01ff',
      value: '0x3',
      v: '0x0',
    });
  });

  test('behavior: the sender of a virtual operation is the contract', () => {
    const destruction = {
      type: 'contractSelfdestruct',
      fee: coreAmount(0n),
      contract: contractId(5),
      recipient: accountId(24),
      amounts: [],
    } as const;
    expect(toTransaction(included(destruction)).from).toBe('0x0100000000000000000000000000000000000005');
    const creation = {
      type: 'contractInternalCreate',
      fee: coreAmount(0n),
      caller: contractId(6),
      newContract: contractId(7),
      value: coreAmount(9n),
      ethAccuracy: false,
    } as const;
    expect(toTransaction(included(creation))).toMatchObject({
      from: '0x0100000000000000000000000000000000000006',
      value: '0x9',
    });
  });
});
