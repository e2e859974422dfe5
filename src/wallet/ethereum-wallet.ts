import {
  type Address,
  bytesToHex,
  type EthereumTransactionFields,
  type Seed,
  signEthereumTransaction,
} from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import { evmAddressOf, signatureOf, signPersonalMessage } from './keys.ts';
import { type TypedData, typedDataDigest } from './typed-data.ts';

/** Keys of secp256k1 in test mode, for a chain that knows Ethereum: lists them and signs with them. */
export class EthereumWallet {
  /** By the hex of the address, in the order in which they were given. */
  readonly #keys = new Map<string, { readonly address: Address; readonly key: Seed }>();

  constructor(keys: readonly Seed[]) {
    this.beginWith(keys);
  }

  /** From now on these are the keys, and no others. */
  beginWith(keys: readonly Seed[]): void {
    this.#keys.clear();
    for (const key of keys) {
      const address = evmAddressOf(key);
      this.#keys.set(bytesToHex(address), { address, key });
    }
  }

  /** The addresses of all keys, in the order in which they were given. */
  list(): Address[] {
    return [...this.#keys.values()].map(({ address }) => address);
  }

  /** Whether the wallet has the key of an address. */
  holds(address: Address): boolean {
    return this.#keys.has(bytesToHex(address));
  }

  /**
   * Signs a transaction and sends nothing.
   *
   * @returns the bytes that `eth_sendRawTransaction` takes
   * @throws WalletError `UNKNOWN_ACCOUNT`
   * @throws {FormatError} for a number that has no place in its field
   */
  signTransaction(address: Address, fields: EthereumTransactionFields): Uint8Array {
    return signEthereumTransaction(fields, this.#keyOf(address));
  }

  /**
   * Signs a message as `personal_sign` and `eth_sign` do.
   *
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`
   */
  signMessage(address: Address, message: Uint8Array): Uint8Array {
    return signPersonalMessage(this.#keyOf(address), message);
  }

  /**
   * Signs typed structured data (EIP-712, `eth_signTypedData_v4`).
   *
   * @returns 65 bytes r ‖ s ‖ v
   * @throws WalletError `UNKNOWN_ACCOUNT`, `INVALID_TYPED_DATA`
   */
  signTypedData(address: Address, data: TypedData): Uint8Array {
    return signatureOf(this.#keyOf(address), typedDataDigest(data));
  }

  #keyOf(address: Address): Seed {
    const held = this.#keys.get(bytesToHex(address));
    if (held === undefined) throw new WalletError('UNKNOWN_ACCOUNT', 'unknown account');
    return held.key;
  }
}
