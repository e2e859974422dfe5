import { z } from 'zod';
import { IMPERSONATED_ADDRESSES_MAX } from '../limits.ts';
import { type Address, bytesToHex } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import { type KeptValue, keptFile } from './kept-file.ts';

/** The addresses whose transactions need no key; a plain value. */
export interface ImpersonationState {
  /** Addresses as 40 lower-case digits, in the order in which they were added. */
  readonly impersonated: readonly string[];
  /** True if every address outside the wallet is impersonated. */
  readonly auto: boolean;
}

const NOBODY: ImpersonationState = { impersonated: [], auto: false };

const addressText = z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 lower-case hex digits');

/** Stores the impersonated addresses in a file as {@link keptFile} does. */
export function impersonationFileAt(path: string, reorgCount?: () => number): KeptValue<ImpersonationState> {
  return keptFile<ImpersonationState, ImpersonationState>(
    path,
    {
      name: (file) => `the file ${file} with the impersonated addresses`,
      content: z.strictObject({
        impersonated: z.array(addressText).max(IMPERSONATED_ADDRESSES_MAX),
        auto: z.boolean(),
      }),
      empty: NOBODY,
      read: (state) => state,
      write: ({ impersonated, auto }) => ({ impersonated, auto }),
    },
    reorgCount,
  );
}

/** The addresses for which test mode sends without a key. A change that cannot be stored is not made. */
export class Impersonation {
  readonly #storage: KeptValue<ImpersonationState> | undefined;
  #addresses: Set<string>;
  #auto: boolean;

  /**
   * @param storage absent: the state ends with the node
   * @throws WalletFileError when the stored state is damaged
   */
  constructor(storage?: KeptValue<ImpersonationState>) {
    this.#storage = storage;
    const { impersonated, auto } = storage?.load() ?? NOBODY;
    this.#addresses = new Set(impersonated);
    this.#auto = auto;
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
  keptReorgCount(): number | undefined {
    return this.#storage?.reorgCount();
  }

  /** Returns true if an address was added and not removed. */
  has(address: Address): boolean {
    return this.#addresses.has(bytesToHex(address));
  }

  /**
   * Returns false for an address that is impersonated already. @throws WalletError `TOO_MANY_IMPERSONATED`,
   * WalletFileError
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

  /** Returns true if the address was impersonated. @throws WalletFileError */
  remove(address: Address): boolean {
    if (!this.has(address)) return false;
    const gone = bytesToHex(address);
    this.restore({ ...this.state, impersonated: [...this.#addresses].filter((one) => one !== gone) });
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
