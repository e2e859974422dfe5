import {
  bytesToHex,
  decode,
  encode,
  FormatError,
  formatTime,
  fromJson,
  hexToBytes,
  operationHash,
  parseTime,
  pendingTransactionHash,
  type SignedTransaction,
  signedTransactionCodec,
  toHash,
  toJson,
  toPrefixedHex,
  toSignature,
  transactionDigest,
  transactionId,
} from '../protocol/index.ts';
import { readOperation } from './operation-form.ts';
import type { Operation } from './operations.ts';
import { type BlockReference, type PrivateKey, readReference } from './reference.ts';

/** Default seconds from the reference block to the expiration of a native transaction. */
const NATIVE_EXPIRATION_SECONDS = 600;

export interface TransactionFields {
  /** At least one. */
  readonly operations: readonly Operation[];
  /** A recent block: the result of `eth_getBlockByNumber`, its hash, or its 20-byte id. */
  readonly referenceBlock: BlockReference;
  /**
   * End of its validity: Unix seconds, a date, or `YYYY-MM-DDTHH:MM:SS` in UTC, after the head block's time and at most
   * 24 h after it. Absent: ten minutes after the reference block, which then must be a block with its time stamp.
   */
  readonly expiration?: number | Date | string | undefined;
}

/**
 * A native transaction with its signatures so far. It is immutable: signing returns another one. Invalid input throws
 * an error with the code `FORMAT`, or for bytes `DECODE`, that states the problem and its position.
 */
export class Transaction {
  readonly #signed: SignedTransaction;

  private constructor(signed: SignedTransaction) {
    this.#signed = signed;
  }

  /** Creates an unsigned transaction. */
  static create({ operations, referenceBlock, expiration }: TransactionFields): Transaction {
    if (operations.length === 0) throw new FormatError('transaction.operations', 'must not be empty');
    const reference = readReference(referenceBlock);
    const transaction = {
      refBlockNum: reference.refBlockNum,
      refBlockPrefix: reference.refBlockPrefix,
      expiration: readExpiration(expiration, reference.timestamp),
      operations: operations.map((input, index) => readOperation(input, `transaction.operations[${index}]`)),
      signatures: [],
      signedWithEchorandKey: false,
    };
    return Transaction.fromBytes(encode(signedTransactionCodec, transaction));
  }

  /** Reads a JSON form, with the names of the native format; without `signatures` it has none. */
  static fromJSON(json: object): Transaction {
    const unsigned = { signatures: [], signed_with_echorand_key: false };
    return new Transaction(fromJson(signedTransactionCodec, { ...unsigned, ...json }));
  }

  /** Reads the output of `toBytes`. */
  static fromBytes(bytes: Uint8Array): Transaction {
    return new Transaction(decode(signedTransactionCodec, bytes));
  }

  /** Reads the output of `toHex`, with or without `0x`. */
  static fromHex(text: string): Transaction {
    return Transaction.fromBytes(hexToBytes(text.replace(/^0x/, ''), 'transaction'));
  }

  /** Returns the transaction with one more signature. `chainId` is the native one, from `ledger_getChain`. */
  sign(key: PrivateKey, chainId: string): Transaction {
    const signature = toSignature(key.sign(hexToBytes(this.digest(chainId).slice('0x'.length))));
    return new Transaction({ ...this.#signed, signatures: [...this.#signed.signatures, signature] });
  }

  /** Computes the signed digest: SHA-256 of the chain id and the unsigned transaction. */
  digest(chainId: string): string {
    const bytes = hexToBytes(chainId.replace(/^0x/, ''), 'chain id');
    if (bytes.length !== 32) throw new FormatError('chain id', `must have 32 bytes, not ${bytes.length}`);
    return toPrefixedHex(transactionDigest(toHash(bytes), this.#signed));
  }

  /** SHA-256 of the unsigned transaction, which identifies it on the ledger independently of its signatures. */
  get id(): string {
    return toPrefixedHex(transactionId(this.#signed));
  }

  /** The 20-byte hash of each operation. */
  get operationHashes(): readonly string[] {
    return this.#hashes().map(toPrefixedHex);
  }

  /**
   * The transaction hash of each operation while it is pending. In a block it has another one, which also ends with the
   * operation's hash.
   */
  get pendingHashes(): readonly string[] {
    return this.#hashes().map((hash) => toPrefixedHex(pendingTransactionHash(hash)));
  }

  #hashes() {
    const { operations, refBlockNum, refBlockPrefix, expiration } = this.#signed;
    return operations.map((operation) => operationHash(operation, refBlockNum, refBlockPrefix, expiration));
  }

  /** End of its validity in Unix seconds. */
  get expiration(): number {
    return this.#signed.expiration;
  }

  /** Its signatures, 128 hexadecimal digits each. */
  get signatures(): readonly string[] {
    return this.#signed.signatures.map(bytesToHex);
  }

  /** Its JSON form. */
  toJSON(): object {
    return toJson(signedTransactionCodec, this.#signed) as object; // a structure is an object
  }

  /** Its bytes, signatures included. */
  toBytes(): Uint8Array {
    return encode(signedTransactionCodec, this.#signed);
  }

  /** Returns `0x` and the digits of its bytes, for `eth_sendRawTransaction`. */
  toHex(): `0x${string}` {
    return toPrefixedHex(this.toBytes());
  }
}

function readExpiration(expiration: TransactionFields['expiration'], blockTime: number | undefined): number {
  const field = 'transaction.expiration';
  if (typeof expiration === 'string') return parseTime(expiration, field);
  const given = expiration instanceof Date ? Math.floor(expiration.getTime() / 1_000) : expiration;
  const seconds = given ?? (blockTime === undefined ? undefined : blockTime + NATIVE_EXPIRATION_SECONDS);
  if (seconds === undefined) throw new FormatError(field, 'is needed where the block is named by its hash');
  const isTime = Number.isInteger(seconds) && seconds >= 0;
  return isTime ? parseTime(formatTime(seconds), field) : parseTime(String(seconds), field);
}
