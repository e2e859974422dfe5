import { beforeEach, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, keccak256, toAddress } from '../../protocol/index.ts';
import { assemble, initCodeOf } from '../testing/assembler.testing.ts';
import { CONTRACT, createFixture, type Fixture, OTHER, pushed, SENDER } from '../testing/engine.testing.ts';
import { addressOf, createdAddress, numberOf, word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

const RUNTIME = assemble('42 RETURN_TOP');

/** Creates with the code that was sent as data. */
const CREATE = 'CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 0 CREATE';
const CREATE2 = 'CALLDATASIZE 0 0 CALLDATACOPY 5 CALLDATASIZE 0 0 CREATE2';

function saltedAddress(salt: bigint, initCode: Uint8Array, creator = CONTRACT) {
  const preimage = concatBytes(Uint8Array.of(0xff), creator, word(salt), keccak256(initCode));
  return toAddress(keccak256(preimage).slice(12));
}

describe('a message without `to`', () => {
  const create = (data: Uint8Array, message = {}) => fixture.send({ to: undefined, data, ...message });

  test('default', () => {
    const execution = create(initCodeOf(RUNTIME), { value: 3n });
    expect(execution).toMatchObject({
      status: 'success',
      contractAddress: createdAddress(0),
      output: RUNTIME,
    });
    expect(fixture.engine.accountState(createdAddress(0))).toEqual({
      balance: 3n,
      nonce: 1n,
      codeHash: keccak256(RUNTIME),
    });
    expect(fixture.engine.codeAt(createdAddress(0))).toEqual(RUNTIME);
    expect(fixture.engine.creations()).toEqual([{ address: createdAddress(0), destroyed: false }]);
  });

  test('behavior: gas is that of data, creation, init code and deposit', () => {
    const data = initCodeOf(RUNTIME);
    const bytes = data.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
    const run = 3n * 5n + 3n + 6n + 3n; // six instructions of 3 gas, one word of copying, one of memory
    const { gasUsed } = create(data);
    expect(gasUsed).toBe(53_000n + bytes + 2n + 200n * BigInt(RUNTIME.length) + run - 3n);
  });

  test('behavior: only the charge remains of a creation that reverts', () => {
    const execution = create(assemble('1 1 SSTORE 0 0 REVERT'), { value: 3n, payForGas: true });
    expect(execution.status).toBe('revert');
    expect(execution).not.toHaveProperty('contractAddress');
    expect(fixture.engine.creations()).toEqual([]);
    expect(fixture.engine.changes()).toHaveLength(1);
    expect(fixture.engine.balanceOf(SENDER)).toBe(10n ** 18n - execution.gasUsed);
  });

  test('error: createCollision takes all gas', () => {
    fixture.host.set(createdAddress(0), { nonce: 1n });
    expect(create(initCodeOf(RUNTIME), { gas: 100_000n })).toMatchObject({
      status: 'halt',
      halt: 'createCollision',
      gasUsed: 100_000n,
    });
  });

  test('error: an address with storage but no code or nonce is a collision (EIP-7610)', () => {
    fixture.host.set(createdAddress(0), { storage: { 7: 1n } });
    expect(create(initCodeOf(RUNTIME), { gas: 100_000n })).toMatchObject({
      status: 'halt',
      halt: 'createCollision',
      gasUsed: 100_000n,
    });
    expect(fixture.engine.creations()).toEqual([]);
    expect(fixture.engine.storageAt(createdAddress(0), word(7n))).toEqual(word(1n));
  });

  test('behavior: an account that only has a balance is no collision', () => {
    fixture.host.set(createdAddress(0), { balance: 9n });
    expect(create(initCodeOf(RUNTIME)).status).toBe('success');
    expect(fixture.engine.balanceOf(createdAddress(0))).toBe(9n);
  });

  test.each([
    ['codeTooLarge', assemble('24577 0 RETURN')],
    ['invalidCodePrefix', assemble('0xef 0 MSTORE8 1 0 RETURN')],
    ['outOfGas', assemble('24576 0 RETURN')],
  ])('error: %s', (halt, data) => {
    expect(create(data, { gas: 4_000_000n })).toMatchObject({ halt, gasUsed: 4_000_000n });
    expect(fixture.engine.creations()).toEqual([]);
  });

  test('behavior: code of 24,576 bytes is allowed', () => {
    expect(create(assemble('24576 0 RETURN')).status).toBe('success');
    expect(fixture.engine.codeAt(createdAddress(0))).toHaveLength(24_576);
  });

  test('args: the host receives creator, nonce and number of creations', () => {
    fixture.engine.setNonce(SENDER, 9n);
    create(initCodeOf(RUNTIME));
    create(assemble('0 0 REVERT'));
    create(initCodeOf(RUNTIME));
    expect(fixture.host.createCalls.map(({ nonce, creation }) => [nonce, creation])).toEqual([
      [9n, 0],
      [9n, 1],
      [9n, 1],
    ]);
    expect(fixture.engine.accountState(SENDER)?.nonce).toBe(9n);
  });
});

describe('CREATE and CREATE2', () => {
  test('default: CREATE requests the address from the host and increases the nonce', () => {
    const data = initCodeOf(RUNTIME);
    fixture.place(CONTRACT, `${CREATE} POP ${CREATE} RETURN_TOP`, { nonce: 4n });
    expect(numberOf(fixture.send({ data }).output)).toBe(numberOf(createdAddress(1)));
    expect(fixture.host.createCalls).toEqual([
      { creator: bytesToHex(CONTRACT), nonce: 4n, creation: 0 },
      { creator: bytesToHex(CONTRACT), nonce: 5n, creation: 1 },
    ]);
    expect(fixture.engine.accountState(CONTRACT)?.nonce).toBe(6n);
  });

  test('default: CREATE2 uses the address of EIP-1014', () => {
    const data = initCodeOf(RUNTIME);
    fixture.place(CONTRACT, `${CREATE2} RETURN_TOP`);
    const address = saltedAddress(5n, data);
    expect(numberOf(fixture.send({ data }).output)).toBe(numberOf(address));
    expect(fixture.engine.codeAt(address)).toEqual(RUNTIME);
    expect(fixture.engine.creations()).toEqual([{ address, destroyed: false }]);
    expect(fixture.host.createCalls).toEqual([]);
  });

  test('behavior: a collision consumes the forwarded gas, pushes zero, and increases the nonce', () => {
    const data = initCodeOf(RUNTIME);
    fixture.place(CONTRACT, `${CREATE2} POP ${CREATE2} RETURN_TOP`);
    const { output, gasUsed } = fixture.send({ data, gas: 1_000_000n });
    expect(output).toEqual(word(0n));
    expect(gasUsed).toBeGreaterThan(980_000n);
    expect(fixture.engine.accountState(CONTRACT)?.nonce).toBe(3n);
    expect(fixture.engine.creations()).toHaveLength(1);
  });

  test('behavior: an address with storage but no code or nonce is a collision (EIP-7610)', () => {
    const data = initCodeOf(RUNTIME);
    for (const [source, address] of [
      [CREATE, createdAddress(0)],
      [CREATE2, saltedAddress(5n, data)],
    ] as const) {
      fixture.host.set(address, { balance: 3n, storage: { 7: 1n } });
      fixture.place(CONTRACT, `${source} RETURN_TOP`);
      const { output, gasUsed } = fixture.send({ data, gas: 1_000_000n });
      expect(output).toEqual(word(0n));
      expect(gasUsed).toBeGreaterThan(980_000n);
      expect(fixture.engine.creations()).toEqual([]);
      expect(fixture.engine.accountState(address)).toMatchObject({ balance: 3n, nonce: 0n });
    }
  });

  test('behavior: storage deleted with its contract is no collision, before and after it is stored', async () => {
    fixture = await createFixture('shanghai');
    const data = assemble('1 7 SSTORE');
    const address = saltedAddress(5n, data);
    // A contract with storage that destroys itself when it is called.
    fixture.host.set(address, { nonce: 1n, code: assemble('CALLER SELFDESTRUCT'), storage: { 9: 4n } });
    fixture.place(CONTRACT, `${CREATE2} RETURN_TOP`);
    expect(fixture.send({ data }).output).toEqual(word(0n));
    fixture.send({ to: address });
    const mark = fixture.engine.checkpoint();
    expect(numberOf(fixture.send({ data }).output)).toBe(numberOf(address));
    fixture.engine.revertTo(mark);
    fixture.host.apply(fixture.engine.changes());
    fixture.engine.settle();
    expect(numberOf(fixture.send({ data }).output)).toBe(numberOf(address));
    expect(fixture.engine.storageAt(address, word(9n))).toEqual(word(0n));
  });

  test('behavior: a revert pushes zero and leaves its data; success leaves none', () => {
    const revert = assemble('77 REVERT_TOP');
    fixture.place(CONTRACT, `${CREATE} RETURNDATASIZE ADD RETURN_TOP`);
    expect(fixture.send({ data: revert }).output).toEqual(word(32n));
    fixture.place(CONTRACT, `${CREATE} POP RETURNDATASIZE RETURN_TOP`);
    expect(fixture.send({ data: initCodeOf(RUNTIME) }).output).toEqual(word(0n));
  });

  test('behavior: init code sees its address, an empty input and no code yet', () => {
    const init = assemble(
      `CALLDATASIZE 0 SSTORE ADDRESS EXTCODESIZE 1 SSTORE
       ADDRESS 2 SSTORE CODESIZE 3 SSTORE CALLVALUE 4 SSTORE`,
    );
    fixture.place(CONTRACT, 'CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 6 CREATE RETURN_TOP', {
      balance: 6n,
    });
    fixture.send({ data: init });
    const slots = [0n, 1n, 2n, 3n, 4n].map((slot) =>
      numberOf(fixture.engine.storageAt(createdAddress(0), word(slot))),
    );
    expect(slots).toEqual([0n, 0n, numberOf(createdAddress(0)), BigInt(init.length), 6n]);
  });

  test('behavior: nested creations never disturb running code', () => {
    // Init code that creates contracts with the same init code eight levels deep, then runs its rest.
    const init = assemble(`
      CODESIZE 0 0 CODECOPY
      CALLVALUE ISZERO @leaf JUMPI
      CODESIZE 0 1 CALLVALUE SUB CREATE ISZERO @failed JUMPI
      :leaf CODESIZE 0 RETURN
      :failed INVALID
    `);
    fixture.place(CONTRACT, 'CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 8 CREATE RETURN_TOP', {
      balance: 99n,
    });
    const { output } = fixture.send({ data: init });
    expect(numberOf(output)).toBe(numberOf(createdAddress(0)));
    const creations = fixture.engine.creations();
    expect(creations.length).toBeGreaterThan(1);
    for (const { address } of creations) expect(fixture.engine.codeAt(address)).toEqual(init);
  });

  test('behavior: at the depth limit, without balance or at the maximum nonce no gas is consumed', () => {
    fixture.place(CONTRACT, '0 0 1 CREATE RETURN_TOP');
    expect(fixture.send()).toMatchObject({ output: word(0n) });
    fixture.place(CONTRACT, '0 0 0 CREATE RETURN_TOP', { nonce: 2n ** 64n - 1n });
    const { output, gasUsed } = fixture.send();
    expect(output).toEqual(word(0n));
    expect(gasUsed).toBeLessThan(60_000n);
  });

  test('behavior: creations of a reverted frame are not in the list', () => {
    fixture.place(OTHER, `${CREATE} POP 0 0 REVERT`);
    fixture.place(
      CONTRACT,
      `CALLDATASIZE 0 0 CALLDATACOPY 0 0 CALLDATASIZE 0 0 ${pushed(OTHER)} GAS CALL POP ${CREATE}`,
    );
    fixture.send({ data: initCodeOf(RUNTIME) });
    expect(fixture.engine.creations()).toEqual([{ address: createdAddress(0), destroyed: false }]);
  });

  test('args: from Shanghai on, init code costs gas per word and its size is limited', async () => {
    const source = (size: number) => `${size} 0 0 CREATE`;
    const used = (size: number) => fixture.run(source(size)).gasUsed;
    const memory = (words: number) => BigInt(3 * words + Math.floor((words * words) / 512));
    expect(used(49_152) - used(0)).toBe(2n * 1_536n + memory(1_536));
    expect(fixture.run(source(49_153))).toMatchObject({ halt: 'outOfGas' });
    const paris = await createFixture('paris');
    expect(paris.run(source(49_153)).status).toBe('success');
  });
});

test('behavior: createAddress of the host may give any address', async () => {
  fixture.host.createAddress = () => addressOf(2n ** 160n - 1n);
  expect(fixture.send({ to: undefined, data: initCodeOf(RUNTIME) }).contractAddress).toEqual(
    addressOf(2n ** 160n - 1n),
  );
});
