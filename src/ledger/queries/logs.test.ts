import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Address,
  bytesToHex,
  type ContractId,
  contractAddress,
  contractId,
  type Hash,
  hexToBytes,
  type Operation,
  toHash,
} from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { FoundLog, Ledger, LogQuery } from '../index.ts';
import {
  accountAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  refusalOf,
  sign,
  transfer,
} from '../ledger.testing.ts';

/** Runtime code that logs the first word of its call data under as many topics, the words of the call data. */
function logging(topics: number): string {
  const pushes = Array.from({ length: topics }, (_, index) => {
    return `60${(32 * (topics - 1 - index)).toString(16).padStart(2, '0')}35`;
  });
  return `5f355f52${pushes.join('')}60205fa${topics}`;
}

function deploying(runtime: string): string {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return `60${size}600c60003960${size}6000f3${runtime}`;
}

/** Contract N logs with N topics; contract 5 logs twice, with no topic and with two; contract 6 reverts then. */
const CONTRACTS = [0, 1, 2, 3, 4].map(logging).concat([logging(0) + logging(2), `${logging(1)}5f5ffd`]);

const word = (value: number): string => value.toString(16).padStart(64, '0');
const topic = (value: number): Hash => toHash(hexToBytes(word(value)));
const at = (contract: number): Address => contractAddress(contractId(contract));

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
  ledger.pool.submit(
    sign(
      ledger,
      CONTRACTS.map((runtime) => createContract(0, deploying(runtime))),
      [keyAt(0)],
    ),
  );
});

function call(contract: number, words: readonly number[]): Operation {
  return {
    type: 'contractCall',
    fee: core(200_000n),
    registrar: accountAt(0),
    value: core(0n),
    code: words.map(word).join(''),
    callee: contractId(contract) as ContractId,
  };
}

const submit = (...operations: Operation[]) => ledger.pool.submit(sign(ledger, operations, [keyAt(0)]));
const find = (query: Partial<LogQuery>, limit = 100) =>
  ledger.blocks.logs({ fromBlock: 0, toBlock: 1_000, addresses: [], topics: [], ...query }, limit);

/** A log in short: block, position in it, operation, contract and the first word of its data. */
const brief = ({ block, index, operation, address, data }: FoundLog) =>
  [block.number, index, operation, Number(`0x${bytesToHex(address.subarray(4))}`), data[31]] as const;

describe('logs', () => {
  test.each([0, 1, 2, 3, 4])('default: LOG%d', (count) => {
    submit(call(count, [11, 12, 13, 14]));
    const { logs, complete } = find({ addresses: [at(count)] });
    const [operation] = ledger.blocks.blockTransactions(2);
    expect(complete).toBe(true);
    expect(logs).toEqual([
      {
        block: ledger.blocks.head(),
        index: 0,
        operation: 0,
        transactionHash: operation?.hash,
        address: at(count),
        topics: [11, 12, 13, 14].slice(0, count).map(topic),
        data: hexToBytes(word(11)),
      },
    ]);
  });

  test('behavior: topics count by position, alternatives add up, positions past the end are free', () => {
    submit(call(1, [1]), call(2, [1, 2]));
    submit(call(2, [2, 1]), call(4, [1, 2, 3, 4]));
    const found = (topics: readonly (readonly number[])[], addresses: readonly number[] = []) =>
      find({ topics: topics.map((one) => one.map(topic)), addresses: addresses.map(at) }).logs.map(
        ({ block, operation }) => `${block.number}/${operation}`,
      );
    expect(found([])).toEqual(['2/0', '2/1', '3/0', '3/1']);
    expect(found([[1]])).toEqual(['2/0', '2/1', '3/1']);
    expect(found([[], [2]])).toEqual(['2/1', '3/1']);
    expect(found([[1], [2]])).toEqual(['2/1', '3/1']);
    expect(
      found([
        [1, 2],
        [1, 2],
      ]),
    ).toEqual(['2/1', '3/0', '3/1']);
    expect(found([[], [], [], [4]])).toEqual(['3/1']);
    expect(found([[], [], [], [3]])).toEqual([]);
    expect(found([[1]], [2, 4])).toEqual(['2/1', '3/1']);
    expect(found([], [1, 2])).toEqual(['2/0', '2/1', '3/0']);
    expect(found([], [0])).toEqual([]);
  });

  test('behavior: the position in the block counts across transactions and operations', () => {
    ledger.miner.stopMining();
    submit(call(5, [7, 8]), call(6, [9]), call(5, [9, 8]));
    submit(transfer(0, accountAt(1), 1n), call(1, [10]));
    ledger.miner.mine();
    expect(find({}).logs.map(brief)).toEqual([
      [2, 0, 0, 5, 7],
      [2, 1, 0, 5, 7],
      [2, 2, 2, 5, 9],
      [2, 3, 2, 5, 9],
      [2, 4, 4, 1, 10],
    ]);
    for (const { block, operation, transactionHash } of find({}).logs) {
      expect(transactionHash).toEqual(ledger.blocks.operationAt(block.number, operation)?.hash);
    }
  });

  test('behavior: reverted or unexecuted code has no logs', () => {
    submit(call(6, [1]));
    expect(ledger.blocks.receiptOf(2, 0)?.status).toBe('failure');
    ledger.calls.call({ to: at(1), data: hexToBytes(word(1)) });
    ledger.miner.stopMining();
    submit(call(1, [1]));
    expect(find({}).logs).toEqual([]);
  });

  test('behavior: a contract logs while it is created', () => {
    submit(createContract(0, logging(1)));
    expect(find({}).logs.map(brief)).toEqual([[2, 0, 0, CONTRACTS.length, 0]]);
  });

  test('args: the range of blocks, both ends included', () => {
    for (let round = 2; round <= 6; round += 1) submit(call(1, [round]));
    const blocks = (fromBlock: number, toBlock: number) =>
      find({ fromBlock, toBlock }).logs.map(({ block }) => block.number);
    expect(blocks(3, 5)).toEqual([3, 4, 5]);
    expect(blocks(4, 4)).toEqual([4]);
    expect(blocks(5, 4)).toEqual([]);
    expect(blocks(6, 1_000)).toEqual([6]);
    expect(blocks(7, 1_000)).toEqual([]);
    expect(blocks(0, 1)).toEqual([]);
  });

  test('args: limit: the first logs, and a flag if these are all', () => {
    for (let round = 2; round <= 6; round += 1) submit(call(5, [round, 0]));
    const all = find({}).logs;
    expect(all).toHaveLength(10);
    expect(find({}, 10)).toEqual({ logs: all, complete: true });
    expect(find({}, 9)).toEqual({ logs: all.slice(0, 9), complete: false });
    expect(find({}, 0)).toEqual({ logs: [], complete: false });
    expect(find({ addresses: [at(0)] }, 0)).toEqual({ logs: [], complete: true });
  });

  test('behavior: an imported chain has the same logs', async () => {
    submit(call(4, [1, 2, 3, 4]), call(5, [7, 8]));
    const { ledger: replica } = await openTestLedger({ keys: [] });
    for (const number of [1, 2]) {
      const block = ledger.blocks.nativeBlock(number);
      if (block !== undefined) replica.chain.importBlock(block);
    }
    const query = { fromBlock: 0, toBlock: 2, addresses: [], topics: [] };
    expect(replica.blocks.logs(query, 100)).toEqual(ledger.blocks.logs(query, 100));
    expect(replica.blocks.logs(query, 100).logs).toHaveLength(3);
  });
});

describe('onAccepted', () => {
  let notified: string[];
  const hashesOf = (hashes: readonly Hash[]) => hashes.map((hash) => ledger.pool.findOperation(hash)?.kind);

  beforeEach(() => {
    notified = [];
    ledger.pool.onAccepted((hashes) => notified.push(`accepted ${hashesOf(hashes)}`));
    ledger.chain.onBlock(({ number }) => notified.push(`block ${number}`));
  });

  test('default', () => {
    submit(transfer(0, accountAt(1), 1n), transfer(0, accountAt(1), 2n));
    expect(notified).toEqual(['accepted included,included', 'block 2']);
  });

  test('behavior: notifies of a pending operation once, when it is accepted', () => {
    ledger.miner.stopMining();
    submit(transfer(0, accountAt(1), 1n));
    submit(transfer(0, accountAt(1), 2n));
    expect(notified).toEqual(['accepted pending', 'accepted pending']);
    ledger.miner.mine();
    expect(notified.slice(2)).toEqual(['block 2']);
  });

  test('behavior: reports the hashes of the pending transactions', () => {
    const hashes: Hash[] = [];
    ledger.pool.onAccepted((accepted) => hashes.push(...accepted));
    ledger.miner.stopMining();
    const { hash } = submit(transfer(0, accountAt(1), 1n));
    expect(hashes).toEqual([hash]);
    ledger.pool.submitInOwnBlock(sign(ledger, [transfer(0, accountAt(1), 2n)], [keyAt(0)]));
    expect(hashes).toHaveLength(2);
    expect(hashes[1]?.subarray(0, 12)).toEqual(new Uint8Array(12));
    expect(notified).toEqual(['accepted pending', 'accepted included', 'block 2']);
  });

  test('behavior: notifies of no refused operation, and of none after unsubscribing', () => {
    expect(refusalOf(ledger, store, [transfer(0, accountAt(1), 1n, 1n)], [keyAt(0)])).toContain('fee');
    expect(notified).toEqual([]);
    const others: number[] = [];
    const end = ledger.pool.onAccepted((hashes) => others.push(hashes.length));
    end();
    submit(transfer(0, accountAt(1), 1n));
    expect(others).toEqual([]);
  });
});
