import { beforeEach, describe, expect, test } from 'vitest';
import { precompilesOf } from '../../src/evm/index.ts';
import { contractAddressOf } from '../../src/evm/testing/random-program.testing.ts';
import { randomScenario } from '../../src/evm/testing/scenario.testing.ts';
import type { CallFrameObject } from '../../src/formatters/index.ts';
import { ethereumAddress } from '../../src/ledger/ethereum.testing.ts';
import { toPrefixedHex } from '../../src/protocol/index.ts';
import { type EthereumChain, openEthereumChain } from '../../src/rpc/ethereum/chain.testing.ts';
import { ethereumCall } from '../../src/rpc/rpc.testing.ts';

/** Traces of the same calls by several tracers, which must agree. */
const SCENARIOS = 60;
const CALL_GAS = '0xf4240';

let chain: EthereumChain;

beforeEach(async () => {
  chain = await openEthereumChain();
});

interface Flat {
  readonly action: Readonly<Record<string, string>>;
  readonly error?: string;
  readonly result?: Readonly<Record<string, string>> | null;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: string;
}

const PRECOMPILES = new Set(precompilesOf('osaka').map(({ address }) => String(toPrefixedHex(address))));
const isLeftOut = ({ type, to }: CallFrameObject): boolean =>
  (type === 'CALL' || type === 'STATICCALL') && PRECOMPILES.has(to ?? '');

/** The expected flat list of a call tree, computed from the tree alone. */
function flattened(frame: CallFrameObject, traceAddress: readonly number[] = []): object[] {
  const calls = (frame.calls ?? []).filter((call) => !isLeftOut(call));
  const { type, from, to, value = '0x0', gas, gasUsed, input, output = '0x', error } = frame;
  const common = { traceAddress, subtraces: calls.length, failed: error !== undefined };
  const own =
    type === 'SELFDESTRUCT'
      ? { ...common, type: 'suicide', action: { address: from, refundAddress: to, balance: value } }
      : type.startsWith('CREATE')
        ? {
            ...common,
            type: 'create',
            action: { from, gas, value, init: input, creationMethod: type.toLowerCase() },
          }
        : { ...common, type: 'call', action: { from, to, gas, value, input, callType: type.toLowerCase() } };
  const result =
    type === 'SELFDESTRUCT' || error !== undefined
      ? undefined
      : type.startsWith('CREATE')
        ? { address: to, code: output, gasUsed }
        : { gasUsed, output };
  const rest = calls.flatMap((call, index) => flattened(call, [...traceAddress, index]));
  return [{ ...own, result }, ...rest];
}

/** A flat list in the same form. */
function seen(flat: readonly Flat[]): object[] {
  return flat.map(({ action, error, result, subtraces, traceAddress, type }) => ({
    ...{ action, subtraces, traceAddress, type },
    failed: error !== undefined,
    result: error === undefined ? (result ?? undefined) : undefined,
  }));
}

/** The same list without the gas of its outermost call, of which Parity shows no intrinsic gas. */
function withoutOutermostGas([outermost, ...inner]: readonly Flat[]): object[] {
  if (outermost === undefined) return [];
  const { action, result } = outermost;
  const rest = { action: { ...action, gas: '' }, result: result && { ...result, gasUsed: '' } };
  return seen([{ ...outermost, ...rest }, ...inner]);
}

/** A call of a random scenario, whose contracts are there by overrides. */
function callOf(seed: number) {
  const { contracts, target, data: input } = randomScenario(seed, 'osaka');
  const to = target === undefined ? {} : { to: toPrefixedHex(contractAddressOf(target)) };
  const stateOverrides = Object.fromEntries(
    contracts.map((code, index) => [
      toPrefixedHex(contractAddressOf(index)),
      { code: toPrefixedHex(code), balance: '0x3e8' },
    ]),
  );
  const from = toPrefixedHex(ethereumAddress(0));
  return { request: { ...to, from, data: toPrefixedHex(input), gas: CALL_GAS }, stateOverrides };
}

function traced(seed: number, config: object): unknown {
  const { request, stateOverrides } = callOf(seed);
  return ethereumCall(chain.dispatcher, 'debug_traceCall', request, 'latest', { ...config, stateOverrides });
}

describe('flatCallTracer and callTracer', () => {
  test('behavior: the same calls, of random programs', () => {
    let calls = 0;
    for (let seed = 0; seed < SCENARIOS; seed += 1) {
      const tree = traced(seed, { tracer: 'callTracer' }) as CallFrameObject;
      const flat = traced(seed, { tracer: 'flatCallTracer' }) as readonly Flat[];
      expect(seen(flat), `seed ${seed}`).toEqual(flattened(tree));
      calls += flat.length;
    }
    expect(calls).toBeGreaterThan(2 * SCENARIOS);
  });

  test('behavior: the same in one run by muxTracer', () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const tracerConfig = { callTracer: {}, flatCallTracer: {}, prestateTracer: {}, '4byteTracer': {} };
      const { callTracer, flatCallTracer, prestateTracer } = traced(seed, {
        tracer: 'muxTracer',
        tracerConfig,
      }) as { callTracer: CallFrameObject; flatCallTracer: readonly Flat[]; prestateTracer: object };
      expect(callTracer).toEqual(traced(seed, { tracer: 'callTracer' }));
      expect(flatCallTracer).toEqual(traced(seed, { tracer: 'flatCallTracer' }));
      expect(prestateTracer).toEqual(traced(seed, { tracer: 'prestateTracer' }));
    }
  });

  test('behavior: struct logs end with the gas and the output of callTracer', () => {
    for (let seed = 0; seed < SCENARIOS; seed += 1) {
      const tree = traced(seed, { tracer: 'callTracer' }) as CallFrameObject;
      const logs = traced(seed, { disableStack: true, limit: 1 }) as {
        gas: number;
        failed: boolean;
        returnValue: string;
      };
      expect(logs).toMatchObject({
        gas: Number(tree.gasUsed),
        failed: tree.error !== undefined,
        returnValue: tree.output ?? '0x',
      });
    }
  });
});

describe('trace_call and flatCallTracer', () => {
  test('behavior: the same calls, of creation code', () => {
    const { dispatcher } = chain;
    for (let seed = 0; seed < SCENARIOS; seed += 1) {
      const { contracts } = randomScenario(seed, 'osaka');
      const request = {
        from: toPrefixedHex(ethereumAddress(0)),
        data: toPrefixedHex(contracts[0] ?? new Uint8Array(0)),
        gas: CALL_GAS,
      };
      const flat = ethereumCall(dispatcher, 'debug_traceCall', request, 'latest', {
        tracer: 'flatCallTracer',
      });
      const results = ethereumCall(
        dispatcher,
        'trace_call',
        request,
        ['trace', 'stateDiff', 'vmTrace'],
        'latest',
      ) as {
        trace: readonly Flat[];
      };
      expect(withoutOutermostGas(results.trace), `seed ${seed}`).toEqual(
        withoutOutermostGas(flat as readonly Flat[]),
      );
      expect(ethereumCall(dispatcher, 'trace_callMany', [[request, ['trace']]], 'latest')).toEqual([
        { ...results, stateDiff: null, vmTrace: null },
      ]);
    }
  });
});
