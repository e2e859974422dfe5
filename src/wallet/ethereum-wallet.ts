import { type Ledger, submitEthereum } from '../ledger/index.ts';
import { WEI_PER_UNIT } from '../limits.ts';
import {
  type AccessList,
  type Address,
  bytesToHex,
  type EthereumTransactionFields,
  type Hash,
  type Seed,
  signEthereumTransaction,
} from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import { evmAddressOf, signatureOf, signPersonalMessage } from './keys.ts';
import { type TypedData, typedDataDigest } from './typed-data.ts';

/** A transaction that somebody wants signed; what is absent is filled in. Amounts are in Wei. */
export interface EthereumRequest {
  readonly from: Address;
  /** Absent for a creation, whose init code is the data. */
  readonly to?: Address | undefined;
  /** Limit of the gas; absent: what an estimate on the pending state gives. */
  readonly gas?: bigint | undefined;
  /** Makes it a transaction without a tip, of type 0 or, with an access list, of type 1. */
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly value?: bigint | undefined;
  /** Absent: the one behind all of the sender's that wait without a gap. */
  readonly nonce?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?: AccessList | undefined;
  readonly chainId?: bigint | undefined;
  /** Milliseconds that the estimate may take. */
  readonly timeLimit?: number | undefined;
}

/** What the wallet needs of a ledger. */
export type EthereumWalletLedger = Pick<Ledger, 'network' | 'pending' | 'submit' | 'knowsEthereum'>;

/** What a fee is left free to rise to, in base fees: it never does, but it is what clients offer. */
const BASE_FEES_OFFERED = 2n;
const NO_BYTES = new Uint8Array();

/** Keys of secp256k1 in test mode, for a chain that knows Ethereum: lists them, signs and sends with them. */
export class EthereumWallet {
  readonly #ledger: EthereumWalletLedger;
  /** By the hex of the address, in the order in which they were given. */
  readonly #keys = new Map<string, { readonly address: Address; readonly key: Seed }>();
  readonly #allowUnprotected: boolean;

  /** @param allowUnprotected whether the node takes transactions that are signed for every chain */
  constructor(ledger: EthereumWalletLedger, keys: readonly Seed[], allowUnprotected = false) {
    this.#ledger = ledger;
    this.#allowUnprotected = allowUnprotected;
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
   * Fills in what a request leaves out, as geth does: nonce, fees, gas and chain id; the type follows from the fields.
   *
   * @throws WalletError `INVALID_REQUEST` for fields that contradict each other
   * @throws RefusedError, ExecutionRevertedError of the estimate
   */
  fill(request: EthereumRequest): EthereumTransactionFields {
    const { from, to, value = 0n, data = NO_BYTES, accessList, timeLimit } = request;
    const chainId = BigInt(this.#ledger.network.chainId);
    checkRequest(request, chainId);
    const fees = feesOf(request);
    const nonce = request.nonce ?? this.#ledger.pending.nonceOf(from);
    const gas =
      request.gas ??
      this.#ledger.pending.estimateTransaction({ from, to, value, data, accessList, timeLimit });
    const shared = { chainId, nonce, gas, to, value, data };
    if (fees.type === 'dynamicFee') return { ...shared, ...fees, accessList: accessList ?? [] };
    return accessList === undefined
      ? { ...shared, ...fees, type: 'legacy' }
      : { ...shared, ...fees, type: 'accessList', accessList };
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
   * Signs and sends a transaction, whose absent fields are filled in.
   *
   * @returns its hash, Keccak-256 of its bytes
   * @throws WalletError `UNKNOWN_ACCOUNT`, and what {@link EthereumWallet.fill} throws
   * @throws RefusedError of the ledger; nothing was sent then
   */
  sendTransaction(request: EthereumRequest): Hash {
    // Refuses a stranger before the estimate is paid for.
    const key = this.#keyOf(request.from);
    const raw = signEthereumTransaction(this.fill(request), key);
    return submitEthereum(this.#ledger, raw, { allowUnprotected: this.#allowUnprotected });
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

/** Refuses, with geth's words, what contradicts itself, before an estimate is paid for. */
function checkRequest({ to, data, chainId }: EthereumRequest, own: bigint): void {
  if (to === undefined && (data ?? NO_BYTES).length === 0) {
    throw invalid('contract creation without any data provided');
  }
  if (chainId !== undefined && chainId !== own) {
    throw invalid(`chainId does not match node's (have=${chainId}, want=${own})`);
  }
}

type Fees =
  | { readonly type: 'legacy' | 'accessList'; readonly gasPrice: bigint }
  | { readonly type: 'dynamicFee'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

function feesOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: EthereumRequest): Fees {
  if (gasPrice !== undefined) {
    if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) {
      throw invalid('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
    }
    return { type: 'legacy', gasPrice };
  }
  const tip = maxPriorityFeePerGas ?? 0n;
  const most = maxFeePerGas ?? BASE_FEES_OFFERED * WEI_PER_UNIT + tip;
  if (most < tip) throw invalid(`maxFeePerGas (${most}) < maxPriorityFeePerGas (${tip})`);
  return { type: 'dynamicFee', maxFeePerGas: most, maxPriorityFeePerGas: tip };
}

function invalid(message: string): WalletError {
  return new WalletError('INVALID_REQUEST', message);
}
