import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../protocol/index.ts';
import { EngineError, type Message } from '../index.ts';
import { word } from '../precompiles/precompiles.testing.ts';
import { precompileAt } from '../precompiles/registry.ts';
import { CONTRACT, createFixture, OTHER } from '../testing/engine.testing.ts';

/** A time in the past. */
const PASSED = -1;

/** Calls SHA-256 in an endless loop. */
const ENDLESS = ':start 32 0 0 0 2 GAS STATICCALL POP @start JUMP';

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return 'no failure';
  } catch (error) {
    return error instanceof EngineError ? error.failure : error;
  }
}

describe('a deadline', () => {
  test('default', async () => {
    const fixture = await createFixture();
    const message: Partial<Message> = { gas: 50_000_000n, deadline: performance.now() + 20 };
    expect(failureOf(() => fixture.run(ENDLESS, message))).toBe('outOfTime');
    expect(fixture.run('7 RETURN_TOP')).toMatchObject({ status: 'success' });
  });

  test('behavior: a fast execution is never stopped', async () => {
    const { run, send } = await createFixture();
    const loop = '0 :start 1 ADD DUP1 1000 GT @start JUMPI STOP';
    expect(run(loop)).toMatchObject({ status: 'success' });
    expect(send({ deadline: PASSED })).toMatchObject({ status: 'success' });
  });

  test('behavior: without one an execution has no time limit', async () => {
    const fixture = await createFixture();
    expect(failureOf(() => fixture.run(ENDLESS, { deadline: PASSED }))).toBe('outOfTime');
    expect(fixture.run(ENDLESS)).toMatchObject({ status: 'halt', halt: 'outOfGas' });
  });

  test('behavior: loading code checks the deadline', async () => {
    const { place, send } = await createFixture();
    place(CONTRACT, `0 0 0 0 0x${Buffer.from(OTHER).toString('hex')} GAS STATICCALL STOP`);
    place(OTHER, 'STOP');
    expect(failureOf(() => send({ deadline: PASSED }))).toBe('outOfTime');
    expect(send()).toMatchObject({ status: 'success' });
    // Now it is loaded.
    expect(send({ deadline: PASSED })).toMatchObject({ status: 'success' });
  });
});

test("behavior: an execution's deadline ends with it", async () => {
  const { engine, place, send, run } = await createFixture();
  expect(run('STOP')).toMatchObject({ status: 'success' });
  expect(send({ deadline: PASSED })).toMatchObject({ status: 'success' });
  place(OTHER, '1 STOP');
  expect(engine.codeAt(OTHER)).toHaveLength(3);
  place(CONTRACT, ENDLESS);
  expect(failureOf(() => send({ deadline: PASSED }))).toBe('outOfTime');
  place(OTHER, '1 STOP');
  expect(engine.codeAt(OTHER)).toHaveLength(3);
});

describe('a precompiled contract that may take long', () => {
  const modexp = (bytes: number) =>
    concatBytes(
      ...[bytes, bytes, bytes].map((length) => word(BigInt(length))),
      new Uint8Array(3 * bytes).fill(255),
    );

  test.each([
    ['pairings of alt_bn128', 8, new Uint8Array(3 * 192), 3],
    ['pairings of BLS12-381', 15, new Uint8Array(3 * 384), 3],
    ['sums of products in G1', 12, new Uint8Array(600 * 160), 3],
    ['sums of products in G2', 14, new Uint8Array(600 * 288), 3],
    ['BLAKE2b', 9, concatBytes(word(25_000n, 4), new Uint8Array(209)), 3],
    ['powers by windows', 5, modexp(100), 100],
    ['powers by bits', 5, concatBytes(word(100n), word(3n), word(100n), new Uint8Array(203).fill(255)), 3],
    ['powers in Wasm', 5, concatBytes(word(8n), word(9_000n), word(8n), new Uint8Array(9_016).fill(255)), 3],
  ])('default: %s', (_name, address, input, times) => {
    let asked = 0;
    const output = precompileAt(address, 'prague')?.run(input, () => {
      asked += 1;
    });
    expect([asked, output]).toEqual([times, precompileAt(address, 'prague')?.run(input)]);
    const stop = () => {
      throw new EngineError('outOfTime');
    };
    expect(failureOf(() => precompileAt(address, 'prague')?.run(input, stop))).toBe('outOfTime');
    expect(precompileAt(address, 'prague')?.run(input)).toEqual(output);
  });
});
