import { LOG_TOPICS_MAX } from '../consensus.ts';
import { LOGS_BLOOM_BYTES } from './logs-bloom.ts';
import type { ValueOf } from './shapes.ts';
import * as shape from './shapes.ts';

export const bloomShape = shape.bytes('LogsBloom', LOGS_BLOOM_BYTES);

export const receiverShape = shape.described(shape.nullable(shape.address), 'Receiver; null for a creation.');

/** Position of a transaction in the chain; all fields of a pending one are null. */
export const positionFields = {
  blockHash: shape.nullable(shape.hash),
  blockNumber: shape.nullable(shape.quantity),
  blockTimestamp: shape.described(shape.nullable(shape.quantity), 'Unix time of the block in seconds.'),
  transactionIndex: shape.described(shape.nullable(shape.quantity), 'Position in the block.'),
};

const transactionFields = {
  ...positionFields,
  type: shape.described(shape.quantity, 'Always `0x0`.'),
  from: shape.described(shape.address, 'Payer of the fee, or the impersonated sender.'),
  gas: shape.described(shape.quantity, 'Gas limit: the most that may be charged.'),
  gasPrice: shape.quantity,
  hash: shape.described(shape.hash, 'Hash of the pending form, or of the included one.'),
  input: shape.described(shape.data, 'Call data or creation code.'),
  nonce: shape.quantity,
  to: receiverShape,
  value: shape.described(shape.quantity, 'Amount for the receiver in native units.'),
  v: shape.quantity,
  r: shape.quantity,
  s: shape.quantity,
};

/** Transaction object: docs/interface.md#transaction-object. One native operation is one transaction here. */
export const transactionShape = shape.named(
  'Transaction',
  { title: 'transaction object' },
  shape.object(transactionFields),
);

/** Header fields that both profiles show alike. */
export const commonHeaderFields = {
  number: shape.quantity,
  hash: shape.described(shape.hash, 'The native block id with 12 zero bytes in front.'),
  parentHash: shape.hash,
  nonce: shape.described(shape.bytes('BlockNonce', 8), 'Always zero.'),
  mixHash: shape.described(shape.hash, 'The native `rand`, which contracts see as PREVRANDAO.'),
  transactionsRoot: shape.described(shape.hash, 'The native `transaction_merkle_root`.'),
  stateRoot: shape.described(shape.hash, 'The first 32 bytes of the native `vm_root`.'),
  receiptsRoot: shape.described(shape.hash, 'Always zero: a native block commits to no receipts.'),
  miner: shape.described(shape.address, 'The account that the block names, which gets the fees.'),
  difficulty: shape.quantity,
  timestamp: shape.described(shape.quantity, 'Unix time in seconds.'),
};

const blockFields = {
  ...commonHeaderFields,
  sha3Uncles: shape.described(shape.hash, 'Always zero.'),
  logsBloom: shape.described(bloomShape, 'Always zero.'),
  totalDifficulty: shape.quantity,
  extraData: shape.described(shape.data, 'Always zero, 1 byte.'),
  size: shape.described(shape.quantity, 'Bytes of the serialized block.'),
  gasUsed: shape.described(shape.quantity, 'Fees that the block collected.'),
  gasLimit: shape.quantity,
  // web3 4 sends no transaction to a chain without this field.
  baseFeePerGas: shape.described(shape.quantity, 'Always zero, for clients that require it.'),
  uncles: shape.emptyArray,
};

/** Block object: docs/interface.md#block-object, and the base fee and randomness that clients require. */
export const blockShape = shape.named(
  'Block',
  { title: 'block object' },
  shape.object({
    ...blockFields,
    transactions: shape.either(shape.array(transactionShape), shape.array(shape.hash)),
  }),
);

export const outcomeFields = {
  output: shape.described(shape.data, 'Revert data; empty after a success.'),
  revertReason: shape.described(shape.nullable(shape.text), 'Reason of the failure; null after a success.'),
};

export const DETAILED_BLOCK = { title: 'block object with the outcomes of its transactions' };

export const detailedBlockShape = shape.named(
  'DetailedBlock',
  DETAILED_BLOCK,
  shape.object({
    ...blockFields,
    transactions: shape.array(shape.object({ ...transactionFields, ...outcomeFields })),
  }),
);

export const headerShape = shape.named(
  'Header',
  { title: 'block object without transactions' },
  shape.object(blockFields),
);

/** Log object: docs/interface.md#log-object, and `blockTimestamp`. */
export const logShape = shape.named(
  'Log',
  { title: 'log object' },
  shape.object({
    removed: shape.described(shape.flag, 'True for a log of a reverted block.'),
    logIndex: shape.described(shape.quantity, 'Position among all logs of the block.'),
    transactionIndex: shape.quantity,
    transactionHash: shape.hash,
    blockHash: shape.hash,
    blockNumber: shape.quantity,
    blockTimestamp: shape.described(shape.quantity, 'Unix time of the block in seconds.'),
    address: shape.address,
    data: shape.data,
    topics: shape.array(shape.hash, LOG_TOPICS_MAX),
  }),
);

/** Receipt fields that both profiles describe alike. */
export const commonReceiptFields = {
  transactionHash: shape.hash,
  transactionIndex: shape.quantity,
  blockHash: shape.hash,
  blockNumber: shape.quantity,
  to: receiverShape,
  contractAddress: shape.described(shape.nullable(shape.address), 'Address of the created contract.'),
  logs: shape.array(logShape),
  logsBloom: bloomShape,
  status: shape.described(shape.quantity, '`0x1` success, `0x0` failure.'),
};

/** Transaction receipt: docs/interface.md#transaction-receipt, and `type` and `effectiveGasPrice`. */
export const receiptShape = shape.named(
  'Receipt',
  { title: 'receipt object' },
  shape.object({
    ...commonReceiptFields,
    type: shape.described(shape.quantity, 'Always `0x0`.'),
    from: shape.described(shape.address, 'Payer of the fee, or the impersonated sender.'),
    cumulativeGasUsed: shape.quantity,
    gasUsed: shape.described(shape.quantity, 'Charged gas; of an impersonated sender the used gas.'),
    effectiveGasPrice: shape.described(shape.quantity, 'Always `0x1`.'),
  }),
);

/** The result of `eth_feeHistory`. */
export const feeHistoryShape = shape.named(
  'FeeHistory',
  { title: 'fee history' },
  shape.object({
    oldestBlock: shape.quantity,
    baseFeePerGas: shape.described(
      shape.array(shape.quantity),
      'Base fee of each block, and of the next block.',
    ),
    gasUsedRatio: shape.array(shape.number),
    baseFeePerBlobGas: shape.array(shape.quantity),
    blobGasUsedRatio: shape.array(shape.number),
    reward: shape.optional(shape.array(shape.array(shape.quantity))),
  }),
);

export type TransactionObject = ValueOf<typeof transactionShape>;
export type BlockObject = ValueOf<typeof blockShape>;
export type HeaderObject = ValueOf<typeof headerShape>;
export type LogObject = ValueOf<typeof logShape>;
export type ReceiptObject = ValueOf<typeof receiptShape>;
export type FeeHistory = ValueOf<typeof feeHistoryShape>;
