import { describe, expect, test } from 'vitest';
import type { Hardfork } from '../index.ts';
import { assemble, initCodeOf } from '../testing/assembler.testing.ts';
import { CONTRACT, createFixture, type Fixture, OTHER, pushed, SENDER } from '../testing/engine.testing.ts';
import { addressOf, createdAddress, numberOf, word } from '../testing/memory-host.testing.ts';

const THIRD = addressOf(0x3333n);
const toOther = `${pushed(OTHER)} SELFDESTRUCT`;
const toSelf = 'ADDRESS SELFDESTRUCT';

/** An existing contract with a balance and a slot. */
async function placed(hardfork: Hardfork, source: string): Promise<Fixture> {
  const fixture = await createFixture(hardfork);
  fixture.place(CONTRACT, source, { balance: 100n, storage: { 1: 5n } });
  return fixture;
}

describe('an existing contract', () => {
  test('behavior: before Cancun it is destroyed at the end of the transaction', async () => {
    const { engine, send, host } = await placed('shanghai', toOther);
    expect(send().burned).toBe(0n);
    expect(engine.accountState(CONTRACT)).toBeUndefined();
    expect(engine.codeAt(CONTRACT)).toHaveLength(0);
    expect(engine.storageAt(CONTRACT, word(1n))).toEqual(word(0n));
    expect(engine.balanceOf(OTHER)).toBe(100n);
    expect(engine.changes().map(({ kind }) => kind)).toEqual(['account', 'account', 'storageCleared']);
    host.apply(engine.changes());
    expect(host.slots.size).toBe(0);
  });

  test('behavior: before Cancun its code runs until the end of the transaction', async () => {
    const { engine, place, send } = await placed('shanghai', `1 SLOAD ${toOther}`);
    const call = `0 0 0 0 0 ${pushed(CONTRACT)} GAS CALL`;
    place(THIRD, `${call} POP ${pushed(CONTRACT)} EXTCODESIZE ${call} ADD RETURN_TOP`);
    expect(numberOf(send({ to: THIRD }).output)).toBeGreaterThan(1n);
    expect(engine.accountState(CONTRACT)).toBeUndefined();
  });

  test('behavior: from Cancun on it only transfers its balance (EIP-6780)', async () => {
    const { engine, send } = await placed('cancun', toOther);
    send();
    expect(engine.accountState(CONTRACT)).toMatchObject({ balance: 0n, nonce: 1n });
    expect(engine.storageAt(CONTRACT, word(1n))).toEqual(word(5n));
    expect(engine.balanceOf(OTHER)).toBe(100n);
  });

  test('behavior: with itself as beneficiary the balance burns before Cancun and stays from Cancun on', async () => {
    const shanghai = await placed('shanghai', toSelf);
    expect(shanghai.send().burned).toBe(100n);
    expect(shanghai.engine.balanceOf(CONTRACT)).toBe(0n);
    const cancun = await placed('cancun', toSelf);
    expect(cancun.send().burned).toBe(0n);
    expect(cancun.engine.balanceOf(CONTRACT)).toBe(100n);
  });

  test('behavior: value that it receives after its destruction burns', async () => {
    const { engine, place, host } = await placed('shanghai', toOther);
    const call = (value: number) => `0 0 0 0 ${value} ${pushed(CONTRACT)} GAS CALL POP`;
    host.set(OTHER, { balance: 1n });
    place(OTHER, 'STOP');
    place(THIRD, `${call(0)} ${call(0)} 0 0 0 0 7 ${pushed(CONTRACT)} 0 CALLCODE POP`, { balance: 10n });
    place(THIRD, `${call(0)} ${pushed(CONTRACT)} SELFDESTRUCT`, { balance: 10n });
    const execution = engine.execute({
      caller: SENDER,
      to: THIRD,
      value: 0n,
      data: new Uint8Array(0),
      gas: 1_000_000n,
      gasPrice: 0n,
      payForGas: false,
    });
    expect(execution).toMatchObject({ status: 'success', burned: 10n });
    expect(engine.accountState(CONTRACT)).toBeUndefined();
    expect(engine.balanceOf(CONTRACT)).toBe(0n);
  });

  test('behavior: a reverted self-destruction has no effect', async () => {
    const { engine, place, send } = await placed('shanghai', toSelf);
    place(THIRD, `0 0 0 0 0 ${pushed(CONTRACT)} GAS CALL POP 0 0 REVERT`);
    expect(send({ to: THIRD })).toMatchObject({ status: 'revert', burned: 0n });
    expect(engine.accountState(CONTRACT)).toMatchObject({ balance: 100n });
    expect(engine.storageAt(CONTRACT, word(1n))).toEqual(word(5n));
  });

  test('behavior: revertTo and discard restore it, with slots that were never loaded', async () => {
    const { engine, send } = await placed('shanghai', toOther);
    const checkpoint = engine.checkpoint();
    send();
    expect(engine.storageAt(CONTRACT, word(1n))).toEqual(word(0n));
    engine.revertTo(checkpoint);
    engine.execute({
      caller: SENDER,
      to: THIRD,
      value: 0n,
      data: new Uint8Array(0),
      gas: 30_000n,
      gasPrice: 0n,
      payForGas: false,
    });
    expect(engine.storageAt(CONTRACT, word(1n))).toEqual(word(5n));
    expect(engine.codeAt(CONTRACT).length).toBeGreaterThan(0);
    send();
    engine.discard();
    expect(engine.storageAt(CONTRACT, word(1n))).toEqual(word(5n));
    expect(engine.changes()).toEqual([]);
  });
});

describe('a contract of the same transaction', () => {
  test.each(['shanghai', 'cancun'] as const)('args: %s: it is destroyed', async (hardfork) => {
    const { engine, send } = await createFixture(hardfork);
    const execution = send({ to: undefined, data: assemble(`1 1 SSTORE ${toOther}`), value: 8n });
    expect(execution).toMatchObject({ status: 'success', burned: 0n });
    expect(engine.balanceOf(OTHER)).toBe(8n);
    expect(engine.accountState(createdAddress(0))).toBeUndefined();
    expect(engine.creations()).toEqual([{ address: createdAddress(0), destroyed: true }]);
    expect(engine.storageAt(createdAddress(0), word(1n))).toEqual(word(0n));
  });

  test.each(['shanghai', 'cancun'] as const)(
    'args: %s: with itself as beneficiary its balance burns',
    async (hardfork) => {
      const { engine, send } = await createFixture(hardfork);
      expect(send({ to: undefined, data: assemble(toSelf), value: 8n })).toMatchObject({ burned: 8n });
      expect(engine.changes().map((change) => 'address' in change && change.address)).toEqual([SENDER]);
    },
  );

  test('behavior: one created in an earlier transaction stays, from Cancun on', async () => {
    const { engine, send } = await createFixture('cancun');
    send({ to: undefined, data: initCodeOf(assemble(toOther)), value: 8n });
    send({ to: createdAddress(0) });
    expect(engine.accountState(createdAddress(0))).toMatchObject({ balance: 0n, nonce: 1n });
    expect(engine.creations()).toEqual([{ address: createdAddress(0), destroyed: false }]);
  });

  test('behavior: before Cancun the list includes a later destruction', async () => {
    const { engine, send } = await createFixture('shanghai');
    send({ to: undefined, data: initCodeOf(assemble(toOther)) });
    const checkpoint = engine.checkpoint();
    send({ to: createdAddress(0) });
    expect(engine.creations()).toEqual([{ address: createdAddress(0), destroyed: true }]);
    expect(engine.changes()).toEqual([]);
    engine.revertTo(checkpoint);
    expect(engine.creations()).toEqual([{ address: createdAddress(0), destroyed: false }]);
  });
});

test('behavior: a contract may be created again at the address of a destroyed one, with empty storage', async () => {
  const { engine, place, send, host } = await createFixture('shanghai');
  // Deploys 33 ff: CALLER SELFDESTRUCT.
  const data = assemble('1 SLOAD 2 SSTORE 5 1 SSTORE 0x33ff 0 MSTORE 2 30 RETURN');
  place(CONTRACT, 'CALLDATASIZE 0 0 CALLDATACOPY 0 CALLDATASIZE 0 0 CREATE2 RETURN_TOP');
  const create = () => addressOf(numberOf(send({ data }).output));
  const address = create();
  host.apply(engine.changes());
  engine.settle();
  send({ to: address });
  expect(engine.accountState(address)).toBeUndefined();
  expect(create()).toEqual(address);
  expect(engine.accountState(address)).toMatchObject({ nonce: 1n });
  expect(engine.storageAt(address, word(1n))).toEqual(word(5n));
  expect(engine.storageAt(address, word(2n))).toEqual(word(0n));
  send({ to: address });
  create();
  expect(engine.creations().map(({ destroyed }) => destroyed)).toEqual([true, false]);
  host.apply(engine.changes());
  engine.settle();
  engine.clear();
  expect(engine.storageAt(address, word(1n))).toEqual(word(5n));
  expect(engine.codeAt(address)).toEqual(assemble('CALLER SELFDESTRUCT'));
});

describe('gas', () => {
  test('default: 5,000, a cold beneficiary 2,600, a new one 25,000', async () => {
    const { host, run, place, send } = await createFixture();
    expect(run(toOther).gasUsed).toBe(21_000n + 3n + 5_000n + 2_600n);
    expect(run('CALLER SELFDESTRUCT').gasUsed).toBe(21_000n + 2n + 5_000n);
    place(CONTRACT, toOther, { balance: 1n });
    expect(send().gasUsed).toBe(21_000n + 3n + 5_000n + 2_600n + 25_000n);
    host.set(OTHER, { balance: 1n });
    place(CONTRACT, toOther, { balance: 1n });
    expect(send().gasUsed).toBe(21_000n + 3n + 5_000n + 2_600n);
  });
});
