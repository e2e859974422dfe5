import {
  type ArtifactRegistry,
  callTree,
  consoleLine,
  describeFailure,
  type TreeKnowledge,
  treeOfFrame,
} from '../contracts/index.ts';
import { ethereumHashOf } from '../formatters/index.ts';
import {
  type BlockSummary,
  type CallFrame,
  CallFrames,
  type ExecutionListener,
  type Ledger,
  LOGGED_TRACE_BYTES_MAX,
  LOGGED_TRACE_MS_MAX,
  type ReportedOperation,
  TraceBudget,
  TraceLimitError,
} from '../ledger/index.ts';
import { equalBytes, gasLimit, isEthereumTransaction } from '../protocol/index.ts';
import { systemTime } from '../time/time.ts';
import type { FailedExecution, NodeEvents } from './events.ts';

/** Milliseconds within which an equal failed call is shown without its origin: clients repeat failed transactions as calls. */
const REPEATED_FAILURE_MS = 1_000;
/** Failed transactions of a block whose calls the node's log shows. */
const LOGGED_FAILURES_MAX = 16;

/**
 * Reports console output and failed calls by a node's events: those of operations when their block is stored, of calls,
 * and of the first run of estimates.
 * @returns the listener, also for processes that run calls
 */
export function logExecutions(
  ledger: Ledger,
  registry: ArtifactRegistry,
  events: NodeEvents,
  isLogging: () => boolean,
): ExecutionListener {
  const knowledge: TreeKnowledge = { registry, codeAt: (address) => ledger.accounts.codeAt(address) };
  /** Runs an action whose errors must not affect the execution. */
  const safely = (action: () => void): void => {
    if (!isLogging()) return;
    try {
      action();
    } catch (error) {
      events.onInternalFailure?.('execution log', error);
    }
  };
  const console: NonNullable<ExecutionListener['console']> = ({ inputs, isCut }) => {
    const lines = inputs.map(consoleLine);
    events.onConsole?.(isCut ? [...lines, '… the rest is too long for one transaction'] : lines);
  };
  let last:
    | { readonly call: Pick<CallFrame, 'to' | 'value' | 'input' | 'output'>; readonly at: number }
    | undefined;
  const reportFailure = (root: CallFrame, transaction: FailedExecution['transaction']): void => {
    const isRecent = last !== undefined && systemTime.now() - last.at < REPEATED_FAILURE_MS;
    const isAgain =
      transaction === undefined && isRecent && last !== undefined && isSameFailure(last.call, root);
    const { from, to, value, input, output, gas, gasUsed } = root;
    if (!isAgain) last = { call: { to, value, input, output }, at: systemTime.now() };
    const call = treeOfFrame(root);
    events.onFailedExecution?.({
      transaction,
      failure: describeFailure(call, knowledge),
      from,
      gasUsed,
      gasLimit: gas,
      isAgain,
      calls: () => callTree(call, knowledge),
    });
  };
  const listener: ExecutionListener = {
    console: (calls) => safely(() => console(calls)),
    ...(events.onFailedExecution && {
      failed: (root: CallFrame) => safely(() => reportFailure(root, undefined)),
    }),
    included: (block, operations) =>
      safely(() => {
        const frames =
          events.onFailedExecution === undefined ? new Map() : failedCalls(ledger, block, operations);
        for (const { index, consoleCalls } of operations) {
          if (consoleCalls !== undefined) console(consoleCalls);
          const root = frames.get(index);
          if (root === undefined) continue;
          const included = ledger.blocks.operationAt(block.number, index);
          if (included === undefined) continue;
          const { operation } = included;
          const gas = isEthereumTransaction(operation) ? operation.innerTransaction.gas : gasLimit(operation);
          reportFailure({ ...root, gas }, { hash: ethereumHashOf(included), block: block.number });
        }
      }),
  };
  ledger.calls.listenToExecutions(listener);
  return listener;
}

function isSameFailure(one: Pick<CallFrame, 'to' | 'value' | 'input' | 'output'>, other: CallFrame): boolean {
  const isSameTo =
    one.to === undefined || other.to === undefined ? one.to === other.to : equalBytes(one.to, other.to);
  const isSameCall = isSameTo && one.value === other.value && equalBytes(one.input, other.input);
  return isSameCall && equalBytes(one.output, other.output);
}

/** Returns the call frames of a block's failed operations, replayed within the bounds. */
function failedCalls(
  ledger: Ledger,
  block: BlockSummary,
  operations: readonly ReportedOperation[],
): ReadonlyMap<number, CallFrame> {
  const failed = operations.filter(({ isFailure }) => isFailure).slice(0, LOGGED_FAILURES_MAX);
  const last = failed.at(-1);
  const found = new Map<number, CallFrame>();
  if (last === undefined) return found;
  const indexes = new Set(failed.map(({ index }) => index));
  const budget = new TraceBudget(LOGGED_TRACE_BYTES_MAX, LOGGED_TRACE_MS_MAX);
  let frames: CallFrames | undefined;
  try {
    ledger.calls.replay(
      'evm',
      block,
      {
        before: ({ index }) => {
          frames = indexes.has(index) ? new CallFrames(budget, { withPaths: true }) : undefined;
          return frames;
        },
        after: ({ index, receipt }) => {
          if (frames === undefined) return;
          // The gas of the transaction, as callTracer and the receipt have it.
          found.set(index, { ...frames.root, gasUsed: receipt?.gasUsed ?? frames.root.gasUsed });
        },
        checkTime: () => budget.checkTime(),
      },
      last.index + 1,
    );
  } catch (error) {
    // The frames before the limit are reported.
    if (!(error instanceof TraceLimitError)) throw error;
  }
  return found;
}
