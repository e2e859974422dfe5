import { describe, expect, test } from 'vitest';
import type { AccessList } from '../../protocol/index.ts';
import { HARDFORKS, type Hardfork, isSince, LATEST_HARDFORK } from '../index.ts';
import { createFixture, type Fixture, OTHER, pushed, TRANSACTION_GAS } from '../testing/engine.testing.ts';
import { addressOf } from '../testing/memory-host.testing.ts';

/** Opcodes that all hard forks from London on have, as ranges. */
const LONDON_OPCODES = [
  [0x00, 0x0b],
  [0x10, 0x1d],
  [0x20, 0x20],
  [0x30, 0x48],
  [0x50, 0x5b],
  [0x60, 0xa4],
  [0xf0, 0xf5],
  [0xfa, 0xfa],
  [0xfd, 0xfd],
  [0xff, 0xff],
] as const;

/** The first hard fork that has an opcode beyond those. */
const LATER_OPCODES: Readonly<Record<number, Hardfork>> = {
  95: 'shanghai', // PUSH0
  73: 'cancun', // BLOBHASH
  74: 'cancun', // BLOBBASEFEE
  92: 'cancun', // TLOAD
  93: 'cancun', // TSTORE
  94: 'cancun', // MCOPY
  30: 'osaka', // CLZ
};

/** Greatest address of the precompiled contracts that begin with 1. */
const PRECOMPILES: Readonly<Record<Hardfork, number>> = {
  london: 9,
  paris: 9,
  shanghai: 9,
  cancun: 10,
  prague: 17,
  osaka: 17,
};

const WARM = 100n;
const COLD = 2_600n;

function isDefined(opcode: number, hardfork: Hardfork): boolean {
  if (LONDON_OPCODES.some(([first, last]) => first <= opcode && opcode <= last)) return true;
  const first = LATER_OPCODES[opcode];
  return first !== undefined && isSince(hardfork, first);
}

function gasOf(fixture: Fixture, source: string): bigint {
  return fixture.run(source).gasUsed - TRANSACTION_GAS;
}

test('default', () => {
  expect(HARDFORKS).toEqual(['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka']);
  expect(LATEST_HARDFORK).toBe('osaka');
});

describe.each(HARDFORKS)('%s', (hardfork) => {
  test('behavior: its opcodes and no others', async () => {
    const { run } = await createFixture(hardfork);
    const items = '0 '.repeat(17);
    for (let opcode = 0; opcode < 256; opcode++) {
      const code = `#${opcode.toString(16).padStart(2, '0')}`;
      const isUnknown = !isDefined(opcode, hardfork);
      expect(run(code).halt === 'invalidOpcode', code).toBe(isUnknown);
      expect(run(items + code).halt === 'invalidOpcode', code).toBe(isUnknown);
    }
  });

  test('behavior: its precompiled contracts are warm, other addresses cold', async () => {
    const fixture = await createFixture(hardfork);
    for (const address of [1, 9, 10, 11, 17, 18, 0xff, 0x100, 0x101, 0x1_0000_0001, 0]) {
      const isPrecompile =
        (address > 0 && address <= PRECOMPILES[hardfork]) || (address === 0x100 && hardfork === 'osaka');
      const gas = gasOf(fixture, `${pushed(addressOf(BigInt(address)))} BALANCE`);
      expect(gas, `${address}`).toBe(3n + (isPrecompile ? WARM : COLD));
    }
    // An address that equals a contract's only in its last 8 bytes.
    expect(gasOf(fixture, `${pushed(addressOf(2n ** 64n + 1n))} BALANCE`)).toBe(3n + COLD);
  });

  test('behavior: its floor for data', async () => {
    const { send } = await createFixture(hardfork);
    const data = new Uint8Array(100).fill(1);
    const own = TRANSACTION_GAS + 1_600n;
    const floor = TRANSACTION_GAS + 4_000n;
    const most = isSince(hardfork, 'prague') ? floor : own;
    expect(send({ to: OTHER, data })).toMatchObject({ status: 'success', gasUsed: most });
    expect(send({ to: OTHER, data, gas: most })).toMatchObject({ status: 'success', gasUsed: most });
    expect(send({ to: OTHER, data, gas: most - 1n })).toMatchObject({ halt: 'intrinsicGasTooLow' });
  });
});

describe('CLZ', () => {
  test.each([
    ['0', 256n],
    ['1', 255n],
    ['2', 254n],
    ['0xffffffffffffffff', 192n],
    ['0x10000000000000000', 191n],
    [`0x7f${'ff'.repeat(31)}`, 1n],
    [`0x80${'00'.repeat(31)}`, 0n],
    [`0x${'ff'.repeat(32)}`, 0n],
  ])('default: of %s', async (number, zeros) => {
    const { output } = (await createFixture('osaka')).run(`${number} CLZ RETURN_TOP`);
    expect(BigInt(`0x${Buffer.from(output).toString('hex')}`)).toBe(zeros);
  });

  test('behavior: it costs 5 gas and pops an item', async () => {
    const fixture = await createFixture('osaka');
    expect(gasOf(fixture, '1 CLZ')).toBe(3n + 5n);
    expect(fixture.run('CLZ')).toMatchObject({ halt: 'stackUnderflow' });
  });
});

describe('the floor of data (EIP-7623)', () => {
  const data = new Uint8Array(1_000);
  const floor = TRANSACTION_GAS + 10_000n;

  test('behavior: gas of code counts towards it', async () => {
    const { run } = await createFixture('prague');
    // 4,000 gas for the data, and 22,100 for a new slot, are more than 10,000.
    expect(run('1 0 SSTORE', { data }).gasUsed).toBe(TRANSACTION_GAS + 4_000n + 6n + 22_100n);
    expect(run('1 POP', { data }).gasUsed).toBe(floor);
  });

  test('behavior: refunds do not reduce the charge below it', async () => {
    const { run } = await createFixture('prague');
    // Set and cleared again: 22,100 and 100 gas, with a refund of a fifth of the total.
    const used = TRANSACTION_GAS + 4_000n + 12n + 22_200n;
    expect(run('1 0 SSTORE 0 0 SSTORE', { data }).gasUsed).toBe(used - used / 5n);
    const longer = new Uint8Array(1_600);
    expect(run('1 0 SSTORE 0 0 SSTORE', { data: longer }).gasUsed).toBe(39_690n);
    const longest = new Uint8Array(2_400);
    expect(run('1 0 SSTORE 0 0 SSTORE', { data: longest }).gasUsed).toBe(TRANSACTION_GAS + 24_000n);
  });

  test('behavior: a revert and a halt pay it too', async () => {
    const { run } = await createFixture('prague');
    expect(run('0 0 REVERT', { data }).gasUsed).toBe(floor);
    expect(run('INVALID', { data, gas: floor }).gasUsed).toBe(floor);
  });

  test('behavior: the access list is no part of it', async () => {
    const { send } = await createFixture('prague');
    const accessList: AccessList = [{ address: OTHER, storageKeys: [] }];
    expect(send({ to: OTHER, data, accessList }).gasUsed).toBe(floor);
    const lists = Array.from({ length: 4 }, () => accessList).flat();
    expect(send({ to: OTHER, data, accessList: lists }).gasUsed).toBe(TRANSACTION_GAS + 4_000n + 9_600n);
  });

  test('behavior: gas above it is returned to the payer', async () => {
    const { engine, send } = await createFixture('prague');
    const message = { to: OTHER, data, gasPrice: 3n, payForGas: true };
    const sender = addressOf(0x5e9de7n);
    const balance = engine.balanceOf(sender);
    send(message);
    expect(balance - engine.balanceOf(sender)).toBe(3n * floor);
  });
});

describe('precompiled contracts in a call', () => {
  const callP256 = `0 0 0 0 0 0x100 100000 CALL RETURN_TOP`;

  test('behavior: P-256 takes its gas from Osaka on', async () => {
    const prague = gasOf(await createFixture('prague'), callP256);
    const osaka = gasOf(await createFixture('osaka'), callP256);
    expect(osaka - prague).toBe(6_900n + WARM - COLD);
  });

  test('behavior: one that rejects its input consumes the gas of its call', async () => {
    const fixture = await createFixture('osaka');
    const gas = gasOf(fixture, '0 0 0 0 0x0b 50000 STATICCALL');
    expect(gas).toBe(6n * 3n + WARM + 50_000n);
  });
});
