import type { Failure, TreeLine } from '../contracts/index.ts';
import type { BlockSummary, DroppedTransaction } from '../ledger/index.ts';
import { type Address, type Hash, LedgerdError } from '../protocol/index.ts';
import type { Stopwatch } from '../time/time.ts';
import type { EthereumBlock } from './logged-block.ts';
import type { NodeNotice } from './notices.ts';

/** A failed execution with its reason. */
export interface FailedExecution {
  /** The included transaction; undefined for a call or an estimate. */
  readonly transaction: { readonly hash: Hash; readonly block: number } | undefined;
  readonly failure: Failure;
  readonly from: Address;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  /** True for a call that a client made again after it failed. */
  readonly isAgain: boolean;
  /** Writes the tree of its calls, to be called at once. */
  calls(): readonly TreeLine[];
}

/** Notifications of a running node. No listener may throw. */
export interface NodeEvents {
  /** @param ethereum the block as Ethereum's tools know it; undefined on a chain without Ethereum */
  onBlock?(block: BlockSummary, ethereum: EthereumBlock | undefined): void;
  onDropped?(dropped: DroppedTransaction): void;
  /** A call failed; the message is the caller's. */
  onFailedCall?(method: string, message: string): void;
  /** A contract logged to the console; a text for each line. Test mode only. */
  onConsole?(lines: readonly string[]): void;
  /** A contract failed in a transaction, a call or an estimate. Test mode only. */
  onFailedExecution?(failed: FailedExecution): void;
  /** The node itself failed, in the named method or task. The error is for the operator only. */
  onInternalFailure?(task: string, error: unknown): void;
  onNotice?(notice: NodeNotice): void;
  /** The disk failed during a commit. The process must exit; nothing more is written. */
  onDiskFailure?(error: Error): void;
}

/** Milliseconds for which failures are counted, and those of them that are reported. */
const FAILURE_PERIOD_MS = 60_000;
const REPORTED_FAILURES = 60;

/** Wraps events so that failures, which clients may cause, cannot fill a log: the first after many has their number. */
export function withFewFailures(events: NodeEvents, time: Stopwatch): NodeEvents {
  let began = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    ...events,
    onInternalFailure: (task, error) => {
      if (time.now() - began >= FAILURE_PERIOD_MS) {
        const more = count - REPORTED_FAILURES;
        began = time.now();
        count = 0;
        if (more > 0) {
          const message = `${more} further failures were not reported`;
          events.onInternalFailure?.('several tasks', new UnreportedError(message));
        }
      }
      count += 1;
      if (count <= REPORTED_FAILURES) events.onInternalFailure?.(task, error);
    },
  };
}

/** Stands for failures that were not reported. */
class UnreportedError extends LedgerdError {
  override readonly code = 'UNREPORTED';
}

/** Wraps events so that those of blocks and calls can be switched off. */
export function switchableLog(events: NodeEvents): {
  readonly events: NodeEvents;
  readonly setLogging: (isOn: boolean) => void;
  readonly isLogging: () => boolean;
} {
  let isOn = true;
  return {
    events: {
      ...events,
      // Nothing describes blocks for nobody.
      ...(events.onBlock && {
        onBlock: (block, ethereum) => isOn && events.onBlock?.(block, ethereum),
      }),
      onDropped: (dropped) => isOn && events.onDropped?.(dropped),
      onFailedCall: (method, message) => isOn && events.onFailedCall?.(method, message),
    },
    isLogging: () => isOn,
    setLogging: (next) => {
      isOn = next;
    },
  };
}
