import { describe, expect, test } from 'vitest';
import { bytesToHex } from '../../protocol/index.ts';
import { Engine, type TraceListener } from '../index.ts';
import { assemble } from '../testing/assembler.testing.ts';
import { BLOCK, CONTRACT, SENDER } from '../testing/engine.testing.ts';
import { addressOf, MemoryHost } from '../testing/memory-host.testing.ts';
import type { EvmBuild } from '../wasm-module.ts';

const CALLEE = addressOf(0xca11n);

/** Runs a program that may call another one, and returns short texts of the events. */
async function toldOf(source: string, callee = 'STOP', build: EvmBuild = 'evm'): Promise<string[]> {
  const host = new MemoryHost();
  host.set(SENDER, { balance: 10n ** 18n });
  host.set(CONTRACT, { balance: 100n, nonce: 1n, code: assemble(source) });
  host.set(CALLEE, { nonce: 1n, code: assemble(callee) });
  const engine = await Engine.create({ hardfork: 'osaka', host, build });
  engine.setBlock(BLOCK);
  const told: string[] = [];
  const listener: TraceListener = {
    enter: ({ kind, value, gas, input }) => told.push(`${kind} ${value} ${gas} ${bytesToHex(input)}`),
    leave: ({ failure, gasUsed, output }) =>
      told.push(`${failure?.reason ?? 'done'} ${gasUsed} ${bytesToHex(output)}`),
    log: ({ topics }, index) => told.push(`log ${index} ${topics.length}`),
    selfDestruct: ({ balance }) => told.push(`end ${balance}`),
  };
  engine.listener = listener;
  engine.execute({
    ...{ caller: SENDER, to: CONTRACT, value: 7n, data: Uint8Array.of(1, 2), gas: 100_000n },
    ...{ gasPrice: 1n, payForGas: false },
  });
  return told;
}

/** Expects the paths of a callee and of its caller, which reverts, also after executions without paths. */
async function expectPaths(
  source: string,
  callee: string,
  paths: readonly (readonly number[])[],
): Promise<void> {
  const host = new MemoryHost();
  host.set(SENDER, { balance: 10n ** 18n });
  host.set(CONTRACT, { nonce: 1n, code: assemble(source) });
  host.set(CALLEE, { nonce: 1n, code: assemble(callee) });
  const engine = await Engine.create({ hardfork: 'osaka', host });
  engine.setBlock(BLOCK);
  const outcomeOf = (needsPaths: boolean) => {
    const reported: unknown[] = [];
    engine.listener = { needsPaths, leave: ({ path }) => reported.push(path?.()) };
    const message = { caller: SENDER, to: CONTRACT, value: 0n, data: new Uint8Array(), gas: 100_000n };
    const { status, gasUsed } = engine.execute({ ...message, gasPrice: 1n, payForGas: false });
    engine.discard();
    return { paths: reported, status, gasUsed };
  };
  const plain = outcomeOf(false);
  expect(plain).toMatchObject({ paths: [[], []], status: 'revert' });
  for (let times = 0; times < 2; times += 1) expect(outcomeOf(true)).toEqual({ ...plain, paths });
  expect(outcomeOf(false)).toEqual(plain);
}

const ROOT = 'CALL 7 78968 0102';

describe('calls', () => {
  test('default: the outermost call, and one within it', async () => {
    expect(await toldOf('0 0 1 0 0 51729 5000 CALL 0 MSTORE 32 0 RETURN', '0 0 LOG0 3 0 RETURN')).toEqual([
      ROOT,
      'CALL 0 5000 00',
      'log 0 0',
      expect.stringMatching(/^done \d+ 000000$/),
      expect.stringMatching(/^done \d+ 0{63}1$/),
    ]);
  });

  test('behavior: without code, precompiled, insufficient balance', async () => {
    expect(
      await toldOf('0 0 0 0 0 9 100 CALL POP 0 0 0 0 4 200 STATICCALL POP 0 0 0 0 999 51729 0 CALL STOP'),
    ).toEqual([
      ROOT,
      expect.stringMatching(/^CALL 0 100 $/),
      expect.stringMatching(/^precompileFailure 100 $/),
      'STATICCALL 0 200 ',
      'done 15 ',
      'CALL 999 2300 ',
      'insufficientBalance 0 ',
      expect.stringMatching(/^done \d+ $/),
    ]);
  });

  test('behavior: failures have the reason', async () => {
    const failureOf = async (callee: string): Promise<string | undefined> => {
      const [, , left] = await toldOf('0 0 0 0 51729 9000 STATICCALL STOP', callee);
      return left;
    };
    expect(await failureOf('POP')).toBe('stackUnderflow 9000 ');
    expect(await failureOf('INVALID')).toBe('invalidOpcode 9000 ');
    expect(await failureOf('0 JUMP')).toBe('invalidJump 9000 ');
    expect(await failureOf('0 0 LOG0')).toBe('staticViolation 9000 ');
    expect(await failureOf(':again @again JUMP')).toBe('outOfGas 9000 ');
    expect(await failureOf('0 0 REVERT')).toMatch(/^revert \d+ $/);
  });

  test('behavior: creations, and self-destruction', async () => {
    expect(await toldOf('0 0 5 CREATE POP CALLER SELFDESTRUCT')).toEqual([
      ROOT,
      expect.stringMatching(/^CREATE 5 \d+ $/),
      'done 0 ',
      'end 102',
      expect.stringMatching(/^done \d+ $/),
    ]);
  });

  test('args: needsPaths; a repeated opcode has one entry', async () => {
    // The caller's begins after its call; a fused sequence has the offset of its first instruction.
    const source = '1 2 ADD POP 0 0 0 0 0 51729 5000 CALL POP 5 6 MUL POP 0 0 REVERT';
    const callerPath = [23, 24, 28, 29, 30, 34];
    await expectPaths(source, 'JUMPDEST 0 1 ADD', [[0, 1, 5, 6], callerPath]);
  });

  test('args: needsPaths; a frame begins or continues with the opcode that ran last', async () => {
    const source = '0 0 0 0 0 51729 GAS CALL JUMPDEST 0 0 REVERT';
    await expectPaths(source, 'CALL', [[0], [15, 16, 20]]);
    await expectPaths(source, 'GAS JUMPDEST', [
      [0, 1, 2],
      [15, 16, 20],
    ]);
  });

  test('behavior: both builds report the same events', async () => {
    const source = '0 0 0 0 3 51729 5000 CALL POP 0 0 0 CREATE POP 0 0 LOG0 STOP';
    expect(await toldOf(source, 'STOP', 'evm-steps')).toEqual(await toldOf(source));
  });
});
