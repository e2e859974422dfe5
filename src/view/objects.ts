import { LOG_TOPICS_MAX } from '../consensus.ts';
import { LOGS_BLOOM_BYTES } from './logs-bloom.ts';
import type { ValueOf } from './shapes.ts';
import * as shape from './shapes.ts';

export const bloomShape = shape.bytes('LogsBloom', LOGS_BLOOM_BYTES);

const transactionFields = {
  blockHash: shape.nullable(shape.hash),
  blockNumber: shape.nullable(shape.quantity),
  blockTimestamp: shape.described(shape.nullable(shape.quantity), 'Unix time of the block in seconds.'),
  type: shape.described(shape.quantity, 'Always `0x0`.'),
  from: shape.described(shape.address, 'Who pays the fee, or is impersonated.'),
  gas: shape.described(shape.quantity, 'What was offered: the most that may be charged.'),
  gasPrice: shape.quantity,
  hash: shape.described(shape.hash, 'Of the pending form, or of the included one.'),
  input: shape.described(shape.data, 'Call data or creation code.'),
  nonce: shape.quantity,
  to: shape.described(shape.nullable(shape.address), 'Receiver; null for a contract creation.'),
  transactionIndex: shape.described(
    shape.nullable(shape.quantity),
    'Position of the operation in the block.',
  ),
  value: shape.described(shape.quantity, 'Native units that go to the receiver.'),
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

/** Fields of a block object beside its transactions. */
const blockFields = {
  number: shape.quantity,
  hash: shape.described(shape.hash, 'The native block id with 12 zero bytes in front.'),
  parentHash: shape.hash,
  nonce: shape.described(shape.bytes('BlockNonce', 8), 'Always zero.'),
  sha3Uncles: shape.described(shape.hash, 'Always zero.'),
  logsBloom: shape.described(bloomShape, 'Always zero.'),
  transactionsRoot: shape.described(shape.hash, 'The native `transaction_merkle_root`.'),
  stateRoot: shape.described(shape.hash, 'The first 32 bytes of the native `vm_root`.'),
  receiptsRoot: shape.described(shape.hash, 'Always zero.'),
  miner: shape.described(shape.address, 'The account that the block names, which gets the fees.'),
  difficulty: shape.quantity,
  totalDifficulty: shape.quantity,
  extraData: shape.described(shape.data, 'Always zero, 1 byte.'),
  size: shape.described(shape.quantity, 'Bytes of the serialized block.'),
  gasUsed: shape.described(shape.quantity, 'Fees that the block collected.'),
  gasLimit: shape.quantity,
  // web3 4 sends no transaction to a chain without this field.
  baseFeePerGas: shape.described(shape.quantity, 'Always zero, for clients that ask for it.'),
  mixHash: shape.described(shape.hash, 'The native `rand`, which contracts see as PREVRANDAO.'),
  timestamp: shape.described(shape.quantity, 'Unix time in seconds.'),
};

/** Block object: docs/interface.md#block-object, and beyond it the base fee and the randomness that clients ask for. */
export const blockShape = shape.named(
  'Block',
  { title: 'block object' },
  shape.object({
    ...blockFields,
    transactions: shape.either(shape.array(transactionShape), shape.array(shape.hash)),
    uncles: shape.emptyArray,
  }),
);

/** A block object whose transactions have their outcomes. */
export const detailedBlockShape = shape.named(
  'DetailedBlock',
  { title: 'block object with what came of its transactions' },
  shape.object({
    ...blockFields,
    transactions: shape.array(
      shape.object({
        ...transactionFields,
        output: shape.described(shape.data, 'Revert data; empty after a success.'),
        revertReason: shape.described(shape.nullable(shape.text), 'Why it failed; null after a success.'),
      }),
    ),
    uncles: shape.emptyArray,
  }),
);

export const headerShape = shape.named(
  'Header',
  { title: 'block object without transactions' },
  shape.object({ ...blockFields, uncles: shape.emptyArray }),
);

/** Log object: docs/interface.md#log-object, and beyond it `blockTimestamp`. */
export const logShape = shape.named(
  'Log',
  { title: 'log object' },
  shape.object({
    removed: shape.described(shape.flag, 'True for a log that a rollback took away.'),
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

/** Transaction receipt: docs/interface.md#transaction-receipt, and beyond it `type` and `effectiveGasPrice`. */
export const receiptShape = shape.named(
  'Receipt',
  { title: 'receipt object' },
  shape.object({
    type: shape.described(shape.quantity, 'Always `0x0`.'),
    transactionHash: shape.hash,
    transactionIndex: shape.quantity,
    blockHash: shape.hash,
    blockNumber: shape.quantity,
    from: shape.described(shape.address, 'Who paid the fee, or is impersonated.'),
    to: shape.described(shape.nullable(shape.address), 'Receiver; null for a contract creation.'),
    cumulativeGasUsed: shape.quantity,
    gasUsed: shape.described(shape.quantity, 'What was charged; of an impersonated sender what it used.'),
    effectiveGasPrice: shape.described(shape.quantity, 'Always `0x1`.'),
    contractAddress: shape.described(
      shape.nullable(shape.address),
      'The contract that was created, or null.',
    ),
    logs: shape.array(logShape),
    logsBloom: bloomShape,
    status: shape.described(shape.quantity, '`0x1` success, `0x0` failure.'),
  }),
);

/** The result of `eth_feeHistory`. */
export const feeHistoryShape = shape.named(
  'FeeHistory',
  { title: 'fee history' },
  shape.object({
    oldestBlock: shape.quantity,
    baseFeePerGas: shape.described(shape.array(shape.quantity), 'One more than blocks: that of the next.'),
    gasUsedRatio: shape.array(shape.number),
    baseFeePerBlobGas: shape.array(shape.quantity),
    blobGasUsedRatio: shape.array(shape.number),
    reward: shape.optional(shape.array(shape.array(shape.quantity))),
  }),
);

export type TransactionObject = ValueOf<typeof transactionShape>;
export type BlockObject = ValueOf<typeof blockShape>;
export type DetailedBlockObject = ValueOf<typeof detailedBlockShape>;
export type HeaderObject = ValueOf<typeof headerShape>;
export type LogObject = ValueOf<typeof logShape>;
export type ReceiptObject = ValueOf<typeof receiptShape>;
export type FeeHistory = ValueOf<typeof feeHistoryShape>;
