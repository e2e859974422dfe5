import { bloomShape, logShape } from '../objects.ts';
import {
  addressShape,
  arrayShape,
  bytesShape,
  constantShape,
  dataShape,
  describedShape,
  eitherShape,
  emptyArrayShape,
  hashShape,
  namedShape,
  nullableShape,
  nullShape,
  objectShape,
  optionalShape,
  quantityShape,
  type Shape,
  type ValueOf,
} from '../shapes.ts';

const receiverShape = describedShape(nullableShape(addressShape), 'Null for a creation.');
const accessListShape = arrayShape(
  objectShape({ address: addressShape, storageKeys: arrayShape(hashShape) }),
);

/** Position of an included transaction. */
const placeFields = {
  blockHash: hashShape,
  blockNumber: quantityShape,
  blockTimestamp: describedShape(quantityShape, 'Unix time of the block in seconds.'),
  transactionIndex: quantityShape,
};

/** Position of a pending transaction. */
const noPlaceFields = {
  blockHash: nullShape,
  blockNumber: nullShape,
  blockTimestamp: nullShape,
  transactionIndex: nullShape,
};

const nameFields = { hash: hashShape, from: addressShape };

/** Fields of transactions of all types. */
const messageFields = {
  nonce: quantityShape,
  gas: quantityShape,
  to: receiverShape,
  value: describedShape(quantityShape, 'Wei that go to the receiver.'),
  input: dataShape,
};

const typeFields = {
  legacy: {
    type: constantShape('0x0'),
    ...messageFields,
    gasPrice: quantityShape,
    chainId: optionalShape(
      describedShape(quantityShape, 'Absent from one that is good for every chain (before EIP-155).'),
    ),
  },
  accessList: {
    type: constantShape('0x1'),
    ...messageFields,
    gasPrice: quantityShape,
    chainId: quantityShape,
    accessList: accessListShape,
  },
  dynamicFee: {
    type: constantShape('0x2'),
    ...messageFields,
    gasPrice: describedShape(quantityShape, 'Of one that is in no block what it offers at most.'),
    maxFeePerGas: quantityShape,
    maxPriorityFeePerGas: quantityShape,
    chainId: quantityShape,
    accessList: accessListShape,
  },
};

const numberFields = { v: quantityShape, r: quantityShape, s: quantityShape };
const signatureFields = { yParity: quantityShape, ...numberFields };

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** Describes a transaction of one of the types, signed, with further fields. */
function signedShapes<const F extends Fields>(name: string, further: F) {
  const shapeOf = <const T extends Fields>(type: number, fields: T) =>
    namedShape(
      `${name}Type${type}`,
      { title: `transaction of type ${type}` },
      objectShape({ ...further, ...fields }),
    );
  const legacy = shapeOf(0, { ...typeFields.legacy, ...numberFields });
  const accessList = shapeOf(1, { ...typeFields.accessList, ...signatureFields });
  const dynamicFee = shapeOf(2, { ...typeFields.dynamicFee, ...signatureFields });
  return eitherShape(eitherShape(legacy, accessList), dynamicFee);
}

export const includedTransactionShape = signedShapes('Transaction', { ...placeFields, ...nameFields });

/** A pending transaction. */
export const pendingTransactionShape = signedShapes('PendingTransaction', {
  ...noPlaceFields,
  ...nameFields,
});

export const ethereumTransactionShape = eitherShape(includedTransactionShape, pendingTransactionShape);

export const signedTransactionShape = signedShapes('SignedTransaction', {});

/** An unsigned transaction. */
export const filledTransactionShape = eitherShape(
  eitherShape(objectShape(typeFields.legacy), objectShape(typeFields.accessList)),
  objectShape(typeFields.dynamicFee),
);

const headerFields = {
  number: quantityShape,
  hash: describedShape(hashShape, 'The native block id with 12 zero bytes in front.'),
  parentHash: hashShape,
  nonce: describedShape(bytesShape('BlockNonce', 8), 'Always zero.'),
  mixHash: describedShape(hashShape, 'The native `rand`, which contracts see as PREVRANDAO.'),
  sha3Uncles: describedShape(hashShape, 'That of an empty list.'),
  logsBloom: bloomShape,
  transactionsRoot: describedShape(hashShape, 'The native `transaction_merkle_root`.'),
  stateRoot: describedShape(hashShape, 'The first 32 bytes of the native `vm_root`.'),
  receiptsRoot: describedShape(hashShape, 'Always zero: a native block commits to no receipts.'),
  miner: describedShape(addressShape, 'The account that the block names, which gets the fees.'),
  difficulty: quantityShape,
  extraData: dataShape,
  gasLimit: describedShape(quantityShape, 'What contracts see as GASLIMIT.'),
  gasUsed: quantityShape,
  timestamp: describedShape(quantityShape, 'Unix time in seconds.'),
  baseFeePerGas: describedShape(quantityShape, 'The price of gas, always: 10 gwei.'),
  withdrawalsRoot: optionalShape(describedShape(hashShape, 'Since Shanghai: that of no withdrawals.')),
  blobGasUsed: optionalShape(quantityShape),
  excessBlobGas: optionalShape(quantityShape),
  parentBeaconBlockRoot: optionalShape(describedShape(hashShape, 'Since Cancun; always zero.')),
  requestsHash: optionalShape(describedShape(hashShape, 'Since Prague: that of no requests.')),
};

const bodyFields = {
  size: describedShape(quantityShape, 'Bytes of the serialized native block.'),
  uncles: emptyArrayShape,
  withdrawals: optionalShape(emptyArrayShape),
};

/** A block without its transactions. */
export const ethereumHeaderShape = namedShape(
  'Header',
  { title: 'header object' },
  objectShape(headerFields),
);

/** Describes a block whose transactions are of a shape, with further fields. */
export function blockShapeWith<T, const F extends Fields>(transactions: Shape<T>, further: F) {
  return objectShape({ ...headerFields, ...bodyFields, transactions, ...further });
}

export const ethereumBlockShape = namedShape(
  'Block',
  { title: 'block object' },
  blockShapeWith(eitherShape(arrayShape(hashShape), arrayShape(includedTransactionShape)), {}),
);

export const ethereumReceiptShape = namedShape(
  'Receipt',
  { title: 'receipt object' },
  objectShape({
    type: quantityShape,
    status: describedShape(quantityShape, '`0x1` success, `0x0` failure.'),
    cumulativeGasUsed: describedShape(quantityShape, 'What the block used up to here.'),
    logs: arrayShape(logShape),
    logsBloom: bloomShape,
    transactionHash: hashShape,
    transactionIndex: quantityShape,
    blockHash: hashShape,
    blockNumber: quantityShape,
    gasUsed: quantityShape,
    effectiveGasPrice: quantityShape,
    from: addressShape,
    to: receiverShape,
    contractAddress: describedShape(
      nullableShape(addressShape),
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
