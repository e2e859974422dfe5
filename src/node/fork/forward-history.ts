import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import {
  type ForkPoint,
  type JsonObject,
  type RemoteHistory,
  type RemoteLogFilter,
  RemoteOtterscan,
} from '../../fork/index.ts';
import { LISTED_OPERATIONS_MAX } from '../../limits.ts';
import { type Address, type Hash, hexToBytes, quantity, toAddress, toHash } from '../../protocol/index.ts';
import { InvalidParametersError, RequestFailedError } from '../../rpc/index.ts';

/** Methods about states and traces, which the remote node runs itself, and about serialized data. */
const RUN_REMOTELY = new RegExp(
  [
    '^eth_(call|estimateGas|createAccessList|feeHistory|simulateV1|getUncleByBlock\\w+)$',
    '^eth_get(Account|AccountInfo|Balance|Code|Proof|StorageAt|StorageValues|TransactionCount)$',
    '^debug_(trace|getRaw)\\w+$|^trace_\\w+$',
  ].join('|'),
);

/** Methods about a transaction by its hash. */
const OF_TRANSACTION = /^(debug_traceTransaction|trace_(get|transaction|replayTransaction))$/;

/** Fields of a block that are not those of its header. */
const BEYOND_HEADER: ReadonlySet<string> = new Set(['transactions', 'uncles', 'withdrawals', 'size']);

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;

/** A block by its number or its hash. */
type BlockName = number | Hash;

/**
 * Returns the result of a call about the history up to the block of a fork. The caller has checked that the parameters
 * name a block of it, or a hash.
 * @returns null or undefined for a hash that names nothing there
 * @throws RequestFailedError for a method without an answer there, and the errors of `RemoteHistory`
 */
export async function forwardHistory(
  history: RemoteHistory,
  point: ForkPoint,
  method: string,
  parameters: readonly unknown[],
): Promise<unknown> {
  const [first, second] = parameters;
  switch (method) {
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return history.block(blockName(first), second === true);
    case 'eth_getHeaderByNumber':
    case 'eth_getHeaderByHash':
    case 'erigon_getHeaderByNumber':
      return headerOf(await history.block(blockName(first), false));
    case 'eth_getBlockTransactionCountByNumber':
    case 'eth_getBlockTransactionCountByHash':
      return countIn(history, first, 'transactions');
    case 'eth_getUncleCountByBlockNumber':
    case 'eth_getUncleCountByBlockHash':
      return countIn(history, first, 'uncles');
    case 'eth_getBlockReceipts':
      return receiptsOf(history, blockName(first));
    case 'eth_getTransactionByHash':
      return history.transaction(hash(first));
    case 'eth_getTransactionReceipt':
      return history.receipt(hash(first));
    case 'eth_getTransactionByBlockNumberAndIndex':
    case 'eth_getTransactionByBlockHashAndIndex':
      return history.transactionByBlock(blockName(first), count(second, OPERATION_INDEX_MAX));
    case 'eth_getRawTransactionByHash':
    case 'debug_getRawTransaction': {
      const transaction = await history.transaction(hash(first));
      return transaction === null ? undefined : rawTransaction(history, transaction);
    }
    case 'eth_getRawTransactionByBlockNumberAndIndex':
    case 'eth_getRawTransactionByBlockHashAndIndex':
      return rawTransaction(
        history,
        await history.transactionByBlock(blockName(first), count(second, OPERATION_INDEX_MAX)),
      );
    case 'eth_getTransactionBySenderAndNonce': {
      const sent = await otterscanResult(history, point, 'ots_getTransactionBySenderAndNonce', parameters);
      return sent === null ? null : history.transaction(hash(sent));
    }
    case 'eth_getLogs':
      return logsOf(history, point, first);
    default:
      if (method.startsWith('ots_')) return otterscanResult(history, point, method, parameters);
      if (!(await isKnown(history, method, parameters))) return undefined;
      if (RUN_REMOTELY.test(method)) return history.forward(method, parameters);
      throw new RequestFailedError(
        `${method} has no result for blocks up to the fork, block ${point.number}`,
      );
  }
}

/** Returns the result of a method of Otterscan. */
function otterscanResult(
  history: RemoteHistory,
  point: ForkPoint,
  method: string,
  [first, second, third]: readonly unknown[],
): Promise<unknown> {
  const otterscan = new RemoteOtterscan(history, point.number);
  switch (method) {
    case 'ots_hasCode':
      return otterscan.hasCode(first, second);
    case 'ots_getBlockDetails':
    case 'ots_getBlockDetailsByHash':
      return otterscan.blockDetails(blockName(first));
    case 'ots_getBlockTransactions':
      return otterscan.blockTransactions(
        blockName(first),
        count(second, BLOCK_NUMBER_MAX),
        count(third, LISTED_OPERATIONS_MAX),
      );
    case 'ots_getTransactionError':
      return otterscan.transactionError(hash(first));
    case 'ots_traceTransaction':
      return otterscan.enteredCalls(hash(first));
    case 'ots_getInternalOperations':
      return otterscan.internalOperations(hash(first));
    case 'ots_getTransactionBySenderAndNonce':
      return otterscan.sentWithNonce(address(first), BigInt(String(second)));
    case 'ots_getContractCreator':
      return otterscan.contractCreator(address(first));
    case 'ots_searchTransactionsBefore':
    case 'ots_searchTransactionsAfter': {
      const end = method.endsWith('After') ? 'After' : 'Before';
      return history.search(address(first), { end, block: Number(second), size: Number(third) });
    }
  }
  throw new RequestFailedError(`${method} has no result for blocks up to the fork, block ${point.number}`);
}

/** Returns false for a hash of a block or a transaction that the remote chain does not have up to the fork. */
async function isKnown(
  history: RemoteHistory,
  method: string,
  parameters: readonly unknown[],
): Promise<boolean> {
  const [first] = parameters;
  if (OF_TRANSACTION.test(method)) return (await history.transaction(hash(first))) !== null;
  // The block of a call is its second parameter or a later one; the first of another method may be one.
  for (const parameter of parameters) {
    const name = typeof parameter === 'object' ? Object(parameter).blockHash : parameter;
    const isBlock = typeof name === 'string' && HASH.test(name) && !isSlot(method, parameters, parameter);
    if (isBlock && (await history.block(hash(name), false)) === null) return false;
  }
  return true;
}

/** Returns true for the slot of `eth_getStorageAt`, which looks like a hash. */
function isSlot(method: string, parameters: readonly unknown[], parameter: unknown): boolean {
  return method === 'eth_getStorageAt' && parameters.indexOf(parameter) === 1;
}

function headerOf(block: JsonObject | null): unknown {
  return block && Object.fromEntries(Object.entries(block).filter(([field]) => !BEYOND_HEADER.has(field)));
}

function rawTransaction(history: RemoteHistory, transaction: JsonObject | null): unknown {
  return transaction && history.rawTransaction(hash(transaction.hash));
}

async function countIn(history: RemoteHistory, block: unknown, field: string): Promise<unknown> {
  const found = await history.block(blockName(block), false);
  const list = found?.[field];
  return found === null ? null : quantity(Array.isArray(list) ? list.length : 0);
}

async function receiptsOf(history: RemoteHistory, block: BlockName): Promise<unknown> {
  const number = typeof block === 'number' ? block : (await history.block(block, false))?.number;
  return number === undefined ? null : history.blockReceipts(Number(number));
}

async function logsOf(history: RemoteHistory, point: ForkPoint, criteria: unknown): Promise<unknown> {
  const { blockHash, blockhash, fromBlock, toBlock, address, topics } = Object(criteria);
  const match = { ...(address != null && { address }), ...(topics != null && { topics: topicsOf(topics) }) };
  const ofBlock = blockHash ?? blockhash;
  const numberIn = (value: unknown, absent: number): number =>
    value == null ? absent : Number(blockName(value));
  if (ofBlock === undefined) {
    const range = { fromBlock: numberIn(fromBlock, point.number), toBlock: numberIn(toBlock, point.number) };
    return history.logs({ ...range, ...match } as RemoteLogFilter); // the remote node checks the criteria
  }
  const block = await history.block(hash(ofBlock), false);
  if (block === null) return undefined;
  const number = Number(block.number);
  return history.logs({ fromBlock: number, toBlock: number, ...match } as RemoteLogFilter);
}

/** Returns topics with null, which matches anything, in place of alternatives that include it. */
function topicsOf(topics: unknown): unknown {
  if (!Array.isArray(topics)) return topics;
  return topics.map((wanted) => (Array.isArray(wanted) && wanted.includes(null) ? null : wanted));
}

/** Reads a block in raw parameters. */
function blockName(value: unknown): BlockName {
  if (value === 'earliest') return 0;
  if (typeof value === 'string' && value.length === 66) return hash(value);
  if (typeof value === 'string') return Number(value);
  const { blockHash, blockNumber } = Object(value);
  return blockName(blockHash ?? blockNumber);
}

/** Reads a number, as digits or as a QUANTITY. */
function count(value: unknown, most: number): number {
  const given = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(given) && given >= 0 && given <= most) return given;
  throw new InvalidParametersError(`invalid parameter: expected a number from 0 to ${most}`);
}

function address(value: unknown): Address {
  if (typeof value === 'string' && ADDRESS.test(value)) return toAddress(hexToBytes(value.slice(2)));
  throw new InvalidParametersError('invalid parameter: expected an address of 20 bytes');
}

function hash(value: unknown): Hash {
  if (typeof value === 'string' && HASH.test(value)) return toHash(hexToBytes(value.slice(2)));
  throw new InvalidParametersError('invalid parameter: expected a hash of 32 bytes');
}
