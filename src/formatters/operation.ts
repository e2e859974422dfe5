import type { IncludedOperation, OperationReceipt, PendingOperation } from '../ledger/index.ts';
import {
  type Address,
  codeDigits,
  type Hexadecimal,
  isEthereumTransaction,
  movedAmount,
  operationCodec,
  operationHash,
  operationName,
  operationResultCodec,
  pendingTransactionHash,
  quantity,
  type SignedTransaction,
  senderAddress,
  signedTransactionCodec,
  toJson,
  toPrefixedHex,
} from '../protocol/index.ts';
import { positionFields, receiverShape } from './objects.ts';
import type { ValueOf } from './shapes.ts';
import * as shape from './shapes.ts';
import { positionOf } from './transaction.ts';

const summaryFields = {
  type: shape.described(shape.text, 'Name of the native operation, such as `transfer`.'),
  hash: shape.described(shape.hash, 'Hash in this profile: of the included form once it is in a block.'),
  pendingHash: shape.described(shape.hash, 'Hash of the pending form, which never changes.'),
  ethereumHash: shape.described(shape.nullable(shape.hash), 'Hash of the Ethereum transaction in it.'),
  ...positionFields,
  from: shape.address,
  to: receiverShape,
  value: shape.described(shape.quantity, 'Amount for the receiver: native units, on `/ethereum` wei.'),
  selector: shape.described(shape.nullable(shape.data), 'First 4 bytes of the call data.'),
  status: shape.described(shape.nullable(shape.quantity), '`0x1` success, `0x0` failure.'),
  gasUsed: shape.nullable(shape.quantity),
  contractAddress: shape.described(shape.nullable(shape.address), 'Address of the created contract.'),
};

export const listedOperationShape = shape.named(
  'ListedOperation',
  { title: 'operation of an address' },
  shape.object({
    ...summaryFields,
    isSender: shape.described(shape.flag, 'True if the address is its sender.'),
  }),
);

export const operationShape = shape.named(
  'Operation',
  { title: 'operation' },
  shape.object({
    ...summaryFields,
    addresses: shape.described(
      shape.array(shape.address),
      'Addresses whose lists have the operation, its sender first; empty while it is pending.',
    ),
    operation: shape.described(shape.anything, 'The native form: number and fields.'),
    result: shape.described(shape.anything, 'The native form: kind and value; null while it is pending.'),
    transaction: shape.described(
      shape.anything,
      'The signed transaction that contains it, in its native form.',
    ),
  }),
);

export type ListedOperationObject = ValueOf<typeof listedOperationShape>;
export type OperationObject = ValueOf<typeof operationShape>;

type ReceiptOutcome = Pick<OperationReceipt, 'status' | 'gasUsed' | 'contractAddress'>;

/** Values that differ between the profiles. */
export interface OperationTerms {
  readonly hash: Hexadecimal;
  /** Value of a native unit in the unit of the profile. */
  readonly perUnit: bigint;
}

const SELECTOR_DIGITS = 8;

function summaryOf(
  found: IncludedOperation | PendingOperation,
  receipt: ReceiptOutcome | undefined,
  { hash, perUnit }: OperationTerms,
) {
  const { operation, to, transaction } = found;
  const { refBlockNum, refBlockPrefix, expiration } = transaction;
  const digits = codeDigits(operation).toLowerCase();
  const isCall = to !== undefined && digits.length >= SELECTOR_DIGITS;
  const created = receipt?.contractAddress;
  return {
    type: operationName(operation),
    hash,
    pendingHash: toPrefixedHex(
      pendingTransactionHash(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
    ),
    ethereumHash: isEthereumTransaction(operation) ? toPrefixedHex(operation.innerTransaction.hash) : null,
    ...positionOf(found),
    from: toPrefixedHex(senderAddress(operation)),
    to: to === undefined ? null : toPrefixedHex(to),
    value: quantity(movedBy(found, perUnit)),
    selector: isCall ? (`0x${digits.slice(0, SELECTOR_DIGITS)}` as const) : null,
    status: receipt === undefined ? null : quantity(receipt.status === 'success' ? 1 : 0),
    gasUsed: receipt === undefined ? null : quantity(receipt.gasUsed),
    contractAddress: created === undefined ? null : toPrefixedHex(created),
  };
}

/** Returns the amount for the receiver: an Ethereum transaction may move fractions of native units. */
function movedBy({ operation }: IncludedOperation | PendingOperation, perUnit: bigint): bigint {
  if (perUnit !== 1n && isEthereumTransaction(operation)) return operation.innerTransaction.value;
  return (movedAmount(operation)?.amount.amount ?? 0n) * perUnit;
}

/** Maps an operation to its entry in the list of an address. */
export function toListedOperation(
  operation: IncludedOperation,
  receipt: ReceiptOutcome | undefined,
  terms: OperationTerms,
  isSender: boolean,
): ListedOperationObject {
  return { ...summaryOf(operation, receipt, terms), isSender };
}

/** Maps an operation with all its details. @param transaction transaction that contains it */
export function toOperation(
  found: IncludedOperation | PendingOperation,
  transaction: SignedTransaction,
  receipt: ReceiptOutcome | undefined,
  addresses: readonly Address[],
  terms: OperationTerms,
): OperationObject {
  return {
    ...summaryOf(found, receipt, terms),
    addresses: addresses.map(toPrefixedHex),
    operation: toJson(operationCodec, found.operation),
    result: found.kind === 'included' ? toJson(operationResultCodec, found.result) : null,
    transaction: toJson(signedTransactionCodec, transaction),
  };
}
