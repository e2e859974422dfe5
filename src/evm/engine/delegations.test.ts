import { beforeEach, describe, expect, test } from 'vitest';
import { type Address, hexToBytes, recoverAuthority, signAuthorization } from '../../protocol/index.ts';
import { BLOCK, CONTRACT, createFixture, type Fixture, OTHER, pushed } from '../testing/engine.testing.ts';
import { addressOf, numberOf, word } from '../testing/memory-host.testing.ts';

/** Delegations of accounts to code (EIP-7702); the official state tests have every rule. */

const KEY = hexToBytes('46'.repeat(32));
const NOBODY = addressOf(0n);
const authorized = (address: Address, nonce = 0n, chainId = BLOCK.chainId) =>
  signAuthorization({ chainId, address, nonce }, KEY);
const AUTHORITY = recoverAuthority(authorized(OTHER)) ?? NOBODY;
const delegationTo = (address: Address): Uint8Array => Uint8Array.of(0xef, 0x01, 0x00, ...address);

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture('prague');
});

describe('authorizations', () => {
  const send = (...list: ReturnType<typeof authorized>[]) =>
    fixture.send({ to: AUTHORITY, authorizationList: list });
  const code = () => fixture.engine.codeAt(AUTHORITY);

  test('default: the account runs the code with its own storage, and its nonce rises', () => {
    fixture.place(OTHER, 'ADDRESS 1 SSTORE CODESIZE RETURN_TOP');
    expect(send(authorized(OTHER)).output).toEqual(word(13n));
    expect(code()).toEqual(delegationTo(OTHER));
    expect(fixture.engine.storageAt(AUTHORITY, word(1n))).toEqual(word(numberOf(AUTHORITY)));
    expect(fixture.engine.accountState(AUTHORITY)?.nonce).toBe(1n);
  });

  test('behavior: several of one account apply in order, and the zero address removes the code', () => {
    send(authorized(OTHER, 0n), authorized(CONTRACT, 1n, 0n));
    expect(code()).toEqual(delegationTo(CONTRACT));
    send(authorized(NOBODY, 2n));
    expect(code()).toHaveLength(0);
    expect(fixture.engine.accountState(AUTHORITY)).toMatchObject({ nonce: 3n, codeHash: undefined });
  });

  test('behavior: a failed call keeps them, a reverted checkpoint does not', () => {
    fixture.place(OTHER, 'INVALID');
    const checkpoint = fixture.engine.checkpoint();
    expect(send(authorized(OTHER)).status).toBe('halt');
    expect(code()).toEqual(delegationTo(OTHER));
    fixture.engine.revertTo(checkpoint);
    expect(code()).toHaveLength(0);
    expect(fixture.engine.changes()).toEqual([]);
  });

  test('behavior: each costs 25,000 gas, half of which an existing account gets back', () => {
    expect(send(authorized(OTHER)).gasUsed).toBe(46_000n);
    // A fifth of the spent gas bounds the refund.
    expect(send(authorized(OTHER, 1n)).gasUsed).toBe(46_000n - 46_000n / 5n);
    expect(send(authorized(OTHER, 0n))).toMatchObject({ gasUsed: 46_000n });
  });

  test.each([
    ['of another chain', () => authorized(OTHER, 0n, 5n)],
    ['with another nonce', () => authorized(OTHER, 1n)],
    ['with an invalid signature', () => ({ ...authorized(OTHER), r: 5n })],
  ])('behavior: one %s is skipped, and costs as much', (_title, make) => {
    expect(send(make()).gasUsed).toBe(46_000n);
    expect(fixture.engine.accountState(AUTHORITY)).toBeUndefined();
  });

  test('behavior: an account with other code keeps it', () => {
    fixture.place(AUTHORITY, '7 RETURN_TOP', { nonce: 0n });
    expect(send(authorized(OTHER)).output).toEqual(word(7n));
  });
});

describe('calls', () => {
  const [COLD, WARM] = [2_600n, 100n];
  /** Gas of a call of an account, between two GAS. */
  const gasOf = (address: Address, kind = 'CALL') => {
    const value = kind === 'CALL' || kind === 'CALLCODE' ? '0' : '';
    return numberOf(
      fixture.run(`GAS 0 0 0 0 ${value} ${pushed(address)} 0 ${kind} POP GAS SWAP1 SUB RETURN_TOP`).output,
    );
  };

  test.each(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])(
    'default: %s pays for the access to the code as well',
    (kind) => {
      fixture.place(AUTHORITY, delegationTo(OTHER));
      fixture.place(OTHER, 'STOP');
      expect(gasOf(AUTHORITY, kind) - gasOf(OTHER, kind)).toBe(COLD);
    },
  );

  test('behavior: a delegation to a precompiled contract runs nothing', () => {
    fixture.place(AUTHORITY, delegationTo(addressOf(2n)));
    expect(gasOf(AUTHORITY) - gasOf(addressOf(77n))).toBe(WARM);
    expect(fixture.send({ to: AUTHORITY, data: word(1n) })).toMatchObject({
      status: 'success',
      output: new Uint8Array(),
    });
  });

  test('behavior: a delegation to a delegation halts at the byte 0xef', () => {
    fixture.place(AUTHORITY, delegationTo(OTHER));
    fixture.place(OTHER, delegationTo(CONTRACT));
    expect(fixture.send({ to: AUTHORITY })).toMatchObject({ status: 'halt', halt: 'invalidOpcode' });
  });

  test('behavior: EXTCODESIZE sees 23 bytes, before Prague the bytes are code', async () => {
    fixture.place(AUTHORITY, delegationTo(OTHER));
    expect(fixture.run(`${pushed(AUTHORITY)} EXTCODESIZE RETURN_TOP`).output).toEqual(word(23n));
    const cancun = await createFixture('cancun');
    cancun.place(OTHER, 'STOP');
    cancun.place(AUTHORITY, delegationTo(OTHER));
    expect(cancun.send({ to: AUTHORITY })).toMatchObject({ halt: 'invalidOpcode' });
  });
});
