import { bytesToHex } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { type Alternatives, variant } from '../codec/structures.ts';
import { invariant } from '../errors.ts';
import { type AssetAmount, coreAmount } from '../objects/assets.ts';
import { type AccountId, accountAddress, type ContractId, contractAddress } from '../objects/identifiers.ts';
import type { Address } from '../values.ts';
import type { CarriedMessage, OperationPlaces } from './operation-description.ts';
import {
  type EthereumTransactionOperation,
  OPERATIONS,
  type Operation,
  type VirtualOperation,
} from './operations.ts';
import type { TestCall, TestWeiCall } from './test-calls.ts';

/** The description of an operation of whatever type. */
interface Description {
  readonly payer?: (operation: Operation) => AccountId;
  readonly cause?: (operation: Operation) => ContractId;
  readonly caller?: (operation: Operation) => Address;
  readonly sender?: (operation: Operation) => Address;
  readonly message?: (operation: Operation) => CarriedMessage;
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

/** What the native format calls an operation, such as `contract_call`. */
export function operationName({ type }: Operation): string {
  return OPERATIONS[type].codec.name;
}

/** The account that pays an operation's fee and signs for it; a virtual operation and a test call have none. */
export function feePayer(operation: Operation): AccountId | undefined {
  return descriptionOf(operation).payer?.(operation);
}

/** Whether only the ledger itself makes such operations: none of them is accepted in a submitted transaction. */
export function isVirtual(operation: Operation): operation is VirtualOperation {
  return descriptionOf(operation).cause !== undefined;
}

/** Whether an operation carries a transaction of Ethereum's. */
export function isEthereumTransaction(operation: Operation): operation is EthereumTransactionOperation {
  return operation.type === 'ethereumTransaction';
}

/** Whether nobody signs or pays for an operation: it is allowed on test chains only. */
export function isTestOperation(operation: Operation): operation is TestCall | TestWeiCall {
  return descriptionOf(operation).caller !== undefined;
}

/** The most gas that an operation may use: where it has a fee, the most that may be charged. */
export function gasLimit(operation: Operation): bigint {
  return 'fee' in operation ? operation.fee.amount : operation.gas;
}

/** Whether an operation has a limit of gas, of which the gas used counts. */
export function isMetered(operation: Operation): boolean {
  return descriptionOf(operation).isMetered === true;
}

/**
 * The address of the account that pays for an operation; of a virtual one, of the contract that caused it; of a test
 * call, of its caller; of one that carries a transaction, of who signed that.
 */
export function senderAddress(operation: Operation): Address {
  const { payer, cause, caller, sender } = descriptionOf(operation);
  if (payer !== undefined) return accountAddress(payer(operation));
  if (caller !== undefined) return caller(operation);
  if (sender !== undefined) return sender(operation);
  invariant(cause !== undefined, 'an operation has a payer, a caller or a cause');
  return contractAddress(cause(operation));
}

/** The address of an operation's receiver; undefined where nobody receives anything, or where it is not known yet. */
export function receiverAddress(operation: Operation, places: OperationPlaces): Address | undefined {
  const { receiver, message } = descriptionOf(operation);
  return message === undefined ? receiver?.(operation, places) : message(operation).to;
}

/** The amount that an operation moves to its receiver; undefined where it moves nothing. */
export function movedAmount(operation: Operation): MovedAmount | undefined {
  const { moves: field, message } = descriptionOf(operation);
  if (message !== undefined) return { field: 'raw', amount: coreAmount(message(operation).value) };
  if (field === undefined) return undefined;
  const amount = fieldOf<AssetAmount | bigint>(operation, field);
  return { field, amount: typeof amount === 'bigint' ? coreAmount(amount) : amount };
}

/** The Wei that an operation moves to its receiver, as far as its fields say so: 0 where it moves nothing. */
export function movedWei(operation: Operation, weiPerUnit: bigint): bigint {
  const units = movedAmount(operation)?.amount.amount ?? 0n;
  return units * weiPerUnit + (operation.type === 'testWeiCall' ? operation.dust : 0n);
}

/** The hexadecimal digits of an operation's code or call data, without prefix; empty where it has none. */
export function codeDigits(operation: Operation): string {
  const { code: field, message } = descriptionOf(operation);
  if (message !== undefined) return bytesToHex(message(operation).data);
  if (field === undefined) return '';
  const code = fieldOf<string | Uint8Array>(operation, field);
  return typeof code === 'string' ? code : bytesToHex(code);
}
