import { EngineError } from '../../evm/index.ts';
import { RefusedError } from '../errors/refusal.ts';
import type { Steps } from '../steps.ts';

/**
 * Applies a transaction to a state that others were applied to before. Where the engine fails, all that is
 * not stored is gone from the state: `rebuild` applies the others again, to tables that hold nothing else, and
 * the transaction gets a second chance there. So a block that one node could make is one that every node can
 * apply. Throws `RefusedError` when the engine fails again; the state is rebuilt then too.
 */
export function* applyRebuilding<T>(apply: () => Steps<T>, rebuild: () => Steps<void>): Generator<void, T> {
  try {
    return yield* stepping(apply());
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  yield* stepping(rebuild());
  try {
    return yield* stepping(apply());
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    yield* stepping(rebuild());
    throw engineRefusal(error);
  }
}

/** The refusal of what the engine has no room for. */
export function engineRefusal(error: EngineError): RefusedError {
  return new RefusedError({ code: 'engineFailed', detail: error.message });
}

/** The steps of some work as a part of other work. */
function* stepping<T>(steps: Steps<T>): Generator<void, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}
