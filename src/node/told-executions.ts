import {
  type ArtifactRegistry,
  callTree,
  consoleLine,
  type TreeKnowledge,
  treeOfFrame,
} from '../contracts/index.ts';
import {
  type BlockSummary,
  type CallFrame,
  CallFrames,
  type ExecutionListener,
  type Ledger,
  type ToldOperation,
  TraceBudget,
  TraceLimitError,
} from '../ledger/index.ts';
import { TOLD_FAILURES_MAX, TOLD_TRACE_BYTES_MAX, TOLD_TRACE_MS_MAX } from '../limits.ts';
import type { Hash } from '../protocol/index.ts';
import { ethereumHashOf } from '../view/index.ts';
import type { NodeEvents } from './events.ts';

/** What the node's log tells of executions from: contracts by their names, and calls run once more. */
export interface ToldParts {
  readonly ledger: Ledger;
  readonly registry: ArtifactRegistry;
  readonly events: NodeEvents;
  /** Whether anything is to be told now. */
  isLogging(): boolean;
}

/** Whether anybody wants to know what executions do, so that the engine has to tell it. */
export function wantsExecutions({ onConsole, onFailedExecution }: NodeEvents): boolean {
  return onConsole !== undefined || onFailedExecution !== undefined;
}

/**
 * Passes on to a node's events what code told the console, and the calls of what failed: of operations when their block
 * is stored, of calls, and of the first run of estimates.
 *
 * @returns who is told, also by other processes that answer calls
 */
export function tellExecutions({ ledger, registry, events, isLogging }: ToldParts): ExecutionListener {
  const knowledge: TreeKnowledge = { registry, codeAt: (address) => ledger.codeAt(address) };
  /** Nothing that goes wrong here may touch what is told of. */
  const safely = (work: () => void): void => {
    if (!isLogging()) return;
    try {
      work();
    } catch (error) {
      events.onInternalFailure?.('what executions tell', error);
    }
  };
  const console: NonNullable<ExecutionListener['console']> = ({ inputs, isCut }) => {
    const lines = inputs.map(consoleLine);
    events.onConsole?.(isCut ? [...lines, '… what follows is too much for one transaction'] : lines);
  };
  const listener: ExecutionListener = {
    console: (calls) => safely(() => console(calls)),
    ...(events.onFailedExecution && {
      failed: (root: CallFrame) =>
        safely(() => {
          const lines = callTree(treeOfFrame(root), knowledge);
          events.onFailedExecution?.({ transaction: undefined, lines });
        }),
    }),
    included: (block, operations) =>
      safely(() => {
        const frames =
          events.onFailedExecution === undefined ? new Map() : failedCalls(ledger, block, operations);
        for (const { index, consoleCalls } of operations) {
          if (consoleCalls !== undefined) console(consoleCalls);
          const root = frames.get(index);
          if (root === undefined) continue;
          const hash = hashOf(ledger, block.number, index);
          const lines = callTree(treeOfFrame(root), knowledge);
          if (hash !== undefined) {
            events.onFailedExecution?.({ transaction: { hash, block: block.number }, lines });
          }
        }
      }),
  };
  ledger.listenToExecutions(listener);
  return listener;
}

/** What the failed operations of a block called, by running it once more, as far as there is room and time for it. */
function failedCalls(
  ledger: Ledger,
  block: BlockSummary,
  operations: readonly ToldOperation[],
): ReadonlyMap<number, CallFrame> {
  const failed = operations.filter(({ isFailure }) => isFailure).slice(0, TOLD_FAILURES_MAX);
  const last = failed.at(-1);
  const found = new Map<number, CallFrame>();
  if (last === undefined) return found;
  const indexes = new Set(failed.map(({ index }) => index));
  const budget = new TraceBudget(TOLD_TRACE_BYTES_MAX, TOLD_TRACE_MS_MAX);
  let frames: CallFrames | undefined;
  try {
    ledger.replay(
      'evm-calls',
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
    // What has been found by then is told; what is too much is not.
    if (!(error instanceof TraceLimitError)) throw error;
  }
  return found;
}

/** The hash by which clients know an operation. */
function hashOf(ledger: Ledger, block: number, index: number): Hash | undefined {
  const found = ledger.operationAt(block, index);
  return found && ethereumHashOf(found);
}
