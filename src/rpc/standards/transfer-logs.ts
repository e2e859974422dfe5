import {
  MULTI_TOKEN_TOPICS,
  type TokenTransfer,
  TRANSFER_TOPIC,
  topicOf,
  transfersOf,
} from '../../contracts/index.ts';
import type { BlockSummary, FoundLog } from '../../ledger/index.ts';
import type { Address } from '../../protocol/index.ts';
import { revertCheck } from '../blocks/block-operations.ts';
import { findLogs } from '../logs/find-logs.ts';
import type { QueryContext } from '../method-context.ts';
import type { LogMatch } from '../parameters/log-options.ts';

/** Logs of transfers that one request examines. */
export const TRANSFER_LOGS_MAX = 100_000;
/** Logs, and entries of the index, that one step of a search reads. */
const STEP_LOGS_MAX = 500;
const STEP_ENTRIES_MAX = 50_000;
/** Blocks of the first step of a search. */
const STEP_BLOCKS = 64;
/** Factor by which the blocks of a step grow after few logs, and shrink after too many. */
const STEP_FACTOR = 8;

/** The transfers to find; both are undefined for those of all tokens. */
export interface TransferSearch {
  readonly token: Address | undefined;
  readonly holder: Address | undefined;
}

/** A position in the chain: the search finds the logs before it. */
export interface LogPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
}

/** A log with the transfers that it states. */
export interface TransferLog {
  readonly log: FoundLog;
  readonly transfers: readonly TokenTransfer[];
}

/**
 * Finds the logs of transfers up to a block, newest first, in steps; undefined is a step without one. The index of logs
 * is read forwards, in ranges of blocks that grow towards the genesis.
 *
 * @returns true if it has found all, false at a bound of logs or of time
 * @throws BlockRevertedError; LimitError for too many logs in one block
 */
export function* findTransfers(
  context: QueryContext,
  search: TransferSearch,
  head: BlockSummary,
  before: LogPlace = { blockNumber: head.number + 1, logIndex: 0 },
): Generator<TransferLog | undefined, boolean> {
  const check = revertCheck(context.ledger, head);
  const deadline = performance.now() + context.limits.traceTimeMsMax;
  let examined = 0;
  let blocks = STEP_BLOCKS;
  for (let toBlock = Math.min(head.number, before.blockNumber); toBlock >= 0; ) {
    const fromBlock = Math.max(0, toBlock - blocks + 1);
    const logs = logsIn(context, search, { fromBlock, toBlock });
    yield undefined;
    check();
    if (logs === undefined) {
      blocks = Math.ceil((toBlock - fromBlock + 1) / STEP_FACTOR);
      continue;
    }
    for (const log of logs) {
      if (log.block.number === before.blockNumber && log.index >= before.logIndex) continue;
      const transfers = transfersOf(log);
      examined += Math.max(1, transfers.length);
      if (examined > TRANSFER_LOGS_MAX || performance.now() > deadline) return false;
      yield { log, transfers };
      check();
    }
    if (logs.length < STEP_LOGS_MAX / STEP_FACTOR) blocks *= STEP_FACTOR;
    toBlock = fromBlock - 1;
  }
  return true;
}

/** Returns the logs of transfers in some blocks, newest first; undefined for too many in several blocks. */
function logsIn(
  context: QueryContext,
  search: TransferSearch,
  span: { readonly fromBlock: number; readonly toBlock: number },
): readonly FoundLog[] | undefined {
  const found = new Map<string, FoundLog>();
  for (const match of matchesOf(search)) {
    const isOneBlock = span.fromBlock === span.toBlock;
    const { logs, complete } = isOneBlock
      ? { logs: findLogs(context, match, span, 'the block cannot be listed'), complete: true }
      : context.ledger.blocks.logs({ ...span, ...match, stepsMax: STEP_ENTRIES_MAX }, STEP_LOGS_MAX);
    if (!complete) return undefined;
    // A holder may send to itself.
    for (const log of logs) found.set(`${log.block.number}/${log.index}`, log);
  }
  return [...found.values()].sort(
    (left, right) => right.block.number - left.block.number || right.index - left.index,
  );
}

/** Returns the criteria of the logs to find: each of them for one position of the holder among the topics. */
function matchesOf({ token, holder }: TransferSearch): readonly LogMatch[] {
  const addresses = token === undefined ? [] : [token];
  const all = [TRANSFER_TOPIC, ...MULTI_TOKEN_TOPICS];
  if (holder === undefined) return [{ addresses, topics: [all] }];
  const party = [topicOf(holder)];
  return [
    { addresses, topics: [[TRANSFER_TOPIC], party] },
    { addresses, topics: [all, [], party] },
    { addresses, topics: [MULTI_TOKEN_TOPICS, [], [], party] },
  ];
}
