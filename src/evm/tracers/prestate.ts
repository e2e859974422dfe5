import { type Address, bytesToHex, type Hash } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { EnteredCall, SelfDestruct, TraceListener } from '../engine/tracing.ts';
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

/** What an opcode touches: nothing, a slot, the account on top of the stack, or the one below it. */
const TOUCHES = new Uint8Array(256);
const [A_SLOT, TOP, BELOW_TOP] = [1, 2, 3];
for (const opcode of [0x54, 0x55]) TOUCHES[opcode] = A_SLOT;
for (const opcode of [0x31, 0x3b, 0x3c, 0x3f, 0xff]) TOUCHES[opcode] = TOP;
for (const opcode of [0xf1, 0xf2, 0xf4, 0xfa]) TOUCHES[opcode] = BELOW_TOP;
/** Items that a call takes at least, before which its address counts as touched. */
const LEAST_CALL_ITEMS = 5;

/** What an account and a slot come to in an answer, about. */
const ACCOUNT_BYTES = 256;
const SLOT_BYTES = 140;

/**
 * What counts as touched: slots where asked for, and contracts that destroyed themselves by the fork's rule.
 */
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
    const touched = TOUCHES[frame.opcode];
    if (touched === 0) return;
    if (touched === A_SLOT) this.#touchSlot(frame);
    else if (touched === TOP) this.#touchItem(frame.stackAddress(0));
    else if (frame.stackHeight >= LEAST_CALL_ITEMS) this.#touchItem(frame.stackAddress(1));
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
