import { z } from 'zod';
import { IMPERSONATED_ADDRESSES_MAX } from '../limits.ts';
import { type Address, bytesToHex } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import { type KeptValue, keptFile } from './kept-file.ts';

/** Whose transactions need no key; a plain value, which can be kept and restored. */
export interface ImpersonationState {
  /** Addresses as 40 lower-case digits, in the order in which they came. */
  readonly impersonated: readonly string[];
  /** Whether everybody else is impersonated who is not in the wallet. */
  readonly auto: boolean;
}

const NOBODY: ImpersonationState = { impersonated: [], auto: false };

const addressText = z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 lower-case hex digits');

/** Keeps the impersonated addresses in a file as {@link keptFile} does. */
export function impersonationFileAt(path: string, epoch?: () => number): KeptValue<ImpersonationState> {
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
    epoch,
  );
}

/** The addresses in whose name test mode sends without a key. A change that cannot be kept is not made. */
export class Impersonation {
  readonly #storage: KeptValue<ImpersonationState> | undefined;
  #addresses: Set<string>;
  #auto: boolean;

  /**
   * @param storage absent: it ends with the node
   * @throws WalletFileError when what was kept is damaged
   */
  constructor(storage?: KeptValue<ImpersonationState>) {
    this.#storage = storage;
    const { impersonated, auto } = storage?.load() ?? NOBODY;
    this.#addresses = new Set(impersonated);
    this.#auto = auto;
  }

  /** Whether every address is impersonated that is not in the wallet. */
  get auto(): boolean {
    return this.#auto;
  }

  /** Whether anybody is impersonated. */
  get isUsed(): boolean {
    return this.#auto || this.#addresses.size > 0;
  }

  get state(): ImpersonationState {
    return { impersonated: [...this.#addresses], auto: this.#auto };
  }

  /** Returns the epoch of the storage; undefined without storage. */
  keptEpoch(): number | undefined {
    return this.#storage?.epoch();
  }

  /** Whether an address was added and not removed. */
  has(address: Address): boolean {
    return this.#addresses.has(bytesToHex(address));
  }

  /**
   * @returns false where it was impersonated already
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

  /** @returns whether it was impersonated  @throws WalletFileError */
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

  /** Puts another state in the place of this one. @throws WalletFileError */
  restore(state: ImpersonationState): void {
    this.#storage?.save(state);
    this.#addresses = new Set(state.impersonated);
    this.#auto = state.auto;
  }
}
