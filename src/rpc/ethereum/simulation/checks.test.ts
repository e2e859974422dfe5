import { describe, expect, test } from 'vitest';
import { ethereumGenesis } from '../../../ledger/ethereum.testing.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { ethereumCall } from '../../rpc.testing.ts';
import { openEthereumChain, word } from '../chain.testing.ts';
import { type Block, contract, creation, from, simulator } from './simulator.testing.ts';

describe('fees and nonces', () => {
  const priced = { from, to: `0x${'ab'.repeat(20)}`, gas: '0x5208', maxFeePerGas: '0x2540be400' };

  test('behavior: a call with a fee pays the recipient, and each call takes a nonce', async () => {
    const { simulate } = await simulator();
    const recipient = `0x${'c2'.repeat(20)}`;
    // Returns the balance of the fee recipient.
    const stateOverrides = { [toPrefixedHex(contract)]: { code: '0x41315f5260205ff3' } };
    const blocks = simulate(
      [
        {
          blockOverrides: { feeRecipient: recipient, baseFeePerGas: '0x7' },
          stateOverrides,
          calls: [priced],
        },
        {
          calls: [
            { from, to: toPrefixedHex(contract) },
            { ...priced, gasPrice: '0x9', maxFeePerGas: null },
          ],
        },
      ],
      { returnFullTransactions: true },
    ) as Block[];
    const transactions = blocks.flatMap((block) => block.transactions as readonly unknown[]);
    expect(transactions).toMatchObject([
      { type: '0x2', nonce: '0x0', gas: '0x5208', gasPrice: '0x7', maxFeePerGas: '0x2540be400' },
      { type: '0x2', nonce: '0x1', gasPrice: '0x0' },
      { type: '0x0', nonce: '0x2', gasPrice: '0x9' },
    ]);
    expect(transactions[2]).not.toHaveProperty('yParity');
    expect(blocks[1]?.calls[0]?.returnData).toBe(toPrefixedHex(word(21_000 * 7)));
  });

  test('behavior: a call that runs out of the gas of its block fails', async () => {
    const { simulate } = await simulator();
    const endless = { [toPrefixedHex(contract)]: { code: '0x5b5f56' } };
    const call = { from, to: toPrefixedHex(contract) };
    const [block] = simulate([
      { blockOverrides: { gasLimit: '0x186a0' }, stateOverrides: endless, calls: [call] },
    ]) as Block[];
    expect(block?.calls).toMatchObject([
      {
        status: '0x0',
        gasUsed: '0x186a0',
        error: { code: -32015, message: 'vm execution error: out of gas' },
      },
    ]);
  });

  test('behavior: the gas of a call is by default what its block leaves', async () => {
    const { simulate } = await simulator();
    const plain = { from, to: priced.to };
    const [block] = simulate([{ blockOverrides: { gasLimit: '0x186a0' }, calls: [plain, plain] }], {
      returnFullTransactions: true,
    }) as Block[];
    expect(block?.transactions).toMatchObject([{ gas: '0x186a0' }, { gas: '0x13498' }]);
    expect(block).toMatchObject({ gasUsed: '0xa410' });
  });

  test('behavior: with validation the base fee of each block follows from the one before (EIP-1559)', async () => {
    const fees = {
      type: 'eip1559',
      initialBaseFee: 1_000_000_000n,
      elasticity: 2,
      denominator: 8,
      minimum: 7n,
    } as const;
    const genesis = ethereumGenesis({ features: { fees, blobs: undefined, hasStateTrie: false } });
    const { dispatcher } = await openEthereumChain({ genesis });
    const simulate = (validation: boolean, ...blockStateCalls: readonly object[]): readonly number[] =>
      (ethereumCall(dispatcher, 'eth_simulateV1', { blockStateCalls, validation }) as Block[]).map(
        ({ baseFeePerGas }) => Number(baseFeePerGas),
      );
    const full = { gasLimit: '0x5208' };
    const calls = [{ from, to: priced.to, maxFeePerGas: '0x77359400' }];
    expect(simulate(true, {}, {}, { blockOverrides: full, calls }, {})).toEqual([
      1_000_000_000, 875_000_000, 765_625_000, 861_328_125,
    ]);
    expect(simulate(true, { blockOverrides: { baseFeePerGas: '0x64' } }, {}, {})).toEqual([100, 88, 77]);
    expect(simulate(false, {}, { blockOverrides: { baseFeePerGas: '0x64' } }, {})).toEqual([0, 100, 0]);
  });

  test('behavior: a nonce of 2^64 - 1 is followed by 0', async () => {
    const { simulate } = await simulator();
    const most = '0xffffffffffffffff';
    const calls = [1, 2].map(() => ({ from, to: priced.to }));
    const [block] = simulate([{ stateOverrides: { [from]: { nonce: most } }, calls }], {
      returnFullTransactions: true,
    }) as Block[];
    expect(block?.transactions).toMatchObject([{ nonce: most }, { nonce: '0x0' }]);
  });
});

describe('refused', () => {
  const codeOf = (answer: unknown): unknown => (answer as { code?: number }).code;

  test('error: numbers and times that do not rise, and too many blocks', async () => {
    const { simulate } = await simulator();
    expect(codeOf(simulate([{ blockOverrides: { number: '0x0' } }]))).toBe(-38020);
    expect(codeOf(simulate([{ blockOverrides: { time: '0x1' } }]))).toBe(-38021);
    expect(codeOf(simulate([{ blockOverrides: { number: '0x200' } }]))).toBe(-38026);
    expect(codeOf(simulate(new Array(257).fill({})))).toBe(-38026);
    expect(codeOf(simulate([{ calls: new Array(5_001).fill({}) }]))).toBe(-38026);
    expect(simulate([])).toEqual({ code: -32602, message: 'empty input' });
  });

  test('error: with validation, calls that would be invalid transactions', async () => {
    const { simulate } = await simulator();
    const validated = (call: object): unknown => codeOf(simulate([{ calls: [call] }], { validation: true }));
    const paid = { ...creation, maxFeePerGas: '0x2540be400' };
    expect(validated({ ...paid, nonce: '0x5' })).toBe(-38011);
    const most = { [from]: { nonce: '0xffffffffffffffff' } };
    expect(
      simulate([{ stateOverrides: most, calls: [{ ...paid, gas: '0x5' }] }], { validation: true }),
    ).toEqual({
      code: -32603,
      message: `err: nonce has max value: address ${from}, nonce: 18446744073709551615 (supplied gas 5)`,
    });
    expect(validated(creation)).toBe(-38012);
    expect(validated({ ...paid, gas: '0x5' })).toBe(-38013);
    expect(validated(paid)).toBeUndefined();
    expect(codeOf(simulate([{ calls: [{ ...creation, value: '0xffffffffffffffffffffffff' }] }]))).toBe(
      -38014,
    );
  });

  test('error: without validation too, funds, fees and gas that do not suffice', async () => {
    const { simulate } = await simulator();
    const poor = { from: `0x${'c0'.repeat(20)}`, to: `0x${'c1'.repeat(20)}` };
    const refused = (call: object, blockOverrides: object = {}, code = '0x'): unknown =>
      simulate([
        { blockOverrides, stateOverrides: { [poor.from]: { code } }, calls: [{ ...poor, ...call }] },
      ]);
    const want = { value: '0x3e8', gas: '0x7530' };
    for (const code of ['0x', '0x5f5ffd']) {
      expect(refused(want, {}, code)).toEqual({
        code: -38014,
        message:
          `err: insufficient funds for gas * price + value: address ${poor.from} have 0 want 1000 ` +
          '(supplied gas 30000)',
      });
    }
    expect(codeOf(refused({ maxFeePerGas: '0x5' }, { baseFeePerGas: '0xa' }))).toBe(-38012);
    expect(refused({ gas: '0x0' })).toEqual({
      code: -38013,
      message: 'err: intrinsic gas too low: have 0, want 21000 (supplied gas 0)',
    });
    expect(refused({ gas: '0x186a1' }, { gasLimit: '0x186a0' })).toEqual({
      code: -38015,
      message: 'block gas limit reached: 0 >= 100000',
    });
    expect(codeOf(refused({ to: null, data: `0x${'00'.repeat(49_153)}` }))).toBe(-38025);
  });
});
