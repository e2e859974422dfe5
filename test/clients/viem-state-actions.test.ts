import { type Address, getAddress, type Hex, type TestActions } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../program.ts';
import { connect, MODES, type TestClient } from './viem-modes.ts';

const NOBODY = getAddress(`0x${'d8'.repeat(20)}`);
/** The greatest balance: 2^63 - 1. */
const BALANCE_MAX = 2n ** 63n - 1n;
/** Answers the word at slot 1. */
const READER: Hex = '0x60015460005260206000f3';

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

type StateAction = Extract<keyof TestActions, 'setBalance' | 'setCode' | 'setNonce' | 'setStorageAt'>;

/** Checks of each action that changes an account without a block. */
const ACTIONS: Readonly<Record<StateAction, (client: TestClient, alice: Address) => Promise<void>>> = {
  async setBalance(client) {
    await client.setBalance({ address: NOBODY, value: BALANCE_MAX });
    expect(await client.getBalance({ address: NOBODY })).toBe(BALANCE_MAX);
    const refused = client.setBalance({ address: NOBODY, value: BALANCE_MAX + 1n });
    await expect(refused).rejects.toThrow(String(BALANCE_MAX));
    expect(await client.getBalance({ address: NOBODY })).toBe(BALANCE_MAX);
  },
  async setCode(client, alice) {
    await client.setCode({ address: NOBODY, bytecode: READER });
    expect(await client.getCode({ address: NOBODY })).toBe(READER);
    await expect(client.setCode({ address: alice, bytecode: READER })).rejects.toThrow(
      'an account has no code',
    );
  },
  async setNonce(client, alice) {
    await client.setNonce({ address: alice, nonce: 420 });
    expect(await client.getTransactionCount({ address: alice })).toBe(420);
  },
  async setStorageAt(client) {
    const [index, value]: [Hex, Hex] = [`0x${'1'.padStart(64, '0')}`, `0x${'7'.padStart(64, '0')}`];
    await client.setCode({ address: NOBODY, bytecode: READER });
    await client.setStorageAt({ address: NOBODY, index: 1, value });
    expect(await client.getStorageAt({ address: NOBODY, slot: index })).toBe(value);
    expect((await client.call({ to: NOBODY })).data).toBe(value);
  },
};

test.each(MODES.flatMap((mode) => Object.entries(ACTIONS).map(([name, act]) => ({ mode, name, act }))))(
  "default: viem's test client in mode $mode: $name, which makes no block and is taken back",
  async ({ mode, act }) => {
    const client = connect(program, mode);
    const [alice = NOBODY] = await client.getAddresses();
    const seen = async () => [
      await client.getBlock(),
      await client.getBalance({ address: NOBODY }),
      await client.getCode({ address: NOBODY }),
      await client.getTransactionCount({ address: alice }),
    ];
    const before = await seen();
    const id = await client.snapshot();
    await act(client, alice);
    expect((await client.getBlock()).number).toBe((before[0] as { number: bigint }).number);
    await client.revert({ id });
    expect(await seen()).toEqual(before);
  },
);
