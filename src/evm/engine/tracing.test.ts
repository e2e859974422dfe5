import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Engine, type Message } from '../index.ts';
import { assemble } from '../testing/assembler.testing.ts';
import { BLOCK, CONTRACT, SENDER } from '../testing/engine.testing.ts';
import { MemoryHost } from '../testing/memory-host.testing.ts';
import { listeningToSteps, type Step } from '../testing/steps.testing.ts';

async function createTraced(source: string, trace: (step: Step) => void) {
  const host = new MemoryHost();
  host.set(SENDER, { balance: 10n ** 18n });
  host.set(CONTRACT, { nonce: 1n, code: assemble(source) });
  const engine = await Engine.create({ hardfork: 'osaka', host, build: 'evm-steps' });
  engine.listener = listeningToSteps(trace);
  engine.setBlock(BLOCK);
  const message: Message = {
    caller: SENDER,
    to: CONTRACT,
    value: 0n,
    data: new Uint8Array(0),
    gas: 100_000n,
    gasPrice: 1n,
    payForGas: false,
  };
  return { engine, message };
}

/** Runs a program and returns short texts of its steps. */
async function stepsOf(source: string) {
  const steps: Step[] = [];
  const { engine, message } = await createTraced(source, (step) => steps.push(step));
  const execution = engine.execute(message);
  return { steps, execution };
}

describe('steps', () => {
  test('default', async () => {
    const { steps } = await stepsOf('2 3 ADD 64 MSTORE STOP');
    const common = { depth: 0, refund: 0n };
    expect(steps).toEqual([
      {
        ...common,
        programCounter: 0,
        opcode: 0x60,
        gas: 79_000n,
        stackHeight: 0,
        stackTop: undefined,
        memorySize: 0,
      },
      {
        ...common,
        programCounter: 2,
        opcode: 0x60,
        gas: 78_997n,
        stackHeight: 1,
        stackTop: 2n,
        memorySize: 0,
      },
      {
        ...common,
        programCounter: 4,
        opcode: 0x01,
        gas: 78_994n,
        stackHeight: 2,
        stackTop: 3n,
        memorySize: 0,
      },
      {
        ...common,
        programCounter: 5,
        opcode: 0x60,
        gas: 78_991n,
        stackHeight: 1,
        stackTop: 5n,
        memorySize: 0,
      },
      {
        ...common,
        programCounter: 7,
        opcode: 0x52,
        gas: 78_988n,
        stackHeight: 2,
        stackTop: 64n,
        memorySize: 0,
      },
      {
        ...common,
        programCounter: 8,
        opcode: 0x00,
        gas: 78_976n,
        stackHeight: 0,
        stackTop: undefined,
        memorySize: 96,
      },
    ]);
  });

  test('behavior: a jump is followed by the step of its destination', async () => {
    const { steps } = await stepsOf('@end JUMP INVALID :end STOP');
    expect(steps.map(({ programCounter }) => programCounter)).toEqual([0, 3, 5, 6]);
  });

  test('behavior: the step that halts is reported', async () => {
    const { steps, execution } = await stepsOf('1 POP POP');
    expect(execution.halt).toBe('stackUnderflow');
    expect(steps.map(({ opcode }) => opcode)).toEqual([0x60, 0x50, 0x50]);
  });

  test('behavior: inner frames have a greater depth', async () => {
    const { steps } = await stepsOf('CALLER ADDRESS EQ @end JUMPI 0 0 0 0 0 ADDRESS GAS CALL :end STOP');
    expect(steps.map(({ depth }) => depth).sort()).toEqual([...Array(15).fill(0), ...Array(7).fill(1)]);
  });

  test('behavior: the refund counter', async () => {
    const { steps } = await stepsOf('1 0 SSTORE 0 0 SSTORE STOP');
    expect(steps.at(-1)?.refund).toBe(19_900n);
  });
});

test('error: an exception of a listener ends the execution, and the engine still works', async () => {
  let calls = 0;
  const { engine, message } = await createTraced('1 2 ADD STOP', () => {
    calls += 1;
    if (calls === 2) throw new RangeError('enough');
  });
  expect(() => engine.execute(message)).toThrow('enough');
  expect(engine.execute(message).status).toBe('success');
  expect(calls).toBe(6);
});

test('behavior: only the build of steps calls the host for them', () => {
  const importsStep = (build: string) =>
    readFileSync(new URL(`../../../build/${build}.wasm`, import.meta.url)).includes('\u0004host\u0004step');
  expect(['evm', 'evm-steps'].map(importsStep)).toEqual([false, true]);
});
