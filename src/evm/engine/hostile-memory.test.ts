import { describe, expect, test } from 'vitest';
import { CONTRACT, createFixture } from '../testing/engine.testing.ts';

/** The default gas of a call. */
const CALL_GAS_MAX = 50_000_000n;

/** Maximum growth of the process while a program of this file runs with the gas of the largest call. */
const GROWTH_BYTES = 512 * 1024 * 1024;

/** Runs a program with the gas of the largest call and checks the growth of the process. */
async function runBounded(source: string, gas = CALL_GAS_MAX) {
  const fixture = await createFixture();
  const before = process.memoryUsage().rss;
  const execution = fixture.run(source, { gas });
  expect(process.memoryUsage().rss - before).toBeLessThan(GROWTH_BYTES);
  expect(fixture.run('7 RETURN_TOP').status).toBe('success');
  return execution;
}

describe('memory', () => {
  test('behavior: one frame allocates all memory that its gas pays for', async () => {
    const execution = await runBounded('0 :start 32 ADD DUP1 MLOAD POP @start JUMP');
    expect(execution).toMatchObject({ status: 'halt', halt: 'outOfGas' });
  });

  test.each([2_000, 20_000, 100_000, 400_000, 1_000_000])(
    'behavior: every frame allocates %i bytes and calls itself',
    async (bytes) => {
      const execution = await runBounded(`${bytes} MLOAD POP 0 0 0 0 0 ADDRESS GAS CALL STOP`);
      expect(['success', 'halt']).toContain(execution.status);
    },
  );

  test('behavior: an offset beyond all memory costs more than the gas', async () => {
    for (const offset of ['0xffffffff', '0x100000000', `0x${'ff'.repeat(32)}`]) {
      for (const access of [
        `${offset} MLOAD`,
        `1 ${offset} MSTORE`,
        `${offset} 0 RETURN`,
        `${offset} 0 LOG0`,
      ]) {
        expect(await runBounded(access)).toMatchObject({ status: 'halt', halt: 'outOfGas' });
      }
    }
  });
});

describe('return data', () => {
  /** Calls itself; the callee, which gets data, returns so many bytes. */
  const bomb = (bytes: number, after: string) => `
    CALLDATASIZE @callee JUMPI
    :again 0 0 1 0 0 ADDRESS GAS CALL POP ${after} @again JUMP
    :callee ${bytes} 0 RETURN
  `;

  test.each([1_000, 100_000, 1_000_000, 2_500_000])('behavior: %i bytes, over and over', async (bytes) => {
    const execution = await runBounded(bomb(bytes, ''));
    expect(execution).toMatchObject({ status: 'halt', halt: 'outOfGas' });
  });

  test('behavior: copied each time', async () => {
    const execution = await runBounded(bomb(1_000_000, 'RETURNDATASIZE 0 0 RETURNDATACOPY'));
    expect(execution).toMatchObject({ status: 'halt', halt: 'outOfGas' });
  });

  test('behavior: returned through every frame', async () => {
    const source =
      '0 0 0 0 0 ADDRESS GAS CALL POP RETURNDATASIZE 0 0 RETURNDATACOPY 1000 RETURNDATASIZE ADD 0 RETURN';
    const execution = await runBounded(source);
    expect(execution.status).toBe('success');
  });

  test('behavior: of a revert, and of the transaction itself', async () => {
    const execution = await runBounded('3000000 0 REVERT');
    expect(execution.status).toBe('revert');
    expect(execution.output).toHaveLength(3_000_000);
  });
});

describe('precompiled contracts', () => {
  const contracts = [...Array.from({ length: 0x11 }, (_, index) => index + 1), 0x100];

  test.each(contracts)('behavior: a flood of calls of contract %i', async (contract) => {
    const loop = (length: number) => `:start 64 0 ${length} 0 ${contract} GAS STATICCALL POP @start JUMP`;
    for (const length of [0, 1, 96, 128, 160, 192, 213, 256, 384]) {
      const fixture = await createFixture('osaka');
      const execution = fixture.run(loop(length), { gas: 1_000_000n });
      expect(execution).toMatchObject({ status: 'halt', halt: 'outOfGas', gasUsed: 1_000_000n });
    }
  });

  test('behavior: the longest inputs that gas pays for', async () => {
    for (const contract of contracts) {
      const fixture = await createFixture('osaka');
      const source = `1500000 MLOAD POP 64 0 1500000 0 ${contract} GAS STATICCALL RETURN_TOP`;
      const execution = fixture.run(source, { gas: CALL_GAS_MAX });
      expect(['success', 'halt']).toContain(execution.status);
    }
  });

  test('behavior: sent value, called as code and as the transaction itself', async () => {
    const fixture = await createFixture('osaka');
    for (const contract of contracts) {
      const source = `0 0 0 0 ${contract} GAS DELEGATECALL POP 0 0 0 0 1 ${contract} GAS CALL STOP`;
      fixture.place(CONTRACT, new Uint8Array(0), { balance: 5n });
      expect(['success', 'halt']).toContain(fixture.run(source, { gas: 10_000_000n }).status);
    }
  });
});
