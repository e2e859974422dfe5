import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, bytesToHex } from '../../protocol/index.ts';
import { createFixture, type Fixture, SENDER } from '../testing/engine.testing.ts';
import { addressOf, numberOf, word } from '../testing/memory-host.testing.ts';
import type { Checkpoint } from '../types.ts';

/** Adds the second word of the data to the slot that the first names; reverts when the third is not zero. */
const ADDER = `
  32 CALLDATALOAD 0 CALLDATALOAD SLOAD ADD 0 CALLDATALOAD SSTORE
  64 CALLDATALOAD @revert JUMPI STOP
  :revert 0 0 REVERT
`;

const CONTRACTS = [addressOf(0xa1n), addressOf(0xa2n)] as const;
const ACCOUNTS = [addressOf(0xb1n), addressOf(0xb2n), ...CONTRACTS] as const;
const SLOTS = [0n, 1n, 2n ** 200n] as const;

/** Balances and slots by name. */
type Model = Map<string, bigint>;

const balanceName = (address: Address) => bytesToHex(address);
const slotName = (address: Address, slot: bigint) => `${bytesToHex(address)}/${slot}`;

const small = fc.bigInt({ min: 0n, max: 3n });
const action = fc.oneof(
  fc.record({ kind: fc.constant('credit' as const), account: fc.constantFrom(...ACCOUNTS), amount: small }),
  fc.record({ kind: fc.constant('debit' as const), account: fc.constantFrom(...ACCOUNTS), amount: small }),
  fc.record({
    kind: fc.constant('call' as const),
    account: fc.constantFrom(...CONTRACTS),
    slot: fc.constantFrom(...SLOTS),
    amount: small,
    reverts: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('checkpoint' as const, 'settle' as const, 'discard' as const) }),
  fc.record({ kind: fc.constant('revertTo' as const), index: fc.nat(5) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Applies actions to an engine and to maps, which must agree after each of them. */
class Comparison {
  readonly #fixture: Fixture;
  #current: Model = new Map();
  #settled: Model = new Map();
  #checkpoints: { checkpoint: Checkpoint; model: Model }[] = [];

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  apply(step: Action): void {
    const { engine } = this.#fixture;
    switch (step.kind) {
      case 'credit':
        engine.credit(step.account, step.amount);
        this.#add(balanceName(step.account), step.amount);
        break;
      case 'debit':
        if (engine.debit(step.account, step.amount)) this.#add(balanceName(step.account), -step.amount);
        else expect(this.#current.get(balanceName(step.account)) ?? 0n).toBeLessThan(step.amount);
        break;
      case 'call':
        this.#call(step.account, step.slot, step.amount, step.reverts);
        break;
      case 'checkpoint':
        this.#checkpoints.push({ checkpoint: engine.checkpoint(), model: new Map(this.#current) });
        break;
      case 'revertTo':
        this.#revertTo(step.index);
        break;
      case 'settle':
        this.#fixture.host.apply(engine.changes());
        engine.settle();
        this.#settled = new Map(this.#current);
        this.#checkpoints = [];
        break;
      case 'discard':
        engine.discard();
        this.#current = new Map(this.#settled);
        this.#checkpoints = [];
        break;
    }
  }

  #add(name: string, amount: bigint): void {
    this.#current.set(name, (this.#current.get(name) ?? 0n) + amount);
  }

  #call(to: Address, slot: bigint, amount: bigint, reverts: boolean): void {
    const data = Uint8Array.of(...word(slot), ...word(amount), ...word(reverts ? 1n : 0n));
    const { status } = this.#fixture.send({ to, data });
    expect(status).toBe(reverts ? 'revert' : 'success');
    if (!reverts) this.#add(slotName(to, slot), amount);
  }

  #revertTo(index: number): void {
    const target = this.#checkpoints[index];
    if (target === undefined) return;
    this.#fixture.engine.revertTo(target.checkpoint);
    this.#current = new Map(target.model);
    this.#checkpoints = this.#checkpoints.slice(0, index + 1);
  }

  /** Checks that the engine has the model's values, and that its changes are the difference to the settled state. */
  check(): void {
    const { engine } = this.#fixture;
    for (const account of ACCOUNTS) {
      expect(engine.balanceOf(account)).toBe(this.#current.get(balanceName(account)) ?? 0n);
    }
    for (const contract of CONTRACTS) {
      for (const slot of SLOTS) {
        const value = numberOf(engine.storageAt(contract, word(slot)));
        expect(value).toBe(this.#current.get(slotName(contract, slot)) ?? 0n);
      }
    }
    const names = new Set([...this.#current.keys(), ...this.#settled.keys()]);
    const changed = [...names].filter(
      (name) => this.#value(this.#current, name) !== this.#value(this.#settled, name),
    );
    const reported = engine.changes().map((change) => {
      if (change.kind === 'storage') return slotName(change.address, numberOf(change.slot));
      return change.kind === 'account' ? balanceName(change.address) : change.kind;
    });
    expect(reported.sort()).toEqual(changed.sort());
  }

  #value(model: Model, name: string): bigint {
    return model.get(name) ?? 0n;
  }
}

test('behavior: an engine and maps agree over any sequence of actions', async () => {
  const fixture = await createFixture();
  await fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (steps) => {
      fixture.host.accounts.clear();
      fixture.host.slots.clear();
      fixture.host.set(SENDER, { balance: 10n ** 18n });
      for (const contract of CONTRACTS) fixture.place(contract, ADDER);
      const comparison = new Comparison(fixture);
      for (const step of steps) {
        comparison.apply(step);
        comparison.check();
      }
      fixture.engine.discard();
      fixture.engine.clear();
    }),
    { numRuns: 200 },
  );
});
