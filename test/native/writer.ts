import { createHash } from 'node:crypto';
import { signMessage } from './keys.ts';

/** The fields of every transaction except its operations. */
export interface TransactionFrame {
  /** Low 16 bits of the reference block's number. */
  readonly refBlockNum: number;
  /** Bytes 4 to 7 of the reference block's id, as a little-endian number. */
  readonly refBlockPrefix: number;
  /** Unix seconds. */
  readonly expiration: number;
}

/** A transfer of the core asset between accounts, which are given by their instances. */
export interface TransferFields {
  readonly fee?: bigint;
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  /** Instance of the asset of the amount. */
  readonly asset?: number;
}

/** The registration of an account whose active authority is one key; keys are 64 hex digits. */
export interface AccountCreateFields {
  readonly fee?: bigint;
  readonly registrar: number;
  readonly name: string;
  readonly activeKey: string;
  readonly consensusKey: string;
}

/** Least fees of the two operations. */
const TRANSFER_FEE = 20n;
const ACCOUNT_CREATE_FEE = 100n;

/** No extensions, or an optional value that is absent. */
const NOTHING = Buffer.from([0]);

/** Operation 0. */
export function transferBytes(fields: TransferFields): Buffer {
  return Buffer.concat([
    varint(0),
    assetAmount(fields.fee ?? TRANSFER_FEE),
    varint(fields.from),
    varint(fields.to),
    assetAmount(fields.amount, fields.asset),
    NOTHING,
  ]);
}

/** Operation 3, without an EVM address; the account delegates to its registrar. */
export function accountCreateBytes(fields: AccountCreateFields): Buffer {
  const name = Buffer.from(fields.name, 'utf8');
  return Buffer.concat([
    varint(3),
    assetAmount(fields.fee ?? ACCOUNT_CREATE_FEE),
    varint(fields.registrar),
    varint(name.length),
    name,
    uint(4, 1),
    NOTHING,
    varint(1),
    Buffer.from(fields.activeKey, 'hex'),
    uint(2, 1),
    Buffer.from(fields.consensusKey, 'hex'),
    NOTHING,
    varint(fields.registrar),
    uint(2, 0),
    NOTHING,
    NOTHING,
  ]);
}

/** A transaction without its signatures. */
export function transactionBytes(frame: TransactionFrame, operations: readonly Buffer[]): Buffer {
  return Buffer.concat([
    uint(2, frame.refBlockNum),
    uint(4, frame.refBlockPrefix),
    uint(4, frame.expiration),
    varint(operations.length),
    ...operations,
    NOTHING,
  ]);
}

/** A transaction with its signatures, one for each seed; the chain id is 64 hex digits. */
export function signedTransactionBytes(
  chainId: string,
  frame: TransactionFrame,
  operations: readonly Buffer[],
  seeds: readonly string[],
): Buffer {
  const transaction = transactionBytes(frame, operations);
  const digest = sha256(Buffer.concat([Buffer.from(chainId, 'hex'), transaction]));
  const signatures = seeds.map((seed) => signMessage(seed, digest));
  return Buffer.concat([transaction, varint(signatures.length), ...signatures, NOTHING]);
}

/** RIPEMD-160 of an operation in its transaction, 40 hex digits. */
export function operationHash(operation: Buffer, frame: TransactionFrame): string {
  return createHash('ripemd160')
    .update(operation)
    .update(uint(2, frame.refBlockNum))
    .update(uint(4, frame.refBlockPrefix))
    .update(uint(4, frame.expiration))
    .digest('hex');
}

function assetAmount(amount: bigint, asset = 0): Buffer {
  const written = Buffer.alloc(8);
  written.writeBigInt64LE(amount);
  return Buffer.concat([written, varint(asset)]);
}

function uint(size: number, value: number): Buffer {
  const written = Buffer.alloc(size);
  written.writeUIntLE(value, 0, size);
  return written;
}

/** Unsigned LEB128. */
function varint(value: number): Buffer {
  const written: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    written.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...written, rest]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
