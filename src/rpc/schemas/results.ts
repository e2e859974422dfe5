import { z } from 'zod';
import type {
  BlockObject,
  HeaderObject,
  Hexadecimal,
  LogObject,
  ReceiptObject,
  TransactionObject,
} from '../../view/index.ts';

/** Schemas of what methods answer: they describe the interface and tests check answers against them. */

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/;

/** DATA of a fixed size; `id` names it among the schemas of the description. */
function bytes(size: number, id: string): z.ZodType<Hexadecimal> {
  return hexadecimal(new RegExp(`^0x[0-9a-f]{${2 * size}}$`), id, `DATA, ${size} bytes`);
}

function hexadecimal(pattern: RegExp, id: string, title: string): z.ZodType<Hexadecimal> {
  const text = z.templateLiteral(['0x', z.string()]).check(z.regex(pattern));
  return text.meta({ id, title, pattern: pattern.source });
}

/** QUANTITY without leading zero digits. */
export const quantityResult = hexadecimal(QUANTITY, 'Quantity', 'QUANTITY');
export const dataResult = hexadecimal(/^0x([0-9a-f]{2})*$/, 'Data', 'DATA');
export const addressResult = bytes(20, 'Address');
export const hashResult = bytes(32, 'Hash');
const nonceResult = bytes(8, 'BlockNonce');
const bloomResult = bytes(256, 'LogsBloom');

/** Transaction object: docs/interface.md#transaction-object. */
export const transactionResult: z.ZodType<TransactionObject> = z
  .strictObject({
    blockHash: hashResult.nullable(),
    blockNumber: quantityResult.nullable(),
    blockTimestamp: quantityResult.nullable().meta({ description: 'Unix time of the block in seconds.' }),
    type: quantityResult.meta({ description: 'Always `0x0`.' }),
    from: addressResult.meta({ description: 'Who pays the fee.' }),
    gas: quantityResult.meta({ description: 'What was offered: the most that may be charged.' }),
    gasPrice: quantityResult,
    hash: hashResult.meta({ description: 'Of the pending form, or of the included one.' }),
    input: dataResult.meta({ description: 'Call data or creation code.' }),
    nonce: quantityResult,
    to: addressResult.nullable().meta({ description: 'Receiver; null for a contract creation.' }),
    transactionIndex: quantityResult
      .nullable()
      .meta({ description: 'Position of the operation in the block.' }),
    value: quantityResult.meta({ description: 'Native units that go to the receiver.' }),
    v: quantityResult,
    r: quantityResult,
    s: quantityResult,
  })
  .meta({ id: 'Transaction', title: 'transaction object' });

/** What a block object says beside its transactions. */
const blockFields = {
  number: quantityResult,
  hash: hashResult.meta({ description: 'The native block id with 12 zero bytes in front.' }),
  parentHash: hashResult,
  nonce: nonceResult,
  sha3Uncles: hashResult,
  logsBloom: bloomResult,
  transactionsRoot: hashResult.meta({ description: 'The native `transaction_merkle_root`.' }),
  stateRoot: hashResult.meta({ description: 'The first 32 bytes of the native `vm_root`.' }),
  receiptsRoot: hashResult,
  miner: addressResult.meta({ description: 'The account that the block names, which gets the fees.' }),
  difficulty: quantityResult,
  totalDifficulty: quantityResult,
  extraData: dataResult,
  size: quantityResult.meta({ description: 'Bytes of the serialized block.' }),
  gasUsed: quantityResult.meta({ description: 'Fees that the block collected.' }),
  gasLimit: quantityResult,
  baseFeePerGas: quantityResult.meta({ description: 'Always zero, for clients that ask for it.' }),
  mixHash: hashResult.meta({ description: 'The native `rand`, which contracts see as PREVRANDAO.' }),
  timestamp: quantityResult.meta({ description: 'Unix time in seconds.' }),
};

/** Block object: docs/interface.md#block-object, and beyond it the base fee and the randomness that clients ask for. */
export const blockResult: z.ZodType<BlockObject> = z
  .strictObject({
    ...blockFields,
    transactions: z.union([z.array(transactionResult), z.array(hashResult)]),
    uncles: z.array(z.never()),
  })
  .meta({ id: 'Block', title: 'block object' });

/** A block object without its transactions. */
export const headerResult: z.ZodType<HeaderObject> = z
  .strictObject({ ...blockFields, uncles: z.array(z.never()) })
  .meta({ id: 'Header', title: 'block object without transactions' });

/** Log object: docs/interface.md#log-object. */
export const logResult: z.ZodType<LogObject> = z
  .strictObject({
    removed: z.boolean().meta({ description: 'True for a log that a rollback took away.' }),
    logIndex: quantityResult.meta({ description: 'Position among all logs of the block.' }),
    transactionIndex: quantityResult,
    transactionHash: hashResult,
    blockHash: hashResult,
    blockNumber: quantityResult,
    blockTimestamp: quantityResult.meta({ description: 'Unix time of the block in seconds.' }),
    address: addressResult,
    data: dataResult,
    topics: z.array(hashResult).max(4),
  })
  .meta({ id: 'Log', title: 'log object' });

/** What a filter answers: log objects for a log filter, hashes for a block filter or pending-transaction filter. */
export const filterItemsResult = z.union([z.array(logResult), z.array(hashResult)]);

/** Transaction receipt: docs/interface.md#transaction-receipt. */
export const receiptResult: z.ZodType<ReceiptObject> = z
  .strictObject({
    type: quantityResult.meta({ description: 'Always `0x0`.' }),
    transactionHash: hashResult,
    transactionIndex: quantityResult,
    blockHash: hashResult,
    blockNumber: quantityResult,
    from: addressResult.meta({ description: 'Who paid the fee.' }),
    to: addressResult.nullable().meta({ description: 'Receiver; null for a contract creation.' }),
    cumulativeGasUsed: quantityResult,
    gasUsed: quantityResult.meta({ description: 'What was charged.' }),
    effectiveGasPrice: quantityResult.meta({ description: 'Always `0x1`.' }),
    contractAddress: addressResult
      .nullable()
      .meta({ description: 'The contract that was created, or null.' }),
    logs: z.array(logResult),
    logsBloom: bloomResult,
    status: quantityResult.meta({ description: '`0x1` success, `0x0` failure.' }),
  })
  .meta({ id: 'Receipt', title: 'receipt object' });

/** Sync status: docs/interface.md#sync-status. */
export const syncingResult = z.union([
  z.literal(false),
  z
    .strictObject({
      startingBlock: quantityResult,
      currentBlock: quantityResult,
      highestBlock: quantityResult,
    })
    .meta({ id: 'SyncStatus', title: 'sync status' }),
]);
