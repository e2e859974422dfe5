import { serializeTransaction } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { blobGenesis } from '../../ledger/blobs.testing.ts';
import { ethereumAddress, sendBy } from '../../ledger/ethereum.testing.ts';
import { bytesToHex, createAddress, hexToBytes, toAddress, toPrefixedHex } from '../../protocol/index.ts';
import { ethereumCall } from '../rpc.testing.ts';
import { type EthereumChain, LOGGING_CODE, openEthereumChain, word } from './chain.testing.ts';

/**
 * Calls that name a price buy gas, as `buyGas` and `preCheck` of geth's core/state_transition.go do. The texts are
 * those of geth's internal/ethapi (eth_call), eth/tracers (debug_traceCall) and eth/gasestimator.
 */

/** Returns the balance of the caller. */
const BALANCE = '0x33315f5260205ff3';
/** Stores 1 in slot 0, and clears slot 1, of which it gets a refund if it is set. */
const STORING = '0x60015f555f60015500';
const to = `0x${'ab'.repeat(20)}` as const;
const poor = `0x${'cd'.repeat(20)}`;
const from = toPrefixedHex(ethereumAddress(0));
const PRICE = 20_000_000_000n;
const GAS = 100_000n;
const quantityOf = (value: bigint): string => `0x${value.toString(16)}`;
const gasPrice = quantityOf(PRICE);
const gas = quantityOf(GAS);
const ETHER = 10n ** 18n;

let chain: EthereumChain;

beforeEach(async () => {
  chain = await openEthereumChain();
});

const ask = (method: string, ...parameters: readonly unknown[]): unknown =>
  ethereumCall(chain.dispatcher, method, ...parameters);

const balanceOf = (address: string): bigint => BigInt(String(ask('eth_getBalance', address, 'latest')));
const refusal = (message: string) => ({ code: -32000, message });
const lacking = (address: string, have: bigint, want: bigint): string =>
  `insufficient funds for gas * price + value: address ${address} have ${have} want ${want}`;

describe('eth_call', () => {
  const code = { [to]: { code: BALANCE } };
  const seen = (request: object, overrides: object = {}, ...block: readonly object[]): bigint =>
    BigInt(String(ask('eth_call', { from, to, ...request }, 'latest', { ...code, ...overrides }, ...block)));

  test.each([
    ['a price', { gasPrice }, GAS * PRICE],
    ['a fee of which the call pays the base fee', { maxFeePerGas: gasPrice }, (GAS * PRICE) / 2n],
    ['a fee and a tip', { maxFeePerGas: gasPrice, maxPriorityFeePerGas: '0x5' }, GAS * (PRICE / 2n + 5n)],
    ['no price', {}, 0n],
    ['a price of 0', { gasPrice: '0x0' }, 0n],
    ['fees of 0', { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, 0n],
  ])('behavior: code sees the balance without the gas: %s', (_title, fees, paid) => {
    const balance = balanceOf(from);
    expect(seen({ gas, ...fees })).toBe(balance - paid);
    expect(seen({ gas, value: '0x7', ...fees })).toBe(balance - paid - 7n);
    expect(balanceOf(from)).toBe(balance);
    expect(ask('eth_getTransactionCount', from, 'latest')).toBe('0x0');
  });

  test('behavior: gas that is not named is that of the limit of calls', () => {
    expect(seen({ gasPrice })).toBe(balanceOf(from) - 50_000_000n * PRICE);
  });

  test('behavior: an overridden balance buys gas, at an overridden base fee', () => {
    const overrides = { [poor]: { balance: quantityOf(ETHER) } };
    expect(seen({ from: poor, gas, gasPrice }, overrides)).toBe(ETHER - GAS * PRICE);
    const block = { baseFeePerGas: '0x7' };
    expect(seen({ from: poor, gas, maxFeePerGas: gasPrice }, overrides, block)).toBe(ETHER - GAS * 7n);
    expect(ask('eth_call', { to, gas, gasPrice: '0x6' }, 'latest', {}, block)).toEqual(
      refusal(
        `err: max fee per gas less than block base fee: address 0x${'00'.repeat(20)}, maxFeePerGas: 6, baseFee: 7 ` +
          `(supplied gas ${GAS})`,
      ),
    );
  });

  test('error: the sender cannot buy the gas, at the cap of its fee', () => {
    const call = (fees: object) => ask('eth_call', { from: poor, to, gas, ...fees }, 'latest', code);
    const want = GAS * PRICE;
    const text = `err: ${lacking(poor, 0n, want)} (supplied gas ${GAS})`;
    expect(call({ gasPrice })).toEqual(refusal(text));
    expect(call({ maxFeePerGas: gasPrice })).toEqual(refusal(text));
    expect(ask('eth_call', { from: poor, to, gas, gasPrice, value: '0x1' }, 'pending')).toEqual(
      refusal(`err: ${lacking(poor, 0n, want + 1n)} (supplied gas ${GAS})`),
    );
    expect(call({ value: '0x1' })).toEqual(refusal(`err: ${lacking(poor, 0n, 1n)} (supplied gas ${GAS})`));
    expect(call({})).toBe(`0x${'00'.repeat(32)}`);
  });

  test('error: a tip above the cap of the fee, which is 0 if it is not named', () => {
    const text = (cap: number): object =>
      refusal(
        `err: max priority fee per gas higher than max fee per gas: address ${from}, maxPriorityFeePerGas: ` +
          `${PRICE + 1n}, maxFeePerGas: ${cap} (supplied gas ${GAS})`,
      );
    const maxPriorityFeePerGas = quantityOf(PRICE + 1n);
    expect(ask('eth_call', { from, to, gas, maxPriorityFeePerGas })).toEqual(text(0));
    expect(ask('eth_call', { from, to, gas, maxFeePerGas: gasPrice, maxPriorityFeePerGas })).toEqual(
      text(Number(PRICE)),
    );
  });

  test('error: less gas than a transaction needs, with the numbers', () => {
    const low = (request: object): unknown => ask('eth_call', { from, to, ...request });
    const text = (have: number, want: number): object =>
      refusal(`err: intrinsic gas too low: have ${have}, want ${want} (supplied gas ${have})`);
    expect(low({ gas: '0x0' })).toEqual(text(0, 21_000));
    expect(low({ gas: '0x5208', data: '0x01' })).toEqual(text(21_000, 21_016));
    // 21,000 + 40 for each byte that is not zero (EIP-7623), and 16 of intrinsic gas.
    const data = `0x${'01'.repeat(100)}`;
    expect(low({ gas: quantityOf(23_000n), data })).toEqual(
      refusal('err: insufficient gas for floor data gas cost: have 23000, want 25000 (supplied gas 23000)'),
    );
    expect(low({ gas: '0x0', gasPrice })).toEqual(text(0, 21_000));
    const long = { from, to: undefined, data: `0x${'00'.repeat(49_153)}` };
    expect(ask('eth_call', long)).toMatchObject({
      message: expect.stringMatching(/^err: max initcode size exceeded: .* \(supplied gas 50000000\)$/),
    });
  });
});

describe('blobs', () => {
  const BLOB_GAS = 131_072n;
  const hash = `0x01${'00'.repeat(31)}`;

  beforeEach(async () => {
    chain = await openEthereumChain({ genesis: blobGenesis() });
  });

  test('behavior: a call pays for its blobs, and its sender needs their cap', () => {
    const call = (request: object) =>
      ask('eth_call', { from, to, gas, blobVersionedHashes: [hash, hash], ...request }, 'latest', {
        [to]: { code: BALANCE },
      });
    const balance = balanceOf(from);
    expect(BigInt(String(call({ maxFeePerBlobGas: '0x9' })))).toBe(balance - 2n * BLOB_GAS);
    expect(BigInt(String(call({})))).toBe(balance);
    const want = 2n * BLOB_GAS * 9n;
    expect(call({ from: poor, maxFeePerBlobGas: '0x9' })).toEqual(
      refusal(`err: ${lacking(poor, 0n, want)} (supplied gas ${GAS})`),
    );
    const simulated = ask('eth_simulateV1', {
      blockStateCalls: [
        {
          stateOverrides: { [to]: { code: BALANCE } },
          calls: [{ from, to, gas, blobVersionedHashes: [hash], maxFeePerBlobGas: '0x9' }],
        },
      ],
    });
    expect(simulated).toMatchObject([
      { calls: [{ returnData: `0x${(balance - BLOB_GAS).toString(16).padStart(64, '0')}` }] },
    ]);
  });

  test('behavior: an estimate leaves the funds for the blobs', () => {
    const estimate = (balance: bigint) =>
      ask(
        'eth_estimateGas',
        { from: poor, to, gasPrice, blobVersionedHashes: [hash], maxFeePerBlobGas: '0x9' },
        'latest',
        { [poor]: { balance: quantityOf(balance) } },
      );
    const cost = BLOB_GAS * 9n;
    expect(estimate(cost)).toEqual(refusal('insufficient funds for gas * price + value'));
    expect(estimate(cost + 21_000n * PRICE - 1n)).toEqual(refusal('gas required exceeds allowance (20999)'));
    expect(estimate(cost + 21_000n * PRICE)).toBe('0x5208');
  });
});

describe('eth_estimateGas', () => {
  test('error: a value of all funds leaves nothing for the gas', () => {
    const value = quantityOf(balanceOf(from));
    const text = refusal('insufficient funds for transfer');
    expect(ask('eth_estimateGas', { from, to, value, gasPrice })).toEqual(text);
    expect(ask('eth_estimateGas', { from: poor, to, maxFeePerGas: gasPrice })).toEqual(text);
    expect(ask('eth_estimateGas', { from, to, value })).toBe('0x5208');
    expect(ask('eth_estimateGas', { from: poor, to, value: '0x1' })).toEqual(refusal(lacking(poor, 0n, 1n)));
  });

  test.each(['0x0', '0x1', '0x5207'])('behavior: a limit below 21,000 is ignored: %s', (low) => {
    const code = { [to]: { code: STORING } };
    const estimate = ask('eth_estimateGas', { from, to }, 'latest', code);
    expect(Number(estimate)).toBeGreaterThan(21_000);
    expect(ask('eth_estimateGas', { from, to, gas: low }, 'latest', code)).toBe(estimate);
    expect(ask('eth_estimateGas', { from, to, gas: '0x5208' }, 'latest', code)).toEqual(
      refusal('gas required exceeds allowance (21000)'),
    );
  });

  test('behavior: with a price it is the least gas with which the call succeeds, too', () => {
    const estimate = ask('eth_estimateGas', { from, to, gasPrice }, 'latest', { [to]: { code: STORING } });
    const call = (limit: bigint): unknown =>
      ask('eth_call', { from, to, gasPrice, gas: quantityOf(limit) }, 'latest', { [to]: { code: STORING } });
    expect(call(BigInt(String(estimate)))).toBe('0x');
    expect(call(BigInt(String(estimate)) - 1n)).toEqual(refusal('out of gas'));
  });
});

describe('traces', () => {
  const code = { [to]: { code: STORING } };

  /** Returns the gas that the call uses, after the refund. */
  function used(): bigint {
    const config = { tracer: 'callTracer', stateOverrides: code };
    const { gasUsed } = ask('debug_traceCall', { from, to, gas }, 'latest', config) as { gasUsed: string };
    return BigInt(gasUsed);
  }

  test('behavior: debug_traceCall shows nonce and fee of the sender, and the credit of the coinbase', () => {
    const trace = (request: object): unknown =>
      ask('debug_traceCall', { from, to, gas, ...request }, 'latest', {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
        stateOverrides: code,
      });
    const balance = balanceOf(from);
    const coinbase = String(ask('eth_coinbase'));
    const fee = used() * PRICE;
    expect(trace({ gasPrice })).toMatchObject({
      pre: { [from]: { balance: quantityOf(balance) } },
      post: {
        [from]: { balance: quantityOf(balance - fee), nonce: 1 },
        [coinbase]: { balance: quantityOf(balanceOf(coinbase) + fee) },
      },
    });
    const free = trace({}) as { post: Record<string, object> };
    expect(free.post[from]).toEqual({ nonce: 1 });
    expect(free.post[coinbase]).toBeUndefined();
    expect(balanceOf(from)).toBe(balance);
  });

  test('behavior: trace_call and trace_callMany show them, each call after those before it', () => {
    const balance = balanceOf(from);
    const request = { from, to: poor, value: '0x1', gas, gasPrice };
    const changes = (before: bigint, nonce: number) => ({
      stateDiff: {
        [from]: {
          balance: {
            '*': { from: quantityOf(before), to: quantityOf(before - 1n - 21_000n * PRICE) },
          },
          nonce: { '*': { from: quantityOf(BigInt(nonce)), to: quantityOf(BigInt(nonce + 1)) } },
        },
      },
    });
    expect(ask('trace_call', request, ['stateDiff'])).toMatchObject(changes(balance, 0));
    expect(
      ask('trace_callMany', [
        [request, ['stateDiff']],
        [request, ['stateDiff']],
      ]),
    ).toMatchObject([changes(balance, 0), changes(balance - 1n - 21_000n * PRICE, 1)]);
  });

  test('behavior: a creation is at the address of the next nonce', () => {
    sendBy(0, chain.ledger);
    const created = toPrefixedHex(createAddress(ethereumAddress(0), 1n));
    const result = ask('trace_call', { from, data: toPrefixedHex(LOGGING_CODE), gasPrice }, [
      'trace',
      'stateDiff',
    ]);
    expect(result).toMatchObject({
      trace: [{ result: { address: created } }],
      stateDiff: {
        [created]: { nonce: { '+': '0x1' } },
        [from]: { nonce: { '*': { from: '0x1', to: '0x2' } } },
      },
    });
  });

  test('behavior: an included transaction shows nonce and fee of its sender', () => {
    const balance = balanceOf(from);
    const hash = toPrefixedHex(sendBy(0, chain.ledger));
    const receipt = ask('eth_getTransactionReceipt', hash) as { gasUsed: string; effectiveGasPrice: string };
    const after = quantityOf(balance - BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
    const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
    expect(ask('debug_traceTransaction', hash, config)).toMatchObject({
      post: { [from]: { balance: after, nonce: 1 } },
    });
    const difference = {
      stateDiff: {
        [from]: {
          balance: { '*': { from: quantityOf(balance), to: after } },
          nonce: { '*': { from: '0x0', to: '0x1' } },
        },
      },
    };
    expect(ask('trace_replayTransaction', hash, ['stateDiff'])).toMatchObject(difference);
    expect(ask('trace_replayBlockTransactions', 'latest', ['stateDiff'])).toMatchObject([difference]);
  });

  test('error: a sender without funds, fees below the base fee, and too little gas', () => {
    const want = GAS * PRICE;
    const text = lacking(poor, 0n, want);
    const request = { from: poor, to, gas, gasPrice };
    expect(ask('debug_traceCall', request, 'latest')).toEqual(refusal(`tracing failed: ${text}`));
    expect(ask('trace_call', request, ['trace'])).toEqual(refusal(text));
    expect(ask('trace_callMany', [[request, ['trace']]])).toEqual(refusal(text));
    expect(ask('eth_createAccessList', request)).toEqual(refusal(text));
    const low = { from, to, gas: '0x0' };
    const intrinsic = 'intrinsic gas too low: have 0, want 21000';
    expect(ask('debug_traceCall', low, 'latest')).toEqual(refusal(`tracing failed: ${intrinsic}`));
    expect(ask('trace_call', low, ['trace'])).toEqual(refusal(intrinsic));
    expect(ask('eth_createAccessList', low)).toEqual(refusal(intrinsic));
    const cheap = { from, to, gas, gasPrice: '0x1' };
    expect(ask('debug_traceCall', cheap, 'latest')).toMatchObject({
      message: expect.stringMatching(/^tracing failed: max fee per gas less than block base fee/),
    });
  });

  test('behavior: an access list is made for a sender without funds, unless it names a price', () => {
    expect(ask('eth_createAccessList', { from: poor, to }, 'latest', code)).toMatchObject({
      accessList: [{ address: to }],
    });
    expect(
      ask('eth_createAccessList', { from: poor, to, gasPrice, gas }, 'latest', {
        ...code,
        [poor]: { balance: quantityOf(ETHER) },
      }),
    ).toMatchObject({ accessList: [{ address: to }] });
  });
});

test('behavior: a filled transaction comes with its bytes, as from geth with a signature of zeros', () => {
  const filled = (request: object): unknown =>
    ask('eth_fillTransaction', { from, to, value: '0x1', ...request });
  // As viem serializes a transaction with r and s of 0, and `MarshalBinary` of geth one without a signature.
  const typed = serializeTransaction(
    {
      ...{ type: 'eip1559', chainId: 255, nonce: 0, to, value: 1n, gas: 21_000n },
      ...{ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 0n },
    },
    { r: `0x${'00'.repeat(32)}`, s: `0x${'00'.repeat(32)}`, yParity: 0 },
  );
  expect(filled({ maxFeePerGas: gasPrice, maxPriorityFeePerGas: '0x0' })).toMatchObject({
    raw: typed,
    tx: { type: '0x2', nonce: '0x0', gas: '0x5208' },
  });
  // Legacy: nonce 0, 20 gwei, 21,000 gas, receiver, 1 wei, no data, and v, r and s of 0.
  expect(filled({ gasPrice })).toMatchObject({
    raw: `0xe4808504a817c80082520894${to.slice(2)}0180808080`,
    tx: { type: '0x0' },
  });
});

test('behavior: an access list has the slots of contracts that the call creates, as that of geth', () => {
  const created = toPrefixedHex(createAddress(ethereumAddress(0), 0n));
  const slot = (number: number): string => toPrefixedHex(word(number));
  // Reads slot 1 and stores 5 in slot 0 while it is created, and has no code.
  const initCode = '0x6001545060055f555f5ff3';
  expect(ask('eth_createAccessList', { from, data: initCode })).toMatchObject({
    accessList: [{ address: created, storageKeys: [slot(1), slot(0)] }],
  });
  // Creates a contract of the same code by CREATE: its 11 bytes are at the end of a word.
  const factory = { [to]: { code: `0x6a${initCode.slice(2)}5f52600b60155ff000` } };
  const inner = toPrefixedHex(createAddress(toAddress(hexToBytes(to.slice(2))), 0n));
  expect(ask('eth_createAccessList', { from, to }, 'latest', factory)).toMatchObject({
    accessList: [{ address: inner, storageKeys: [slot(1), slot(0)] }],
  });
});

describe('input and data', () => {
  // Returns the first word of the call data.
  const code = { [to]: { code: '0x5f355f5260205ff3' } };
  const [one, two] = [1, 2].map((number) => `0x${bytesToHex(word(number))}`);

  test.each([
    ['eth_call', (request: object) => ask('eth_call', request, 'latest', code)],
    [
      'eth_simulateV1',
      (request: object) => {
        const result = ask('eth_simulateV1', {
          blockStateCalls: [{ calls: [request], stateOverrides: code }],
        });
        return (result as { calls: { returnData: string }[] }[])[0]?.calls[0]?.returnData;
      },
    ],
    [
      'debug_traceCall',
      (request: object) => {
        const config = { tracer: 'callTracer', stateOverrides: code };
        return (ask('debug_traceCall', request, 'latest', config) as { output: string }).output;
      },
    ],
  ])('behavior: calls use input: %s', (_method, call) => {
    expect(call({ to, input: one, data: two })).toBe(one);
    expect(call({ to, input: one, data: '0x' })).toBe(one);
    expect(call({ to, input: '0x', data: two })).toBe(`0x${'00'.repeat(32)}`);
    expect(call({ to, data: two })).toBe(two);
  });

  test('error: a transaction to fill in, unless data is empty', () => {
    expect(ask('eth_fillTransaction', { from, to, input: one, data: two })).toEqual(
      refusal(
        'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
      ),
    );
    expect(ask('eth_fillTransaction', { from, to, input: one, data: '0x' })).toMatchObject({
      tx: { input: one },
    });
  });
});
