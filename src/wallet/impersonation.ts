import { z } from 'zod';
import { lazily } from '../caching/lazily.ts';
import { type Address, bytesToHex } from '../protocol/index.ts';
import { type StoredValue, storedFile } from './stored-file.ts';
import { WalletError } from './wallet-errors.ts';

/** Addresses that are impersonated in test mode at one time. */
export const IMPERSONATED_ADDRESSES_MAX = 10_000;

/** The impersonated addresses, as a plain value. */
export interface ImpersonationState {
  /** Addresses as 40 lower-case digits, in the order in which they were added. */
  readonly impersonated: readonly string[];
  /** True if every address outside the wallet is impersonated. */
  readonly auto: boolean;
}

const NO_ADDRESSES: ImpersonationState = { impersonated: [], auto: false };

const addressText = lazily(() => z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 lower-case hex digits'));

/** Stores the impersonated addresses in a file. */
export function impersonationFileAt(
  path: string,
  reorgCount?: () => number,
): StoredValue<ImpersonationState> {
  return storedFile<ImpersonationState, ImpersonationState>(
    path,
    {
      name: (file) => `the file ${file} with the impersonated addresses`,
      content: z.strictObject({
        impersonated: z.array(addressText()).max(IMPERSONATED_ADDRESSES_MAX),
        auto: z.boolean(),
      }),
      empty: NO_ADDRESSES,
      read: (state) => state,
      write: ({ impersonated, auto }) => ({ impersonated, auto }),
    },
    reorgCount,
  );
}

/** The addresses for which test mode sends transactions without a key. A change that cannot be stored is rejected. */
export class Impersonation {
  /** The state at the start of a new chain, and after a reset. */
  readonly initial: ImpersonationState;
  readonly #storage: StoredValue<ImpersonationState> | undefined;
  #addresses: Set<string>;
  #auto: boolean;

  /**
   * @param storage absent: the state is lost when the node stops
   * @param isAuto true to impersonate every address outside the wallet from the start
   * @throws WalletFileError when the stored state is damaged, or cannot be stored
   */
  constructor(storage?: StoredValue<ImpersonationState>, isAuto = false) {
    this.initial = { ...NO_ADDRESSES, auto: isAuto };
    this.#storage = storage;
    const { impersonated, auto } = storage?.load() ?? NO_ADDRESSES;
    this.#addresses = new Set(impersonated);
    this.#auto = auto;
    if (isAuto) this.setAuto(true);
  }

  get auto(): boolean {
    return this.#auto;
  }

  /** True if any address is impersonated. */
  get isUsed(): boolean {
    return this.#auto || this.#addresses.size > 0;
  }

  get state(): ImpersonationState {
    return { impersonated: [...this.#addresses], auto: this.#auto };
  }

  /** Returns the reorganisation count of the storage; undefined without storage. */
  storedReorgCount(): number | undefined {
    return this.#storage?.reorgCount();
  }

  /** True if an address is impersonated individually, regardless of `auto`. */
  has(address: Address): boolean {
    return this.#addresses.has(bytesToHex(address));
  }

  /**
   * Adds an address. Returns false if it is impersonated already.
   *
   * @throws WalletError `TOO_MANY_IMPERSONATED`, WalletFileError
   */
  add(address: Address): boolean {
    if (this.has(address)) return false;
    if (this.#addresses.size >= IMPERSONATED_ADDRESSES_MAX) {
      throw new WalletError(
        'TOO_MANY_IMPERSONATED',
        `${IMPERSONATED_ADDRESSES_MAX} addresses are impersonated, which is the limit: stop one of them first`,
      );
    }
    this.restore({ ...this.state, impersonated: [...this.#addresses, bytesToHex(address)] });
    return true;
  }

  /** Removes an address. Returns true if it was impersonated. @throws WalletFileError */
  remove(address: Address): boolean {
    if (!this.has(address)) return false;
    const removed = bytesToHex(address);
    this.restore({ ...this.state, impersonated: [...this.#addresses].filter((one) => one !== removed) });
    return true;
  }

  /** @throws WalletFileError */
  setAuto(auto: boolean): void {
    if (auto !== this.#auto) this.restore({ ...this.state, auto });
  }

  /** Replaces the state. @throws WalletFileError */
  restore(state: ImpersonationState): void {
    this.#storage?.save(state);
    this.#addresses = new Set(state.impersonated);
    this.#auto = state.auto;
  }
}
