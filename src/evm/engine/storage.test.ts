import { beforeAll, describe, expect, test } from 'vitest';
import {
  CONTRACT,
  createFixture,
  type Fixture,
  OTHER,
  pushed,
  SENDER,
  TRANSACTION_GAS,
} from '../testing/engine.testing.ts';
import { word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

const ACCESS_LIST_GAS = 2_400n + 1_900n;

describe('gas of SSTORE', () => {
  /** The table of EIP-3529: code, gas used, refund, value before. The slot is warm. */
  test.each([
    ['60006000556000600055', 212n, 0n, 0n],
    ['60006000556001600055', 20_112n, 0n, 0n],
    ['60016000556000600055', 20_112n, 19_900n, 0n],
    ['60016000556002600055', 20_112n, 0n, 0n],
    ['60016000556001600055', 20_112n, 0n, 0n],
    ['60006000556000600055', 3_012n, 4_800n, 1n],
    ['60006000556001600055', 3_012n, 2_800n, 1n],
    ['60006000556002600055', 3_012n, 0n, 1n],
    ['60026000556000600055', 3_012n, 4_800n, 1n],
    ['60026000556003600055', 3_012n, 0n, 1n],
    ['60026000556001600055', 3_012n, 2_800n, 1n],
    ['60026000556002600055', 3_012n, 0n, 1n],
    ['60016000556000600055', 3_012n, 4_800n, 1n],
    ['60016000556002600055', 3_012n, 0n, 1n],
    ['60016000556001600055', 212n, 0n, 1n],
    ['600160005560006000556001600055', 40_118n, 19_900n, 0n],
    ['600060005560016000556000600055', 5_918n, 7_600n, 1n],
  ])('default: %s uses %i and refunds %i from %i', (code, used, refund, original) => {
    fixture.host.slots.clear();
    fixture.place(CONTRACT, `#${code}`, { storage: { 0: original } });
    const accessList = [{ address: CONTRACT, storageKeys: [word(0n)] }];
    const spent = TRANSACTION_GAS + ACCESS_LIST_GAS + used;
    const { gasUsed } = fixture.send({ accessList });
    expect(gasUsed).toBe(spent - (refund < spent / 5n ? refund : spent / 5n));
    fixture.engine.discard();
  });

  test('behavior: a cold slot costs 2,100 more, once', () => {
    fixture.host.slots.clear();
    expect(fixture.run('5 0 SSTORE').gasUsed).toBe(TRANSACTION_GAS + 6n + 22_100n);
    expect(fixture.run('0 SLOAD 0 SLOAD').gasUsed).toBe(TRANSACTION_GAS + 6n + 2_100n + 100n);
  });

  test('behavior: SSTORE fails with 2,300 gas or less', () => {
    fixture.place(OTHER, '0 0 SSTORE');
    const call = (gas: number) => fixture.run(`0 0 0 0 0 ${pushed(OTHER)} ${gas} CALL RETURN_TOP`).output;
    expect(call(2_306)).toEqual(word(0n));
    expect(call(2_307)).toEqual(word(1n));
  });

  test('behavior: the value before is that of the transaction, not that of the block', () => {
    fixture.place(CONTRACT, '0 CALLDATALOAD 0 SSTORE');
    const write = (value: bigint) => fixture.send({ data: word(value) }).gasUsed;
    const set = write(1n);
    expect(set - write(2n)).toBe(20_000n - 2_900n);
    expect(set - write(2n)).toBe(20_000n - 100n);
  });
});

describe('warm and cold accounts', () => {
  test('default: the first access costs 2,600, the next ones 100', () => {
    const touches = (count: number) => fixture.run(`${pushed(OTHER)} BALANCE POP `.repeat(count)).gasUsed;
    expect(touches(1)).toBe(TRANSACTION_GAS + 5n + 2_600n);
    expect(touches(2) - touches(1)).toBe(5n + 100n);
  });

  test('behavior: sender, target, precompiled contracts and coinbase are warm', () => {
    for (const source of [pushed(SENDER), 'ADDRESS', '1', '9', 'COINBASE']) {
      const push = source === 'ADDRESS' || source === 'COINBASE' ? 2n : 3n;
      expect(fixture.run(`${source} BALANCE`).gasUsed).toBe(TRANSACTION_GAS + push + 100n);
    }
  });

  test('args: before Shanghai the coinbase is cold', async () => {
    const { run } = await createFixture('paris');
    expect(run('COINBASE BALANCE').gasUsed).toBe(TRANSACTION_GAS + 2n + 2_600n);
  });

  test('args: accessList', () => {
    const accessList = [{ address: OTHER, storageKeys: [] }];
    fixture.place(CONTRACT, `${pushed(OTHER)} BALANCE`);
    expect(fixture.send({ accessList }).gasUsed).toBe(TRANSACTION_GAS + 2_400n + 3n + 100n);
  });

  test('behavior: access that warmed in a reverted frame is cold again', () => {
    fixture.place(OTHER, '7 SLOAD 0xdead BALANCE 0 0 REVERT');
    const call = `0 0 0 0 0 ${pushed(OTHER)} GAS CALL POP`;
    const used = (source: string) => fixture.run(source).gasUsed;
    expect(used(`${call} 0xdead BALANCE`) - used(call)).toBe(3n + 2_600n);
    expect(used(`${call} ${call}`) - used(call)).toBe(used(call) - TRANSACTION_GAS - 2_500n);
  });

  test('behavior: the next transaction begins cold', () => {
    fixture.place(CONTRACT, '0 SLOAD');
    expect(fixture.send().gasUsed).toBe(fixture.send().gasUsed);
  });
});

describe('transient storage', () => {
  test('default: lasts for the transaction, costs 100 gas', () => {
    const { output, gasUsed } = fixture.run('7 1 TSTORE 1 TLOAD RETURN_TOP');
    expect(output).toEqual(word(7n));
    expect(gasUsed).toBe(TRANSACTION_GAS + 2n * 3n + 100n + 3n + 100n + 15n);
    expect(fixture.run('1 TLOAD RETURN_TOP').output).toEqual(word(0n));
  });

  test('behavior: it is empty in the next transaction of the same code', () => {
    fixture.place(CONTRACT, '1 TLOAD 7 1 TSTORE RETURN_TOP');
    expect(fixture.send().output).toEqual(word(0n));
    expect(fixture.send().output).toEqual(word(0n));
  });

  test('behavior: belongs to the account, and is shared by its frames', () => {
    fixture.place(OTHER, '1 TLOAD 1 ADD 1 TSTORE');
    const delegate = `0 0 0 0 ${pushed(OTHER)} GAS DELEGATECALL POP`;
    const call = `0 0 0 0 0 ${pushed(OTHER)} GAS CALL POP`;
    expect(fixture.run(`5 1 TSTORE ${delegate} ${call} 1 TLOAD RETURN_TOP`).output).toEqual(word(6n));
  });

  test('behavior: writes of a reverted frame are discarded', () => {
    fixture.place(OTHER, '9 1 TSTORE 0 0 REVERT');
    const delegate = `0 0 0 0 ${pushed(OTHER)} GAS DELEGATECALL POP`;
    expect(fixture.run(`5 1 TSTORE ${delegate} 1 TLOAD RETURN_TOP`).output).toEqual(word(5n));
  });

  test('behavior: is not part of changes()', () => {
    fixture.engine.discard();
    fixture.run('7 1 TSTORE');
    expect(fixture.engine.changes()).toEqual([]);
  });
});
