import { PAGE_ROWS } from '../limits.ts';
import { feeOf, type Receipt, receiptOf, type Transaction, transactionOf } from './blocks.ts';
import {
  fieldsOf,
  type Hex,
  hexOf,
  hexOrNone,
  listOf,
  numberOf,
  optional,
  quantityOf,
  textOf,
} from './reading.ts';
import { call, profile } from './rpc.ts';

/** Characters of `0x` and the first four bytes of a call. */
const SELECTOR_CHARACTERS = 10;

/** An operation as lists show it. */
export interface ListedOperation {
  /** The ledger's name of the operation, such as `contract_call`; undefined where the list does not have it. */
  readonly type: string | undefined;
  readonly hash: Hex;
  readonly blockNumber: number | undefined;
  readonly timestamp: number | undefined;
  readonly from: Hex;
  readonly to: Hex | undefined;
  readonly value: bigint;
  /** The first four bytes of the call data. */
  readonly selector: Hex | undefined;
  /** Undefined while it waits. */
  readonly isSuccess: boolean | undefined;
  /** The contract that it created. */
  readonly contract: Hex | undefined;
  /** Undefined while it waits, and where the list does not have it. */
  readonly fee: bigint | undefined;
}

/** An operation with all that is known of it. */
export interface Operation extends ListedOperation {
  readonly type: string;
  readonly pendingHash: Hex;
  /** The hash of the Ethereum transaction that it carries. */
  readonly ethereumHash: Hex | undefined;
  /** Addresses that it involves. */
  readonly addresses: readonly Hex[];
  /** The ledger's own JSON: the operation, how it ended, and the signed transaction around it. */
  readonly native: { readonly operation: unknown; readonly result: unknown; readonly transaction: unknown };
}

/** Start of the next page of a list, as the node returned it. */
export type Place = unknown;

/** The operations of an address, the newest first. */
export interface OperationPage {
  readonly operations: readonly ListedOperation[];
  /** Undefined where there are no more. */
  readonly next: Place | undefined;
}

/** An operation by either of its hashes; undefined for none. @throws as `call` */
export async function operationOf(hash: Hex): Promise<Operation | undefined> {
  return optional(await call('ledger_getOperation', hash), (value) => {
    const fields = fieldsOf(value);
    const { operation, result, transaction } = fields;
    return {
      ...readListed(value),
      type: textOf(fields.type),
      pendingHash: hexOf(fields.pendingHash),
      ethereumHash: hexOrNone(fields.ethereumHash),
      addresses: listOf(fields.addresses).map(hexOf),
      native: { operation, result, transaction },
    };
  });
}

/**
 * Reads a page of the operations that involve an address.
 * @throws as `call`
 */
export async function operationsOf(address: Hex, before: Place | undefined): Promise<OperationPage> {
  const { operations, next } = fieldsOf(
    await call('ledger_getOperations', address, before ?? null, PAGE_ROWS),
  );
  return {
    operations: await Promise.all(listOf(operations).map(readListed).map(withFee)),
    next: next ?? undefined,
  };
}

/**
 * Returns an operation for a list; undefined for an unknown hash.
 * @throws as `call`
 */
export async function listedOf(hash: Hex): Promise<ListedOperation | undefined> {
  if ((await profile()) === 'ledger') {
    const operation = await operationOf(hash);
    return operation && withFee(operation);
  }
  const [transaction, receipt] = await Promise.all([transactionOf(hash), receiptOf(hash)]);
  return transaction && listedTransaction(transaction, receipt);
}

/** Returns the row of a transaction. */
export function listedTransaction(transaction: Transaction, receipt?: Receipt): ListedOperation {
  const { hash, blockNumber, timestamp, from, to, value, input, type, isSigned } = transaction;
  return {
    // Native operations have no form among Ethereum's transactions, but for their payments and calls.
    type: to === undefined && input === '0x' && !isSigned && type === 0 ? 'native_operation' : undefined,
    hash,
    blockNumber,
    timestamp,
    from,
    to,
    value,
    selector: input === '0x' ? undefined : (input.slice(0, SELECTOR_CHARACTERS) as Hex),
    isSuccess: receipt?.isSuccess,
    contract: receipt?.contract,
    fee: receipt && feeOf(receipt),
  };
}

async function withFee(operation: ListedOperation): Promise<ListedOperation> {
  const receipt = operation.isSuccess === undefined ? undefined : await receiptOf(operation.hash);
  return { ...operation, fee: receipt && feeOf(receipt) };
}

function readListed(value: unknown): ListedOperation {
  const fields = fieldsOf(value);
  return {
    type: optional(fields.type, textOf),
    hash: hexOf(fields.hash),
    blockNumber: optional(fields.blockNumber, numberOf),
    timestamp: optional(fields.blockTimestamp, numberOf),
    from: hexOf(fields.from),
    to: hexOrNone(fields.to),
    value: quantityOf(fields.value),
    selector: hexOrNone(fields.selector),
    isSuccess: optional(fields.status, (status) => quantityOf(status) === 1n),
    contract: hexOrNone(fields.contractAddress),
    fee: undefined,
  };
}
