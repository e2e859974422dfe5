import { createHash, randomBytes } from 'node:crypto';
import { encodeFunctionData, keccak256, numberToHex, pad } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyPair, formatPublicKey, toSeed } from '../../src/protocol/index.ts';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { errorOf, type ReceiptObject } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** Logs, filters and registration by docs/interface.md, sentence by sentence, over HTTP. */

const SIGNATURE = keccak256(Buffer.from('Noted(address,uint256,uint256)'));
const OTHER = `0x${'ab'.repeat(32)}`;

let program: Program;
let probe: CompiledContract;
let alice = '';
let contract = '';
/** Receipts of three notes, under the keys 0, 1 and 2. */
let receipts: ReceiptObject[] = [];

beforeAll(async () => {
  [program, probe] = await Promise.all([startProgram(), compileContract('Probe')]);
  [alice = ''] = await program.call<string[]>('eth_accounts');
  const hash = await program.call('eth_sendTransaction', { from: alice, data: probe.bytecode });
  contract = (await program.call<ReceiptObject>('eth_getTransactionReceipt', hash)).contractAddress ?? '';
  receipts = [await note(0), await note(1), await note(2)];
});

afterAll(() => program.stop());

async function note(key: number): Promise<ReceiptObject> {
  const data = encodeFunctionData({ abi: probe.abi, functionName: 'note', args: [BigInt(key), 1n] });
  const hash = await program.call('eth_sendTransaction', { from: alice, to: contract, data });
  return program.call('eth_getTransactionReceipt', hash);
}

/** The logs of notes, as their receipts have them. */
function logsOf(...keys: readonly number[]): unknown[] {
  return keys.flatMap((key) => receipts[key]?.logs ?? []);
}

test('default: 4.4, log filters', async () => {
  const id = await program.call('eth_newFilter', { address: contract });
  expect(id).toMatch(/^0x[0-9a-f]+$/);
  expect(await program.call('eth_getFilterChanges', id)).toEqual([]);
  const { logs } = await note(7);
  expect(await program.call('eth_getFilterChanges', id)).toEqual(logs);
  expect(await program.call('eth_getFilterChanges', id)).toEqual([]);
  expect(await program.call('eth_uninstallFilter', id)).toBe(true);
  expect(await program.call('eth_uninstallFilter', id)).toBe(false);
  for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs']) {
    expect(errorOf(await program.response(method, id))).toEqual({
      code: -32000,
      message: 'filter not found',
    });
  }
});

test('default: 4.4, all logs of a filter', async () => {
  const range = { fromBlock: 'earliest', toBlock: receipts[2]?.blockNumber };
  const id = await program.call('eth_newFilter', { ...range, address: [contract, alice] });
  expect(await program.call('eth_getFilterLogs', id)).toEqual(logsOf(0, 1, 2));
  expect(await program.call('eth_getFilterChanges', id)).toEqual([]);
});

test('default: 4.4, block filters and filters for pending transactions', async () => {
  const blocks = await program.call('eth_newBlockFilter');
  const pending = await program.call('eth_newPendingTransactionFilter');
  await program.call('miner_stop');
  const data = encodeFunctionData({ abi: probe.abi, functionName: 'note', args: [8n, 1n] });
  const hash = await program.call('eth_sendTransaction', { from: alice, to: contract, data });
  expect(await program.call('eth_getFilterChanges', blocks)).toEqual([]);
  expect(await program.call('eth_getFilterLogs', pending)).toEqual([hash]);
  expect(await program.call('eth_getFilterChanges', pending)).toEqual([hash]);
  expect(await program.call('eth_getFilterChanges', pending)).toEqual([]);
  await program.call('miner_start');
  const head = await program.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false);
  expect(await program.call('eth_getFilterChanges', blocks)).toEqual([head.hash]);
  expect(await program.call('eth_getFilterChanges', pending)).toEqual([]);
});

test('default: 2.7, topics match by position', async () => {
  const [sender, zero, one] = [pad(`0x${alice.slice(2)}`), pad(numberToHex(0)), pad(numberToHex(1))];
  const range = { fromBlock: receipts[0]?.blockNumber, toBlock: receipts[2]?.blockNumber };
  const cases: readonly (readonly [topics: unknown, keys: readonly number[]])[] = [
    [[], [0, 1, 2]],
    [[SIGNATURE], [0, 1, 2]],
    [[OTHER], []],
    [
      [null, sender],
      [0, 1, 2],
    ],
    [[null, SIGNATURE], []],
    [
      [SIGNATURE, sender],
      [0, 1, 2],
    ],
    [[SIGNATURE, OTHER], []],
    [
      [
        [SIGNATURE, OTHER],
        [sender, OTHER],
      ],
      [0, 1, 2],
    ],
    [[null, null, one], [1]],
    [
      [SIGNATURE, null, [zero, one]],
      [0, 1],
    ],
  ];
  for (const [topics, keys] of cases) {
    const found = await program.call('eth_getLogs', { ...range, address: contract, topics });
    expect([topics, found]).toEqual([topics, logsOf(...keys)]);
  }
});

test('default: 4.4, the options of eth_getLogs', async () => {
  const [first, second] = receipts;
  for (const spelling of ['blockhash', 'blockHash']) {
    const block = { [spelling]: second?.blockHash };
    expect(await program.call('eth_getLogs', block)).toEqual(logsOf(1));
    for (const bound of [{ fromBlock: 'earliest' }, { toBlock: 'latest' }]) {
      expect(errorOf(await program.response('eth_getLogs', { ...block, ...bound })).code).toBe(-32602);
    }
    expect(errorOf(await program.response('eth_getLogs', { [spelling]: OTHER })).code).toBe(-32000);
  }
  const last = await note(9);
  for (const parameters of [[], [null], [{}], [{ address: contract }]]) {
    expect(await program.call('eth_getLogs', ...parameters)).toEqual(last.logs);
  }
  const upTo = { fromBlock: first?.blockNumber, toBlock: second?.blockNumber };
  expect(await program.call('eth_getLogs', upTo)).toEqual(logsOf(0, 1));
  const backwards = { fromBlock: upTo.toBlock, toBlock: upTo.fromBlock };
  expect(errorOf(await program.response('eth_getLogs', backwards)).code).toBe(-32602);
  const beyond = { fromBlock: last.blockNumber, toBlock: '0xffffff' };
  expect(await program.call('eth_getLogs', beyond)).toEqual(last.logs);
});

interface Task {
  readonly blockId: string;
  readonly randNum: string;
  readonly difficulty: string;
}

/** Varies the nonce until the first bits of SHA-256 over block, random number and nonce are zero. */
function solve({ blockId, randNum, difficulty }: Task): bigint {
  const start = Buffer.alloc(28);
  Buffer.from(blockId.slice(-40), 'hex').copy(start);
  start.writeBigUInt64LE(BigInt(randNum), 20);
  for (let nonce = 0n; ; nonce += 1n) {
    const end = Buffer.alloc(8);
    end.writeBigUInt64LE(nonce);
    const hash = createHash('sha256').update(start).update(end).digest();
    if (hash.readUInt32BE() >>> (32 - Number(difficulty)) === 0) return nonce;
  }
}

test('default: 4.5, an account is registered for a proof of work', async () => {
  const task = await program.call<Task>('ledger_requestRegistrationTask');
  const head = await program.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false);
  expect(task).toEqual({
    blockId: head.hash,
    randNum: expect.stringMatching(/^0x[1-9a-f][0-9a-f]{0,15}$/),
    difficulty: '0x8',
  });
  const key = formatPublicKey(createKeyPair(toSeed(randomBytes(32))).publicKey);
  const evmAddress = `0x${randomBytes(20).toString('hex')}`;
  const nonce = solve(task);
  const solution = (proof: bigint) => [
    'registered-1',
    key,
    key,
    evmAddress,
    numberToHex(proof),
    task.randNum,
  ];
  const address = await program.call<string>('ledger_submitRegistrationSolution', ...solution(nonce));
  expect(address).toMatch(/^0x[0-9a-f]{40}$/);
  expect(await program.call('eth_getBalance', address, 'latest')).toBe('0x0');
  expect(await program.call('ledger_getAddressReference', evmAddress)).toBe(address);
  const again = errorOf(await program.response('ledger_submitRegistrationSolution', ...solution(nonce)));
  expect(again.code).toBe(-32000);
});

test('error: 4.5, the account is registered only when the solution is correct', async () => {
  let task = await program.call<Task>('ledger_requestRegistrationTask');
  // The first number of all may be a solution.
  while (solve(task) === 0n) task = await program.call<Task>('ledger_requestRegistrationTask');
  const key = formatPublicKey(createKeyPair(toSeed(randomBytes(32))).publicKey);
  const head = await program.call('eth_blockNumber');
  // The nonces below the least solution are none.
  const wrong = solve(task) - 1n;
  const refusals = await Promise.all([
    program.response(
      'ledger_submitRegistrationSolution',
      'refused-1',
      key,
      key,
      null,
      numberToHex(wrong),
      task.randNum,
    ),
    program.response('ledger_submitRegistrationSolution', 'refused-1', key, key, null, '0x0', '0x1'),
    program.response(
      'ledger_submitRegistrationSolution',
      'No Name',
      key,
      key,
      null,
      numberToHex(wrong + 1n),
      task.randNum,
    ),
    program.response(
      'ledger_submitRegistrationSolution',
      'refused-1',
      'ECHO1',
      key,
      null,
      numberToHex(wrong + 1n),
      task.randNum,
    ),
  ]);
  expect(refusals.map((answer) => errorOf(answer).code)).toEqual([-32000, -32000, -32000, -32000]);
  expect(new Set(refusals.map((answer) => errorOf(answer).message)).size).toBe(4);
  expect(await program.call('eth_blockNumber')).toBe(head);
  expect(await program.call('ledger_getAddressReference', `0x${'12'.repeat(20)}`)).toBeNull();
});
