import { describe, expect, test } from 'vitest';
import { ethereumAddress } from '../../../ledger/ethereum.testing.ts';
import { bytesToHex, quantity, toPrefixedHex } from '../../../protocol/index.ts';
import { word } from '../chain.testing.ts';
import {
  type Block,
  contract,
  creation,
  from,
  type Outcome,
  simulator,
  stored,
} from './simulator.testing.ts';

describe('blocks', () => {
  test('default: each call sees the state of the calls before it, and nothing is persisted', async () => {
    const { ledger, simulate } = await simulator();
    const [first, second, ...more] = simulate([
      { calls: [creation, stored] },
      { calls: [stored, { to: toPrefixedHex(contract) }] },
    ]) as Block[];
    expect(more).toEqual([]);
    expect(first?.calls.map(({ status }) => status)).toEqual(['0x1', '0x1']);
    expect(second?.calls.map(({ status }) => status)).toEqual(['0x1', '0x0']);
    expect(second?.calls[1]?.error).toMatchObject({ code: 3 });
    expect(second?.calls[0]?.logs[0]).toMatchObject({
      blockHash: second?.hash,
      transactionHash: second?.transactions[0],
    });
    expect([first?.parentHash.slice(26), second?.parentHash]).toEqual([
      bytesToHex(ledger.blocks.head().id),
      first?.hash,
    ]);
    expect(ledger.accounts.codeAt(contract)).toHaveLength(0);
  });

  test('behavior: the gas of a call before refunds, and with its data at least the floor', async () => {
    const { simulate } = await simulator();
    // Clears slot 0, which takes 5,004 gas and refunds 4,800.
    const stateOverrides = {
      [toPrefixedHex(contract)]: {
        code: '0x5f5f55',
        stateDiff: { [toPrefixedHex(word(0))]: toPrefixedHex(word(1)) },
      },
    };
    const calls = [
      { from, to: toPrefixedHex(contract) },
      { from, to: toPrefixedHex(contract), data: `0x${'ff'.repeat(100)}` },
      { from, to: toPrefixedHex(ethereumAddress(1)) },
    ];
    const [block] = simulate([{ stateOverrides, calls }]) as Block[];
    expect(block?.calls.map(({ gasUsed, maxUsedGas }) => [Number(gasUsed), Number(maxUsedGas)])).toEqual([
      [21_204, 26_004],
      [25_000, 25_000],
      [21_000, 21_000],
    ]);
  });

  test('behavior: overrides persist in later blocks', async () => {
    const { simulate } = await simulator();
    const balanceOf = { to: toPrefixedHex(contract), data: '0x' };
    // Answers its own balance.
    const code = '0x4760005260206000f3';
    const blocks = simulate([
      { stateOverrides: { [toPrefixedHex(contract)]: { code, balance: '0x5' } }, calls: [balanceOf] },
      { calls: [{ from, to: toPrefixedHex(contract), value: '0x2' }] },
      { stateOverrides: { [toPrefixedHex(contract)]: { balance: '0x9' } }, calls: [balanceOf] },
    ]) as Block[];
    expect(blocks.map(({ calls }) => calls[0]?.returnData)).toEqual(
      [5, 7, 9].map((value) => toPrefixedHex(word(value))),
    );
  });

  test('behavior: gaps between numbers are filled', async () => {
    const { ledger, simulate } = await simulator();
    const time = ledger.blocks.head().header.timestamp;
    const blocks = simulate([
      { blockOverrides: { number: '0x3', time: quantity(time + 60) } },
      {},
    ]) as Block[];
    expect(blocks.map(({ number }) => number)).toEqual(['0x1', '0x2', '0x3', '0x4']);
    expect(blocks.map(({ timestamp }) => Number(timestamp) - time)).toEqual([1, 2, 60, 61]);
  });
});

describe('blocks of a simulation', () => {
  const code = (text: string): object => ({ [toPrefixedHex(contract)]: { code: `0x${text}5f5260205ff3` } });
  const call = { from, to: toPrefixedHex(contract) };
  const returned = (blocks: readonly Block[]): unknown => blocks.map(({ calls }) => calls[0]?.returnData);

  test('behavior: later blocks read the hashes of earlier ones', async () => {
    const { ledger, simulate } = await simulator();
    const blocks = simulate([
      { stateOverrides: code('6001430340'), calls: [call] },
      { calls: [call] },
      { calls: [call] },
    ]) as Block[];
    expect(returned(blocks)).toEqual([
      `0x${bytesToHex(ledger.blocks.head().id).padStart(64, '0')}`,
      blocks[0]?.hash,
      blocks[1]?.hash,
    ]);
    expect(blocks.map(({ parentHash }) => parentHash)).toEqual(returned(blocks));
  });

  test('behavior: a call reads its versioned hashes by BLOBHASH', async () => {
    const { simulate } = await simulator();
    const hash = `0x01${'ab'.repeat(31)}`;
    const calls = [{ ...call, blobVersionedHashes: [hash] }, call];
    const [block] = simulate([{ stateOverrides: code('5f49'), calls }]) as Block[];
    expect(block?.calls.map(({ returnData }) => returnData)).toEqual([hash, toPrefixedHex(word(0))]);
  });

  test('behavior: blocks with different content have different hashes', async () => {
    const { simulate } = await simulator();
    const hashOf = (block: object): string => (simulate([block]) as Block[])[0]?.hash ?? '';
    const hashes = [{}, { calls: [call] }, { calls: [{ ...call, value: '0x1' }] }].map(hashOf);
    const overridden = ['prevRandao', 'beaconRoot', 'parentBeaconBlockRoot'].map((name) =>
      hashOf({ blockOverrides: { [name]: toPrefixedHex(word(1)) } }),
    );
    expect(new Set([...hashes, ...overridden]).size).toBe(5);
    expect(overridden[2]).toBe(overridden[1]);
  });

  test('behavior: fee recipient and gas limit stay for later blocks; the base fee of blobs does not', async () => {
    const { simulate } = await simulator();
    const blockOverrides = { feeRecipient: `0x${'c2'.repeat(20)}`, gasLimit: '0x989680', blobBaseFee: '0x5' };
    const blocks = simulate([
      { blockOverrides, stateOverrides: code('4a'), calls: [call] },
      { calls: [call] },
    ]) as Block[];
    expect(blocks.map(({ miner, gasLimit }) => [miner, gasLimit])).toEqual(
      [1, 2].map(() => [blockOverrides.feeRecipient, '0x989680']),
    );
    expect(returned(blocks)).toEqual([5, 1].map((fee) => toPrefixedHex(word(fee))));
  });

  test('behavior: withdrawals are credited after the calls, and the beacon root is shown', async () => {
    const { simulate } = await simulator();
    const withdrawal = {
      index: '0x1',
      validatorIndex: '0x2',
      address: toPrefixedHex(contract),
      amount: '0x3',
    };
    const beaconRoot = toPrefixedHex(word(9));
    const blocks = simulate([
      {
        blockOverrides: { withdrawals: [withdrawal], beaconRoot },
        stateOverrides: code('47'),
        calls: [call],
      },
      { calls: [call] },
    ]) as Block[];
    expect(returned(blocks)).toEqual([0, 3_000_000_000].map((wei) => toPrefixedHex(word(wei))));
    expect(blocks.map(({ withdrawals }) => withdrawals)).toEqual([[withdrawal], []]);
    expect(blocks.map(({ parentBeaconBlockRoot }) => parentBeaconBlockRoot)).toEqual([
      beaconRoot,
      toPrefixedHex(word(0)),
    ]);
  });

  test('behavior: a block moves precompiled contracts for its own calls', async () => {
    const { simulate } = await simulator();
    const [identity, other] = [`0x${'4'.padStart(40, '0')}`, `0x${'c3'.repeat(20)}`];
    const calls = [identity, other].map((to) => ({ to, data: '0x12' }));
    const blocks = simulate([
      { stateOverrides: { [identity]: { movePrecompileToAddress: other } }, calls },
      { calls },
    ]) as Block[];
    expect(blocks.map((block) => block.calls.map(({ returnData }) => returnData))).toEqual([
      ['0x', '0x12'],
      ['0x12', '0x'],
    ]);
    expect(simulate([{ stateOverrides: { [other]: { MovePrecompileToAddress: identity } } }])).toEqual({
      code: -32000,
      message: `account ${other} is not a precompile`,
    });
  });
});

describe('traced transfers', () => {
  const receiver = `0x${'ab'.repeat(20)}`;
  const wordOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;
  const shown = ({ logs }: Outcome): unknown[] =>
    logs.map(({ address, topics, data: value, logIndex }) => [
      address,
      ...topics.slice(1),
      value === '0x' ? 0 : Number(value),
      Number(logIndex),
    ]);
  const ether = `0x${'ee'.repeat(20)}`;

  test('default: of calls, of code and of destroyed contracts, in their order', async () => {
    const { simulate } = await simulator();
    const [address, other] = [toPrefixedHex(contract), `0x${'cd'.repeat(20)}`];
    const push = (text: string): string => `73${text.slice(2)}`;
    // Sends 2 wei to the receiver, logs without topics, and destroys itself in favour of the other.
    const code = `0x5f5f5f5f6002${push(receiver)}5af1505f5fa0${push(other)}ff`;
    const simulated = (tracing: object) =>
      simulate(
        [{ stateOverrides: { [address]: { code } }, calls: [{ from, to: address, value: '0x9' }] }],
        tracing,
      );
    const [traced] = simulated({ traceTransfers: true }) as Block[];
    expect(traced?.calls.map(shown)).toEqual([
      [
        [ether, wordOf(from), wordOf(address), 9, 0],
        [ether, wordOf(address), wordOf(receiver), 2, 1],
        [address, 0, 2],
        [ether, wordOf(address), wordOf(other), 7, 3],
      ],
    ]);
    const [plain] = simulated({}) as Block[];
    expect(plain?.calls.map(shown)).toEqual([[[address, 0, 0]]]);
    expect(traced?.logsBloom).toBe(plain?.logsBloom);
    expect(traced?.calls[0]?.gasUsed).toBe(plain?.calls[0]?.gasUsed);
  });

  test('behavior: failed calls log no transfer, and later blocks see the transferred value', async () => {
    const { simulate } = await simulator();
    const address = toPrefixedHex(contract);
    // Reverts where it is sent 1 wei, and otherwise calls itself with 1 wei.
    const code = '0x600134146011575f5f5f5f6001305af1005b5f5ffd';
    const balanceCode = `0x73${receiver.slice(2)}315f5260205ff3`;
    const blocks = simulate(
      [
        {
          stateOverrides: { [address]: { code } },
          calls: [
            { from, to: address, value: '0x1' },
            { from, to: address, value: '0x3' },
            { from, to: receiver, value: '0x5' },
          ],
        },
        { stateOverrides: { [address]: { code: balanceCode } }, calls: [{ to: address }] },
      ],
      { traceTransfers: true },
    ) as Block[];
    expect(blocks[0]?.calls.map(shown)).toEqual([
      [],
      [[ether, wordOf(from), wordOf(address), 3, 0]],
      [[ether, wordOf(from), wordOf(receiver), 5, 1]],
    ]);
    expect(blocks[1]?.calls[0]?.returnData).toBe(toPrefixedHex(word(5)));
  });
});
