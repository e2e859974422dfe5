import { beforeEach, describe, expect, test } from 'vitest';
import { EVM_MEMORY_BYTES_MAX } from '../../consensus.ts';
import { EngineError } from '../index.ts';
import { assemble, initCodeOf } from '../testing/assembler.testing.ts';
import {
  BLOCK,
  CONTRACT,
  createFixture,
  type Fixture,
  OTHER,
  pushed,
  SENDER,
} from '../testing/engine.testing.ts';
import { numberOf, word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

describe('payment for gas', () => {
  const paid = { payForGas: true, gasPrice: 3n, gas: 100_000n };
  const balance = () => fixture.engine.balanceOf(SENDER);

  test('default: the caller pays for the used gas', () => {
    const before = balance();
    fixture.place(CONTRACT, '1 1 SSTORE');
    const { gasUsed } = fixture.send({ ...paid, value: 5n });
    expect(before - balance()).toBe(3n * gasUsed + 5n);
  });

  test('behavior: a halt costs all gas and no value', () => {
    const before = balance();
    fixture.place(CONTRACT, 'INVALID');
    expect(fixture.send({ ...paid, value: 5n }).gasUsed).toBe(100_000n);
    expect(before - balance()).toBe(300_000n);
  });

  test('behavior: the balance lacks the cost of the gas while code runs', () => {
    const before = balance();
    expect(fixture.run('CALLER BALANCE RETURN_TOP', paid).output).toEqual(word(before - 300_000n));
  });

  test('behavior: refunds are at most a fifth of the gas used', () => {
    const slots = [1, 2, 3, 4, 5, 6, 7, 8];
    const storage = Object.fromEntries(slots.map((slot) => [slot, 1n]));
    fixture.place(CONTRACT, slots.map((slot) => `0 ${slot} SSTORE`).join(' '), { storage });
    const spent = 21_000n + 8n * 5_006n;
    expect(fixture.send(paid).gasUsed).toBe(spent - spent / 5n);
  });

  test('args: payForGas false', () => {
    const before = balance();
    fixture.place(CONTRACT, 'GASPRICE RETURN_TOP');
    expect(fixture.send({ gasPrice: 9n }).output).toEqual(word(9n));
    expect(balance()).toBe(before);
  });
});

describe('rejected messages', () => {
  test.each([
    ['intrinsicGasTooLow', { gas: 20_999n }],
    ['insufficientBalance', { value: 10n ** 18n + 1n }],
    ['insufficientBalance', { gasPrice: 10n ** 18n, payForGas: true }],
    ['insufficientBalance', { caller: OTHER, value: 1n }],
    ['initCodeTooLarge', { to: undefined, data: new Uint8Array(49_153) }],
  ])('error: %s changes no state and uses no gas', (halt, message) => {
    expect(fixture.send(message)).toMatchObject({ status: 'halt', halt, gasUsed: 0n });
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('error: gasOutOfRange', () => {
    expect(() => fixture.send({ gas: 2n ** 63n })).toThrow(EngineError);
  });
});

describe('bounds', () => {
  test('behavior: memory beyond the maximum is out of gas, and the engine continues', () => {
    const gas = 10n ** 15n;
    const execution = fixture.run(`1 ${EVM_MEMORY_BYTES_MAX} MSTORE`, { gas });
    expect(execution).toMatchObject({ halt: 'outOfGas', gasUsed: gas });
    expect(fixture.run('1 RETURN_TOP').output).toEqual(word(1n));
  });

  test('behavior: memory that an execution grew is released at settle', () => {
    fixture.place(CONTRACT, `0 CALLDATALOAD 0 SSTORE 1 ${96 * 1024 * 1024} MSTORE`);
    fixture.send({ data: word(7n), gas: 10n ** 12n });
    expect(fixture.engine.storageAt(CONTRACT, word(0n))).toEqual(word(7n));
    fixture.host.apply(fixture.engine.changes());
    fixture.engine.settle();
    const { storage } = fixture.host.asked;
    expect(fixture.engine.storageAt(CONTRACT, word(0n))).toEqual(word(7n));
    expect(fixture.host.asked.storage).toBe(storage + 1);
    expect(fixture.run('NUMBER RETURN_TOP').output).toEqual(word(BLOCK.number));
  });

  test('error: transientStorageFull leaves an empty, sound engine', () => {
    fixture.engine.credit(OTHER, 1n);
    fixture.host.set(CONTRACT, { nonce: 1n });
    const endless = ':again DUP1 DUP1 TSTORE 1 ADD @again JUMP';
    fixture.place(CONTRACT, `0 ${endless}`);
    expect(() => fixture.send({ gas: 10n ** 12n })).toThrow('the table of transient storage is full');
    expect(fixture.engine.changes()).toEqual([]);
    expect(fixture.run('7 1 TSTORE 1 TLOAD RETURN_TOP').output).toEqual(word(7n));
  });

  test('behavior: evicted code is loaded again, unsettled code is not evicted', () => {
    const size = 24_576;
    fixture.place(CONTRACT, `CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 0 CREATE RETURN_TOP`);
    const codes = Array.from({ length: 6_000 }, (_, index) => {
      const code = new Uint8Array(size);
      code.set(assemble(`${index + 1_000} RETURN_TOP`));
      return code;
    });
    const data = initCodeOf(assemble('3 RETURN_TOP'));
    const created = fixture.send({ to: undefined, data }).contractAddress ?? OTHER;
    const place = (index: number) => word(BigInt(index) + (1n << 80n)).slice(12) as typeof CONTRACT;
    codes.forEach((code, index) => {
      fixture.host.set(place(index), { nonce: 1n, code });
    });
    codes.forEach((_, index) => {
      const { output } = fixture.send({ to: place(index) });
      expect(numberOf(output)).toBe(BigInt(index + 1_000));
    });
    const asked = fixture.host.asked.code;
    expect(fixture.send({ to: place(0) }).output).toEqual(word(1_000n));
    expect(fixture.host.asked.code).toBe(asked + 1);
    expect(fixture.send({ to: created }).output).toEqual(word(3n));
    expect(fixture.host.asked.code).toBe(asked + 1);
  });

  test('behavior: a log of many bytes', () => {
    const { logs } = fixture.run(`${pushed(OTHER)} 10000 0 LOG1`, { gas: 100_000_000n });
    expect(logs).toEqual([
      { address: CONTRACT, topics: [word(numberOf(OTHER))], data: new Uint8Array(10_000) },
    ]);
  });
});
