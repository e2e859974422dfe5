import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../protocol/index.ts';
import { assemble } from '../testing/assembler.testing.ts';
import { CONTRACT, createFixture, pushed } from '../testing/engine.testing.ts';
import { addressOf, numberOf } from '../testing/memory-host.testing.ts';

/** Gas of which enough is left at depth 1,024. */
const PLENTY = 10n ** 16n;
/** Frames at the depths 0 to 1,024. */
const FRAMES = 1_025n;
/** Stores the least significant bytes of a program at the beginning of memory, and pushes its window. */
const prepared = (code: Uint8Array) => {
  const digits = Buffer.from(code).toString('hex');
  return `#${(0x5f + code.length).toString(16)}${digits} 0 MSTORE ${code.length} ${32 - code.length}`;
};

describe('calls as deep as they go', () => {
  const kinds = {
    CALL: '32 0 0 0 0 ADDRESS GAS CALL',
    CALLCODE: '32 0 0 0 0 ADDRESS GAS CALLCODE',
    DELEGATECALL: '32 0 0 0 ADDRESS GAS DELEGATECALL',
    STATICCALL: '32 0 0 0 ADDRESS GAS STATICCALL',
  };

  test.each(Object.entries(kinds))('behavior: 1,025 frames of %s run', async (_kind, call) => {
    const { run } = await createFixture();
    const execution = run(`${call} POP 0 MLOAD 1 ADD RETURN_TOP`, { gas: PLENTY });
    expect(execution.status).toBe('success');
    expect(numberOf(execution.output)).toBe(FRAMES);
  });

  test('behavior: a halt of the deepest frame, which makes every frame halt', async () => {
    const { run } = await createFixture();
    // The deepest frame's own call fails, so it halts, so the call of the frame above it fails, and so on.
    const execution = run('32 0 0 0 0 ADDRESS GAS CALL ISZERO @halt JUMPI 32 0 RETURN :halt INVALID', {
      gas: PLENTY,
    });
    expect(execution.status).toBe('halt');
  });

  test('behavior: creations of creations', async () => {
    const { engine, send } = await createFixture();
    const initCode = assemble('CODESIZE 0 0 CODECOPY CODESIZE 0 0 CREATE STOP');
    expect(send({ to: undefined, data: initCode, gas: PLENTY }).status).toBe('success');
    expect(engine.creations()).toHaveLength(Number(FRAMES));
    engine.discard();
    expect(engine.creations()).toEqual([]);
  });

  test('behavior: constructors that call their creator, which creates again', async () => {
    const { engine, run } = await createFixture();
    const child = assemble('0 0 0 0 0 CALLER GAS CALL STOP');
    expect(run(`${prepared(child)} 0 CREATE STOP`, { gas: PLENTY }).status).toBe('success');
    expect(engine.creations()).toHaveLength(512);
  });

  test('behavior: constructors that destroy themselves and are created again', async () => {
    const { engine, run } = await createFixture();
    const child = assemble('CALLER SELFDESTRUCT');
    const again = `0 ${prepared(child)} 0 CREATE2 POP`;
    expect(run(`${again} ${again} STOP`).status).toBe('success');
    expect(engine.creations().map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test('behavior: a storm of calls at every depth ends with the gas', async () => {
    const { engine, run } = await createFixture();
    const once = '0 0 0 0 0 ADDRESS GAS CALL POP';
    const execution = run(`:start 1 SLOAD 1 ADD 1 SSTORE ${once} ${once} @start JUMP`, { gas: 30_000_000n });
    expect(execution).toMatchObject({ status: 'halt', halt: 'outOfGas', gasUsed: 30_000_000n });
    expect(engine.changes()).toEqual([]);
  });
});

describe('code full of jump destinations', () => {
  const JUMP_TABLE = new Uint8Array(24_576).fill(0x5b);

  test('behavior: 24 KiB of them run in order', async () => {
    const { place, send } = await createFixture();
    place(CONTRACT, JUMP_TABLE);
    const execution = send({ gas: 30_000_000n });
    expect(execution).toMatchObject({ status: 'success', gasUsed: 21_000n + 24_576n });
  });

  test('behavior: jumps between the ends, until the gas runs out', async () => {
    const { place, send } = await createFixture();
    const head = assemble(':start #61 #5ff0 JUMP');
    const tail = assemble('0 JUMP');
    const code = concatBytes(head, JUMP_TABLE.subarray(0, 24_576 - head.length - 3), tail);
    place(CONTRACT, code);
    expect(send({ gas: 30_000_000n })).toMatchObject({ status: 'halt', halt: 'outOfGas' });
  });

  test('behavior: PUSH32 up to the last byte, and a jump into its data', async () => {
    const { place, send } = await createFixture();
    const code = new Uint8Array(24_576).fill(0x7f);
    code.set(assemble('#61 #5fff JUMP'));
    place(CONTRACT, code);
    expect(send({ gas: 30_000_000n })).toMatchObject({ status: 'halt', halt: 'invalidJump' });
  });

  test('behavior: 48 KiB of them are created again and again', async () => {
    const { run } = await createFixture();
    const other = addressOf(0xabcn);
    const filled = '0x5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b';
    const fill = `${filled} 0 MSTORE 49120 0 32 MCOPY`;
    const loop = ':start 49152 0 0 CREATE POP @start JUMP';
    expect(run(`${fill} ${loop} ${pushed(other)}`, { gas: 30_000_000n })).toMatchObject({ halt: 'outOfGas' });
  });
});
