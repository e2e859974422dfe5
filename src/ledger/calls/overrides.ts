import {
  type AccountState,
  type BlockContext,
  type Hardfork,
  type PrecompileNumbers,
  precompileNumbersOf,
} from '../../evm/index.ts';
import { type Address, bytesToHex, type Hash, keccak256 } from '../../protocol/index.ts';
import type { ChainReader } from '../../store/index.ts';
import type { Chain } from '../chain/chain.ts';
import { refuse } from '../errors/refusal.ts';
import { StoreHost } from '../state/engine-host.ts';
import type { WorkingState } from '../state/working-state.ts';

/** Replaces parts of an account for one call (state override); undefined: unchanged. */
export interface AccountOverride {
  readonly address: Address;
  readonly balance: bigint | undefined;
  readonly nonce: bigint | undefined;
  /** No bytes: no code. */
  readonly code: Uint8Array | undefined;
  readonly storage: StorageOverride | undefined;
  /** Address at which the precompiled contract of this address runs instead. */
  readonly precompileTo?: Address | undefined;
}

/** Overridden slots of an address: all of them (`whole`), or some. Words of 32 bytes. */
export interface StorageOverride {
  readonly whole: boolean;
  readonly slots: readonly { readonly slot: Hash; readonly value: Hash }[];
}

/** Replaces fields of the block context for one call (block override). */
export type BlockOverride = Partial<Omit<BlockContext, 'chainId'>>;

/** State and block overrides of one call. */
export interface Overrides {
  readonly accounts: readonly AccountOverride[];
  readonly block: BlockOverride;
}

/** The differences between a stored state and that of a call. */
export interface StateOverlay {
  readonly accounts: readonly AccountOverride[];
  /** Undefined: those of the hard fork. */
  readonly precompiles?: PrecompileNumbers | undefined;
  /** Hashes of blocks after the stored ones. */
  readonly blockHashes?: ReadonlyMap<bigint, Hash>;
}

export const NO_OVERLAY: StateOverlay = { accounts: [] };

/** Returns the overlay of state overrides. @throws RefusedError as `overriddenPrecompiles` */
export function overlayOf(accounts: readonly AccountOverride[], hardfork: Hardfork): StateOverlay {
  return accounts.length === 0
    ? NO_OVERLAY
    : { accounts, precompiles: overriddenPrecompiles(accounts, hardfork) };
}

/**
 * Returns the precompiled contracts under state overrides; undefined: those of the hard fork. An address with any
 * override runs its code instead of a precompiled contract, and a moved contract runs at its new address, as in geth.
 * @throws RefusedError for a move from an address without a precompiled contract, or to an overridden one
 */
export function overriddenPrecompiles(
  accounts: readonly AccountOverride[],
  hardfork: Hardfork,
): PrecompileNumbers | undefined {
  const ofHardfork = precompileNumbersOf(hardfork);
  let numbers: Map<string, number> | undefined;
  let overridden: ReadonlySet<string> | undefined;
  for (const { address, precompileTo } of accounts) {
    const key = bytesToHex(address);
    const number = ofHardfork.get(key);
    if (number === undefined) {
      if (precompileTo !== undefined) refuse({ code: 'notPrecompile', address });
      continue;
    }
    numbers ??= new Map(ofHardfork);
    numbers.delete(key);
    if (precompileTo === undefined) continue;
    overridden ??= new Set(accounts.map((account) => bytesToHex(account.address)));
    const destination = bytesToHex(precompileTo);
    if (overridden.has(destination)) refuse({ code: 'alreadyOverridden', address: precompileTo });
    numbers.set(destination, number);
  }
  return numbers;
}

/** Accounts that an execution accessed, in the order of their first access. The engine knows their slots. */
export interface Accessed {
  readonly accounts: Address[];
  /** Addresses that were given to new contracts. */
  readonly created: Address[];
}

/** An override, prepared for the engine's look-ups; slots by their hexadecimal digits. */
interface PreparedAccount extends Omit<AccountOverride, 'storage' | 'precompileTo'> {
  readonly codeHash: Hash | undefined;
  readonly whole: boolean;
  readonly slots: ReadonlyMap<string, Hash>;
}

/** The engine's view of the store below overrides; records accesses. */
export class OverridingHost extends StoreHost {
  #accounts: ReadonlyMap<string, PreparedAccount> = new Map();
  #codes: ReadonlyMap<string, Uint8Array> = new Map();
  #blockHashes: StateOverlay['blockHashes'];
  #accessed: Accessed | undefined;

  /** Sets the overlay until the next call. The engine has its precompiled contracts. */
  use({ accounts, blockHashes }: StateOverlay, accessed?: Accessed): void {
    const prepared = accounts.map(prepare);
    this.#accounts = new Map(prepared.map((account) => [bytesToHex(account.address), account]));
    this.#codes = new Map(
      prepared.flatMap(({ codeHash, code }) =>
        codeHash === undefined || code === undefined ? [] : [[bytesToHex(codeHash), code] as const],
      ),
    );
    this.#blockHashes = blockHashes;
    this.#accessed = accessed;
  }

  override account(address: Address): AccountState | undefined {
    this.#accessed?.accounts.push(address);
    const stored = super.account(address);
    const override = this.#accounts.get(bytesToHex(address));
    if (override === undefined) return stored;
    const { balance = stored?.balance ?? 0n, nonce = stored?.nonce ?? 0n, code, codeHash } = override;
    const account = { balance, nonce, codeHash: code === undefined ? stored?.codeHash : codeHash };
    const isEmpty = balance === 0n && nonce === 0n && account.codeHash === undefined;
    return isEmpty ? undefined : account;
  }

  override storage(address: Address, slot: Hash): Uint8Array | undefined {
    const override = this.#accounts.get(bytesToHex(address));
    const value = override?.slots.get(bytesToHex(slot));
    if (value !== undefined || override?.whole === true) return value;
    return super.storage(address, slot);
  }

  override mayHaveStorage(address: Address): boolean {
    return this.#accounts.has(bytesToHex(address)) || super.mayHaveStorage(address);
  }

  /** Counts stored slots that an override sets to zero one by one, since finding all of them would need a scan. */
  override hasStorage(address: Address): boolean {
    const override = this.#accounts.get(bytesToHex(address));
    for (const value of override?.slots.values() ?? []) if (value.some((byte) => byte !== 0)) return true;
    return override?.whole !== true && super.hasStorage(address);
  }

  override code(codeHash: Hash): Uint8Array {
    return this.#codes.get(bytesToHex(codeHash)) ?? super.code(codeHash);
  }

  override blockHash(number: bigint): Hash | undefined {
    return this.#blockHashes?.get(number) ?? super.blockHash(number);
  }

  override createAddress(creator: Address, nonce: bigint, creation: number): Address {
    const address = super.createAddress(creator, nonce, creation);
    this.#accessed?.created.push(address);
    return address;
  }
}

function prepare({ storage, precompileTo: _precompileTo, ...account }: AccountOverride): PreparedAccount {
  const { code } = account;
  return {
    ...account,
    codeHash: code === undefined || code.length === 0 ? undefined : keccak256(code),
    whole: storage?.whole === true,
    slots: new Map(storage?.slots.map(({ slot, value }) => [bytesToHex(slot), value])),
  };
}

/** Runs executions with overrides or access recording on a separate engine, which is cleared after each of them. */
export class SeparateState {
  readonly #host: OverridingHost;
  readonly #state: WorkingState;

  constructor(head: WorkingState, store: ChainReader, chain: Chain) {
    this.#host = new OverridingHost(store, chain, head.native, head.rules);
    this.#state = head.onHost(this.#host);
  }

  /** Runs work on the state under an overlay. @param accessed receives each first access */
  run<T>(overlay: StateOverlay, work: (state: WorkingState) => T, accessed?: Accessed): T {
    const { engine } = this.#state;
    this.#host.use(overlay, accessed);
    engine.setPrecompiles(overlay.precompiles);
    try {
      return work(this.#state);
    } finally {
      this.#host.use(NO_OVERLAY);
      engine.setPrecompiles(undefined);
      engine.discard();
      engine.clear();
    }
  }
}
