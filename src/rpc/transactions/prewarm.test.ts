import { describe, expect, test } from 'vitest';
import {
  contractId,
  hexToBytes,
  signEthereumTransaction,
  toAddress,
  toHash,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { type JobListener, type JobProcesses, type JobResult, WorkerLostError } from '../index.ts';
import { ADDRESS, stubDispatcher, stubLedger, stubWallet } from '../rpc.testing.ts';
import { PREWARM_GAS_MIN, prewarmCalls } from './prewarm.ts';

const CONTRACT = '0x0100000000000000000000000000000000000000';
const MUCH = `0x${PREWARM_GAS_MIN.toString(16)}`;
const LITTLE = `0x${(PREWARM_GAS_MIN - 1n).toString(16)}`;
const HASH = `0x${'07'.repeat(32)}`;

const RESULT: JobResult = {
  response: '',
  outcome: 'refused',
  milliseconds: 1,
  message: 'no',
  revertData: undefined,
  failure: '',
};

/** Returns a dispatcher with one worker that records its jobs, and the outcome of a send. */
function sending(end = (listener: JobListener): void => listener.onResult(RESULT)) {
  const log: unknown[] = [];
  const workers: JobProcesses = {
    ready: 1,
    hasCapacityFor: () => true,
    stepsBuilder: undefined,
    run: ({ kind, call: { method, parameters } }, listener) => {
      log.push({ kind, method, parameters });
      queueMicrotask(() => end(listener));
    },
  };
  const send = () => {
    log.push('sent');
    return toHash(new Uint8Array(32).fill(7));
  };
  const isContract = (address: Uint8Array) => address[0] === 1;
  const ledger = stubLedger({
    parameters: { hardfork: 'osaka' },
    accounts: { contractIdAt: (address) => (isContract(address) ? contractId(0) : undefined) },
  });
  const dispatcher = stubDispatcher({ ledger, wallet: stubWallet({ send }) }, undefined, workers);
  const call = async (transaction: object): Promise<unknown> => {
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] };
    return JSON.parse(String(await dispatcher.handle(JSON.stringify(request))));
  };
  return { call, log };
}

describe('a transaction that may take long', () => {
  test.each([
    ['a call', { to: CONTRACT, data: '0x01', gas: MUCH, value: '0x5' }],
    ['a creation', { data: '0x02', gas: MUCH }],
  ])('default: a worker runs %s before', async (_, transaction) => {
    const { call, log } = sending();
    expect(await call({ from: ADDRESS, ...transaction })).toMatchObject({ result: HASH });
    const prewarm = { kind: 'prewarm', method: 'eth_call' };
    expect(log).toEqual([
      { ...prewarm, parameters: [{ from: ADDRESS, value: '0x0', ...transaction }] },
      'sent',
    ]);
  });

  test('behavior: a transaction without gas runs with the maximum', async () => {
    const { call, log } = sending();
    expect(await call({ from: ADDRESS, to: CONTRACT })).toMatchObject({ result: HASH });
    expect(log).toMatchObject([{ parameters: [{ gas: '0x1000000' }] }, 'sent']);
  });

  test.each([
    ['little gas', { to: CONTRACT, gas: LITTLE }],
    ['a transfer', { to: ADDRESS, gas: MUCH }],
  ])('behavior: %s is not run', async (_, transaction) => {
    const { call, log } = sending();
    expect(await call({ from: ADDRESS, ...transaction })).toMatchObject({ result: HASH });
    expect(log).toEqual(['sent']);
  });

  test('behavior: it is sent all the same when the worker is lost', async () => {
    const { call, log } = sending((listener) => listener.onLost(new WorkerLostError()));
    expect(await call({ from: ADDRESS, data: '0x02', gas: MUCH })).toMatchObject({ result: HASH });
    expect(log).toHaveLength(2);
  });

  test('error: a malformed transaction', async () => {
    const { call, log } = sending();
    expect(await call({ from: ADDRESS, data: '0x0', gas: MUCH })).toMatchObject({ error: { code: -32602 } });
    expect(log).toEqual([]);
  });
});

describe('prewarmCalls', () => {
  const ledger = stubLedger({ accounts: { contractIdAt: () => contractId(0) } });
  const key = new Uint8Array(32).fill(1);
  const from = '0x1a642f0e3c3af545e7acbd38b07251b3990914f1';
  const signed = (gas: bigint): string =>
    toPrefixedHex(
      signEthereumTransaction(
        {
          type: 'dynamicFee',
          chainId: 1n,
          nonce: 0n,
          maxPriorityFeePerGas: 1n,
          maxFeePerGas: 1n,
          gas,
          to: toAddress(hexToBytes(CONTRACT.slice(2))),
          value: 5n,
          data: Uint8Array.of(7),
          accessList: [],
        },
        key,
      ),
    );

  test('default: bytes of a transaction of Ethereum are run as their sender, with wei', () => {
    const call = { from, to: CONTRACT, value: '0x5', data: '0x07', gas: MUCH };
    expect(prewarmCalls(signed(PREWARM_GAS_MIN), ledger)).toEqual([call]);
    expect(prewarmCalls(signed(PREWARM_GAS_MIN - 1n), ledger)).toEqual([]);
  });

  test('behavior: so is a transaction object', () => {
    const given = { from, to: CONTRACT, value: '0x5', input: '0x07', gas: MUCH, nonce: '0x1' };
    const call = { from, to: CONTRACT, value: '0x5', data: '0x07', gas: MUCH };
    expect(prewarmCalls(given, ledger)).toEqual([call]);
  });

  test.each([undefined, null, 1, '', '0x', '0x0', {}, { from: '0x' }])('error: %j', (given) => {
    expect(() => prewarmCalls(given, ledger)).toThrow();
  });
});
