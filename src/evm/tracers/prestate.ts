import { type Address, bytesToHex, type Hash } from '../../protocol/index.ts';
import type { EnteredCall, RunningFrame, SelfDestruct, TraceListener } from '../engine/index.ts';
import type { AccountState } from '../types.ts';
import type { TraceBudget } from './budget.ts';

/** The state that code is running on; read in between. */
export interface ReadableState {
  accountState(address: Address): AccountState | undefined;
  codeAt(address: Address): Uint8Array;
  storageAt(address: Address, slot: Hash): Uint8Array;
}

/** An account as it was, with those of its slots that were asked for. */
export interface TouchedAccount {
  readonly address: Address;
  /** Undefined where there was none. */
  readonly state: AccountState | undefined;
  readonly code: Uint8Array;
  /** By the digits of the slot, in the order in which they were touched. */
  readonly slots: Map<string, { readonly slot: Hash; readonly value: Uint8Array }>;
  /** Whether a contract was to come to be there. */
  isCreated: boolean;
  /** Whether it was destroyed for good. */
  isDestroyed: boolean;
}

/** Opcodes that touch a slot, an account on top of the stack, and one below the top. */
const SLOT_OPCODES: ReadonlySet<number> = new Set([0x54, 0x55]);
const ACCOUNT_OPCODES: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
const CALL_OPCODES: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** Items that a call takes at least, before which its address counts as touched. */
const LEAST_CALL_ITEMS = 5;

/** What an account and a slot come to in an answer, about. */
const ACCOUNT_BYTES = 256;
const SLOT_BYTES = 140;

export interface TouchedStateOptions {
  /** Whether destruction is for good only of what the same transaction created (EIP-6780). */
  readonly onlyNewContractsDie: boolean;
  readonly withSlots: boolean;
}

/** Gathers the accounts and slots that a transaction touches, each as it was when it was touched first. */
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

  /** In the order in which they were touched. */
  get accounts(): readonly TouchedAccount[] {
    return [...this.#accounts.values()];
  }

  /** Touches an account. */
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

  /** The state now, of an account that was touched. */
  after({ address }: TouchedAccount): Pick<TouchedAccount, 'state' | 'code'> {
    return { state: this.#state.accountState(address), code: this.#state.codeAt(address) };
  }

  /** What is in a slot now. */
  slotAfter({ address }: TouchedAccount, slot: Hash): Uint8Array {
    return this.#state.storageAt(address, slot);
  }

  enter({ kind, to }: EnteredCall): void {
    if (kind !== 'CREATE' && kind !== 'CREATE2') return;
    if (to.some((byte) => byte !== 0)) this.touch(to).isCreated = true;
  }

  selfDestruct({ from }: SelfDestruct): void {
    const account = this.touch(from);
    if (account.isCreated || !this.#options.onlyNewContractsDie) account.isDestroyed = true;
  }

  step(frame: RunningFrame): void {
    this.#budget.step();
    const { opcode } = frame;
    if (opcode < 0x31) return;
    if (SLOT_OPCODES.has(opcode)) this.#touchSlot(frame);
    else if (ACCOUNT_OPCODES.has(opcode)) this.#touchItem(frame.stackAddress(0));
    else if (CALL_OPCODES.has(opcode) && frame.stackHeight >= LEAST_CALL_ITEMS) {
      this.#touchItem(frame.stackAddress(1));
    }
  }

  #touchItem(address: Address | undefined): void {
    if (address !== undefined) this.touch(address);
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
