import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Address, accountAddress, accountId, hexToBytes, toAddress } from '../../protocol/index.ts';
import { systemTime } from '../../time/time.ts';
import {
  ACCOUNT_CREATE_FEE,
  accountCreateOf,
  type Ledger,
  RegistrationService,
  type RegistrationTask,
} from '../index.ts';
import { accountAt, keyOf, openTestLedger, PRODUCER_KEY, sign, transfer } from '../ledger.testing.ts';
import { hashOf, keyText, nonceOf, solutionOf } from './registration.testing.ts';
import { REGISTRATION_BLOCK_TIMEOUT_MS, type RegistrationSolution } from './registration.ts';
import { RECENT_REGISTRATIONS_MAX, RegistrationTasks } from './registration-task.ts';

const FIRST_NEW = accountAddress(accountId(1_028));
const EVM_ADDRESS = '0x00000000000000000000000000000000DeaDBeef';

let ledger: Ledger;
let time: number;
let service: RegistrationService;

beforeEach(async () => {
  ({ ledger } = await openTestLedger());
  time = 5_000;
  service = new RegistrationService(ledger, PRODUCER_KEY, {
    difficulty: 4,
    time: { ...systemTime, now: () => time },
  });
});

afterEach(async () => {
  vi.useRealTimers();
  service.close();
});

function address(hex: string): Address {
  return toAddress(hexToBytes(hex.slice(2)));
}

/** Registers with a new task. */
function register(changes: Partial<RegistrationSolution> = {}): Promise<Address> {
  return service.submit(solutionOf(service.requestTask(), changes));
}

/** The message of a refused registration, which must leave the chain as it was. */
async function refusal(
  changes: Partial<RegistrationSolution>,
  task = service.requestTask(),
): Promise<string> {
  const head = ledger.blocks.head().number;
  const message = await service.submit(solutionOf(task, changes)).then(
    () => 'it was accepted',
    (error: Error) => error.message,
  );
  expect([ledger.blocks.head().number, ledger.pool.pendingOperations()]).toEqual([head, []]);
  return message;
}

describe('check', () => {
  test('default: reports the refusals of a name and an EVM address', async () => {
    const taken = '0x00000000000000000000000000000000DeaDBee0';
    await register({ name: 'bob', evmAddress: taken });
    for (const [name, evmAddress] of [
      ['bob', null],
      ['No', null],
      ['x'.repeat(10_000), null],
      ['alice', taken],
      ['alice', '0x12'],
    ] as const) {
      const expected = await refusal({ name, evmAddress });
      expect(() => service.check(name, evmAddress)).toThrow(expected);
      expect(expected.length).toBeLessThan(300);
    }
    expect(service.check('alice', null)).toBeUndefined();
    expect(service.check('alice', EVM_ADDRESS)).toBeUndefined();
    await register({ evmAddress: EVM_ADDRESS });
    expect(() => service.check('alice', null)).toThrow('the account name alice is taken');
  });
});

describe('requestTask', () => {
  test('default: the head block, a random number and the difficulty', () => {
    const tasks = Array.from({ length: 50 }, () => service.requestTask());
    for (const { blockId, randNum, difficulty } of tasks) {
      expect([blockId, difficulty]).toEqual([ledger.blocks.head().id, 4]);
      expect(randNum >= 0n && randNum < 2n ** 64n).toBe(true);
    }
    expect(new Set(tasks.map(({ randNum }) => randNum)).size).toBe(50);
    expect(tasks.some(({ randNum }) => randNum >= 2n ** 60n)).toBe(true);
  });

  test('default: 20 bits', () => {
    expect(new RegistrationService(ledger, PRODUCER_KEY).requestTask().difficulty).toBe(20);
  });

  test('behavior: no number of requests invalidates the task of another client', async () => {
    const task = service.requestTask();
    for (let index = 0; index < 100_000; index += 1) service.requestTask();
    expect(await service.submit(solutionOf(task))).toEqual(FIRST_NEW);
  });

  test('behavior: concurrent tasks differ, also across blocks and nodes', () => {
    const other = new RegistrationService(ledger, PRODUCER_KEY, {
      difficulty: 4,
      time: { ...systemTime, now: () => time },
    });
    const numbers = new Set<bigint>();
    for (let round = 0; round < 20; round += 1) {
      for (let index = 0; index < 10; index += 1) {
        numbers.add(service.requestTask().randNum);
        numbers.add(other.requestTask().randNum);
      }
      if (round % 2 === 0) ledger.miner.mine();
      else time += 1;
    }
    expect(numbers.size).toBe(400);
  });
});

test('error: more registrations than tasks can be remembered', () => {
  const tasks = new RegistrationTasks(ledger.blocks, {
    difficulty: 4,
    time: { ...systemTime, now: () => time },
  });
  for (let count = 0; count < RECENT_REGISTRATIONS_MAX; count += 1) {
    tasks.take({ ...tasks.issue(), randNum: BigInt(count) });
  }
  const { randNum } = tasks.issue();
  expect(() => tasks.find(randNum)).toThrow('there were 100000 registrations within 120 s, the limit');
  time += 119_999;
  expect(() => tasks.find(randNum)).toThrow('the limit');
  const later = tasks.issue();
  time += 1;
  expect(tasks.find(later.randNum)).toEqual(later);
});

describe('submit', () => {
  test('default: the account is in a block, with its keys and at the registrar’s cost', async () => {
    const registrar = accountAddress(ledger.parameters.registrar);
    const before = ledger.accounts.balanceOf(registrar);
    expect(await register()).toEqual(FIRST_NEW);
    expect(ledger.accounts.account(accountId(1_028))).toEqual({
      name: 'alice',
      active: {
        weightThreshold: 1,
        accountAuths: [],
        keyAuths: [[keyOf('alice active').publicKey, 1]],
      },
      echorandKey: keyOf('alice consensus').publicKey,
      evmAddress: undefined,
      options: { delegatingAccount: ledger.parameters.registrar, delegateShare: 0 },
    });
    const [included] = ledger.blocks.blockTransactions(1);
    expect(included?.operation).toMatchObject({
      type: 'accountCreate',
      registrar: ledger.parameters.registrar,
    });
    expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'success', gasUsed: 100n });
    // The registrar of the test chain is also its producer, and earns the fees that it pays.
    expect(ledger.accounts.balanceOf(registrar)).toBe(before);
  });

  test.each([EVM_ADDRESS, EVM_ADDRESS.slice(2)])('args: evmAddress %s', async (evmAddress) => {
    await register({ evmAddress });
    expect(ledger.accounts.accountByEvmAddress(address(EVM_ADDRESS))).toBe(1_028);
    expect(ledger.accounts.account(accountId(1_028))?.evmAddress).toEqual(address(EVM_ADDRESS));
  });

  test('behavior: the task stays valid while blocks are added', async () => {
    const task = service.requestTask();
    ledger.miner.mine();
    ledger.miner.mine();
    expect(await service.submit(solutionOf(task))).toEqual(FIRST_NEW);
  });

  test('behavior: a task serves one account', async () => {
    const task = service.requestTask();
    await service.submit(solutionOf(task));
    expect(await refusal({ name: 'bob' }, task)).toContain('unknown or expired registration task');
  });

  test('behavior: a task serves one account until it has ended', async () => {
    const task = service.requestTask();
    await service.submit(solutionOf(task));
    for (const milliseconds of [119_999, 1, 11_072, 120_000, 10 * 2 ** 17 - 251_072]) {
      time += milliseconds;
      expect(await refusal({ name: 'bob' }, task)).toContain('unknown or expired registration task');
    }
  });

  test('behavior: only the node makes tasks', async () => {
    const task = service.requestTask();
    const other = new RegistrationService(ledger, PRODUCER_KEY, {
      difficulty: 4,
      time: { ...systemTime, now: () => time },
    });
    const made = Array.from({ length: 64 }, (_, bit) => task.randNum ^ (1n << BigInt(bit)));
    for (const randNum of [...made, 0n, 2n ** 64n - 1n, other.requestTask().randNum]) {
      expect(await refusal({ randNum }, task)).toContain('unknown or expired registration task');
    }
    expect(await service.submit(solutionOf(task))).toEqual(FIRST_NEW);
  });

  test('behavior: an expired task is never issued again, whatever the time', async () => {
    const task = service.requestTask();
    for (let round = 0; round < 50; round += 1) {
      time += 2 ** 17;
      expect(await refusal({}, task)).toContain('unknown or expired registration task');
    }
  });

  test('behavior: one of two simultaneous submissions wins', async () => {
    const task = service.requestTask();
    const outcomes = await Promise.allSettled(
      ['alice', 'bob'].map((name) => service.submit(solutionOf(task, { name }))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect([ledger.accounts.accountByName('alice'), ledger.accounts.accountByName('bob')]).toEqual([
      1_028,
      undefined,
    ]);
  });

  test('behavior: a task is valid for 120 s', async () => {
    const task = service.requestTask();
    time += 119_999;
    const younger = service.requestTask();
    expect(await service.submit(solutionOf(task))).toEqual(FIRST_NEW);
    const expired = service.requestTask();
    time += 120_000;
    expect(await refusal({ name: 'bob' }, expired)).toContain('unknown or expired registration task');
    expect(await refusal({ name: 'bob' }, younger)).toContain('unknown or expired registration task');
  });

  test('behavior: the nonce is checked by the bits of the hash', async () => {
    const task = service.requestTask();
    expect(hashOf(task, nonceOf(task))).toMatch(/^0/);
    expect(hashOf(task, nonceOf(task, false))).not.toMatch(/^0/);
  });

  test.each<[Partial<RegistrationSolution>, string]>([
    [{ name: 'Bob' }, 'invalid account name "Bob": 3 to 63 characters'],
    [{ name: 'x'.repeat(100_000) }, `invalid account name "${'x'.repeat(64)}…": 3 to 63 characters`],
    [{ name: 'test-account-0' }, 'the account name test-account-0 is taken'],
    [{ activeKey: 'key' }, 'invalid active key: must begin with ECHO'],
    [{ echorandKey: 'ECHOabc' }, 'invalid consensus key: must be base58 of 32 bytes'],
    [{ evmAddress: '0x12' }, 'invalid EVM address: expected 0x and 40 hexadecimal digits, or null'],
    [{ evmAddress: '' }, 'invalid EVM address: expected 0x and 40 hexadecimal digits, or null'],
  ])('error: %j leaves the task as it was', async (changes, message) => {
    const task = service.requestTask();
    expect(await refusal(changes, task)).toContain(message);
    expect(await service.submit(solutionOf(task))).toEqual(FIRST_NEW);
  });

  test('error: an EVM address that is taken', async () => {
    await register({ evmAddress: EVM_ADDRESS });
    expect(await refusal({ name: 'bob', evmAddress: EVM_ADDRESS })).toBe(
      `the EVM address ${EVM_ADDRESS.toLowerCase()} is registered for 1.2.1028`,
    );
  });

  test('error: reports the first invalid field', async () => {
    const task = service.requestTask();
    const wrong: Partial<RegistrationSolution>[] = [
      { randNum: task.randNum ^ 1n },
      { nonce: nonceOf(task, false) },
      { name: '-' },
      { activeKey: '' },
      { echorandKey: '' },
      { evmAddress: '-' },
    ];
    const messages: string[] = [];
    for (let index = 0; index < wrong.length; index += 1) {
      messages.push(await refusal(Object.assign({}, ...wrong.slice(index)), task));
    }
    expect(messages.map((message) => message.split(':')[0])).toEqual([
      'unknown or expired registration task',
      'wrong nonce',
      'invalid account name "-"',
      'invalid active key',
      'invalid consensus key',
      'invalid EVM address',
    ]);
  });
});

describe('submit while mining is stopped', () => {
  let task: RegistrationTask;

  beforeEach(() => {
    ledger.miner.stopMining();
    task = service.requestTask();
  });

  test('default: the response follows the block', async () => {
    const pending = service.submit(solutionOf(task));
    expect(ledger.pool.pendingOperations()).toHaveLength(1);
    ledger.miner.mine();
    expect(await pending).toEqual(FIRST_NEW);
  });

  test('behavior: several registrations resolve with one block, and blocks without them are skipped', async () => {
    const registrations = ['alice', 'bob'].map((name) => register({ name }));
    ledger.pool.submitInOwnBlock(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyOf('account 0')]));
    expect(ledger.pool.pendingOperations()).toHaveLength(2);
    ledger.miner.mine();
    expect(await Promise.all(registrations)).toEqual([FIRST_NEW, accountAddress(accountId(1_029))]);
  });

  test('behavior: it survives a block long after the head', async () => {
    const { ledger: slow, clock } = await openTestLedger({ mining: 'manual' });
    const slowService = new RegistrationService(slow, PRODUCER_KEY, { difficulty: 0 });
    clock.time += 7_200;
    const pending = slowService.submit(solutionOf(slowService.requestTask()));
    slow.pool.submitInOwnBlock(sign(slow, [transfer(0, accountAt(1), 1n)], [keyOf('account 0')]));
    slow.miner.mine();
    expect(await pending).toEqual(FIRST_NEW);
  });

  test('error: a task in use is consumed', async () => {
    const pending = service.submit(solutionOf(task));
    await expect(service.submit(solutionOf(task, { name: 'bob' }))).rejects.toThrow(/unknown or expired/);
    ledger.miner.mine();
    await pending;
  });

  test('error: the name of a pending registration is taken, also for an equal account', async () => {
    const pending = service.submit(solutionOf(task));
    const taken = 'the account name alice is taken';
    await expect(register()).rejects.toThrow(taken);
    await expect(register({ activeKey: keyText('other') })).rejects.toThrow(taken);
    ledger.miner.mine();
    await pending;
  });

  test('error: no block within 30 s, and the registration stays pending', async () => {
    vi.useFakeTimers();
    const outcome = service.submit(solutionOf(task)).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(REGISTRATION_BLOCK_TIMEOUT_MS);
    expect(await outcome).toBe('no block came within 30 s: the registration stays pending');
    expect(ledger.pool.pendingOperations()).toHaveLength(1);
    ledger.miner.mine();
    expect(ledger.accounts.accountByName('alice')).toBe(1_028);
  });

  test('error: a registration that is dropped, and its task can be used again', async () => {
    const outcome = service.submit(solutionOf(task)).catch((error: Error) => error.message);
    ledger.pool.submitInOwnBlock(takeName(ledger, 'alice'));
    expect(await outcome).toBe('the registration was dropped: the account name alice is taken');
    const again = service.submit(solutionOf(task, { name: 'bob' }));
    ledger.miner.mine();
    expect(await again).toEqual(accountAddress(accountId(1_029)));
  });

  test('error: the node stops', async () => {
    const pending = service.submit(solutionOf(task));
    service.close();
    const message = 'the node stops before the registration is in a block: the registration stays pending';
    await expect(pending).rejects.toThrow(message);
    await expect(register({ name: 'bob' })).rejects.toThrow(message);
  });
});

/** Returns a registration of the name that bypasses the service. */
function takeName(on: Ledger, name: string) {
  const { publicKey } = keyOf('somebody');
  const account = { name, activeKey: publicKey, echorandKey: publicKey, evmAddress: undefined };
  return sign(on, [accountCreateOf(account, on.parameters.registrar, ACCOUNT_CREATE_FEE)], [PRODUCER_KEY]);
}
