import { type Alternatives, type Codec, variant } from '../codec/index.ts';
import { invariant } from '../errors.ts';
import {
  type AccountId,
  type AssetAmount,
  accountAddress,
  type ContractId,
  contractAddress,
} from '../objects/index.ts';
import type { Address } from '../values.ts';
import type { OperationPlaces } from './operation-description.ts';
import { OPERATIONS, type Operation, type VirtualOperation } from './operations.ts';

/** The description of an operation of whatever type. */
interface Description {
  readonly payer?: (operation: Operation) => AccountId;
  readonly cause?: (operation: Operation) => ContractId;
  readonly receiver?: (operation: Operation, places: OperationPlaces) => Address | undefined;
  readonly moves?: string;
  readonly code?: string;
  readonly isMetered?: true;
}

/** An amount that an operation moves to its receiver. */
export interface MovedAmount {
  /** The field that says so. */
  readonly field: string;
  readonly amount: AssetAmount;
}

/** An operation with its leading number. */
export const operationCodec: Codec<Operation> = variant<Operation>(
  'operation',
  // The table has every type, each with the codec of its own.
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([type, { number, codec }]) => [type, [number, codec]]),
  ) as unknown as Alternatives<Operation>,
);

/** The table describes a type by its own operations, which TypeScript can't see through a look-up. */
function descriptionOf(operation: Operation): Description {
  return OPERATIONS[operation.type] as unknown as Description;
}

/** A field that the description of the operation names, and that the table's types say is there. */
function fieldOf<Value>(operation: Operation, name: string): Value {
  return (operation as unknown as Readonly<Record<string, Value>>)[name] as Value;
}

/** The account that pays an operation's fee and signs for it; a virtual operation has none. */
export function feePayer(operation: Operation): AccountId | undefined {
  return descriptionOf(operation).payer?.(operation);
}

/** Whether only the ledger itself makes such operations: none of them is accepted in a submitted transaction. */
export function isVirtual(operation: Operation): operation is VirtualOperation {
  return descriptionOf(operation).cause !== undefined;
}

/** Whether an operation's fee is a limit of gas, of which the gas used is charged. */
export function isMetered(operation: Operation): boolean {
  return descriptionOf(operation).isMetered === true;
}

/** The address of the account that pays for an operation; of a virtual one, of the contract that caused it. */
export function senderAddress(operation: Operation): Address {
  const { payer, cause } = descriptionOf(operation);
  if (payer !== undefined) return accountAddress(payer(operation));
  invariant(cause !== undefined, 'an operation has a payer or a cause');
  return contractAddress(cause(operation));
}

/** The address of an operation's receiver; undefined where nobody receives anything, or where it is not known yet. */
export function receiverAddress(operation: Operation, places: OperationPlaces): Address | undefined {
  return descriptionOf(operation).receiver?.(operation, places);
}

/** The amount that an operation moves to its receiver; undefined where it moves nothing. */
export function movedAmount(operation: Operation): MovedAmount | undefined {
  const { moves: field } = descriptionOf(operation);
  return field === undefined ? undefined : { field, amount: fieldOf<AssetAmount>(operation, field) };
}

/** The hexadecimal digits of an operation's code or call data, without prefix; empty where it has none. */
export function codeDigits(operation: Operation): string {
  const { code: field } = descriptionOf(operation);
  return field === undefined ? '' : fieldOf<string>(operation, field);
}
