import type { IncludedOperation, OperationReceipt, PendingOperation } from '../ledger/index.ts';
import {
  type Address,
  codeDigits,
  isEthereumTransaction,
  movedAmount,
  operationCodec,
  operationHash,
  operationName,
  operationResultCodec,
  pendingTransactionHash,
  type SignedTransaction,
  senderAddress,
  signedTransactionCodec,
  toJson,
} from '../protocol/index.ts';
import { placeOf } from './ethereum/transaction.ts';
import { data, type Hexadecimal, quantity } from './formatting.ts';
import {
  addressShape,
  arrayShape,
  dataShape,
  describedShape,
  flagShape,
  hashShape,
  namedShape,
  nullableShape,
  objectShape,
  quantityShape,
  type Shape,
  textShape,
  type ValueOf,
} from './shapes.ts';

/** JSON of the native format. */
const nativeShape: Shape<unknown> = { describe: () => ({}) };

const summaryFields = {
  type: describedShape(textShape, 'What the native format calls it, such as `transfer`.'),
  hash: describedShape(hashShape, 'As this profile shows it: of the included form once it is in a block.'),
  pendingHash: describedShape(hashShape, 'Of the pending form, which it keeps.'),
  ethereumHash: describedShape(nullableShape(hashShape), 'Of the Ethereum transaction that it carries.'),
  blockNumber: nullableShape(quantityShape),
  blockHash: nullableShape(hashShape),
  blockTimestamp: nullableShape(quantityShape),
  transactionIndex: describedShape(nullableShape(quantityShape), 'Position of the operation in the block.'),
  from: addressShape,
  to: nullableShape(addressShape),
  value: describedShape(quantityShape, 'What goes to the receiver: native units, on `/ethereum` wei.'),
  selector: describedShape(
    nullableShape(dataShape),
    'The first 4 bytes of the call data, where there are so many.',
  ),
  status: describedShape(nullableShape(quantityShape), '`0x1` success, `0x0` failure.'),
  gasUsed: nullableShape(quantityShape),
  contractAddress: describedShape(nullableShape(addressShape), 'The contract that was created.'),
};

export const listedOperationShape = namedShape(
  'ListedOperation',
  { title: 'operation of an address' },
  objectShape({
    ...summaryFields,
    isSender: describedShape(flagShape, 'Whether the address is its sender.'),
  }),
);

/** An operation with all its details. */
export const operationShape = namedShape(
  'Operation',
  { title: 'operation' },
  objectShape({
    ...summaryFields,
    addresses: describedShape(
      arrayShape(addressShape),
      'Those in whose lists it stands, its sender first; empty while it waits.',
    ),
    operation: describedShape(nativeShape, 'In its native form: number and fields.'),
    result: describedShape(nativeShape, 'In its native form: kind and value; null while it waits.'),
    transaction: describedShape(nativeShape, 'The signed transaction around it, in its native form.'),
  }),
);

export type ListedOperationObject = ValueOf<typeof listedOperationShape>;
export type OperationObject = ValueOf<typeof operationShape>;

type ReceiptOutcome = Pick<OperationReceipt, 'status' | 'gasUsed' | 'contractAddress'>;

/** Differences between the profiles. */
export interface OperationTerms {
  readonly hash: Hexadecimal;
  /** Units of the profile in a native unit. */
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
    pendingHash: data(
      pendingTransactionHash(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
    ),
    ethereumHash: isEthereumTransaction(operation) ? data(operation.innerTransaction.hash) : null,
    ...placeOf(found),
    from: data(senderAddress(operation)),
    to: to === undefined ? null : data(to),
    value: quantity(movedBy(found, perUnit)),
    selector: isCall ? (`0x${digits.slice(0, SELECTOR_DIGITS)}` as const) : null,
    status: receipt === undefined ? null : quantity(receipt.status === 'success' ? 1 : 0),
    gasUsed: receipt === undefined ? null : quantity(receipt.gasUsed),
    contractAddress: created === undefined ? null : data(created),
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

/** Maps an operation with all its details. @param transaction the one that has the operation */
export function toOperation(
  found: IncludedOperation | PendingOperation,
  transaction: SignedTransaction,
  receipt: ReceiptOutcome | undefined,
  addresses: readonly Address[],
  terms: OperationTerms,
): OperationObject {
  return {
    ...summaryOf(found, receipt, terms),
    addresses: addresses.map(data),
    operation: toJson(operationCodec, found.operation),
    result: found.kind === 'included' ? toJson(operationResultCodec, found.result) : null,
    transaction: toJson(signedTransactionCodec, transaction),
  };
}
