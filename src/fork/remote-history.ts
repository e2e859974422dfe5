import {
  type Address,
  equalBytes,
  type Hash,
  invariant,
  keccak256,
  type LedgerdError,
  quantity,
  toPrefixedHex,
} from '../protocol/index.ts';
import { eachInSlices } from '../time/job.ts';
import { RemoteCallError, RemoteDataError, RemoteMissingError, UpstreamError } from './fork-errors.ts';
import { callsAtPin, type ForkPoint } from './fork-point.ts';
import {
  arrayOf,
  dataOf,
  hashOf,
  isMissingMethod,
  type JsonObject,
  numberOf,
  objectOf,
  quantityOf,
  resultOf,
} from './forms.ts';
import { HistoryCache } from './history-cache.ts';
import {
  checkBlock,
  checkFound,
  checkLog,
  checkReceipt,
  checkTransaction,
  type FoundTransactions,
  matchesFilter,
  positionIn,
  type RemoteLogFilter,
  type TransactionSearch,
} from './history-forms.ts';
import type { EntryStores } from './remote-entries.ts';
import { isRangeRefusal, isRevert } from './retry.ts';
import { StoredHistory } from './stored-history.ts';
import type { Upstream, UpstreamCall, UpstreamOutcome } from './upstream.ts';

/**
 * Event logs of one query, and greatest value of `--max-logs`: a longer response could exceed the length of a string.
 */
export const LOGS_FLAG_MAX = 100_000;
/** Parts into which a range of event logs is split for a remote node that refuses long ranges. */
const FORK_LOG_RANGES_MAX = 1_000;

/** The form of the result of a forwarded method, which is checked. */
export type ResultForm = 'anything' | 'data' | 'fees' | 'list' | 'object' | 'quantity';

const CHECKS: Readonly<Record<ResultForm, (result: unknown, method: string) => unknown>> = {
  anything: () => undefined,
  data: (result, method) => dataOf(result, method),
  fees: feeHistoryOf,
  list: arrayOf,
  object: objectOf,
  quantity: (result, method) => quantityOf(result, method),
};

/**
 * The history of a remote chain up to the pinned block. Values are JSON as the remote node sent it, after checks of
 * their form and of what identifies them. All methods throw {UpstreamError} without a valid response,
 * {RemoteDataError} for a wrong form, {RemoteReorgError} if the remote chain does not have the pinned block any more,
 * {RemoteMissingError} for a block that the remote node has lost, and {RemoteCallError} for another error that it
 * reports.
 */
export class RemoteHistory {
  readonly #upstream: Upstream;
  readonly #point: ForkPoint;
  readonly #cache: HistoryCache;
  /** False once the remote node has refused `eth_getBlockReceipts`. */
  #hasBlockReceipts = true;
  /** Blocks of one range of event logs that the remote node accepts, as far as known. */
  #rangeBlocks = Number.POSITIVE_INFINITY;

  /** @param stores that keep the results; undefined: they are in memory only */
  constructor(upstream: Upstream, point: ForkPoint, stores?: EntryStores) {
    this.#upstream = upstream;
    this.#point = point;
    this.#cache = new HistoryCache(stores && new StoredHistory(stores));
  }

  /** Returns a block; null for an unknown hash, and for one of a block after the pinned one. */
  async block(numberOrHash: number | Hash, fullTransactions: boolean): Promise<JsonObject | null> {
    const isNumber = typeof numberOrHash === 'number';
    if (isNumber) this.#requirePast(numberOrHash);
    const [method, name] = isNumber
      ? (['eth_getBlockByNumber', quantity(numberOrHash)] as const)
      : (['eth_getBlockByHash', toPrefixedHex(numberOrHash)] as const);
    return this.#object(`${method} ${name} ${fullTransactions}`, async () => {
      const found = await this.#call(method, [name, fullTransactions]);
      if (found === null) {
        if (isNumber) throw this.#lost(numberOrHash);
        return null;
      }
      const block = objectOf(found, 'block');
      const number = await checkBlock(this.#point, block, fullTransactions);
      const isAsked = isNumber
        ? number === numberOrHash
        : equalBytes(hashOf(block.hash, 'hash'), numberOrHash);
      if (!isAsked) throw new RemoteDataError(`the remote node sent another block than ${name}`);
      return number > this.#point.number ? null : block;
    });
  }

  /** Returns an included transaction; null for one that the remote chain does not have up to the pinned block. */
  transaction(hash: Hash): Promise<JsonObject | null> {
    return this.#byHash('eth_getTransactionByHash', hash, 'hash', (found) =>
      checkTransaction(this.#point, found),
    );
  }

  /** Returns a transaction by its position; null beyond the last one of the block, and for an unknown hash. */
  async transactionByBlock(numberOrHash: number | Hash, index: number): Promise<JsonObject | null> {
    const isNumber = typeof numberOrHash === 'number';
    if (isNumber) this.#requirePast(numberOrHash);
    const method = `eth_getTransactionByBlock${isNumber ? 'Number' : 'Hash'}AndIndex`;
    const name = isNumber ? quantity(numberOrHash) : toPrefixedHex(numberOrHash);
    return this.#object(`${method} ${name} ${index}`, async () => {
      const found = await this.#call(method, [name, quantity(index)]);
      if (found === null) return null;
      const place = isNumber ? { number: numberOrHash, index } : { hash: numberOrHash, index };
      const transaction = objectOf(found, 'transaction');
      return checkTransaction(this.#point, transaction, place) > this.#point.number ? null : transaction;
    });
  }

  /** Returns a serialized transaction that the remote chain has. */
  rawTransaction(hash: Hash): Promise<unknown> {
    const method = 'eth_getRawTransactionByHash';
    const name = toPrefixedHex(hash);
    return this.#cache.of(`${method} ${name}`, async () => {
      const sent = await this.#call(method, [name]);
      if (equalBytes(keccak256(dataOf(sent, 'serialized transaction')), hash)) return sent;
      throw new RemoteDataError(`the remote node sent another transaction than ${name}`);
    });
  }

  /** Returns a receipt; null for a transaction that the remote chain does not have up to the pinned block. */
  receipt(hash: Hash): Promise<JsonObject | null> {
    const method = 'eth_getTransactionReceipt';
    return this.#byHash(method, hash, 'transactionHash', (found) => checkReceipt(this.#point, found));
  }

  /** Returns the receipts of a block, in their order. */
  async blockReceipts(number: number): Promise<readonly JsonObject[]> {
    this.#requirePast(number);
    const fetched = await this.#cache.of(`receipts ${number}`, async () => {
      const receipts = this.#hasBlockReceipts ? await this.#receiptsAtOnce(number) : undefined;
      return receipts ?? this.#receiptsOneByOne(number);
    });
    return arrayOf(fetched, 'receipts') as readonly JsonObject[];
  }

  /**
   * Returns event logs of a range of blocks up to the pinned one, in their order. A range that the remote node refuses
   * as too long is split.
   */
  async logs(filter: RemoteLogFilter): Promise<readonly JsonObject[]> {
    this.#requirePast(filter.toBlock);
    const found = await this.#cache.of(`logs ${JSON.stringify(filter)}`, () => this.#logsInParts(filter));
    return found as readonly JsonObject[];
  }

  /** Returns transactions of an address with their receipts, in whole blocks: about as many as the size. */
  async search(address: Address, search: TransactionSearch): Promise<FoundTransactions> {
    const method = `ots_searchTransactions${search.end}`;
    const params = [toPrefixedHex(address), search.block, search.size];
    const found = await this.#cache.of(`${method} ${JSON.stringify(params)}`, async () => {
      const [outcome] = await this.#calls([{ method, params }]);
      if (isMissingMethod(outcome)) {
        throw new RemoteMissingError(
          `the remote node ${this.#upstream.name} has no index of the transactions of an address (${method}), which ` +
            'the blocks up to the fork need: use a node with it, such as Erigon or anvil',
        );
      }
      return checkFound(this.#point, resultOf(this.#upstream, method, outcome), search);
    });
    return found as FoundTransactions;
  }

  async #logsInParts(filter: RemoteLogFilter): Promise<readonly JsonObject[]> {
    const found: JsonObject[] = [];
    let blocks = Math.min(filter.toBlock - filter.fromBlock + 1, this.#rangeBlocks);
    let requests = 0;
    for (let from = filter.fromBlock; from <= filter.toBlock; ) {
      requests += 1;
      if (requests > FORK_LOG_RANGES_MAX) {
        throw new RemoteMissingError(
          `the remote node accepts only ranges of ${blocks} blocks: ask for fewer blocks`,
        );
      }
      const to = Math.min(from + blocks - 1, filter.toBlock);
      try {
        for (const log of await this.#logsOf({ ...filter, fromBlock: from, toBlock: to })) found.push(log);
      } catch (error) {
        if (from === to || !isTooLong(error)) throw error;
        blocks = Math.ceil((to - from + 1) / 2);
        if (error instanceof RemoteCallError && /range|blocks/i.test(error.message))
          this.#rangeBlocks = blocks;
        continue;
      }
      if (found.length > LOGS_FLAG_MAX) {
        throw new RemoteMissingError(
          `the remote chain has more than ${LOGS_FLAG_MAX} such logs: ask for fewer blocks`,
        );
      }
      from = to + 1;
    }
    return found;
  }

  /**
   * Forwards a call, a read of the state at an earlier block, or a trace. The caller names blocks by number or hash.
   * Error data, such as those of a revert, are in the {RemoteCallError}.
   */
  async forward(method: string, params: readonly unknown[], form: ResultForm): Promise<unknown> {
    const fetch = async (): Promise<unknown> => {
      const result = await this.#call(method, params);
      if (result === null && form !== 'anything') {
        throw new RemoteMissingError(
          `the remote node ${this.#upstream.name} responded to ${method} with null: it has no state for this block. ` +
            'Use an archive node, or a newer block',
        );
      }
      CHECKS[form](result, `result of ${method}`);
      return result;
    };
    const outcome = await this.#cache.of(`${method} ${JSON.stringify(params)}`, () => withReverts(fetch));
    const { result, revert } = outcome as Awaited<ReturnType<typeof withReverts>>;
    if (revert !== undefined)
      throw new RemoteCallError(revert.message, revert.code, revert.message, revert.data);
    return result;
  }

  async #object(key: string, fetch: () => Promise<JsonObject | null>): Promise<JsonObject | null> {
    return (await this.#cache.of(key, fetch)) as JsonObject | null;
  }

  #byHash(
    method: string,
    hash: Hash,
    field: string,
    check: (found: JsonObject) => number | Promise<number>,
  ): Promise<JsonObject | null> {
    const name = toPrefixedHex(hash);
    return this.#object(`${method} ${name}`, async () => {
      const value = await this.#call(method, [name]);
      if (value === null) return null;
      const found = objectOf(value, `result of ${method}`);
      if (!equalBytes(hashOf(found[field], field), hash)) {
        throw new RemoteDataError(`the remote node sent another transaction than ${name}`);
      }
      // A pending transaction has no block.
      if (found.blockNumber === null) return null;
      return (await check(found)) > this.#point.number ? null : found;
    });
  }

  /** Fetches receipts by one call; undefined if the remote node does not have the method. */
  async #receiptsAtOnce(number: number): Promise<readonly JsonObject[] | undefined> {
    const method = 'eth_getBlockReceipts';
    const [outcome] = await this.#calls([{ method, params: [quantity(number)] }]);
    if (isMissingMethod(outcome)) {
      this.#hasBlockReceipts = false;
      return undefined;
    }
    const result = resultOf(this.#upstream, method, outcome);
    if (result === null) throw this.#lost(number);
    return this.#checkReceipts(arrayOf(result, 'receipts'), number);
  }

  async #receiptsOneByOne(number: number): Promise<readonly JsonObject[]> {
    const block = await this.block(number, false);
    const method = 'eth_getTransactionReceipt';
    const hashes = arrayOf(block?.transactions, 'transactions');
    const outcomes = await this.#calls(hashes.map((hash) => ({ method, params: [hash] })));
    const results = outcomes.map((outcome) => resultOf(this.#upstream, method, outcome));
    if (results.includes(null)) throw this.#lost(number);
    return this.#checkReceipts(results, number);
  }

  async #checkReceipts(values: readonly unknown[], number: number): Promise<readonly JsonObject[]> {
    const receipts: JsonObject[] = [];
    for (const [index, value] of values.entries()) {
      const receipt = objectOf(value, 'receipt');
      const isThere =
        (await checkReceipt(this.#point, receipt)) === number &&
        numberOf(receipt.transactionIndex, 'index') === index;
      if (!isThere)
        throw new RemoteDataError(`the remote node sent other receipts than those of block ${number}`);
      receipts.push(receipt);
    }
    return receipts;
  }

  async #logsOf(filter: RemoteLogFilter): Promise<readonly JsonObject[]> {
    const { fromBlock, toBlock, ...criteria } = filter;
    const parameter = { fromBlock: quantity(fromBlock), toBlock: quantity(toBlock), ...criteria };
    const logs = arrayOf(await this.#call('eth_getLogs', [parameter]), 'logs').map((log) =>
      objectOf(log, 'log'),
    );
    let before = -1;
    await eachInSlices(logs, (log) => {
      const position = positionIn(checkLog(this.#point, log, fromBlock, toBlock), log.logIndex);
      if (position <= before || !matchesFilter(log, filter)) {
        throw new RemoteDataError(
          'the remote node sent logs in another order, or that the filter does not match',
        );
      }
      before = position;
    });
    return logs;
  }

  async #call(method: string, params: readonly unknown[]): Promise<unknown> {
    const [outcome] = await this.#calls([{ method, params }]);
    return resultOf(this.#upstream, method, outcome);
  }

  #calls(calls: readonly UpstreamCall[]): Promise<readonly UpstreamOutcome[]> {
    return callsAtPin(this.#upstream, this.#point, calls);
  }

  #requirePast(number: number): void {
    invariant(number <= this.#point.number, 'the history of a remote chain ends at the pinned block');
  }

  #lost(number: number): LedgerdError {
    return new RemoteMissingError(
      `the remote node ${this.#upstream.name} has no block ${number} any more, although this chain was forked at ` +
        `${this.#point.number}: use an archive node`,
    );
  }
}

/** Returns a result or a revert, which is a result of a call like others. */
async function withReverts(fetch: () => Promise<unknown>): Promise<{
  readonly result?: unknown;
  readonly revert?: { readonly message: string; readonly code: number; readonly data?: unknown };
}> {
  try {
    return { result: await fetch() };
  } catch (error) {
    if (!(error instanceof RemoteCallError)) throw error;
    // Without the name of the remote node: packs are passed on.
    const revert = { message: error.reported, code: error.rpcCode, data: error.data };
    if (!isRevert(revert)) throw error;
    return { revert };
  }
}

/** Checks the lists of fees of a range of blocks. @throws {RemoteDataError} */
function feeHistoryOf(result: unknown, method: string): void {
  const { oldestBlock, baseFeePerGas, gasUsedRatio, baseFeePerBlobGas, blobGasUsedRatio, reward } = objectOf(
    result,
    method,
  );
  numberOf(oldestBlock, 'oldestBlock');
  for (const list of [baseFeePerGas, gasUsedRatio]) arrayOf(list, method);
  for (const list of [baseFeePerBlobGas, blobGasUsedRatio, reward]) if (list != null) arrayOf(list, method);
}

/** Returns true for the refusal of a range of event logs, or too long a response. */
function isTooLong(error: unknown): boolean {
  if (error instanceof RemoteCallError)
    return isRangeRefusal({ code: error.rpcCode, message: error.message });
  return error instanceof UpstreamError && error.failure === 'too long';
}
