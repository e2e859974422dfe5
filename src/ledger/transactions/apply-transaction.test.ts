import { afterEach, describe, expect, test, vi } from 'vitest';
import { WEI_OF_UNIT } from '../../../test/chain-kind.ts';
import { Engine, EngineError, type Message } from '../../evm/index.ts';
import { bytesToHex, contractAddress, contractId, type Operation, ZERO_HASH } from '../../protocol/index.ts';
import type { Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  transfer,
} from '../ledger.testing.ts';

/** Init code of a contract that adds 1 to its first slot. */
const COUNTER = '6007600c60003960076000f3' + '5f546001015f55';
const ADDRESS = contractAddress(contractId(0));
/** A value by which `failEngine` recognises a message. */
const FATAL = 13n;

afterEach(() => vi.restoreAllMocks());

/** Makes engines fail on messages with the value FATAL as on a full table: all uncommitted changes are lost. */
function failEngine(times = Number.POSITIVE_INFINITY): void {
  const execute = Engine.prototype.execute;
  let left = times;
  vi.spyOn(Engine.prototype, 'execute').mockImplementation(function (this: Engine, message: Message) {
    if (message.value !== FATAL * WEI_OF_UNIT || left === 0) return execute.call(this, message);
    left -= 1;
    this.clear();
    throw new EngineError('codeFull');
  });
}

const call = (value: bigint): Operation => ({
  type: 'contractCall',
  fee: core(100_000n),
  registrar: accountAt(0),
  value: core(value),
  code: '',
  callee: contractId(0),
});

const submit = (ledger: Ledger, operation: Operation) =>
  ledger.pool.submit(sign(ledger, [operation], [keyAt(0)], { expiration: nextExpiration(ledger) }));

/** Equal transactions need different expirations. */
let expirations = 0;
const nextExpiration = (ledger: Ledger) =>
  ledger.blocks.head().header.timestamp + 60 + (expirations++ % 1_000);

const counterOf = (ledger: Ledger) =>
  Number(`0x${bytesToHex(ledger.accounts.storageAt(ADDRESS, ZERO_HASH))}`);

describe('an engine that runs out of memory', () => {
  test('error: a submission', async () => {
    const { ledger, store } = await openTestLedger();
    submit(ledger, createContract(0, COUNTER));
    failEngine();
    const before = bytesToHex(rootByScan(store));
    expect(() => submit(ledger, call(FATAL))).toThrow(
      'the engine has no room for this execution: the table of code is full',
    );
    expect(bytesToHex(rootByScan(store))).toBe(before);
    submit(ledger, call(0n));
    expect(counterOf(ledger)).toBe(1);
  });

  test('error: a call', async () => {
    const { ledger } = await openTestLedger();
    submit(ledger, createContract(0, COUNTER));
    failEngine();
    const message = { from: addressAt(0), to: ADDRESS, value: FATAL * WEI_OF_UNIT };
    expect(() => ledger.calls.call(message)).toThrow('the engine has no room for this execution');
    expect(() => ledger.calls.estimateGas(message)).toThrow('the engine has no room for this execution');
    expect(ledger.calls.call({ to: ADDRESS }).status).toBe('success');
  });

  test('behavior: pending transactions before and after it are not lost', async () => {
    const { ledger } = await openTestLedger();
    submit(ledger, createContract(0, COUNTER));
    ledger.miner.stopMining();
    submit(ledger, call(0n));
    submit(ledger, transfer(0, accountAt(1), 5n));
    failEngine();
    expect(() => submit(ledger, call(FATAL))).toThrow('the engine has no room');
    submit(ledger, call(1n));
    expect(ledger.pool.pendingOperations()).toHaveLength(3);
    ledger.miner.mine();
    expect(ledger.pool.pendingOperations()).toEqual([]);
    expect(counterOf(ledger)).toBe(2);
    expect(ledger.accounts.balanceOf(ADDRESS)).toBe(1n);
  });

  test('behavior: a block continues without the transaction', async () => {
    const { ledger } = await openTestLedger();
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.message));
    submit(ledger, createContract(0, COUNTER));
    ledger.miner.stopMining();
    for (const value of [1n, FATAL, 2n]) submit(ledger, call(value));
    // The block has to execute them again.
    ledger.chain.handleReorg();
    failEngine();
    ledger.miner.mine();
    expect(dropped).toEqual(['the engine has no room for this execution: the table of code is full']);
    expect(ledger.blocks.blockTransactions(2)).toHaveLength(2);
    expect(counterOf(ledger)).toBe(2);
    expect(ledger.accounts.balanceOf(ADDRESS)).toBe(3n);
  });

  test('behavior: a transaction that fits emptied tables is included', async () => {
    const { ledger } = await openTestLedger();
    submit(ledger, createContract(0, COUNTER));
    ledger.miner.stopMining();
    for (const value of [1n, FATAL, 2n]) submit(ledger, call(value));
    // The block has to execute them again.
    ledger.chain.handleReorg();
    failEngine(1);
    ledger.miner.mine();
    expect(ledger.blocks.blockTransactions(2)).toHaveLength(3);
    expect(counterOf(ledger)).toBe(3);
    expect(ledger.accounts.balanceOf(ADDRESS)).toBe(FATAL + 3n);
  });

  test('behavior: a block of another node is applied nevertheless', async () => {
    const [{ ledger, store }, other] = [await openTestLedger(), await openTestLedger()];
    submit(ledger, createContract(0, COUNTER));
    ledger.miner.stopMining();
    for (const value of [1n, FATAL]) submit(ledger, call(value));
    ledger.miner.mine();
    failEngine(1);
    for (const number of [1, 2]) {
      const block = ledger.blocks.nativeBlock(number);
      if (block !== undefined) other.ledger.chain.importBlock(block);
    }
    expect(bytesToHex(rootByScan(other.store))).toBe(bytesToHex(rootByScan(store)));
  });
});
