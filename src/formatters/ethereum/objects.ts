import { bloomShape, commonHeaderFields, commonReceiptFields, receiverShape } from '../objects.ts';
import type { Shape, ValueOf } from '../shapes.ts';
import * as shape from '../shapes.ts';

/** An access list (EIP-2930). */
export const accessListShape = shape.array(
  shape.object({ address: shape.address, storageKeys: shape.array(shape.hash) }),
);

/** A list of authorizations (EIP-7702). */
const authorizationListShape = shape.array(
  shape.object({
    chainId: shape.described(shape.quantity, '0 for every chain.'),
    address: shape.described(shape.address, 'The account whose code runs; zero to remove a delegation.'),
    nonce: shape.quantity,
    yParity: shape.quantity,
    r: shape.quantity,
    s: shape.quantity,
  }),
);

const positionFields = {
  blockHash: shape.hash,
  blockNumber: shape.quantity,
  blockTimestamp: shape.described(shape.quantity, 'Unix time of the block in seconds.'),
  transactionIndex: shape.quantity,
};

const pendingPositionFields = {
  blockHash: shape.null,
  blockNumber: shape.null,
  blockTimestamp: shape.null,
  transactionIndex: shape.null,
};

const nameFields = { hash: shape.hash, from: shape.address };

const messageFields = {
  nonce: shape.quantity,
  gas: shape.quantity,
  to: receiverShape,
  value: shape.described(shape.quantity, 'Amount for the receiver in wei.'),
  input: shape.data,
};

const feeMarketFields = {
  ...messageFields,
  gasPrice: shape.described(shape.quantity, 'Paid price; of a pending transaction the fee cap.'),
  maxFeePerGas: shape.quantity,
  maxPriorityFeePerGas: shape.quantity,
  chainId: shape.quantity,
  accessList: accessListShape,
};

const typeFields = {
  legacy: {
    type: shape.constant('0x0'),
    ...messageFields,
    gasPrice: shape.quantity,
    chainId: shape.optional(shape.described(shape.quantity, 'Absent without replay protection (EIP-155).')),
  },
  accessList: {
    type: shape.constant('0x1'),
    ...messageFields,
    gasPrice: shape.quantity,
    chainId: shape.quantity,
    accessList: accessListShape,
  },
  dynamicFee: { type: shape.constant('0x2'), ...feeMarketFields },
  blob: {
    type: shape.constant('0x3'),
    ...feeMarketFields,
    to: shape.address,
    maxFeePerBlobGas: shape.quantity,
    blobVersionedHashes: shape.array(shape.hash),
  },
  setCode: {
    type: shape.constant('0x4'),
    ...feeMarketFields,
    authorizationList: authorizationListShape,
  },
};

const numberFields = { v: shape.quantity, r: shape.quantity, s: shape.quantity };
const signatureFields = { yParity: shape.quantity, ...numberFields };

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** Describes a signed transaction of any type, with further fields. */
function signedShapes<const F extends Fields>(name: string, further: F) {
  const shapeOf = <const T extends Fields>(type: number, fields: T) =>
    shape.named(
      `${name}Type${type}`,
      { title: `transaction of type ${type}` },
      shape.object({ ...further, ...fields }),
    );
  const legacy = shapeOf(0, { ...typeFields.legacy, ...numberFields });
  const accessList = shapeOf(1, { ...typeFields.accessList, ...signatureFields });
  const dynamicFee = shapeOf(2, { ...typeFields.dynamicFee, ...signatureFields });
  const blob = shapeOf(3, { ...typeFields.blob, ...signatureFields });
  const setCode = shapeOf(4, { ...typeFields.setCode, ...signatureFields });
  const priced = shape.either(dynamicFee, shape.either(blob, setCode));
  return shape.either(shape.either(legacy, accessList), priced);
}

export const includedTransactionShape = signedShapes('Transaction', { ...positionFields, ...nameFields });

export const pendingTransactionShape = signedShapes('PendingTransaction', {
  ...pendingPositionFields,
  ...nameFields,
});

export const ethereumTransactionShape = shape.either(includedTransactionShape, pendingTransactionShape);

export const signedTransactionShape = signedShapes('SignedTransaction', {});

export const filledTransactionShape = shape.either(
  shape.either(shape.object(typeFields.legacy), shape.object(typeFields.accessList)),
  shape.either(
    shape.object(typeFields.dynamicFee),
    shape.either(shape.object(typeFields.blob), shape.object(typeFields.setCode)),
  ),
);

/** Returns the shape of a field that the pending block lacks. */
const nullWhilePending = <T>(field: Shape<T>) =>
  shape.described(shape.nullable(field), 'Null for the block `pending`.');

const headerFields = {
  ...commonHeaderFields,
  hash: nullWhilePending(shape.hash),
  nonce: nullWhilePending(shape.bytes('BlockNonce', 8)),
  miner: nullWhilePending(shape.address),
  sha3Uncles: shape.described(shape.hash, 'The hash of an empty list.'),
  logsBloom: bloomShape,
  extraData: shape.data,
  gasLimit: shape.described(shape.quantity, 'The limit that contracts see as GASLIMIT.'),
  gasUsed: shape.quantity,
  baseFeePerGas: shape.quantity,
  withdrawalsRoot: shape.optional(
    shape.described(shape.hash, 'The root without withdrawals, since Shanghai.'),
  ),
  blobGasUsed: shape.optional(shape.quantity),
  excessBlobGas: shape.optional(shape.quantity),
  parentBeaconBlockRoot: shape.optional(shape.described(shape.hash, 'Always zero, since Cancun.')),
  requestsHash: shape.optional(shape.described(shape.hash, 'The hash without requests, since Prague.')),
};

/** A withdrawal (EIP-4895), which only simulated blocks have. */
const withdrawalShape = shape.object({
  index: shape.quantity,
  validatorIndex: shape.quantity,
  address: shape.address,
  amount: shape.described(shape.quantity, 'In gwei.'),
});

/** Header object: a block without its transactions. */
export const ethereumHeaderShape = shape.named(
  'Header',
  { title: 'header object' },
  shape.object(headerFields),
);

/** Describes a block object with the given shape of `transactions`, and further fields. */
export function blockShapeWith<T, const F extends Fields>(transactions: Shape<T>, further: F) {
  return shape.object({
    ...headerFields,
    size: shape.described(shape.quantity, 'Bytes of the serialized native block.'),
    uncles: shape.emptyArray,
    withdrawals: shape.optional(shape.array(withdrawalShape)),
    transactions,
    ...further,
  });
}

export const ethereumBlockShape = shape.named(
  'Block',
  { title: 'block object' },
  blockShapeWith(shape.either(shape.array(shape.hash), shape.array(includedTransactionShape)), {}),
);

export const ethereumReceiptShape = shape.named(
  'Receipt',
  { title: 'receipt object' },
  shape.object({
    ...commonReceiptFields,
    blockTimestamp: shape.described(shape.quantity, 'Unix time of the block in seconds.'),
    type: shape.quantity,
    from: shape.address,
    cumulativeGasUsed: shape.described(shape.quantity, 'Gas that the block used up to this transaction.'),
    gasUsed: shape.quantity,
    effectiveGasPrice: shape.quantity,
    blobGasUsed: shape.optional(shape.described(shape.quantity, 'Of a transaction with blobs.')),
    blobGasPrice: shape.optional(shape.described(shape.quantity, 'Of a transaction with blobs.')),
  }),
);

export type AuthorizationObjects = ValueOf<typeof authorizationListShape>;
export type SignedTransactionObject = ValueOf<typeof signedTransactionShape>;
export type FilledTransactionObject = ValueOf<typeof filledTransactionShape>;
export type EthereumTransactionObject = ValueOf<typeof ethereumTransactionShape>;
export type EthereumHeaderObject = ValueOf<typeof ethereumHeaderShape>;
export type EthereumBlockObject = ValueOf<typeof ethereumBlockShape>;
export type EthereumReceiptObject = ValueOf<typeof ethereumReceiptShape>;
