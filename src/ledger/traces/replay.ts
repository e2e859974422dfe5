import { type BlockContext, EngineError, type ReadableState, type TraceListener } from '../../evm/index.ts';
import {
  encode,
  gasLimit,
  invariant,
  movedAmount,
  movedWei,
  operationCodec,
  senderAddress,
} from '../../protocol/index.ts';
import type { OperationReceipt } from '../chain/records.ts';
import type { Outcome } from '../operations/operation-rules.ts';
import { applyOperation } from '../operations/rules.ts';
import type { WorkingState } from '../state/working-state.ts';
import { engineRefusal } from '../transactions/apply-transaction.ts';
import type { ReplayedOperation } from './traced-call.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * Reports an operation that runs no code as one call: a transfer without input, and any other from its payer to itself,
 * with the bytes of the operation. Its gas is the fee.
 */
function reportNativeCall(
  listener: TraceListener,
  { operation, to }: ReplayedOperation,
  { gasUsed }: Outcome,
  weiPerUnit: bigint,
): void {
  const from = senderAddress(operation);
  const moved = movedAmount(operation);
  const isTransfer = moved !== undefined && to !== undefined;
  listener.enter?.({
    kind: 'CALL',
    from,
    to: isTransfer ? to : from,
    value: isTransfer ? movedWei(operation, weiPerUnit) : 0n,
    gas: gasLimit(operation),
    callerGas: 0n,
    input: isTransfer ? NO_BYTES : encode(operationCodec, operation),
  });
  listener.leave?.({ failure: undefined, gasUsed, gasLeft: 0n, output: NO_BYTES });
}

/** Observes the operations of a block while they run again. */
export interface ReplayObserver {
  /** @returns the listener to its code; undefined for none */
  before(operation: ReplayedOperation, state: ReadableState): TraceListener | undefined;
  /** The same operation, once it is applied, if there was a listener. @param gasUsed as in its receipt */
  after(operation: ReplayedOperation, state: ReadableState, gasUsed: bigint): void;
  /** Called between operations; it may throw to end it. */
  checkTime(): void;
}

/** The operations of a block on the state before it. */
export interface ReplayedBlock {
  readonly context: BlockContext;
  readonly operations: readonly ReplayedOperation[];
}

/**
 * Applies operations of a block again, in their order, and reports the observed ones. The state is that before the
 * block, and afterwards that after the last operation.
 * @throws RefusedError if the engine has no room, and as the observer
 */
export function replayOperations(
  state: WorkingState,
  { context, operations }: ReplayedBlock,
  observer: ReplayObserver,
): void {
  state.setBlock(context);
  const applied: ReplayedOperation[] = [];
  for (const operation of operations) {
    observer.checkTime();
    try {
      applyWatched(state, operation, observer);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      applyAfterFailure(state, operation, applied, error);
    }
    applied.push(operation);
  }
}

/**
 * Repeats an operation on emptied tables after the engine had no room, as when its block was made. A listener has
 * already received its reports, and cannot receive them again.
 */
function applyAfterFailure(
  state: WorkingState,
  operation: ReplayedOperation,
  before: readonly ReplayedOperation[],
  error: EngineError,
): void {
  if (state.engine.listener !== undefined) throw engineRefusal(error);
  state.clear();
  try {
    for (const former of before) applyOperation(state, former.operation);
    applyOperation(state, operation.operation);
  } catch (again) {
    if (again instanceof EngineError) throw engineRefusal(again);
    throw again;
  }
}

function applyWatched(state: WorkingState, replayed: ReplayedOperation, observer: ReplayObserver): void {
  const { engine } = state;
  const listener = observer.before(replayed, engine);
  if (listener === undefined) {
    applyOperation(state, replayed.operation);
    return;
  }
  let isCode = false;
  engine.listener = {
    needsPaths: listener.needsPaths === true,
    ...boundTo(listener),
    enter: (call) => {
      isCode = true;
      listener.enter?.(call);
    },
  };
  const outcome = applyOperation(state, replayed.operation);
  engine.listener = undefined;
  requireSame(outcome, replayed.receipt);
  if (!isCode) reportNativeCall(listener, replayed, outcome, state.rules.weiPerUnit);
  observer.after(replayed, engine, outcome.gasUsed);
}

/** Binds the functions of a listener, so that they can be called without it. */
function boundTo(listener: TraceListener): TraceListener {
  const { leave, log, selfDestruct, step } = listener;
  return {
    ...(leave && { leave: leave.bind(listener) }),
    ...(log && { log: log.bind(listener) }),
    ...(selfDestruct && { selfDestruct: selfDestruct.bind(listener) }),
    ...(step && { step: step.bind(listener) }),
  };
}

/** Checks that a repeated operation has the outcome of its receipt. */
function requireSame({ status, gasUsed }: Outcome, receipt: OperationReceipt | undefined): void {
  if (receipt === undefined) return;
  const isSame = status === receipt.status && gasUsed === receipt.gasUsed;
  invariant(isSame, 'a repeated operation has the outcome of its receipt');
}
