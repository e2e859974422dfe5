import { describe, expect, test } from 'vitest';
import { toPrefixedHex } from '../../src/protocol/index.ts';
import { openEthereumChain, word } from '../../src/rpc/ethereum/chain.testing.ts';
import { call, ethereumCall } from '../../src/rpc/rpc.testing.ts';

const ACCOUNT = `0x${'aa'.repeat(20)}`;
const LOGGING = `0x${'bb'.repeat(20)}`;
const ENDLESS = `0x${'cc'.repeat(20)}`;
const slot = (value: number): string => toPrefixedHex(word(value));

/** Instructions with what geth's tracer (eth/tracers/native/erc7562.go) reports of each. */
const CODE = [
  '5a50', // GAS, before no call
  `5f5f5f5f5f73${LOGGING.slice(2)}5af150`, // GAS before a CALL
  `5f5f5f5f5f73${ENDLESS.slice(2)}612710f150`, // a CALL that runs out of gas
  `73${LOGGING.slice(2)}3b1550`, // EXTCODESIZE, ISZERO
  `73${LOGGING.slice(2)}3f50`, // EXTCODEHASH
  ...['60015450', '6005600155', '60015450'], // slot 1: SLOAD, SSTORE, SLOAD
  ...['6007600255', '60025450'], // slot 2: SSTORE, SLOAD
  ...['60035c50', '600960045d'], // TLOAD, TSTORE
  '60205f2050', // KECCAK256 of 32 bytes beyond the memory
  '60205f2050',
  '5f5ff3',
].join('');

const STATE = {
  [ACCOUNT]: { code: `0x${CODE}`, stateDiff: { [slot(1)]: slot(42) } },
  [LOGGING]: { code: '0x5f5fa000' },
  [ENDLESS]: { code: '0x5b5f56' },
};

async function tracer() {
  const { dispatcher } = await openEthereumChain();
  const trace =
    (ask: typeof call) =>
    (config: object, more: object = { tracer: 'erc7562Tracer', tracerConfig: config }): unknown =>
      ask(dispatcher, 'debug_traceCall', { to: ACCOUNT, gas: '0x7a120' }, 'latest', {
        stateOverrides: STATE,
        ...more,
      });
  return { trace: trace(ethereumCall), traceNative: trace(call) };
}

describe('erc7562Tracer', () => {
  test('default: slots, codes, opcodes, preimages and failures of each call', async () => {
    const { trace, traceNative } = await tracer();
    const opcodes = {
      '0x20': 2,
      '0x3b': 1,
      '0x3f': 1,
      '0x54': 3,
      '0x55': 2,
      '0x5a': 1,
      '0x5c': 1,
      '0x5d': 1,
    };
    const expected = {
      type: 'CALL',
      to: ACCOUNT,
      gas: '0x7a120',
      accessedSlots: {
        reads: { [slot(1)]: [slot(42)] },
        writes: { [slot(1)]: 1, [slot(2)]: 1 },
        transientReads: { [slot(3)]: 1 },
        transientWrites: { [slot(4)]: 1 },
      },
      extCodeAccessInfo: [LOGGING],
      usedOpcodes: { ...opcodes, '0xf1': 2, '0xf3': 1 },
      contractSize: {
        [LOGGING]: { contractSize: 4, opcode: 0xf1 },
        [ENDLESS]: { contractSize: 3, opcode: 0xf1 },
      },
      outOfGas: false,
      keccak: [slot(0)],
      calls: [
        { from: ACCOUNT, to: LOGGING, usedOpcodes: { '0x0': 1, '0xa0': 1 }, outOfGas: false },
        { to: ENDLESS, error: 'out of gas', outOfGas: true, contractSize: {}, extCodeAccessInfo: [] },
      ],
    };
    expect(trace({})).toMatchObject(expected);
    expect(traceNative({})).toMatchObject(expected);
    expect(JSON.stringify(trace({}))).not.toContain('logs');
  });

  test('args: logs, opcodes that are not counted, and a size of the stack without effect', async () => {
    const { trace } = await tracer();
    expect(trace({ withLog: true, stackTopItemsSize: 7 })).toMatchObject({
      calls: [{ logs: [{ address: LOGGING, data: '0x', topics: [], index: '0x0', position: '0x0' }] }, {}],
    });
    const all = trace({ ignoredOpcodes: [] }) as { usedOpcodes: Record<string, number> };
    expect(all.usedOpcodes).toMatchObject({ '0x50': 11, '0x15': 1, '0x54': 3 });
    const few = trace({ ignoredOpcodes: ['0x54', 0x55] }) as { usedOpcodes: Record<string, number> };
    expect(few.usedOpcodes).not.toHaveProperty('0x54');
    expect(few.usedOpcodes).not.toHaveProperty('0x55');
    expect(few.usedOpcodes).toMatchObject({ '0x5c': 1, '0x50': 11 });
  });

  test('behavior: as one of several', async () => {
    const { trace } = await tracer();
    const tracerConfig = { erc7562Tracer: { withLog: true }, callTracer: {} };
    expect(trace({}, { tracer: 'muxTracer', tracerConfig })).toEqual({
      erc7562Tracer: trace({ withLog: true }),
      callTracer: trace({}, { tracer: 'callTracer' }),
    });
  });

  test('error: no opcodes', async () => {
    const { trace } = await tracer();
    expect(trace({ ignoredOpcodes: ['0x100'] })).toMatchObject({ code: -32602 });
    expect(trace({ ignoredOpcodes: Array(257).fill(1) })).toMatchObject({ code: -32602 });
    expect(trace({ ignoredOpcodes: 1 })).toMatchObject({ code: -32602 });
    expect(trace({ withLog: 1 })).toMatchObject({ code: -32602 });
  });
});
