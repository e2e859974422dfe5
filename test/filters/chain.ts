import { deepEqual } from 'node:assert/strict';
import type { LogObject } from '../../src/formatters/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import {
  accountAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../../src/ledger/ledger.testing.ts';
import {
  bytesToHex,
  contractAddress,
  contractId,
  type Operation,
  operationHash,
  pendingTransactionHash,
  toPrefixedHex,
} from '../../src/protocol/index.ts';
import { createDispatcher, type Dispatcher, type RpcLimits } from '../../src/rpc/index.ts';
import { openStore } from '../../src/store/index.ts';
import { systemTime } from '../../src/time/time.ts';
import { problemsOfResult } from '../openrpc/result-check.ts';

/** Numbers of topics in the logs of each contract; contract `n` is `1.11.n`. */
export const TOPICS_OF = [0, 1, 2, 4] as const;

/** A ledger with a contract for each number of topics; the contracts are created in block 1. */
export interface TestChain {
  readonly ledger: Ledger;
  close(): Promise<void>;
}

/** Opens such a ledger, in memory. */
export async function openChain(): Promise<TestChain> {
  const store = openStore({ durable: false });
  const { ledger } = await openTestLedger({ store });
  const creations = TOPICS_OF.map((count) => createContract(0, deploying(emitterOf(count))));
  ledger.pool.submit(sign(ledger, creations, [keyAt(0)]));
  return { ledger, close: () => store.close() };
}

/** Init code that deploys `runtime`. */
function deploying(runtime: string): string {
  const size = byte(runtime.length / 2);
  return `60${size}600c60003960${size}6000f3${runtime}`;
}

/** A contract that writes one log: its topics are the first words of the call data, its data is the next. */
function emitterOf(topics: number): string {
  const loads = Array.from({ length: topics }, (_, index) => `60${byte(32 * (topics - 1 - index))}51`);
  return `366000600037${loads.join('')}602060${byte(32 * topics)}a${topics}00`;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

/** A topic, or a word of data. */
export function word(value: number): `0x${string}` {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** The address of contract `n`. */
export function emitter(n: number): string {
  return toPrefixedHex(contractAddress(contractId(n)));
}

/** An operation that lets contract `n` write a log with these topics and data. */
export function emit(n: number, topics: readonly number[], data = 0): Operation {
  const words = [...topics.slice(0, TOPICS_OF[n]), data];
  return {
    type: 'contractCall',
    fee: core(100_000n),
    registrar: accountAt(0),
    value: core(0n),
    code: words.map((value) => word(value).slice(2)).join(''),
    callee: contractId(n),
  };
}

/** A transfer; different amounts make different transactions. */
export function pay(amount: number): Operation {
  return transfer(0, accountAt(1), BigInt(amount));
}

/** Submits one transaction of these operations; gives the hashes of their pending form. */
export function submit(ledger: Ledger, ...operations: readonly Operation[]): string[] {
  const transaction = sign(ledger, operations, [keyAt(0)]);
  ledger.pool.submit(transaction);
  const { refBlockNum, refBlockPrefix, expiration } = transaction;
  return operations.map((operation) =>
    toPrefixedHex(pendingTransactionHash(operationHash(operation, refBlockNum, refBlockPrefix, expiration))),
  );
}

/** A client of a node over the ledger. */
export interface TestClient {
  readonly dispatcher: Dispatcher;
  /** The result, checked against the schema of the method, or the error. */
  call(method: string, ...params: readonly unknown[]): unknown;
}

/** Returns a client of a separate node over a ledger. */
export function clientOf(ledger: Ledger, limits: Partial<RpcLimits> = {}, now = () => 0): TestClient {
  const atOnce = { timeSliceMsMax: Number.POSITIVE_INFINITY, ...limits };
  const dispatcher = createDispatcher({
    ledger,
    wallet: undefined,
    version: '1.2.3',
    limits: atOnce,
    time: { ...systemTime, now },
  });
  return {
    dispatcher,
    call: (method, ...params) => {
      const text = dispatcher.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      if (text === undefined || text instanceof Promise)
        throw new TypeError('the response is not synchronous');
      const { result, error } = JSON.parse(text.toString()) as { result?: unknown; error?: unknown };
      deepEqual(error === undefined ? problemsOfResult(method, result) : [], []);
      return error ?? result;
    },
  };
}

/** All logs of a block, by its receipts. */
export function logsOfBlock({ call }: TestClient, number: number): LogObject[] {
  const block = call('eth_getBlockByNumber', number, false) as { transactions: readonly string[] };
  return block.transactions.flatMap(
    (hash) => (call('eth_getTransactionReceipt', hash) as { logs: LogObject[] }).logs,
  );
}

/** The hash of a block. */
export function hashOfBlock(ledger: Ledger, number: number): string {
  const block = ledger.blocks.blockByNumber(number);
  return block === undefined ? 'no block' : `0x${'00'.repeat(12)}${bytesToHex(block.id)}`;
}
