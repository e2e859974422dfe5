import { type Address, bytesToHex, delegationOf, type Hash } from '../../protocol/index.ts';
import type { RunningFrame } from '../engine/running-frame.ts';
import type { CallStart, SelfDestruct, TraceListener } from '../engine/tracing.ts';
import type { AccountState } from '../types.ts';
import type { TraceBudget } from './budget.ts';

/** The current state during an execution. */
export interface ReadableState {
  accountState(address: Address): AccountState | undefined;
  codeAt(address: Address): Uint8Array;
  storageAt(address: Address, slot: Hash): Uint8Array;
}

/** An account before its first access, with its accessed slots. */
export interface AccessedAccount {
  readonly address: Address;
  readonly state: AccountState | undefined;
  readonly code: Uint8Array;
  /** Slots by key in hex, in the order of access. */
  readonly slots: Map<string, { readonly slot: Hash; readonly value: Uint8Array }>;
  /** True if a contract creation at this address began. */
  isCreated: boolean;
  /** True if the account was destroyed at the end of the transaction. */
  isDestroyed: boolean;
}

/** The accessed object of each opcode: none, a slot, the account on top of the stack, or the one below it. */
const ACCESSES = new Uint8Array(256);
const A_SLOT = 1;
const TOP = 2;
const BELOW_TOP = 3;
for (const opcode of [0x54, 0x55]) ACCESSES[opcode] = A_SLOT;
for (const opcode of [0x31, 0x3b, 0x3c, 0x3f, 0xff]) ACCESSES[opcode] = TOP;
for (const opcode of [0xf1, 0xf2, 0xf4, 0xfa]) ACCESSES[opcode] = BELOW_TOP;
/** Minimum stack height of a call for which its address counts as accessed. */
const MINIMUM_CALL_HEIGHT = 5;

/** Approximate bytes of an account and of a slot in a response. */
const ACCOUNT_BYTES = 256;
const SLOT_BYTES = 140;

interface AccessedStateOptions {
  /** True if SELFDESTRUCT destroys only contracts of the same transaction (EIP-6780). */
  readonly destroysOnlyNewContracts: boolean;
  readonly withSlots: boolean;
}

/** Collects the accounts and slots that a transaction accesses, each in the state before its first access. */
export class AccessedState implements TraceListener {
  readonly #state: ReadableState;
  readonly #budget: TraceBudget;
  readonly #options: AccessedStateOptions;
  readonly #accounts = new Map<string, AccessedAccount>();
  /** Account that code delegates to, by the hash of the code; undefined for other code. */
  readonly #delegates = new Map<string, Address | undefined>();

  constructor(state: ReadableState, budget: TraceBudget, options: AccessedStateOptions) {
    this.#state = state;
    this.#budget = budget;
    this.#options = options;
  }

  /** Accounts in the order of access. */
  get accounts(): readonly AccessedAccount[] {
    return [...this.#accounts.values()];
  }

  /** Returns an account; reads its state at the first access. */
  access(address: Address): AccessedAccount {
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

  after({ address }: AccessedAccount): Pick<AccessedAccount, 'state' | 'code'> {
    return { state: this.#state.accountState(address), code: this.#state.codeAt(address) };
  }

  /** Returns the current value of a slot. */
  slotAfter({ address }: AccessedAccount, slot: Hash): Uint8Array {
    return this.#state.storageAt(address, slot);
  }

  enter({ kind, to }: CallStart): void {
    if (kind !== 'CREATE' && kind !== 'CREATE2') return;
    if (to.some((byte) => byte !== 0)) this.access(to).isCreated = true;
  }

  selfDestruct({ from }: SelfDestruct): void {
    const account = this.access(from);
    if (account.isCreated || !this.#options.destroysOnlyNewContracts) account.isDestroyed = true;
  }

  step(frame: RunningFrame): void {
    this.#budget.step();
    const accessed = ACCESSES[frame.opcode];
    if (accessed === 0) return;
    if (accessed === A_SLOT) this.#accessSlot(frame);
    if (accessed === TOP || (accessed === BELOW_TOP && frame.stackHeight >= MINIMUM_CALL_HEIGHT)) {
      const address = frame.stackAddress(accessed === TOP ? 0 : 1);
      if (address !== undefined) this.access(address);
      if (address !== undefined && accessed === BELOW_TOP) this.#accessDelegate(address);
    }
  }

  /** Accesses the account whose code a called account runs (EIP-7702). */
  #accessDelegate(address: Address): void {
    const codeHash = this.#state.accountState(address)?.codeHash;
    if (codeHash === undefined) return;
    const key = bytesToHex(codeHash);
    if (!this.#delegates.has(key)) this.#delegates.set(key, delegationOf(this.#state.codeAt(address)));
    const delegate = this.#delegates.get(key);
    if (delegate !== undefined) this.access(delegate);
  }

  #accessSlot(frame: RunningFrame): void {
    const slot = this.#options.withSlots ? frame.stackHash(0) : undefined;
    if (slot === undefined) return;
    const { address } = frame;
    const { slots } = this.access(address);
    const key = bytesToHex(slot);
    if (slots.has(key)) return;
    this.#budget.take(SLOT_BYTES);
    slots.set(key, { slot, value: this.#state.storageAt(address, slot) });
  }
}
