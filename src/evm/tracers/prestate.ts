import { type Address, bytesToHex, type Hash } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { EnteredCall, SelfDestruct, TraceListener } from '../engine/tracing.ts';
import type { AccountState } from '../types.ts';
import type { TraceBudget } from './budget.ts';

/** The state under running code. */
export interface ReadableState {
  accountState(address: Address): AccountState | undefined;
  codeAt(address: Address): Uint8Array;
  storageAt(address: Address, slot: Hash): Uint8Array;
}

/** An account before its first touch, with its touched slots. */
export interface TouchedAccount {
  readonly address: Address;
  readonly state: AccountState | undefined;
  readonly code: Uint8Array;
  /** Slots by their digits, in the order of their touches. */
  readonly slots: Map<string, { readonly slot: Hash; readonly value: Uint8Array }>;
  /** True if a contract was to be created there. */
  isCreated: boolean;
  /** True if it was destroyed for good. */
  isDestroyed: boolean;
}

/** The target of each opcode: none, a slot, the account on top of the stack, or the one below it. */
const TOUCHES = new Uint8Array(256);
const [A_SLOT, TOP, BELOW_TOP] = [1, 2, 3];
for (const opcode of [0x54, 0x55]) TOUCHES[opcode] = A_SLOT;
for (const opcode of [0x31, 0x3b, 0x3c, 0x3f, 0xff]) TOUCHES[opcode] = TOP;
for (const opcode of [0xf1, 0xf2, 0xf4, 0xfa]) TOUCHES[opcode] = BELOW_TOP;
/** Items that a call takes at least, before which its address counts as touched. */
const LEAST_CALL_ITEMS = 5;

/** Approximate bytes of an account and of a slot in a response. */
const ACCOUNT_BYTES = 256;
const SLOT_BYTES = 140;

interface TouchedStateOptions {
  /** True if only what the same transaction created is destroyed for good (EIP-6780). */
  readonly destroysOnlyNewContracts: boolean;
  readonly withSlots: boolean;
}

/** Gathers the accounts and slots that a transaction touches, each as it was before its first touch. */
export class TouchedState implements TraceListener {
  readonly #state: ReadableState;
  readonly #budget: TraceBudget;
  readonly #options: TouchedStateOptions;
  readonly #accounts = new Map<string, TouchedAccount>();

  constructor(state: ReadableState, budget: TraceBudget, options: TouchedStateOptions) {
    this.#state = state;
    this.#budget = budget;
    this.#options = options;
  }

  /** Accounts in the order of their touches. */
  get accounts(): readonly TouchedAccount[] {
    return [...this.#accounts.values()];
  }

  touch(address: Address): TouchedAccount {
    const key = bytesToHex(address);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const code = this.#state.codeAt(address);
    this.#budget.take(ACCOUNT_BYTES + 2 * code.length);
    const state = this.#state.accountState(address);
    const account = { address, state, code, slots: new Map(), isCreated: false, isDestroyed: false };
    this.#accounts.set(key, account);
    return account;
  }

  /** Returns the present state of a touched account. */
  after({ address }: TouchedAccount): Pick<TouchedAccount, 'state' | 'code'> {
    return { state: this.#state.accountState(address), code: this.#state.codeAt(address) };
  }

  /** Returns the present value of a slot. */
  slotAfter({ address }: TouchedAccount, slot: Hash): Uint8Array {
    return this.#state.storageAt(address, slot);
  }

  enter({ kind, to }: EnteredCall): void {
    if (kind !== 'CREATE' && kind !== 'CREATE2') return;
    if (to.some((byte) => byte !== 0)) this.touch(to).isCreated = true;
  }

  selfDestruct({ from }: SelfDestruct): void {
    const account = this.touch(from);
    if (account.isCreated || !this.#options.destroysOnlyNewContracts) account.isDestroyed = true;
  }

  step(frame: RunningFrame): void {
    this.#budget.step();
    const touched = TOUCHES[frame.opcode];
    if (touched === 0) return;
    if (touched === A_SLOT) this.#touchSlot(frame);
    if (touched === TOP || (touched === BELOW_TOP && frame.stackHeight >= LEAST_CALL_ITEMS)) {
      const address = frame.stackAddress(touched === TOP ? 0 : 1);
      if (address !== undefined) this.touch(address);
    }
  }

  #touchSlot(frame: RunningFrame): void {
    const slot = this.#options.withSlots ? frame.stackHash(0) : undefined;
    if (slot === undefined) return;
    const { address } = frame;
    const { slots } = this.touch(address);
    const key = bytesToHex(slot);
    if (slots.has(key)) return;
    this.#budget.take(SLOT_BYTES);
    slots.set(key, { slot, value: this.#state.storageAt(address, slot) });
  }
}
