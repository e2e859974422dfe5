import { AMOUNT_MAX, ETHEREUM_TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import {
  type Address,
  BLOB_TYPE,
  bytesToHex,
  CORE_ASSET,
  coreAmount,
  DecodeError,
  type EthereumTransaction,
  EthereumTransactionOperation,
  equalBytes,
  FormatError,
  type Hash,
  isEthereumTransaction,
  isImpersonatedSignature,
  keccak256Part,
  type Operation,
  type OperationHash,
  ParsedTransaction,
  parseEthereumTransaction,
  recoverAuthority,
  recoverSender,
  type SignedTransaction,
  toOperationHash,
  UnsupportedTransactionTypeError,
} from '../../protocol/index.ts';
import type { SignatureChecks } from '../authorities/signature-checks.ts';
import type { BlobSchedule } from '../chain/ethereum-features.ts';
import { refuse } from '../errors/refusal.ts';

/** A chain's rules of Ethereum transactions. */
export interface EthereumRules {
  /** The chain id for which they must be signed. */
  readonly chainId: bigint;
  /** Gas limit of all operations of a block together, native ones included. */
  readonly blockGasLimit: bigint;
  /** Undefined: blob transactions are not supported. */
  readonly blobs?: BlobSchedule | undefined;
}

/** Operations that only some chains allow. */
export interface ChainOperations {
  /** True for a chain in test mode, which has test calls and impersonated senders. */
  readonly isTestChain: boolean;
  /** Rules of Ethereum transactions; undefined on chains without them. */
  readonly ethereum: EthereumRules | undefined;
}

/** The rules of a transaction with an Ethereum operation. */
export interface NativeFormRules extends ChainOperations {
  readonly signatures: Pick<SignatureChecks, 'senderOf'>;
}

/** The constant fields of the native transaction around an Ethereum transaction, so that its id cannot be varied. */
const NATIVE_FIELDS = {
  refBlockNum: 0,
  refBlockPrefix: 0,
  expiration: 0xffff_ffff,
  signatures: [],
  signedWithEchorandKey: false,
} as const;

/** Parses a transaction that will be submitted soon; undefined for bytes that `nativeTransactionOf` refuses. */
export function parseAhead(raw: Uint8Array): EthereumTransaction | undefined {
  if (raw.length > ETHEREUM_TRANSACTION_BYTES_MAX) return undefined;
  try {
    return parseEthereumTransaction(raw);
  } catch (error) {
    if (isInputError(error)) return undefined;
    throw error;
  }
}

/**
 * Makes the native transaction around an Ethereum transaction.
 * @param raw the signed transaction, as `eth_sendRawTransaction` takes it
 * @param impersonated sender of a transaction with the signature of an impersonated address
 * @param senderOf recovers the sender
 * @param parsed `raw`, if the caller has parsed it
 * @throws RefusedError for malformed bytes or an invalid signature
 */
export function nativeTransactionOf(
  raw: Uint8Array,
  impersonated?: Address,
  senderOf: (transaction: EthereumTransaction) => Address = recoverSender,
  parsed?: EthereumTransaction,
): SignedTransaction {
  if (raw.length > ETHEREUM_TRANSACTION_BYTES_MAX) {
    refuse({ code: 'ethereumTooLarge', bytes: raw.length, most: ETHEREUM_TRANSACTION_BYTES_MAX });
  }
  const innerTransaction = parsed ?? readable(() => parseEthereumTransaction(raw));
  const sender = impersonated ?? readable(() => senderOf(innerTransaction));
  const operation = new EthereumTransactionOperation(
    { fee: coreAmount(feeOf(innerTransaction)), sender, raw },
    { innerTransaction, signer: impersonated === undefined ? sender : undefined },
  );
  return new ParsedTransaction({ ...NATIVE_FIELDS, operations: [operation] });
}

/** Length of an operation's hash in the store's index, in bytes. */
const OPERATION_HASH_BYTES = 20;
const NONCE_BYTES = 8;

/** Returns the index key of an operation by the hash of its inner transaction. */
export function shortened(hash: Hash): OperationHash {
  return toOperationHash(hash.slice(0, OPERATION_HASH_BYTES));
}

/** Returns the index key of an operation by sender and nonce of its inner transaction. */
export function senderNonceHash({ sender, nonce }: SenderNonce): OperationHash {
  const preimage = new Uint8Array(sender.length + NONCE_BYTES);
  preimage.set(sender);
  new DataView(preimage.buffer).setBigUint64(sender.length, nonce);
  return toOperationHash(keccak256Part(preimage, 0, OPERATION_HASH_BYTES));
}

/** Returns the operation around an Ethereum transaction; undefined for any other transaction. */
export function ethereumOperationIn({
  operations,
}: Pick<SignedTransaction, 'operations'>): EthereumTransactionOperation | undefined {
  const [first] = operations;
  return first !== undefined && isEthereumTransaction(first) ? first : undefined;
}

/**
 * Returns the inner Ethereum transaction; undefined for any other transaction.
 * @throws RefusedError if it cannot be read
 */
export function innerTransactionOf(transaction: SignedTransaction): EthereumTransaction | undefined {
  const operation = ethereumOperationIn(transaction);
  return operation && readable(() => operation.innerTransaction);
}

/** Returns the inner Ethereum transaction; undefined for none, or for one that cannot be read. */
export function readInnerTransaction(transaction: SignedTransaction): EthereumTransaction | undefined {
  try {
    return ethereumOperationIn(transaction)?.innerTransaction;
  } catch (error) {
    if (isInputError(error)) return undefined;
    throw error;
  }
}

/** Returns the number of blobs of a transaction; 0 for one that cannot be read, which applying it rejects. */
export function blobsIn(transaction: SignedTransaction): number {
  if (ethereumOperationIn(transaction)?.raw[0] !== BLOB_TYPE) return 0;
  const innerTransaction = readInnerTransaction(transaction);
  return innerTransaction?.type === 'blob' ? innerTransaction.blobVersionedHashes.length : 0;
}

/** Returns the hash of a blob transaction; undefined for any other transaction. */
export function blobTransactionHash(transaction: SignedTransaction): Hash | undefined {
  const innerTransaction = readInnerTransaction(transaction);
  return innerTransaction?.type === 'blob' ? innerTransaction.hash : undefined;
}

/** Returns true for an inner transaction of an impersonated sender, which has no signature of a key. */
export function isImpersonated(operation: Operation): boolean {
  if (!isEthereumTransaction(operation)) return false;
  try {
    return isImpersonatedSignature(operation.innerTransaction, operation.sender);
  } catch (error) {
    if (isInputError(error)) return false;
    throw error;
  }
}

/** Returns the accounts whose authorizations an Ethereum transaction has (EIP-7702), in hexadecimal. */
export function authoritiesOf({ innerTransaction }: EthereumTransactionOperation): string[] {
  if (innerTransaction.type !== 'setCode') return [];
  const authorities = innerTransaction.authorizationList.map(recoverAuthority);
  return authorities.flatMap((authority) => (authority === undefined ? [] : [bytesToHex(authority)]));
}

/** Sender and nonce of an Ethereum transaction. */
export interface SenderNonce {
  readonly sender: Address;
  readonly nonce: bigint;
}

/** Returns sender and nonce of the inner Ethereum transaction; undefined for any other transaction. */
export function senderNonceOf(transaction: SignedTransaction): SenderNonce | undefined {
  const operation = ethereumOperationIn(transaction);
  if (operation === undefined) return undefined;
  return { sender: operation.sender, nonce: operation.innerTransaction.nonce };
}

/**
 * Checks the only valid form of a transaction with an Ethereum operation, and that the inner transaction was signed by
 * its sender for this chain.
 * @param chain its `ethereum` is undefined on a chain without Ethereum; only test chains have impersonated senders
 * @throws RefusedError
 */
export function checkNativeForm(
  transaction: SignedTransaction,
  { ethereum: rules, isTestChain, signatures }: NativeFormRules,
): void {
  if (rules === undefined) refuse({ code: 'noEthereum' });
  const operation = ethereumOperationIn(transaction);
  if (operation === undefined || transaction.operations.length > 1) {
    refuse({ code: 'wrongNativeForm', detail: 'it has another operation' });
  }
  if (transaction.signatures.length > 0) refuse({ code: 'wrongNativeForm', detail: 'it has signatures' });
  for (const field of ['refBlockNum', 'refBlockPrefix', 'expiration'] as const) {
    if (transaction[field] === NATIVE_FIELDS[field]) continue;
    refuse({
      code: 'wrongNativeForm',
      detail: `${field} is ${transaction[field]}, not ${NATIVE_FIELDS[field]}`,
    });
  }
  const { raw, sender, fee } = operation;
  if (raw.length > ETHEREUM_TRANSACTION_BYTES_MAX) {
    refuse({ code: 'ethereumTooLarge', bytes: raw.length, most: ETHEREUM_TRANSACTION_BYTES_MAX });
  }
  const innerTransaction = readable(() => operation.innerTransaction);
  if (fee.assetId !== CORE_ASSET || fee.amount !== feeOf(innerTransaction)) {
    refuse({
      code: 'wrongNativeForm',
      detail: `the fee is ${fee.amount}, and it offers ${innerTransaction.gas} gas`,
    });
  }
  checkBlobs(operation, rules);
  if (innerTransaction.chainId !== undefined && innerTransaction.chainId !== rules.chainId) {
    refuse({ code: 'wrongChainId', have: innerTransaction.chainId, want: rules.chainId });
  }
  if (isTestChain && isImpersonated(operation)) return;
  operation.recoveredSigner ??= readable(() => signatures.senderOf(innerTransaction));
  if (!equalBytes(operation.recoveredSigner, sender)) {
    refuse({ code: 'wrongNativeForm', detail: 'another one than its sender signed it' });
  }
}

/** Refuses the bytes of a blob transaction, in any form, on a chain without blobs. Throws `RefusedError`. */
export function refuseUnsupportedBlobs(raw: Uint8Array, { blobs }: Pick<EthereumRules, 'blobs'>): void {
  if (raw[0] !== BLOB_TYPE || blobs !== undefined) return;
  refuse({ code: 'ethereumMalformed', detail: new UnsupportedTransactionTypeError(BLOB_TYPE).message });
}

/** Checks that the chain has blobs, and that a block can take all of a transaction. Throws `RefusedError`. */
function checkBlobs({ raw, innerTransaction }: EthereumTransactionOperation, { blobs }: EthereumRules): void {
  refuseUnsupportedBlobs(raw, { blobs });
  if (blobs === undefined || innerTransaction.type !== 'blob') return;
  const { length: count } = innerTransaction.blobVersionedHashes;
  if (count > blobs.max) refuse({ code: 'tooManyBlobs', count, most: blobs.max });
}

/** Returns the offered gas, clamped to an amount: a greater offer is rejected anyway. */
function feeOf({ gas }: EthereumTransaction): bigint {
  return gas > AMOUNT_MAX ? AMOUNT_MAX : gas;
}

/** Reads untrusted bytes; an error becomes a rejection. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isInputError(error)) throw error;
    return refuse({ code: 'ethereumMalformed', detail: error.message });
  }
}

/** Returns true for an error in the bytes of a transaction. */
function isInputError(error: unknown): error is Error {
  return (
    error instanceof UnsupportedTransactionTypeError ||
    error instanceof FormatError ||
    error instanceof DecodeError
  );
}
