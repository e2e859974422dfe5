import type { CallFrame, ConsoleInputs } from '../../evm/index.ts';
import type { BlockSummary } from '../chain/index.ts';

/** An operation of a block of which there is something to tell. */
export interface ToldOperation {
  /** Its index in the block. */
  readonly index: number;
  readonly isFailure: boolean;
  readonly consoleCalls: ConsoleInputs | undefined;
}

/** Gets what executions tell beside their outcomes. It must not throw. */
export interface ExecutionListener {
  /** What a call, or the first run of an estimate, told the console. */
  console?(calls: ConsoleInputs): void;
  /** A call, or the first run of an estimate, was no success: what it called. */
  failed?(root: CallFrame): void;
  /** A block was stored that has such operations, in their order. */
  included?(block: BlockSummary, operations: readonly ToldOperation[]): void;
}

/** Where a ledger says who listens to its executions; past states of it share it. */
export interface ExecutionWatch {
  listener: ExecutionListener | undefined;
}
