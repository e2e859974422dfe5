import type { RemoteLogFilter } from '../../fork/index.ts';
import type { FeeHistory } from '../../formatters/index.ts';
import { quantity, toPrefixedHex } from '../../protocol/index.ts';
import { numberOfSelector } from '../blocks/find-block.ts';
import type { BlockSelector } from '../parameters/block.ts';
import type { LogMatch, LogRequest } from '../parameters/log-options.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { type ForkedCall, orHere } from './fork-rule.ts';
import { remoteBlock } from './history-rules.ts';
import { joined, textOf } from './joined-lists.ts';

/** The part of a range of blocks that the remote chain has. */
interface RemoteRange {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** True if blocks of this chain follow. */
  readonly isCrossing: boolean;
}

/** Returns the remote part of a range; undefined for a range that is empty, or that begins after the fork. */
function remoteRange(
  { remote, context: { ledger } }: Pick<ForkedCall, 'remote' | 'context'>,
  fromBlock: BlockSelector,
  toBlock: BlockSelector,
): RemoteRange | undefined {
  const from = numberOfSelector(ledger, fromBlock) ?? Number.POSITIVE_INFINITY;
  const to = numberOfSelector(ledger, toBlock) ?? Number.POSITIVE_INFINITY;
  if (from > remote.number || from > to) return undefined;
  return { fromBlock: from, toBlock: Math.min(to, remote.number), isCrossing: to > remote.number };
}

/** Returns the logs that a request matches, on both chains. */
export function logsOnFork<A extends readonly unknown[]>(
  forked: ForkedCall<A>,
  given: A,
  request: LogRequest,
): unknown {
  const { remote, here } = forked;
  if (request.blockHash !== undefined) {
    const block = remoteBlock(forked, { hash: request.blockHash });
    if (block === undefined) return here(given);
    return orHere(forked, given, async (history) => {
      const found = typeof block === 'number' ? block : (await history.block(block, false))?.number;
      if (found === undefined) return undefined;
      const number = Number(found);
      return history.logs({ fromBlock: number, toBlock: number, ...matchOf(request) });
    });
  }
  const range = remoteRange(forked, request.fromBlock, request.toBlock);
  if (range === undefined) return here(given);
  const { fromBlock, toBlock, isCrossing } = range;
  const filter = { fromBlock, toBlock, ...matchOf(request) };
  if (!isCrossing) return remote.read((history) => history.logs(filter));
  // Before the remote node is asked: a range that this chain refuses needs no request.
  const after = here(given);
  return remote.read((history) => history.logs(filter)).then((before) => joined(before, after));
}

/** Returns addresses and topics as JSON, a single one without its list: the names of stored results have this form. */
function matchOf({ addresses, topics }: LogMatch): Pick<RemoteLogFilter, 'address' | 'topics'> {
  const [address, ...others] = addresses.map(toPrefixedHex);
  const alternatives = topics.map((given) => {
    const [topic, ...rest] = given.map(toPrefixedHex);
    if (topic === undefined) return null;
    return rest.length === 0 ? topic : [topic, ...rest];
  });
  return {
    ...(address !== undefined && { address: others.length === 0 ? address : [address, ...others] }),
    ...(topics.length > 0 && { topics: alternatives }),
  };
}

/** Criteria of `trace_filter` that concern a range. */
interface TraceRange {
  readonly fromBlock: BlockSelector;
  readonly toBlock: BlockSelector;
  readonly after: number;
  readonly count: number | undefined;
}

/** Returns the calls in a range of blocks on both chains, that it lists from `after` on. */
export function tracesOnFork<F extends TraceRange>(
  forked: ForkedCall<readonly [F]>,
  filter: F,
  match: object,
): unknown {
  const { method, remote, here } = forked;
  const range = remoteRange(forked, filter.fromBlock, filter.toBlock);
  if (range === undefined) return here([filter]);
  const { fromBlock, toBlock, isCrossing } = range;
  const { after, count } = filter;
  const fetch = (bounds: object): Promise<readonly unknown[]> =>
    remote.read(async (history) => {
      const blocks = { fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) };
      const found = await history.forward(method, [{ ...blocks, ...match, ...bounds }], 'list');
      if (Array.isArray(found)) return found;
      throw new RequestFailedError('the remote node sent no list: use another remote node');
    });
  if (!isCrossing) return fetch({ ...(after > 0 && { after }), ...(count !== undefined && { count }) });
  // The bounds of a list concern the joined one.
  const most = count === undefined ? undefined : after + count;
  const own: unknown[] = JSON.parse(textOf(here([{ ...filter, after: 0, count: most }])));
  return fetch(most === undefined ? {} : { count: most }).then((before) =>
    [...before, ...own].slice(after, most),
  );
}

/** The parameters of `eth_feeHistory`. */
type FeeRange = readonly [count: number, newest: BlockSelector, percentiles: readonly number[] | undefined];

/** Returns the fees of a range of blocks on both chains. */
export function feesOnFork(forked: ForkedCall<FeeRange>, given: FeeRange): unknown {
  const { method, remote, context, here } = forked;
  const [count, selector, percentiles] = given;
  const head = context.ledger.blocks.head().number;
  const newest = numberOfSelector(context.ledger, selector);
  if (newest === undefined || newest > head) return here(given);
  const own = Math.max(0, newest - remote.number);
  if (count <= own) return here(given);
  const before = async (blocks: number, last: number): Promise<FeeHistory> => {
    const parameters = [quantity(blocks), quantity(last), ...(percentiles ? [percentiles] : [])];
    const found = await remote.read((history) => history.forward(method, parameters, 'fees'));
    return found as FeeHistory; // its form was checked
  };
  if (own === 0) return before(count, newest);
  const after: FeeHistory = JSON.parse(textOf(here([own, selector, percentiles])));
  return before(count - own, remote.number).then((there) => joinedFees(there, after));
}

/** Joins the fees of two ranges; the first lists have an element for the block after the last. */
function joinedFees(before: FeeHistory, after: FeeHistory): FeeHistory {
  const zeros = before.gasUsedRatio.map(() => 0);
  const noFees = zeros.map(() => quantity(0));
  return {
    oldestBlock: before.oldestBlock,
    baseFeePerGas: [...before.baseFeePerGas.slice(0, zeros.length), ...after.baseFeePerGas],
    gasUsedRatio: [...before.gasUsedRatio, ...after.gasUsedRatio],
    // A remote chain may have no blobs.
    baseFeePerBlobGas: [
      ...(before.baseFeePerBlobGas ?? noFees).slice(0, zeros.length),
      ...after.baseFeePerBlobGas,
    ],
    blobGasUsedRatio: [...(before.blobGasUsedRatio ?? zeros), ...after.blobGasUsedRatio],
    ...(before.reward && after.reward && { reward: [...before.reward, ...after.reward] }),
  };
}
