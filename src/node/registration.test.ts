import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { problemsOfResult } from '../../test/openrpc/result-check.ts';
import type { Ledger } from '../ledger/index.ts';
import {
  accountId,
  blockHashOf,
  createKeyPair,
  formatPublicKey,
  solves,
  toPrefixedHex,
  toSeed,
} from '../protocol/index.ts';
import { createDispatcher } from '../rpc/index.ts';
import { DEFAULT_CONFIGURATION, startTestNode, type TestNode } from './index.ts';

const KEY = formatPublicKey(createKeyPair(toSeed(new Uint8Array(32).fill(8))).publicKey);
const EVM_ADDRESS = '0x00000000000000000000000000000000deadbeef';
const NEW_ADDRESS = '0x000000000000000000000000000000000000040a';

interface Task {
  readonly blockId: string;
  readonly randNum: string;
  readonly difficulty: string;
}

let node: TestNode;
let ledger: Ledger;

beforeEach(async () => {
  node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, registrationDifficulty: 6 });
  ledger = node.ledger;
});

afterEach(() => node.close());

/** Calls a method: the result or the error of the answer. */
async function call(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(node.url, { method: 'POST', body });
  const answer = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
  return answer.error ?? answer.result;
}

const submit = (...params: readonly unknown[]) => call('ledger_submitRegistrationSolution', ...params);

async function requestTask(): Promise<Task> {
  return (await call('ledger_requestRegistrationTask')) as Task;
}

/** The least nonce that solves a task of the head block, or that does not. */
function nonceOf({ randNum, difficulty }: Task, isSolution = true): string {
  const { id } = ledger.blocks.head();
  let nonce = 0n;
  while (solves(id, BigInt(randNum), nonce, Number(difficulty)) !== isSolution) nonce += 1n;
  return `0x${nonce.toString(16)}`;
}

describe('ledger_requestRegistrationTask', () => {
  test('default: the fields of a task, as in its result schema', async () => {
    const task = await requestTask();
    expect(task).toEqual({
      blockId: toPrefixedHex(blockHashOf(ledger.blocks.head().id)),
      randNum: expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]{0,15})$/),
      difficulty: '0x6',
    });
    expect(problemsOfResult('ledger_requestRegistrationTask', task)).toEqual([]);
  });
});

describe('ledger_submitRegistrationSolution', () => {
  test('default: the address of the account', async () => {
    const task = await requestTask();
    expect(await submit('alice', KEY, KEY, null, nonceOf(task), task.randNum)).toBe(NEW_ADDRESS);
    expect(ledger.accounts.account(accountId(1_034))).toMatchObject({ name: 'alice', evmAddress: undefined });
  });

  test('args: a nonce as an integer', async () => {
    const task = await requestTask();
    const nonce = Number(nonceOf(task));
    expect(await submit('alice', KEY, KEY, null, nonce, task.randNum)).toBe(NEW_ADDRESS);
  });

  test('error: refused solutions have code -32000 and messages of their own', async () => {
    const task = await requestTask();
    const { randNum } = task;
    const nonce = nonceOf(task);
    const other = `0x${(BigInt(randNum) ^ 1n).toString(16)}`;
    const refusals: [unknown[], string][] = [
      [
        ['alice', KEY, KEY, null, nonce, other],
        'unknown or expired registration task: a task is valid for 120 s',
      ],
      [['alice', KEY, KEY, null, nonceOf(task, false), randNum], 'wrong nonce: '],
      [['Alice', KEY, KEY, null, nonce, randNum], 'invalid account name "Alice": '],
      [['test-producer', KEY, KEY, null, nonce, randNum], 'the account name test-producer is taken'],
      [['alice', 'x', KEY, null, nonce, randNum], 'invalid active key: '],
      [['alice', KEY, 'x', null, nonce, randNum], 'invalid consensus key: '],
      [['alice', KEY, KEY, '0x1', nonce, randNum], 'invalid EVM address: '],
    ];
    for (const [params, message] of refusals) {
      expect(await submit(...params)).toEqual({ code: -32000, message: expect.stringContaining(message) });
    }
    expect(ledger.blocks.head().number).toBe(0);
    expect(await submit('alice', KEY, KEY, null, nonce, randNum)).toBe(NEW_ADDRESS);
  });

  test.each([
    [
      ['alice', KEY, KEY, null, '0x1', '0x10000000000000000'],
      'parameter 6 (randNum): expected at most 18446744073709551615 (a uint64), got 18446744073709551616',
    ],
    [['alice', KEY, KEY, null, -1, '0x1'], 'parameter 5 (nonce): '],
    [
      ['alice', KEY, KEY, 5, '0x1', '0x1'],
      'parameter 4 (evm_address): expected a string or null, got a number',
    ],
    [['alice', null, KEY, null, '0x1', '0x1'], 'parameter 2 (activeKey): expected a string, got null'],
    [['alice', KEY, KEY, null, '0x1'], 'missing parameter 6 (randNum)'],
  ])('error: %j is no list of parameters', async (params, message) => {
    expect(await submit(...params)).toEqual({ code: -32602, message: expect.stringContaining(message) });
  });
});

describe('ledger_getAddressReference', () => {
  test('default: lookups in both directions, and null for an unregistered address', async () => {
    expect(await call('ledger_getAddressReference', EVM_ADDRESS)).toBe(null);
    const task = await requestTask();
    await submit('alice', KEY, KEY, EVM_ADDRESS, nonceOf(task), task.randNum);
    expect(await call('ledger_getAddressReference', EVM_ADDRESS)).toBe(NEW_ADDRESS);
    const evmAddress = ledger.accounts.account(accountId(1_034))?.evmAddress;
    expect(evmAddress && toPrefixedHex(evmAddress)).toBe(EVM_ADDRESS);
    const next = await requestTask();
    expect(await submit('bob', KEY, KEY, EVM_ADDRESS, nonceOf(next), next.randNum)).toEqual({
      code: -32000,
      message: `the EVM address ${EVM_ADDRESS} is registered for 1.2.1034`,
    });
  });

  test('error: not an address', async () => {
    expect(await call('ledger_getAddressReference', '0x12')).toMatchObject({ code: -32602 });
  });
});

describe('while mining is stopped', () => {
  test('behavior: the response is sent once the block is produced', async () => {
    await call('miner_stop');
    const task = await requestTask();
    const submitted = new Promise<void>((resolve) => {
      ledger.pool.onAccepted(() => resolve());
    });
    const answer = submit('alice', KEY, KEY, null, nonceOf(task), task.randNum);
    await submitted;
    await call('evm_mine');
    expect(await answer).toBe(NEW_ADDRESS);
  });

  test('error: a node that shuts down responds to waiting calls', async () => {
    await call('miner_stop');
    const task = await requestTask();
    const submitted = new Promise<void>((resolve) => {
      ledger.pool.onAccepted(() => resolve());
    });
    const answer = submit('alice', KEY, KEY, null, nonceOf(task), task.randNum);
    await submitted;
    await node.close();
    expect(await answer).toEqual({
      code: -32000,
      message: 'the node stops before the registration is in a block: the registration stays pending',
    });
  });
});

describe('a node without the registrar’s key', () => {
  test.each([
    ['ledger_requestRegistrationTask', []],
    ['ledger_submitRegistrationSolution', ['alice', KEY, KEY, null, '0x1', '0x1']],
  ])('error: %s reports the missing registrar key', async (method, params) => {
    const dispatcher = createDispatcher({ ledger, wallet: undefined, version: '1.2.3' });
    const answer = await dispatcher.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect(JSON.parse(String(answer))).toMatchObject({
      error: {
        code: -32000,
        message: 'this node does not hold the key of the registrar: it registers no accounts',
      },
    });
  });
});
