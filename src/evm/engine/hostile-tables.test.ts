import { expect, test } from 'vitest';
import { type Hash, toHash } from '../../protocol/index.ts';
import { ACCOUNTS_CAPACITY, SLOTS_CAPACITY } from '../assembly/layout.ts';
import type { EngineFailure } from '../engine-error.ts';
import { Engine, EngineError } from '../index.ts';
import { BLOCK, CONTRACT, createFixture, type Fixture, SENDER } from '../testing/engine.testing.ts';
import { addressOf, MemoryHost } from '../testing/memory-host.testing.ts';

/** More gas than any operation of the ledger: the gas of one operation fills none of these tables. */
const ENDLESS = 2n ** 62n;

/** Programs that fill a table of the engine each. */
const PROGRAMS: Readonly<Partial<Record<EngineFailure, string>>> = {
  accountsFull: '0 :start 1 ADD DUP1 BALANCE POP @start JUMP',
  slotsFull: '0 :start 1 ADD DUP1 SLOAD POP @start JUMP',
  transientStorageFull: '0 :start 1 ADD DUP1 DUP1 TSTORE @start JUMP',
  journalFull: '0 :start 1 ADD DUP1 0 SSTORE @start JUMP',
  logsFull: ':start 1000000 0 LOG0 @start JUMP',
};

/** Creates contracts until no account is left: the list of creations is as long as the table of accounts. */
const CREATIONS = ':start 0 0 0 CREATE POP @start JUMP';

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return 'no failure';
  } catch (error) {
    return error instanceof EngineError ? error.failure : error;
  }
}

/** Checks that after a failure no unsettled change is left, and the engine works. */
function expectSound({ engine, run }: Fixture): void {
  expect(engine.changes()).toEqual([]);
  expect(engine.creations()).toEqual([]);
  expect(run('7 0 SSTORE 0 SLOAD RETURN_TOP')).toMatchObject({ status: 'success', logs: [] });
  expect(engine.changes().map(({ kind }) => kind)).toContain('storage');
}

test.each(Object.entries(PROGRAMS))('error: %s', async (failure, source) => {
  const fixture = await createFixture();
  fixture.engine.credit(addressOf(0xfeedn), 5n);
  expect(failureOf(() => fixture.run(source, { gas: ENDLESS }))).toBe(failure);
  expect(fixture.engine.balanceOf(addressOf(0xfeedn))).toBe(0n);
  expectSound(fixture);
});

test('behavior: reads between executions, of more accounts and slots than the tables hold', async () => {
  const { engine, run } = await createFixture();
  const most = Math.max(ACCOUNTS_CAPACITY, SLOTS_CAPACITY);
  for (let number = 1; number <= most + 1; number += 1) {
    const word = addressOf(BigInt(number) << 64n);
    if (number <= ACCOUNTS_CAPACITY + 1) engine.balanceOf(word);
    engine.storageAt(SENDER, toHash(Buffer.concat([Buffer.alloc(12), word])));
  }
  expect(run('7 0 SSTORE 0 SLOAD RETURN_TOP')).toMatchObject({ status: 'success' });
  const kinds = engine.changes().map(({ kind }) => kind);
  for (let number = 1; number <= ACCOUNTS_CAPACITY / 2; number += 1)
    engine.balanceOf(addressOf(BigInt(number)));
  expect(engine.changes().map(({ kind }) => kind)).toEqual(kinds);
});

test('error: creations without end', async () => {
  const fixture = await createFixture();
  expect(failureOf(() => fixture.run(CREATIONS, { gas: ENDLESS }))).toBe('accountsFull');
  expectSound(fixture);
});

/** A host with a different large contract at every address, except the sender's and the caller's. */
class ContractsEverywhere extends MemoryHost {
  readonly #code = new Uint8Array(24_576).fill(0x5b);

  override account(address: Parameters<MemoryHost['account']>[0]) {
    const known = super.account(address);
    if (known !== undefined) return known;
    const codeHash = new Uint8Array(32).fill(0xee);
    codeHash.set(address);
    return { balance: 0n, nonce: 1n, codeHash: toHash(codeHash) };
  }

  override code(codeHash: Hash): Uint8Array {
    const code = super.code(codeHash);
    return code.length > 0 ? code : this.#code;
  }
}

test('error: codeFull', async () => {
  const host = new ContractsEverywhere();
  const ordinary = await createFixture();
  const engine = await Engine.create({ hardfork: 'cancun', host });
  engine.setBlock(BLOCK);
  host.set(SENDER, { balance: 10n ** 18n });
  const fixture: Fixture = {
    ...ordinary,
    engine,
    host,
    run: (source) => {
      ordinary.place(CONTRACT, source);
      const account = ordinary.host.account(CONTRACT);
      if (account !== undefined) host.accounts.set(Buffer.from(CONTRACT).toString('hex'), account);
      for (const [hash, code] of ordinary.host.codes) host.codes.set(hash, code);
      engine.clear();
      const message = { caller: SENDER, to: CONTRACT, value: 0n, data: new Uint8Array(0) };
      return engine.execute({ ...message, gas: ENDLESS, gasPrice: 0n, payForGas: false });
    },
  };
  const source = '0 :start 1 ADD 1 0 0 DUP4 EXTCODECOPY @start JUMP';
  expect(failureOf(() => fixture.run(source))).toBe('codeFull');
  expectSound(fixture);
});

test('error: gas beyond 63 bits, and a stale checkpoint', async () => {
  const { engine, run } = await createFixture();
  expect(failureOf(() => run('STOP', { gas: 2n ** 63n }))).toBe('gasOutOfRange');
  engine.credit(SENDER, 1n);
  const checkpoint = engine.checkpoint();
  engine.discard();
  expect(failureOf(() => engine.revertTo(checkpoint))).toBe('staleCheckpoint');
});
