import { LOG_TOPICS_MAX } from '../consensus.ts';
import { LOGS_BLOOM_BYTES } from './logs-bloom.ts';
import {
  addressShape,
  arrayShape,
  bytesShape,
  dataShape,
  describedShape,
  eitherShape,
  emptyArrayShape,
  flagShape,
  hashShape,
  namedShape,
  nullableShape,
  numberShape,
  objectShape,
  optionalShape,
  quantityShape,
  textShape,
  type ValueOf,
} from './shapes.ts';

export const bloomShape = bytesShape('LogsBloom', LOGS_BLOOM_BYTES);

const transactionFields = {
  blockHash: nullableShape(hashShape),
  blockNumber: nullableShape(quantityShape),
  blockTimestamp: describedShape(nullableShape(quantityShape), 'Unix time of the block in seconds.'),
  type: describedShape(quantityShape, 'Always `0x0`.'),
  from: describedShape(addressShape, 'Who pays the fee, or is impersonated.'),
  gas: describedShape(quantityShape, 'What was offered: the most that may be charged.'),
  gasPrice: quantityShape,
  hash: describedShape(hashShape, 'Of the pending form, or of the included one.'),
  input: describedShape(dataShape, 'Call data or creation code.'),
  nonce: quantityShape,
  to: describedShape(nullableShape(addressShape), 'Receiver; null for a contract creation.'),
  transactionIndex: describedShape(nullableShape(quantityShape), 'Position of the operation in the block.'),
  value: describedShape(quantityShape, 'Native units that go to the receiver.'),
  v: quantityShape,
  r: quantityShape,
  s: quantityShape,
};

/** Transaction object: docs/interface.md#transaction-object. One native operation is one transaction here. */
export const transactionShape = namedShape(
  'Transaction',
  { title: 'transaction object' },
  objectShape(transactionFields),
);

/** Fields of a block object beside its transactions. */
const blockFields = {
  number: quantityShape,
  hash: describedShape(hashShape, 'The native block id with 12 zero bytes in front.'),
  parentHash: hashShape,
  nonce: describedShape(bytesShape('BlockNonce', 8), 'Always zero.'),
  sha3Uncles: describedShape(hashShape, 'Always zero.'),
  logsBloom: describedShape(bloomShape, 'Always zero.'),
  transactionsRoot: describedShape(hashShape, 'The native `transaction_merkle_root`.'),
  stateRoot: describedShape(hashShape, 'The first 32 bytes of the native `vm_root`.'),
  receiptsRoot: describedShape(hashShape, 'Always zero.'),
  miner: describedShape(addressShape, 'The account that the block names, which gets the fees.'),
  difficulty: quantityShape,
  totalDifficulty: quantityShape,
  extraData: describedShape(dataShape, 'Always zero, 1 byte.'),
  size: describedShape(quantityShape, 'Bytes of the serialized block.'),
  gasUsed: describedShape(quantityShape, 'Fees that the block collected.'),
  gasLimit: quantityShape,
  // web3 4 sends no transaction to a chain without this field.
  baseFeePerGas: describedShape(quantityShape, 'Always zero, for clients that ask for it.'),
  mixHash: describedShape(hashShape, 'The native `rand`, which contracts see as PREVRANDAO.'),
  timestamp: describedShape(quantityShape, 'Unix time in seconds.'),
};

/** Block object: docs/interface.md#block-object, and beyond it the base fee and the randomness that clients ask for. */
export const blockShape = namedShape(
  'Block',
  { title: 'block object' },
  objectShape({
    ...blockFields,
    transactions: eitherShape(arrayShape(transactionShape), arrayShape(hashShape)),
    uncles: emptyArrayShape,
  }),
);

/** A block object whose transactions have their outcomes. */
export const detailedBlockShape = namedShape(
  'DetailedBlock',
  { title: 'block object with what came of its transactions' },
  objectShape({
    ...blockFields,
    transactions: arrayShape(
      objectShape({
        ...transactionFields,
        output: describedShape(dataShape, 'Revert data; empty after a success.'),
        revertReason: describedShape(nullableShape(textShape), 'Why it failed; null after a success.'),
      }),
    ),
    uncles: emptyArrayShape,
  }),
);

/** A block object without its transactions. */
export const headerShape = namedShape(
  'Header',
  { title: 'block object without transactions' },
  objectShape({ ...blockFields, uncles: emptyArrayShape }),
);

/** Log object: docs/interface.md#log-object, and beyond it `blockTimestamp`. */
export const logShape = namedShape(
  'Log',
  { title: 'log object' },
  objectShape({
    removed: describedShape(flagShape, 'True for a log that a rollback took away.'),
    logIndex: describedShape(quantityShape, 'Position among all logs of the block.'),
    transactionIndex: quantityShape,
    transactionHash: hashShape,
    blockHash: hashShape,
    blockNumber: quantityShape,
    blockTimestamp: describedShape(quantityShape, 'Unix time of the block in seconds.'),
    address: addressShape,
    data: dataShape,
    topics: arrayShape(hashShape, LOG_TOPICS_MAX),
  }),
);

/** Transaction receipt: docs/interface.md#transaction-receipt, and beyond it `type` and `effectiveGasPrice`. */
export const receiptShape = namedShape(
  'Receipt',
  { title: 'receipt object' },
  objectShape({
    type: describedShape(quantityShape, 'Always `0x0`.'),
    transactionHash: hashShape,
    transactionIndex: quantityShape,
    blockHash: hashShape,
    blockNumber: quantityShape,
    from: describedShape(addressShape, 'Who paid the fee, or is impersonated.'),
    to: describedShape(nullableShape(addressShape), 'Receiver; null for a contract creation.'),
    cumulativeGasUsed: quantityShape,
    gasUsed: describedShape(quantityShape, 'What was charged; of an impersonated sender what it used.'),
    effectiveGasPrice: describedShape(quantityShape, 'Always `0x1`.'),
    contractAddress: describedShape(nullableShape(addressShape), 'The contract that was created, or null.'),
    logs: arrayShape(logShape),
    logsBloom: bloomShape,
    status: describedShape(quantityShape, '`0x1` success, `0x0` failure.'),
  }),
);

/** The result of `eth_feeHistory`. */
export const feeHistoryShape = namedShape(
  'FeeHistory',
  { title: 'fee history' },
  objectShape({
    oldestBlock: quantityShape,
    baseFeePerGas: describedShape(arrayShape(quantityShape), 'One more than blocks: that of the next.'),
    gasUsedRatio: arrayShape(numberShape),
    baseFeePerBlobGas: arrayShape(quantityShape),
    blobGasUsedRatio: arrayShape(numberShape),
    reward: optionalShape(arrayShape(arrayShape(quantityShape))),
  }),
);

export type TransactionObject = ValueOf<typeof transactionShape>;
export type BlockObject = ValueOf<typeof blockShape>;
export type DetailedBlockObject = ValueOf<typeof detailedBlockShape>;
export type HeaderObject = ValueOf<typeof headerShape>;
export type LogObject = ValueOf<typeof logShape>;
export type ReceiptObject = ValueOf<typeof receiptShape>;
export type FeeHistory = ValueOf<typeof feeHistoryShape>;
