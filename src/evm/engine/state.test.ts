import { beforeEach, describe, expect, test } from 'vitest';
import { bytesToHex, keccak256 } from '../../protocol/index.ts';
import { EngineError } from '../index.ts';
import { assemble, initCodeOf } from '../testing/assembler.testing.ts';
import {
  CONTRACT,
  createFixture,
  type Fixture,
  OTHER,
  SENDER,
  SENDER_BALANCE,
} from '../testing/engine.testing.ts';
import { createdAddress, word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

/** Adds the word of the data to slot 1. */
const COUNTER = '0 CALLDATALOAD 1 SLOAD ADD 1 SSTORE';
const add = (value: bigint) => fixture.send({ data: word(value) });
const slot = () => fixture.engine.storageAt(CONTRACT, word(1n));

describe('credit and debit', () => {
  test('default', () => {
    fixture.engine.credit(OTHER, 7n);
    expect(fixture.engine.debit(OTHER, 3n)).toBe(true);
    expect(fixture.engine.balanceOf(OTHER)).toBe(4n);
    expect(fixture.engine.changes()).toEqual([
      {
        kind: 'account',
        address: OTHER,
        before: undefined,
        after: { balance: 4n, nonce: 0n, codeHash: undefined },
      },
    ]);
  });

  test('behavior: an insufficient balance leaves the state unchanged', () => {
    expect(fixture.engine.debit(OTHER, 1n)).toBe(false);
    expect(fixture.engine.debit(OTHER, 0n)).toBe(true);
    fixture.engine.credit(OTHER, 0n);
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('behavior: an account without balance, nonce and code is removed', () => {
    expect(fixture.engine.debit(SENDER, SENDER_BALANCE)).toBe(true);
    expect(fixture.engine.accountState(SENDER)).toBeUndefined();
    expect(fixture.engine.changes()).toMatchObject([{ kind: 'account', after: undefined }]);
  });

  test('behavior: balances may have 256 bits', () => {
    fixture.engine.credit(OTHER, 2n ** 256n - 1n);
    expect(fixture.engine.balanceOf(OTHER)).toBe(2n ** 256n - 1n);
  });
});

describe('checkpoints', () => {
  test('default: revert executions, credits and debits together', () => {
    fixture.place(CONTRACT, COUNTER);
    add(1n);
    const checkpoint = fixture.engine.checkpoint();
    fixture.engine.credit(OTHER, 5n);
    add(2n);
    fixture.engine.debit(SENDER, 9n);
    expect(slot()).toEqual(word(3n));
    fixture.engine.revertTo(checkpoint);
    expect(slot()).toEqual(word(1n));
    expect(fixture.engine.balanceOf(OTHER)).toBe(0n);
    expect(fixture.engine.balanceOf(SENDER)).toBe(SENDER_BALANCE);
    add(4n);
    expect(slot()).toEqual(word(5n));
  });

  test('behavior: nest', () => {
    fixture.place(CONTRACT, COUNTER);
    const outer = fixture.engine.checkpoint();
    add(1n);
    const inner = fixture.engine.checkpoint();
    add(2n);
    fixture.engine.revertTo(inner);
    expect(slot()).toEqual(word(1n));
    fixture.engine.revertTo(outer);
    expect(slot()).toEqual(word(0n));
  });

  test('behavior: revert a creation', () => {
    const checkpoint = fixture.engine.checkpoint();
    fixture.send({ to: undefined, data: initCodeOf(assemble('STOP')) });
    fixture.engine.revertTo(checkpoint);
    expect(fixture.engine.creations()).toEqual([]);
    expect(fixture.engine.codeAt(createdAddress(0))).toHaveLength(0);
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('behavior: a slot written many times in many transactions is reverted to each of them', () => {
    fixture.place(CONTRACT, `${COUNTER} 1 SLOAD 1 ADD 1 SSTORE 1 SLOAD 1 ADD 1 SSTORE`);
    const checkpoints = Array.from({ length: 20 }, () => {
      const checkpoint = fixture.engine.checkpoint();
      add(1n);
      return checkpoint;
    });
    for (const [count, checkpoint] of [...checkpoints.entries()].reverse()) {
      fixture.engine.revertTo(checkpoint);
      expect(slot()).toEqual(word(3n * BigInt(count)));
    }
  });

  test('error: staleCheckpoint', () => {
    fixture.engine.credit(OTHER, 1n);
    const checkpoint = fixture.engine.checkpoint();
    fixture.engine.settle();
    expect(() => fixture.engine.revertTo(checkpoint)).toThrow(EngineError);
  });
});

describe('changes', () => {
  test('default: account, storage and code', () => {
    const runtime = assemble('1 2 ADD');
    fixture.place(CONTRACT, COUNTER);
    fixture.send({ to: undefined, data: initCodeOf(runtime), value: 2n });
    add(7n);
    const codeHash = keccak256(runtime);
    expect(fixture.engine.changes()).toEqual(
      expect.arrayContaining([
        {
          kind: 'account',
          address: SENDER,
          before: { balance: SENDER_BALANCE, nonce: 0n, codeHash: undefined },
          after: { balance: SENDER_BALANCE - 2n, nonce: 0n, codeHash: undefined },
        },
        {
          kind: 'account',
          address: createdAddress(0),
          before: undefined,
          after: { balance: 2n, nonce: 1n, codeHash },
        },
        { kind: 'code', codeHash, code: runtime },
        { kind: 'storage', address: CONTRACT, slot: word(1n), before: word(0n), after: word(7n) },
      ]),
    );
    expect(fixture.engine.changes()).toHaveLength(4);
  });

  test('behavior: a value equal to the settled one is no change', () => {
    fixture.place(CONTRACT, COUNTER);
    add(1n);
    add(2n ** 256n - 1n);
    fixture.engine.credit(OTHER, 1n);
    fixture.engine.debit(OTHER, 1n);
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('behavior: two contracts with the same code have one change of code', () => {
    const data = initCodeOf(assemble('STOP STOP'));
    fixture.send({ to: undefined, data });
    fixture.send({ to: undefined, data });
    expect(fixture.engine.changes().filter(({ kind }) => kind === 'code')).toHaveLength(1);
  });

  test('behavior: an empty account that is touched is absent afterwards', () => {
    fixture.host.set(OTHER, {});
    fixture.send({ to: OTHER });
    expect(fixture.engine.changes()).toMatchObject([{ address: OTHER, after: undefined }]);
  });
});

describe('settle and discard', () => {
  test('default: after settle, changes are relative to the settled state, and nothing is reloaded', () => {
    fixture.place(CONTRACT, COUNTER);
    add(1n);
    fixture.host.apply(fixture.engine.changes());
    fixture.engine.settle();
    expect(fixture.engine.changes()).toEqual([]);
    const asked = { ...fixture.host.asked };
    add(2n);
    expect(fixture.engine.changes()).toMatchObject([{ kind: 'storage', before: word(1n), after: word(3n) }]);
    expect(fixture.host.asked).toEqual(asked);
  });

  test('default: discard reverts to the settled state', () => {
    fixture.place(CONTRACT, COUNTER);
    add(1n);
    fixture.engine.settle();
    add(2n);
    fixture.engine.credit(OTHER, 1n);
    fixture.send({ to: undefined, data: initCodeOf(assemble('STOP')) });
    fixture.engine.discard();
    expect(slot()).toEqual(word(1n));
    expect(fixture.engine.balanceOf(OTHER)).toBe(0n);
    expect(fixture.engine.creations()).toEqual([]);
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('behavior: creations are counted from the last settlement', () => {
    const data = initCodeOf(assemble('STOP'));
    fixture.send({ to: undefined, data });
    fixture.engine.settle();
    fixture.host.createCalls.length = 0;
    fixture.host.createAddress = (creator, nonce, creation) => {
      fixture.host.createCalls.push({ creator: bytesToHex(creator), nonce, creation });
      return OTHER;
    };
    fixture.send({ to: undefined, data });
    expect(fixture.host.createCalls).toMatchObject([{ creation: 0 }]);
    expect(fixture.engine.creations()).toEqual([{ address: OTHER, destroyed: false }]);
  });

  test('behavior: after clear the engine loads from the host again', () => {
    fixture.place(CONTRACT, COUNTER);
    add(1n);
    fixture.engine.clear();
    expect(slot()).toEqual(word(0n));
    fixture.host.set(OTHER, { balance: 3n });
    expect(fixture.engine.balanceOf(OTHER)).toBe(3n);
  });

  test('behavior: a failing host leaves an empty, sound engine', () => {
    fixture.place(CONTRACT, COUNTER);
    add(1n);
    const { storage } = fixture.host;
    fixture.host.storage = () => {
      throw new RangeError('the disk failed');
    };
    fixture.place(OTHER, COUNTER);
    expect(() => fixture.send({ to: OTHER })).toThrow('the disk failed');
    fixture.host.storage = storage;
    expect(fixture.engine.changes()).toEqual([]);
    expect(add(4n).status).toBe('success');
    expect(slot()).toEqual(word(4n));
  });
});
