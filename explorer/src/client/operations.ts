import { PAGE_ROWS } from '../limits.ts';
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
import { call } from './rpc.ts';

/** An operation as the list of an address has it. */
export interface ListedOperation {
  /** The ledger's name of the operation, such as `contract_call`. */
  readonly type: string;
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
}

/** An operation with all that is known of it. */
export interface Operation extends ListedOperation {
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
  return { operations: listOf(operations).map(readListed), next: next ?? undefined };
}

function readListed(value: unknown): ListedOperation {
  const fields = fieldsOf(value);
  return {
    type: textOf(fields.type),
    hash: hexOf(fields.hash),
    blockNumber: optional(fields.blockNumber, numberOf),
    timestamp: optional(fields.blockTimestamp, numberOf),
    from: hexOf(fields.from),
    to: hexOrNone(fields.to),
    value: quantityOf(fields.value),
    selector: hexOrNone(fields.selector),
    isSuccess: optional(fields.status, (status) => quantityOf(status) === 1n),
    contract: hexOrNone(fields.contractAddress),
  };
}
