import type { AccountState, BlockContext } from '../../evm/index.ts';
import { type Address, bytesToHex, type Hash, keccak256 } from '../../protocol/index.ts';
import type { ChainReader } from '../../store/index.ts';
import type { Chain } from '../chain/index.ts';
import { StoreHost, type WorkingState } from '../state/index.ts';

/** What a call finds at an address in place of what the state holds; undefined: what the state holds. */
export interface AccountOverride {
  readonly address: Address;
  readonly balance: bigint | undefined;
  /** The EVM's nonce. */
  readonly counter: bigint | undefined;
  /** No bytes: no code. */
  readonly code: Uint8Array | undefined;
  readonly storage: StorageOverride | undefined;
}

/** The slots of an address: all that there are (`whole`), or some in place of the stored ones. Words of 32 bytes. */
export interface StorageOverride {
  readonly whole: boolean;
  readonly slots: readonly { readonly slot: Hash; readonly value: Hash }[];
}

/** What a call learns about its block in place of the truth. */
export type BlockOverride = Partial<Omit<BlockContext, 'chainId'>>;

/** What of the world a call sees otherwise than it is. */
export interface Overrides {
  readonly accounts: readonly AccountOverride[];
  readonly block: BlockOverride;
}

/** What an execution touched first of all, in that order. */
export interface Touched {
  readonly accounts: Address[];
  readonly slots: { readonly address: Address; readonly slot: Hash }[];
  /** Addresses that were given to new contracts. */
  readonly created: Address[];
}

/** An override, prepared for the engine's questions; slots by their hexadecimal digits. */
interface PreparedAccount extends Omit<AccountOverride, 'storage'> {
  readonly codeHash: Hash | undefined;
  readonly whole: boolean;
  readonly slots: ReadonlyMap<string, Hash>;
}

/** The engine's view of the store, as far as it is not overridden; takes note of what is touched. */
class OverridingHost extends StoreHost {
  #accounts: ReadonlyMap<string, PreparedAccount> = new Map();
  #codes: ReadonlyMap<string, Uint8Array> = new Map();
  #touched: Touched | undefined;

  /** From now on, and until the next time, these hold. */
  use(overrides: readonly AccountOverride[], touched?: Touched): void {
    const prepared = overrides.map(prepare);
    this.#accounts = new Map(prepared.map((account) => [bytesToHex(account.address), account]));
    this.#codes = new Map(
      prepared.flatMap(({ codeHash, code }) =>
        codeHash === undefined || code === undefined ? [] : [[bytesToHex(codeHash), code] as const],
      ),
    );
    this.#touched = touched;
  }

  override account(address: Address): AccountState | undefined {
    this.#touched?.accounts.push(address);
    const stored = super.account(address);
    const override = this.#accounts.get(bytesToHex(address));
    if (override === undefined) return stored;
    const { balance = stored?.balance ?? 0n, counter = stored?.counter ?? 0n, code, codeHash } = override;
    const account = { balance, counter, codeHash: code === undefined ? stored?.codeHash : codeHash };
    const isEmpty = balance === 0n && counter === 0n && account.codeHash === undefined;
    return isEmpty ? undefined : account;
  }

  override storage(address: Address, slot: Hash): Uint8Array | undefined {
    this.#touched?.slots.push({ address, slot });
    const override = this.#accounts.get(bytesToHex(address));
    const value = override?.slots.get(bytesToHex(slot));
    if (value !== undefined || override?.whole === true) return value;
    return super.storage(address, slot);
  }

  /** Stored slots that an override sets to zero one by one still count, since nobody looks for all of them. */
  override hasStorage(address: Address): boolean {
    const override = this.#accounts.get(bytesToHex(address));
    for (const value of override?.slots.values() ?? []) if (value.some((byte) => byte !== 0)) return true;
    return override?.whole !== true && super.hasStorage(address);
  }

  override code(codeHash: Hash): Uint8Array {
    return this.#codes.get(bytesToHex(codeHash)) ?? super.code(codeHash);
  }

  override createAddress(creator: Address, counter: bigint, creation: number): Address {
    const address = super.createAddress(creator, counter, creation);
    this.#touched?.created.push(address);
    return address;
  }
}

function prepare({ storage, ...account }: AccountOverride): PreparedAccount {
  const { code } = account;
  return {
    ...account,
    codeHash: code === undefined || code.length === 0 ? undefined : keccak256(code),
    whole: storage?.whole === true,
    slots: new Map(storage?.slots.map(({ slot, value }) => [bytesToHex(slot), value])),
  };
}

/**
 * Executions that begin with an empty engine: on a state with overrides, or to see what they touch. The engine is not
 * the head's, and is emptied after each of them, whatever its end.
 */
export class SeparateState {
  readonly #host: OverridingHost;
  readonly #state: WorkingState;

  constructor(head: WorkingState, store: ChainReader, chain: Chain) {
    this.#host = new OverridingHost(store, chain, head.native);
    this.#state = head.onHost(this.#host);
  }

  /** Runs work on the state with overrides. @param touched what is told of each first touch */
  run<T>(overrides: readonly AccountOverride[], work: (state: WorkingState) => T, touched?: Touched): T {
    this.#host.use(overrides, touched);
    try {
      return work(this.#state);
    } finally {
      this.#host.use([]);
      this.#state.engine.discard();
      this.#state.engine.clear();
    }
  }
}
