import { z } from 'zod';
import type {
  BlockObject,
  Hexadecimal,
  LogObject,
  ReceiptObject,
  TransactionObject,
} from '../../view/index.ts';

/** Schemas of what methods answer: they describe the interface and tests check answers against them. */

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/;

function bytes(size: number, title: string): z.ZodType<Hexadecimal> {
  return hexadecimal(new RegExp(`^0x[0-9a-f]{${2 * size}}$`), title);
}

function hexadecimal(pattern: RegExp, title: string): z.ZodType<Hexadecimal> {
  return z.templateLiteral(['0x', z.string()]).check(z.regex(pattern)).meta({ title });
}

/** QUANTITY without leading zero digits. */
export const quantityResult = hexadecimal(QUANTITY, 'QUANTITY');
export const dataResult = hexadecimal(/^0x([0-9a-f]{2})*$/, 'DATA');
export const addressResult = bytes(20, 'DATA, 20 bytes');
export const hashResult = bytes(32, 'DATA, 32 bytes');
const nonceResult = bytes(8, 'DATA, 8 bytes');
const bloomResult = bytes(256, 'DATA, 256 bytes');

/** Transaction object: specification 2.3. */
export const transactionResult: z.ZodType<TransactionObject> = z.strictObject({
  blockHash: hashResult.nullable(),
  blockNumber: quantityResult.nullable(),
  from: addressResult,
  gas: quantityResult,
  gasPrice: quantityResult,
  hash: hashResult,
  input: dataResult,
  nonce: quantityResult,
  to: addressResult.nullable(),
  transactionIndex: quantityResult.nullable(),
  value: quantityResult,
  v: quantityResult,
  r: quantityResult,
  s: quantityResult,
});

/** Block object: specification 2.2, and the base fee that web3 asks for. */
export const blockResult: z.ZodType<BlockObject> = z.strictObject({
  number: quantityResult,
  hash: hashResult,
  parentHash: hashResult,
  nonce: nonceResult,
  sha3Uncles: hashResult,
  logsBloom: bloomResult,
  transactionsRoot: hashResult,
  stateRoot: hashResult,
  receiptsRoot: hashResult,
  miner: addressResult,
  difficulty: quantityResult,
  totalDifficulty: quantityResult,
  extraData: dataResult,
  size: quantityResult,
  gasUsed: quantityResult,
  gasLimit: quantityResult,
  baseFeePerGas: quantityResult,
  timestamp: quantityResult,
  transactions: z.union([z.array(transactionResult), z.array(hashResult)]),
  uncles: z.array(z.never()),
});

/** Log object: specification 2.6. */
export const logResult: z.ZodType<LogObject> = z.strictObject({
  removed: z.boolean(),
  logIndex: quantityResult,
  transactionIndex: quantityResult,
  transactionHash: hashResult,
  blockHash: hashResult,
  blockNumber: quantityResult,
  address: addressResult,
  data: dataResult,
  topics: z.array(hashResult).max(4),
});

/** Transaction receipt: specification 2.5. */
export const receiptResult: z.ZodType<ReceiptObject> = z.strictObject({
  transactionHash: hashResult,
  transactionIndex: quantityResult,
  blockHash: hashResult,
  blockNumber: quantityResult,
  from: addressResult,
  to: addressResult.nullable(),
  cumulativeGasUsed: quantityResult,
  gasUsed: quantityResult,
  contractAddress: addressResult.nullable(),
  logs: z.array(logResult),
  logsBloom: bloomResult,
  status: quantityResult,
});

/** Sync status: specification 2.8. */
export const syncingResult = z.union([
  z.literal(false),
  z.strictObject({
    startingBlock: quantityResult,
    currentBlock: quantityResult,
    highestBlock: quantityResult,
  }),
]);
