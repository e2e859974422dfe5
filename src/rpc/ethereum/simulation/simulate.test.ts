import { describe, expect, test } from 'vitest';
import { ethereumAddress } from '../../../ledger/ethereum.testing.ts';
import { bytesToHex, createAddress } from '../../../protocol/index.ts';
import { data, quantity } from '../../../view/index.ts';
import { ethereumCall } from '../../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../chain.testing.ts';

interface Outcome {
  readonly status: string;
  readonly returnData: string;
  readonly logs: readonly { readonly transactionHash: string; readonly blockHash: string }[];
  readonly error?: { readonly code: number };
}

interface Block {
  readonly hash: string;
  readonly parentHash: string;
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
  readonly calls: readonly Outcome[];
}

const from = data(ethereumAddress(0));
const contract = createAddress(ethereumAddress(0), 0n);
const creation = { from, data: data(LOGGING_CODE) };
const stored = { from, to: data(contract), data: data(word(7)) };

async function simulator() {
  const { ledger, dispatcher } = await openEthereumChain();
  const simulate = (blocks: readonly object[], more: object = {}): unknown =>
    ethereumCall(dispatcher, 'eth_simulateV1', { blockStateCalls: blocks, ...more }, 'latest');
  return { ledger, simulate };
}

describe('blocks', () => {
  test('default: each is on the state that those before it have left, and nothing stays', async () => {
    const { ledger, simulate } = await simulator();
    const [first, second, ...more] = simulate([
      { calls: [creation, stored] },
      { calls: [stored, { to: data(contract) }] },
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
      bytesToHex(ledger.head().id),
      first?.hash,
    ]);
    expect(ledger.codeAt(contract)).toHaveLength(0);
  });

  test('behavior: overrides hold from their block on', async () => {
    const { simulate } = await simulator();
    const balanceOf = { to: data(contract), data: '0x' };
    // Answers its own balance.
    const code = '0x4760005260206000f3';
    const blocks = simulate([
      { stateOverrides: { [data(contract)]: { code, balance: '0x5' } }, calls: [balanceOf] },
      { calls: [{ from, to: data(contract), value: '0x2' }] },
      { stateOverrides: { [data(contract)]: { balance: '0x9' } }, calls: [balanceOf] },
    ]) as Block[];
    expect(blocks.map(({ calls }) => calls[0]?.returnData)).toEqual(
      [5, 7, 9].map((value) => data(word(value))),
    );
  });

  test('behavior: gaps between numbers are filled', async () => {
    const { ledger, simulate } = await simulator();
    const time = ledger.head().header.timestamp;
    const blocks = simulate([
      { blockOverrides: { number: '0x3', time: quantity(time + 60) } },
      {},
    ]) as Block[];
    expect(blocks.map(({ number }) => number)).toEqual(['0x1', '0x2', '0x3', '0x4']);
    expect(blocks.map(({ timestamp }) => Number(timestamp) - time)).toEqual([1, 2, 60, 61]);
  });
});

describe('refused', () => {
  const codeOf = (answer: unknown): unknown => (answer as { code?: number }).code;

  test('error: numbers and times that do not rise, and too many blocks', async () => {
    const { simulate } = await simulator();
    expect(codeOf(simulate([{ blockOverrides: { number: '0x0' } }]))).toBe(-38020);
    expect(codeOf(simulate([{ blockOverrides: { time: '0x1' } }]))).toBe(-38021);
    expect(codeOf(simulate([{ blockOverrides: { number: '0x200' } }]))).toBe(-38026);
  });

  test('error: with validation what no transaction may be', async () => {
    const { simulate } = await simulator();
    const validated = (call: object): unknown => codeOf(simulate([{ calls: [call] }], { validation: true }));
    const paid = { ...creation, maxFeePerGas: '0x2540be400' };
    expect(validated({ ...paid, nonce: '0x5' })).toBe(-38011);
    expect(validated(creation)).toBe(-38012);
    expect(validated({ ...paid, gas: '0x5' })).toBe(-38013);
    expect(validated(paid)).toBeUndefined();
    expect(codeOf(simulate([{ calls: [{ ...creation, value: '0xffffffffffffffffffffffff' }] }]))).toBe(
      -38014,
    );
  });
});
