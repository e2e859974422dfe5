import { LOG_TOPICS_MAX } from '../consensus.ts';
import { equalBytes, type Hash, toPrefixedHex } from '../protocol/index.ts';
import { eachInSlices } from '../time/job.ts';
import { RemoteDataError, RemoteReorgError } from './fork-errors.ts';
import type { ForkPoint } from './fork-point.ts';
import {
  addressOf,
  arrayOf,
  dataOf,
  hashOf,
  type JsonObject,
  malformed,
  numberOf,
  objectOf,
  quantityOf,
} from './forms.ts';

/** A filter of event logs of blocks up to the pinned one. */
export interface RemoteLogFilter {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Addresses as DATA; absent for any. */
  readonly address?: string | readonly string[];
  /** For each position a topic, alternatives, or null for any. */
  readonly topics?: readonly (string | null | readonly string[])[];
}

/** @throws {RemoteReorgError} for a block that cannot be an ancestor of the pinned one, or the pinned one itself */
function requireAncestor(point: ForkPoint, number: number, hash: Hash): void {
  const expected =
    number === point.number ? point.hash : number === point.number - 1 ? point.parentHash : undefined;
  if (expected === undefined || equalBytes(expected, hash)) return;
  throw new RemoteReorgError(
    `the remote node has block ${toPrefixedHex(hash)} at number ${number}, where this chain was forked from ` +
      `${toPrefixedHex(expected)}: its chain was reorganised, or it is another node. Fork again at an older block`,
  );
}

/** Returns the number of a block object after checks of its form. @throws {RemoteDataError}, {RemoteReorgError} */
export async function checkBlock(
  point: ForkPoint,
  block: JsonObject,
  fullTransactions: boolean,
): Promise<number> {
  const number = numberOf(block.number, 'number of a block');
  const hash = hashOf(block.hash, 'hash of a block');
  hashOf(block.parentHash, 'parentHash');
  hashOf(block.stateRoot, 'stateRoot');
  numberOf(block.timestamp, 'timestamp');
  quantityOf(block.gasLimit, 'gasLimit', 64);
  quantityOf(block.gasUsed, 'gasUsed', 64);
  if (number > point.number) return number;
  requireAncestor(point, number, hash);
  await eachInSlices(arrayOf(block.transactions, 'list of transactions'), (item, index) => {
    if (!fullTransactions) hashOf(item, 'transaction hash');
    else checkTransaction(point, objectOf(item, 'transaction'), { number, hash, index });
  });
  return number;
}

/**
 * Checks the form of an included transaction. Returns the number of its block.
 *
 * @param place of the transaction, as far as it is known
 * @throws {RemoteDataError} for a wrong form or another place, {RemoteReorgError}
 */
export function checkTransaction(
  point: ForkPoint,
  transaction: JsonObject,
  place: { readonly number?: number; readonly hash?: Hash; readonly index?: number } = {},
): number {
  hashOf(transaction.hash, 'hash of a transaction');
  addressOf(transaction.from, 'from');
  if (transaction.to !== null && transaction.to !== undefined) addressOf(transaction.to, 'to');
  quantityOf(transaction.nonce, 'nonce', 64);
  quantityOf(transaction.value, 'value');
  dataOf(transaction.input ?? transaction.data, 'input');
  return checkPlace(point, transaction, place);
}

/** Checks the form of a receipt. Returns the number of its block. @throws {RemoteDataError}, {RemoteReorgError} */
export async function checkReceipt(point: ForkPoint, receipt: JsonObject): Promise<number> {
  hashOf(receipt.transactionHash, 'transactionHash');
  quantityOf(receipt.gasUsed, 'gasUsed', 64);
  quantityOf(receipt.cumulativeGasUsed, 'cumulativeGasUsed', 64);
  const number = checkPlace(point, receipt, {});
  const logs = arrayOf(receipt.logs, 'logs');
  await eachInSlices(logs, (log) => void checkLog(point, objectOf(log, 'log'), number, number));
  return number;
}

/**
 * Checks the form of an event log in blocks of a range. Returns the number of its block.
 *
 * @throws {RemoteDataError}, {RemoteReorgError}
 */
export function checkLog(point: ForkPoint, log: JsonObject, from: number, to: number): number {
  addressOf(log.address, 'address of a log');
  dataOf(log.data, 'data of a log');
  const topics = arrayOf(log.topics, 'topics');
  if (topics.length > LOG_TOPICS_MAX) throw malformed('log', `at most ${LOG_TOPICS_MAX} topics`);
  for (const topic of topics) hashOf(topic, 'topic');
  hashOf(log.transactionHash, 'transactionHash');
  numberOf(log.logIndex, 'logIndex');
  const number = checkPlace(point, log, {});
  if (number < from || number > to)
    throw new RemoteDataError('the remote node sent a log outside of the range');
  return number;
}

/**
 * Returns a number by which transactions, or logs, are ordered in the chain.
 *
 * @param index QUANTITY within the block
 * @throws {RemoteDataError}
 */
export function positionIn(block: number, index: unknown): number {
  return block * 2 ** 20 + numberOf(index, 'index in a block');
}

/** Transactions of an address with their receipts, the newest first. */
export interface FoundTransactions {
  readonly txs: readonly JsonObject[];
  readonly receipts: readonly JsonObject[];
  /** True if the chain up to the pinned block has further ones in the direction of the search. */
  readonly isMore: boolean;
}

/** Blocks, without `block` itself, in which transactions of an address are searched. */
export interface TransactionSearch {
  readonly end: 'Before' | 'After';
  readonly block: number;
  readonly size: number;
}

/**
 * Checks the result of `ots_searchTransactionsBefore` or `After`. Leaves out transactions after the pinned block.
 *
 * @throws {RemoteDataError}, {RemoteReorgError}
 */
export async function checkFound(
  point: ForkPoint,
  result: unknown,
  { end, block }: TransactionSearch,
): Promise<FoundTransactions> {
  const { txs, receipts, firstPage, lastPage } = objectOf(result, 'list of transactions');
  const isLast = end === 'Before' ? lastPage : firstPage;
  if (typeof isLast !== 'boolean') throw malformed('list of transactions', 'firstPage and lastPage');
  const found = arrayOf(txs, 'txs').map((one) => objectOf(one, 'transaction'));
  const their = arrayOf(receipts, 'receipts').map((one) => objectOf(one, 'receipt'));
  let newest = Number.POSITIVE_INFINITY;
  const isThere: boolean[] = [];
  for (const [index, transaction] of found.entries()) {
    const number = checkTransaction(point, transaction);
    const position = positionIn(number, transaction.transactionIndex);
    const receipt = their[index] ?? {};
    const isWithin = end === 'Before' ? number < block : number > block;
    const isOwn =
      receipt.transactionHash === transaction.hash && (await checkReceipt(point, receipt)) === number;
    if (!isWithin || !isOwn || position >= newest)
      throw malformed('list of transactions', 'those of the request');
    newest = position;
    isThere.push(number <= point.number);
  }
  const within = (_: unknown, index: number): boolean => isThere[index] === true;
  const isMore = !isLast && !isThere.includes(false);
  return { txs: found.filter(within), receipts: their.filter(within), isMore };
}

/** Returns true if a log is one that the filter asks for. */
export function matchesFilter(log: JsonObject, { address, topics = [] }: RemoteLogFilter): boolean {
  const isAmong = (value: unknown, wanted: string | null | undefined | readonly string[]): boolean => {
    if (wanted === null || wanted === undefined || wanted.length === 0) return true;
    const text = String(value).toLowerCase();
    return typeof wanted === 'string'
      ? text === wanted.toLowerCase()
      : wanted.some((one) => one.toLowerCase() === text);
  };
  const held = arrayOf(log.topics, 'topics');
  const matches = topics.every(
    (wanted, position) => position < held.length && isAmong(held[position], wanted),
  );
  return matches && isAmong(log.address, address);
}

/** Returns the block number of an object that names its block, after checks. */
function checkPlace(
  point: ForkPoint,
  item: JsonObject,
  place: { readonly number?: number; readonly hash?: Hash; readonly index?: number },
): number {
  const number = numberOf(item.blockNumber, 'blockNumber');
  const hash = hashOf(item.blockHash, 'blockHash');
  const index = numberOf(item.transactionIndex, 'transactionIndex');
  const isThere =
    (place.number ?? number) === number &&
    (place.index ?? index) === index &&
    (place.hash === undefined || equalBytes(place.hash, hash));
  if (!isThere) throw new RemoteDataError('the remote node sent a transaction of another place in the chain');
  if (number <= point.number) requireAncestor(point, number, hash);
  return number;
}
