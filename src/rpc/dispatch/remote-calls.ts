import { hexToBytes, quantity, toHash, toPrefixedHex } from '../../protocol/index.ts';
import { blockByHash } from '../blocks/find-block.ts';
import type { RemoteChain } from '../context/node-dependencies.ts';
import type { Call } from '../envelope/envelope.ts';
import { RequestFailedError } from '../errors.ts';
import type { ClientFilters, MethodContext } from '../method-context.ts';
import { type ForkedCall, joined, textOf } from './forked-call.ts';
import { foundTransactions } from './remote-search.ts';

/** Methods that name a block of the chain, by the position of its parameter: the remote chain has old ones. */
const BLOCK_METHODS: ReadonlyMap<string, number> = new Map([
  ['eth_getBlockByNumber', 0],
  ['eth_getHeaderByNumber', 0],
  ['erigon_getHeaderByNumber', 0],
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
  ['ots_getBlockDetails', 0],
  ['ots_getBlockTransactions', 0],
]);

/** Methods that name a state, by the position of its block: the remote chain has those before the fork. */
const STATE_METHODS: ReadonlyMap<string, number> = new Map([
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['eth_getStorageAt', 2],
  ['eth_getProof', 2],
  ['eth_getAccount', 1],
  ['eth_getAccountInfo', 1],
  ['eth_getStorageValues', 1],
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_createAccessList', 1],
  ['eth_simulateV1', 1],
  ['debug_traceCall', 1],
  ['trace_call', 2],
  ['trace_callMany', 1],
  ['ots_hasCode', 1],
]);

/** Methods that name a block or a transaction by its hash, first. */
const HASH_METHODS: ReadonlySet<string> = new Set([
  'eth_getBlockByHash',
  'eth_getHeaderByHash',
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
  'ots_getBlockDetailsByHash',
  'ots_getTransactionError',
  'ots_traceTransaction',
  'ots_getInternalOperations',
]);

/** Methods about an address, for which the remote chain has what this one does not find. */
const ADDRESS_METHODS: ReadonlySet<string> = new Set([
  'eth_getTransactionBySenderAndNonce',
  'ots_getTransactionBySenderAndNonce',
  'ots_getContractCreator',
]);

const SEARCHES: ReadonlySet<string> = new Set([
  'ots_searchTransactionsBefore',
  'ots_searchTransactionsAfter',
]);

/** Methods with criteria that name a range of blocks, first. */
const RANGE_METHODS: ReadonlySet<string> = new Set(['eth_getLogs', 'trace_filter']);

/** Names of the newest block. */
const TAGS: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized']);

const HASH = /^0x[0-9a-fA-F]{64}$/;
const QUANTITY = /^0x[0-9a-fA-F]+$/;
const NUMBER = /^0x[0-9a-fA-F]{1,12}$/;

/**
 * Runs a call on a forked chain. The remote chain gives what concerns the history up to the fork, and what a hash names
 * that this chain does not know. The results about a range that crosses the fork are those of both, in order.
 * @param invoke runs a call on this chain
 * @returns a result, or its promise, which rejects with an RpcError
 */
export function invokeOnFork(
  remote: RemoteChain,
  { ledger, filters }: Pick<MethodContext, 'ledger' | 'filters'>,
  call: Call,
  invoke: (call: Call) => unknown,
): unknown {
  const { method, parameters } = call;
  if (!Array.isArray(parameters)) return invoke(call);
  const invokeWith: ForkedCall['invoke'] = (changed) =>
    invoke(changed === parameters ? call : { ...call, parameters: changed });
  const forked: ForkedCall = { method, remote, ledger, parameters, invoke: invokeWith };
  const [first] = parameters;
  if (RANGE_METHODS.has(method)) return rangeResult(forked, first);
  if (method === 'eth_feeHistory') return feeHistory(forked);
  if (SEARCHES.has(method)) return foundTransactions(forked);
  if (method === 'eth_getFilterLogs') return filterLogs(forked, filters);
  if (ADDRESS_METHODS.has(method)) return knownResult(forked);
  if (HASH_METHODS.has(method) && typeof first === 'string' && HASH.test(first)) return knownResult(forked);
  const place = BLOCK_METHODS.get(method);
  const position = place ?? STATE_METHODS.get(method);
  return position === undefined ? invoke(call) : blockResult(forked, position, place !== undefined);
}

/** Returns the result about a block, or about the state after it, which is a parameter. */
function blockResult(forked: ForkedCall, position: number, isBlock: boolean): unknown {
  const { method, remote, ledger, parameters, invoke } = forked;
  const hash = hashIn(parameters[position]);
  const isFork = hash !== undefined && hash === toPrefixedHex(remote.hash);
  const number = isFork ? remote.number : numberOf(parameters[position]);
  if (number === undefined && hash !== undefined) {
    const isHere = blockByHash(ledger, toHash(hexToBytes(hash.slice(2)))) !== undefined;
    return isHere ? invoke(parameters) : orHere(forked, remote.forward(method, parameters));
  }
  // Until there is a block of this chain, the newest one is that of the fork.
  const isNewest = isBlock && TAGS.has(parameters[position]) && ledger.blocks.head().number === remote.number;
  const named = isNewest || number === remote.number;
  const changed = named ? parameters.with(position, quantity(remote.number)) : parameters;
  const last = isBlock ? remote.number : remote.number - 1;
  return isNewest || (number !== undefined && number <= last)
    ? remote.forward(method, changed)
    : invoke(changed);
}

/** Returns the remote result; for a hash that names nothing there, what this chain responds to an unknown hash. */
async function orHere({ invoke, parameters }: ForkedCall, forwarded: Promise<unknown>): Promise<unknown> {
  const result = await forwarded;
  return result === undefined ? invoke(parameters) : result;
}

/** Returns the result about a hash that is a parameter. */
function knownResult(forked: ForkedCall): unknown {
  const { method, remote, parameters, invoke } = forked;
  try {
    const result = invoke(parameters);
    // Of an unknown transaction there are no bytes; of a known one that succeeded there are no revert data.
    const isKnown = result !== '0x' || method === 'ots_getTransactionError';
    if (result !== null && result !== undefined && isKnown) return result;
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error;
  }
  return orHere(forked, remote.forward(method, parameters));
}

/** Returns what matches in a range of blocks, or in the block of a hash. */
function rangeResult(forked: ForkedCall, criteria: unknown): unknown {
  const { method, remote, parameters, invoke } = forked;
  const hash = fieldOf(criteria, 'blockHash') ?? fieldOf(criteria, 'blockhash');
  if (typeof hash === 'string') return knownResult(forked);
  const isTraces = method === 'trace_filter';
  const from = numberOf(fieldOf(criteria, 'fromBlock') ?? (isTraces ? 'earliest' : 'latest'));
  const to = numberOf(fieldOf(criteria, 'toBlock') ?? 'latest');
  if (from === undefined || from > remote.number || (to !== undefined && from > to))
    return invoke(parameters);
  if (to !== undefined && to <= remote.number) return remote.forward(method, [criteria]);
  const until = { ...Object(criteria), toBlock: quantity(remote.number) };
  if (!isTraces) {
    return remote.forward(method, [until]).then((before) => joined(listOf(before), invoke(parameters)));
  }
  // The bounds of a list concern the joined one.
  const { after: given, count, ...all } = Object(criteria);
  const after = Number(given ?? 0);
  const most = count == null ? {} : { count: after + Number(count) };
  if (Number.isNaN(most.count ?? after)) return invoke(parameters);
  return remote.forward(method, [{ ...all, ...most, toBlock: until.toBlock }]).then((before) => {
    const here: unknown[] = JSON.parse(textOf(invoke([{ ...all, ...most }])));
    return [...listOf(before), ...here].slice(after, most.count);
  });
}

/** Returns a list of the remote chain. Traces are not checked where they arrive. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new RequestFailedError('the remote node sent no list: use another remote node');
}

/** Returns all logs that a filter matches. */
function filterLogs(forked: ForkedCall, filters: Pick<ClientFilters, 'logOptions'>): unknown {
  const [id] = forked.parameters;
  const options = typeof id === 'string' && QUANTITY.test(id) ? filters.logOptions(BigInt(id)) : undefined;
  if (options === undefined) return forked.invoke(forked.parameters);
  return rangeResult({ ...forked, method: 'eth_getLogs' }, options);
}

/** The result of `eth_feeHistory`; the first three lists have an element for the block after the last. */
interface FeeHistory {
  readonly oldestBlock: string;
  readonly baseFeePerGas: readonly unknown[];
  readonly baseFeePerBlobGas?: readonly unknown[];
  readonly gasUsedRatio: readonly unknown[];
  readonly blobGasUsedRatio?: readonly unknown[];
  readonly reward?: readonly unknown[];
}

/** Returns the fees of a range of blocks. */
function feeHistory(forked: ForkedCall): unknown {
  const { method, remote, ledger, parameters, invoke } = forked;
  const [wanted, selector] = parameters;
  const newest = TAGS.has(selector) ? ledger.blocks.head().number : numberOf(selector);
  const count = typeof wanted === 'string' || typeof wanted === 'number' ? Number(wanted) : 0;
  if (newest === undefined || newest > ledger.blocks.head().number) return invoke(parameters);
  const here = newest - remote.number;
  if (!(count > here)) return invoke(parameters);
  if (here <= 0) return remote.forward(method, parameters.with(1, quantity(newest)));
  const there = parameters.with(0, quantity(count - here)).with(1, quantity(remote.number));
  return remote.forward(method, there).then((result) => {
    const before = result as FeeHistory; // the form is checked where it arrives
    const after: FeeHistory = JSON.parse(textOf(invoke(parameters.with(0, quantity(here)))));
    const zeros = before.gasUsedRatio.map(() => 0);
    const { baseFeePerBlobGas = zeros.map(() => '0x0'), blobGasUsedRatio = zeros } = before;
    return {
      oldestBlock: before.oldestBlock,
      baseFeePerGas: [...before.baseFeePerGas.slice(0, zeros.length), ...after.baseFeePerGas],
      gasUsedRatio: [...before.gasUsedRatio, ...after.gasUsedRatio],
      baseFeePerBlobGas: [...baseFeePerBlobGas.slice(0, zeros.length), ...(after.baseFeePerBlobGas ?? [])],
      blobGasUsedRatio: [...blobGasUsedRatio, ...(after.blobGasUsedRatio ?? [])],
      ...(before.reward && after.reward && { reward: [...before.reward, ...after.reward] }),
    };
  });
}

/** Returns the number of a block in raw parameters: a number, `earliest`, or an object by EIP-1898. */
function numberOf(value: unknown): number | undefined {
  if (value === 'earliest') return 0;
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : undefined;
  const given = fieldOf(value, 'blockNumber');
  return typeof given === 'string' ? numberOf(given) : undefined;
}

/** Returns the hash of a block in raw parameters, as itself or in an object by EIP-1898, in lower case. */
function hashIn(value: unknown): string | undefined {
  const given = typeof value === 'string' ? value : fieldOf(value, 'blockHash');
  return typeof given === 'string' && HASH.test(given) ? given.toLowerCase() : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
