import { bloomShape, logShape } from '../objects.ts';
import type { Shape, ValueOf } from '../shapes.ts';
import * as shape from '../shapes.ts';

const receiverShape = shape.described(shape.nullable(shape.address), 'Null for a creation.');
const accessListShape = shape.array(
  shape.object({ address: shape.address, storageKeys: shape.array(shape.hash) }),
);

/** Position of an included transaction. */
const placeFields = {
  blockHash: shape.hash,
  blockNumber: shape.quantity,
  blockTimestamp: shape.described(shape.quantity, 'Unix time of the block in seconds.'),
  transactionIndex: shape.quantity,
};

/** Position of a pending transaction. */
const noPlaceFields = {
  blockHash: shape.null,
  blockNumber: shape.null,
  blockTimestamp: shape.null,
  transactionIndex: shape.null,
};

const nameFields = { hash: shape.hash, from: shape.address };

/** Fields of transactions of all types. */
const messageFields = {
  nonce: shape.quantity,
  gas: shape.quantity,
  to: receiverShape,
  value: shape.described(shape.quantity, 'Wei that go to the receiver.'),
  input: shape.data,
};

const typeFields = {
  legacy: {
    type: shape.constant('0x0'),
    ...messageFields,
    gasPrice: shape.quantity,
    chainId: shape.optional(
      shape.described(shape.quantity, 'Absent from one that is good for every chain (before EIP-155).'),
    ),
  },
  accessList: {
    type: shape.constant('0x1'),
    ...messageFields,
    gasPrice: shape.quantity,
    chainId: shape.quantity,
    accessList: accessListShape,
  },
  dynamicFee: {
    type: shape.constant('0x2'),
    ...messageFields,
    gasPrice: shape.described(shape.quantity, 'Of one that is in no block what it offers at most.'),
    maxFeePerGas: shape.quantity,
    maxPriorityFeePerGas: shape.quantity,
    chainId: shape.quantity,
    accessList: accessListShape,
  },
};

const numberFields = { v: shape.quantity, r: shape.quantity, s: shape.quantity };
const signatureFields = { yParity: shape.quantity, ...numberFields };

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** Describes a transaction of one of the types, signed, with further fields. */
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
  return shape.either(shape.either(legacy, accessList), dynamicFee);
}

export const includedTransactionShape = signedShapes('Transaction', { ...placeFields, ...nameFields });

export const pendingTransactionShape = signedShapes('PendingTransaction', {
  ...noPlaceFields,
  ...nameFields,
});

export const ethereumTransactionShape = shape.either(includedTransactionShape, pendingTransactionShape);

export const signedTransactionShape = signedShapes('SignedTransaction', {});

/** An unsigned transaction. */
export const filledTransactionShape = shape.either(
  shape.either(shape.object(typeFields.legacy), shape.object(typeFields.accessList)),
  shape.object(typeFields.dynamicFee),
);

const headerFields = {
  number: shape.quantity,
  hash: shape.described(shape.hash, 'The native block id with 12 zero bytes in front.'),
  parentHash: shape.hash,
  nonce: shape.described(shape.bytes('BlockNonce', 8), 'Always zero.'),
  mixHash: shape.described(shape.hash, 'The native `rand`, which contracts see as PREVRANDAO.'),
  sha3Uncles: shape.described(shape.hash, 'That of an empty list.'),
  logsBloom: bloomShape,
  transactionsRoot: shape.described(shape.hash, 'The native `transaction_merkle_root`.'),
  stateRoot: shape.described(shape.hash, 'The first 32 bytes of the native `vm_root`.'),
  receiptsRoot: shape.described(shape.hash, 'Always zero: a native block commits to no receipts.'),
  miner: shape.described(shape.address, 'The account that the block names, which gets the fees.'),
  difficulty: shape.quantity,
  extraData: shape.data,
  gasLimit: shape.described(shape.quantity, 'What contracts see as GASLIMIT.'),
  gasUsed: shape.quantity,
  timestamp: shape.described(shape.quantity, 'Unix time in seconds.'),
  baseFeePerGas: shape.described(shape.quantity, 'The price of gas, always: 10 gwei.'),
  withdrawalsRoot: shape.optional(shape.described(shape.hash, 'Since Shanghai: that of no withdrawals.')),
  blobGasUsed: shape.optional(shape.quantity),
  excessBlobGas: shape.optional(shape.quantity),
  parentBeaconBlockRoot: shape.optional(shape.described(shape.hash, 'Since Cancun; always zero.')),
  requestsHash: shape.optional(shape.described(shape.hash, 'Since Prague: that of no requests.')),
};

const bodyFields = {
  size: shape.described(shape.quantity, 'Bytes of the serialized native block.'),
  uncles: shape.emptyArray,
  withdrawals: shape.optional(shape.emptyArray),
};

/** A block without its transactions. */
export const ethereumHeaderShape = shape.named(
  'Header',
  { title: 'header object' },
  shape.object(headerFields),
);

/** Describes a block whose transactions are of a shape, with further fields. */
export function blockShapeWith<T, const F extends Fields>(transactions: Shape<T>, further: F) {
  return shape.object({ ...headerFields, ...bodyFields, transactions, ...further });
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
    type: shape.quantity,
    status: shape.described(shape.quantity, '`0x1` success, `0x0` failure.'),
    cumulativeGasUsed: shape.described(shape.quantity, 'What the block used up to here.'),
    logs: shape.array(logShape),
    logsBloom: bloomShape,
    transactionHash: shape.hash,
    transactionIndex: shape.quantity,
    blockHash: shape.hash,
    blockNumber: shape.quantity,
    gasUsed: shape.quantity,
    effectiveGasPrice: shape.quantity,
    from: shape.address,
    to: receiverShape,
    contractAddress: shape.described(
      shape.nullable(shape.address),
      'What a creation made; null of any other transaction.',
    ),
  }),
);

export type PendingTransactionObject = ValueOf<typeof pendingTransactionShape>;
export type SignedTransactionObject = ValueOf<typeof signedTransactionShape>;
export type FilledTransactionObject = ValueOf<typeof filledTransactionShape>;
export type EthereumTransactionObject = ValueOf<typeof ethereumTransactionShape>;
export type EthereumHeaderObject = ValueOf<typeof ethereumHeaderShape>;
export type EthereumBlockObject = ValueOf<typeof ethereumBlockShape>;
export type EthereumReceiptObject = ValueOf<typeof ethereumReceiptShape>;
