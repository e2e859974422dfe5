import { quantity } from '../../protocol/index.ts';
import type { RemoteChain } from '../context/node-dependencies.ts';
import type { Call } from '../envelope/envelope.ts';
import { RequestFailedError } from '../errors.ts';
import { ResponseBody } from '../json/response-body.ts';

/** Methods that name a block of the chain, by the position of its parameter: the remote chain has old ones. */
const BLOCK_METHODS: ReadonlyMap<string, number> = new Map([
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getRawTransactionByBlockNumberAndIndex', 0],
  ['eth_getUncleByBlockNumberAndIndex', 0],
  ['eth_getUncleCountByBlockNumber', 0],
  ['debug_getRawBlock', 0],
  ['debug_getRawHeader', 0],
  ['debug_getRawReceipts', 0],
  ['debug_traceBlockByNumber', 0],
  ['trace_block', 0],
  ['trace_replayBlockTransactions', 0],
]);

/** Methods that name a state, by the position of its block: the remote chain has those before the fork. */
const STATE_METHODS: ReadonlyMap<string, number> = new Map([
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['eth_getStorageAt', 2],
  ['eth_getProof', 2],
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_createAccessList', 1],
  ['eth_feeHistory', 1],
  ['debug_traceCall', 1],
  ['trace_call', 2],
]);

/** Methods that name a block or a transaction by its hash, first. */
const HASH_METHODS: ReadonlySet<string> = new Set([
  'eth_getBlockByHash',
  'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getRawTransactionByHash',
  'debug_getRawTransaction',
  'debug_traceBlockByHash',
  'debug_traceTransaction',
  'trace_get',
  'trace_transaction',
  'trace_replayTransaction',
]);

/** Methods with criteria that name a range of blocks, first. */
const RANGE_METHODS: ReadonlySet<string> = new Set(['eth_getLogs', 'trace_filter']);

/** Names of the newest block. */
const TAGS: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized']);

const HASH = /^0x[0-9a-fA-F]{64}$/;
const NUMBER = /^0x[0-9a-fA-F]{1,12}$/;

/**
 * Runs a call on a forked chain. The remote chain gives what concerns the history up to the fork, and what a hash names
 * that this chain does not know. The logs of a range that crosses the fork are those of both, in order.
 * @param invoke runs the call on this chain
 * @param head number of the newest block
 * @returns a result, or its promise, which rejects with an RpcError
 */
export function invokeOnFork(
  remote: RemoteChain,
  { method, parameters }: Call,
  head: number,
  invoke: () => unknown,
): unknown {
  if (!Array.isArray(parameters)) return invoke();
  const [first] = parameters;
  if (RANGE_METHODS.has(method)) return rangeResult(remote, method, first, invoke);
  if (HASH_METHODS.has(method) && typeof first === 'string' && HASH.test(first)) {
    return knownResult(invoke) ?? remote.forward(method, parameters);
  }
  const place = BLOCK_METHODS.get(method);
  // Until there is a block of this chain, the newest one is that of the fork.
  if (place !== undefined && head === remote.number && TAGS.has(parameters[place])) {
    return remote.forward(method, parameters.with(place, quantity(remote.number)));
  }
  const position = place ?? STATE_METHODS.get(method);
  const number = position === undefined ? undefined : numberOf(parameters[position]);
  const last = place === undefined ? remote.number - 1 : remote.number;
  return number !== undefined && number <= last ? remote.forward(method, parameters) : invoke();
}

/** Returns the result about a hash; undefined for one that this chain does not know. */
function knownResult(invoke: () => unknown): unknown {
  try {
    return invoke() ?? undefined;
  } catch (error) {
    if (error instanceof RequestFailedError) return undefined;
    throw error;
  }
}

/** Returns what matches in a range of blocks, or in the block of a hash. */
function rangeResult(remote: RemoteChain, method: string, criteria: unknown, invoke: () => unknown): unknown {
  const hash = fieldOf(criteria, 'blockHash') ?? fieldOf(criteria, 'blockhash');
  if (typeof hash === 'string') return knownResult(invoke) ?? remote.forward(method, [criteria]);
  const from = numberOf(
    fieldOf(criteria, 'fromBlock') ?? (method === 'trace_filter' ? 'earliest' : 'latest'),
  );
  const to = numberOf(fieldOf(criteria, 'toBlock') ?? 'latest');
  if (from === undefined || from > remote.number) return invoke();
  if (to !== undefined && to <= remote.number) return remote.forward(method, [criteria]);
  const until = { ...Object(criteria), toBlock: quantity(remote.number) };
  return remote.forward(method, [until]).then((before) => joined(before, invoke()));
}

/** Joins two lists, of which each may be written as a text. */
function joined(before: unknown, after: unknown): ResponseBody {
  const lists = [before, after].map((list) =>
    list instanceof ResponseBody ? list.text : JSON.stringify(list),
  );
  const items = lists.map((text) => text.slice(1, -1)).filter((text) => text !== '');
  return new ResponseBody(`[${items.join(',')}]`);
}

/** Returns the number of a block in raw parameters: a number, `earliest`, or an object by EIP-1898. */
function numberOf(value: unknown): number | undefined {
  if (value === 'earliest') return 0;
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : undefined;
  const given = fieldOf(value, 'blockNumber');
  return typeof given === 'string' ? numberOf(given) : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
