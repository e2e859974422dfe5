import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../protocol/index.ts';
import { CONTRACT, createFixture, type Fixture, OTHER, pushed, SENDER } from '../testing/engine.testing.ts';
import { addressOf, numberOf, word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

const THIRD = addressOf(0x3333n);

/** A call of an address with 32 bytes of input at 0 and 32 bytes of output at 0. */
function call(
  kind: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL',
  to = OTHER,
  value = 0,
  gas = 'GAS',
): string {
  const hasValue = kind === 'CALL' || kind === 'CALLCODE';
  return `32 0 32 0 ${hasValue ? value : ''} ${pushed(to)} ${gas} ${kind}`;
}

describe('environment of the called code', () => {
  const sees = (kind: Parameters<typeof call>[0], fact: string, value = 0) => {
    fixture.place(OTHER, `${fact} RETURN_TOP`);
    fixture.place(CONTRACT, `${call(kind, OTHER, value)} POP 0 MLOAD RETURN_TOP`, { balance: 100n });
    return numberOf(fixture.send({ value: 5n }).output);
  };
  const [own, other, sender] = [CONTRACT, OTHER, SENDER].map(numberOf);

  test.each([
    ['CALL', other, own, 7n],
    ['CALLCODE', own, own, 7n],
    ['DELEGATECALL', own, sender, 5n],
    ['STATICCALL', other, own, 0n],
  ] as const)('default: %s', (kind, address, caller, value) => {
    expect(sees(kind, 'ADDRESS')).toBe(address);
    expect(sees(kind, 'CALLER')).toBe(caller);
    expect(sees(kind, 'CALLVALUE', 7)).toBe(value);
    expect(sees(kind, 'ORIGIN')).toBe(sender);
  });

  test.each([
    ['CALL', OTHER],
    ['CALLCODE', CONTRACT],
    ['DELEGATECALL', CONTRACT],
  ] as const)('behavior: %s writes the storage of the right account', (kind, owner) => {
    fixture.place(OTHER, '9 1 SSTORE');
    fixture.run(call(kind));
    expect(fixture.engine.storageAt(owner, word(1n))).toEqual(word(9n));
  });

  test('behavior: input is read from memory, output is written to memory, return data persists', () => {
    fixture.place(OTHER, '0 CALLDATALOAD 1 ADD 0 MSTORE 8 32 MSTORE 64 0 RETURN');
    const end = 'POP 32 32 32 RETURNDATACOPY RETURNDATASIZE 64 MSTORE 96 0 RETURN';
    const source = `41 0 MSTORE ${call('CALL')} ${end}`;
    expect(fixture.run(source).output).toEqual(Uint8Array.of(...word(42n), ...word(8n), ...word(64n)));
  });

  test('behavior: a short output does not change the rest of its range', () => {
    fixture.place(OTHER, '0xff 0 MSTORE8 1 0 RETURN');
    expect(fixture.run(`1 0 MSTORE ${call('CALL')} POP 0 MLOAD RETURN_TOP`).output).toEqual(
      word((0xffn << 248n) | 1n),
    );
  });

  test('behavior: CODESIZE and CODECOPY of a delegate use its code', () => {
    fixture.place(OTHER, 'CODESIZE RETURN_TOP');
    expect(fixture.run(`${call('DELEGATECALL')} POP 0 MLOAD RETURN_TOP`).output).toEqual(word(9n));
  });
});

describe('value', () => {
  test('default: moves from caller to called', () => {
    fixture.place(CONTRACT, call('CALL', OTHER, 30), { balance: 100n });
    fixture.send();
    expect([CONTRACT, OTHER].map((address) => fixture.engine.balanceOf(address))).toEqual([70n, 30n]);
  });

  test('behavior: without enough balance the call fails and returns its gas and stipend', () => {
    fixture.place(OTHER, 'STOP');
    fixture.place(CONTRACT, `0 0 0 0 101 ${pushed(OTHER)} 0 CALL RETURN_TOP`, { balance: 100n });
    const { output, gasUsed } = fixture.send();
    expect(output).toEqual(word(0n));
    expect(gasUsed).toBe(21_000n + 7n * 3n + 2_600n + 9_000n - 2_300n + 15n);
  });

  test('behavior: a value for an empty account costs 25,000 more', () => {
    const used = (to: typeof OTHER) => {
      fixture.place(CONTRACT, call('CALL', to, 1), { balance: 100n });
      return fixture.send().gasUsed;
    };
    fixture.host.set(THIRD, { balance: 1n });
    expect(used(addressOf(0x4444n)) - used(THIRD)).toBe(25_000n);
  });

  test('behavior: CALLCODE with a value transfers nothing but requires the balance', () => {
    fixture.place(OTHER, 'CALLVALUE RETURN_TOP');
    fixture.place(CONTRACT, `${call('CALLCODE', OTHER, 50)} POP 0 MLOAD RETURN_TOP`, { balance: 50n });
    expect(fixture.send().output).toEqual(word(50n));
    expect(fixture.engine.balanceOf(CONTRACT)).toBe(50n);
  });
});

describe('gas', () => {
  test('behavior: a call gets at most all but one 64th', () => {
    fixture.place(OTHER, 'GAS RETURN_TOP');
    const { output, gasUsed } = fixture.run(`${call('CALL')} POP 0 MLOAD RETURN_TOP`, { gas: 1_000_000n });
    expect(gasUsed).toBeLessThan(30_000n);
    const available = 1_000_000n - 21_000n - 7n * 3n + 1n - 3n - 2_600n;
    expect(numberOf(output)).toBe(available - available / 64n - 2n);
  });

  test('behavior: a call that halts loses its gas, and the caller continues', () => {
    fixture.place(OTHER, 'INVALID');
    const { output, gasUsed } = fixture.run(`${call('CALL', OTHER, 0, '50000')} RETURN_TOP`);
    expect(output).toEqual(word(0n));
    expect(gasUsed).toBe(21_000n + 7n * 3n + 3n + 2_600n + 50_000n + 12n);
  });
});

describe('reverts', () => {
  test('behavior: revert the frame and its inner frames, and return the output', () => {
    fixture.place(THIRD, '1 1 SSTORE 0 0 LOG0');
    fixture.place(OTHER, `2 1 SSTORE ${call('CALL', THIRD)} 77 REVERT_TOP`);
    fixture.place(CONTRACT, `3 1 SSTORE 0 0 LOG0 ${call('CALL', OTHER, 1)} POP 0 MLOAD RETURN_TOP`, {
      balance: 5n,
    });
    const { output, logs } = fixture.send();
    expect(output).toEqual(word(77n));
    expect(logs).toHaveLength(1);
    expect([CONTRACT, OTHER, THIRD].map((at) => numberOf(fixture.engine.storageAt(at, word(1n))))).toEqual([
      3n,
      0n,
      0n,
    ]);
    expect(fixture.engine.balanceOf(OTHER)).toBe(0n);
  });

  test('behavior: refunds of a reverted frame do not count', () => {
    fixture.place(OTHER, '0 1 SSTORE 0 0 REVERT', { storage: { 1: 1n } });
    const reverted = fixture.run(call('CALL')).gasUsed;
    fixture.place(OTHER, '0 1 SSTORE 0 0 RETURN', { storage: { 1: 1n } });
    expect(reverted - fixture.run(call('CALL')).gasUsed).toBe(4_800n);
  });
});

describe('static calls', () => {
  test.each([
    ['SSTORE', '1 1 SSTORE'],
    ['TSTORE', '1 1 TSTORE'],
    ['LOG0', '0 0 LOG0'],
    ['CREATE', '0 0 0 CREATE'],
    ['CREATE2', '0 0 0 0 CREATE2'],
    ['SELFDESTRUCT', '0 SELFDESTRUCT'],
    ['CALL with a value', call('CALL', THIRD, 1)],
  ])('error: %s', (_, source) => {
    fixture.place(OTHER, source);
    expect(fixture.run(`${call('STATICCALL', OTHER, 0, '100000')} RETURN_TOP`).output).toEqual(word(0n));
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('behavior: nested calls are static too', () => {
    fixture.place(THIRD, '1 1 SSTORE');
    for (const kind of ['CALL', 'DELEGATECALL', 'CALLCODE'] as const) {
      fixture.place(OTHER, `${call(kind, THIRD, 0, '100000')} RETURN_TOP`);
      expect(fixture.run(`${call('STATICCALL')} POP 0 MLOAD RETURN_TOP`).output).toEqual(word(0n));
    }
  });

  test('behavior: reads, and calls without a value, are allowed', () => {
    fixture.place(OTHER, `1 SLOAD 1 TLOAD ${call('CALL', THIRD)} RETURN_TOP`);
    expect(fixture.run(`${call('STATICCALL')} POP 0 MLOAD RETURN_TOP`).output).toEqual(word(1n));
  });
});

describe('depth', () => {
  test('behavior: 1,024 calls may be nested, one more fails', () => {
    fixture.place(OTHER, `1 0 SLOAD ADD 0 SSTORE ${call('CALL')}`);
    fixture.send({ to: OTHER, gas: 10n ** 15n });
    expect(numberOf(fixture.engine.storageAt(OTHER, word(0n)))).toBe(1_025n);
  });
});

describe('precompiled contracts', () => {
  test('default: SHA-256 and the identity by STATICCALL', () => {
    expect(
      fixture.run(`5 0 MSTORE ${call('STATICCALL', addressOf(2n))} POP 0 MLOAD RETURN_TOP`).output,
    ).toEqual(sha256(word(5n)));
    const { output, gasUsed } = fixture.run(
      `5 0 MSTORE 32 64 32 0 ${pushed(addressOf(4n))} GAS STATICCALL POP 64 MLOAD RETURN_TOP`,
    );
    expect(output).toEqual(word(5n));
    const instructions = 14n * 3n + 2n + 2n; // all but GAS and POP cost 3, STATICCALL apart
    const memory = 3n * 3n;
    expect(gasUsed).toBe(21_000n + instructions + memory + 100n + 18n);
  });

  test('behavior: as the target of a message', () => {
    const execution = fixture.send({ to: addressOf(2n), data: Uint8Array.of(1) });
    expect(execution.output).toEqual(sha256(Uint8Array.of(1)));
    expect(execution.gasUsed).toBe(21_016n + 72n);
  });

  test('error: precompileFailure takes the gas and moves no value', () => {
    const execution = fixture.send({ to: addressOf(8n), data: new Uint8Array(1), value: 3n, gas: 200_000n });
    expect(execution).toMatchObject({ status: 'halt', halt: 'precompileFailure', gasUsed: 200_000n });
    expect(fixture.engine.balanceOf(addressOf(8n))).toBe(0n);
  });

  test('error: outOfGas', () => {
    expect(fixture.send({ to: addressOf(2n), gas: 21_059n })).toMatchObject({ halt: 'outOfGas' });
    expect(fixture.send({ to: addressOf(4n), gas: 21_014n })).toMatchObject({ halt: 'outOfGas' });
  });
});
