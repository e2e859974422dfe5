import { type Address, bytesToHex } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { type Alternatives, variant } from '../codec/structures.ts';
import { type AccountId, accountAddress, contractAddress } from '../objects/identifiers.ts';
import { type AssetAmount, coreAmount } from '../objects/value-codecs.ts';
import { invariant } from '../protocol-errors.ts';
import type {
  OperationDescription,
  ReceiverLookup,
  TestOperationDescription,
  VirtualOperationDescription,
  WrapperOperationDescription,
} from './operation-description.ts';
import {
  type EthereumTransactionOperation,
  OPERATIONS,
  type Operation,
  type VirtualOperation,
} from './operations.ts';
import type { TestCall, TestWeiCall } from './test-calls.ts';

type Description = Partial<
  OperationDescription<Operation> &
    VirtualOperationDescription<Operation> &
    WrapperOperationDescription<Operation> &
    TestOperationDescription<Operation>
>;

/** An amount moved to the receiver of an operation. */
export interface MovedAmount {
  readonly field: string;
  readonly amount: AssetAmount;
}

export const operationCodec: Codec<Operation> = variant<Operation>(
  'operation',
  // The table has every type with its codec.
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([type, { number, codec }]) => [type, [number, codec]]),
  ) as unknown as Alternatives<Operation>,
);

/** Returns the description of an operation's type. TypeScript cannot infer that both belong together. */
function descriptionOf(operation: Operation): Description {
  return OPERATIONS[operation.type] as unknown as Description;
}

/** Returns a field that the operation's description names; the table's types ensure that it exists. */
function fieldOf<Value>(operation: Operation, name: string): Value {
  return (operation as unknown as Readonly<Record<string, Value>>)[name] as Value;
}

/** Returns the native format's name of an operation, such as `contract_call`. */
export function operationName({ type }: Operation): string {
  return OPERATIONS[type].codec.name;
}

/** Returns the account that pays an operation's fee and signs it; virtual operations and test calls have none. */
export function feePayer(operation: Operation): AccountId | undefined {
  return descriptionOf(operation).payer?.(operation);
}

/** Returns true for operations that only the ledger creates: none is accepted in a submitted transaction. */
export function isVirtual(operation: Operation): operation is VirtualOperation {
  return descriptionOf(operation).cause !== undefined;
}

/** Returns true if an operation contains an Ethereum transaction. */
export function isEthereumTransaction(operation: Operation): operation is EthereumTransactionOperation {
  return operation.type === 'ethereumTransaction';
}

/** Returns true for an operation without signer and payer: on test chains only. */
export function isTestOperation(operation: Operation): operation is TestCall | TestWeiCall {
  return descriptionOf(operation).caller !== undefined;
}

/** Returns an operation's gas limit: its fee, if any, is the most that may be charged. */
export function gasLimit(operation: Operation): bigint {
  return 'fee' in operation ? operation.fee.amount : operation.gas;
}

/** Returns true if an operation has a gas limit, of which the used gas counts. */
export function isMetered(operation: Operation): boolean {
  return descriptionOf(operation).isMetered === true;
}

/**
 * Returns the address of an operation's payer, or else of the contract that caused it, of its caller, or of its signer.
 */
export function senderAddress(operation: Operation): Address {
  const { payer, cause, caller, sender } = descriptionOf(operation);
  if (payer !== undefined) return accountAddress(payer(operation));
  if (caller !== undefined) return caller(operation);
  if (sender !== undefined) return sender(operation);
  invariant(cause !== undefined, 'an operation has a payer, a caller or a cause');
  return contractAddress(cause(operation));
}

/** Returns the address of an operation's receiver; undefined without one, or while it is unknown. */
export function receiverAddress(operation: Operation, lookup: ReceiverLookup): Address | undefined {
  const { receiver, message } = descriptionOf(operation);
  return message === undefined ? receiver?.(operation, lookup) : message(operation).to;
}

/** Returns the amount moved to the receiver; undefined for none. */
export function movedAmount(operation: Operation): MovedAmount | undefined {
  const { moves: field, message } = descriptionOf(operation);
  if (message !== undefined) return { field: 'raw', amount: coreAmount(message(operation).value) };
  if (field === undefined) return undefined;
  const amount = fieldOf<AssetAmount | bigint>(operation, field);
  return { field, amount: typeof amount === 'bigint' ? coreAmount(amount) : amount };
}

/** Returns the wei moved to the receiver, according to the fields: 0 for none. */
export function movedWei(operation: Operation, weiPerUnit: bigint): bigint {
  const units = movedAmount(operation)?.amount.amount ?? 0n;
  return units * weiPerUnit + (operation.type === 'testWeiCall' ? operation.dust : 0n);
}

/** Returns the hex digits of an operation's code or call data, without prefix; empty for none. */
export function codeDigits(operation: Operation): string {
  const { code: field, message } = descriptionOf(operation);
  if (message !== undefined) return bytesToHex(message(operation).data);
  if (field === undefined) return '';
  const code = fieldOf<string | Uint8Array>(operation, field);
  return typeof code === 'string' ? code : bytesToHex(code);
}
