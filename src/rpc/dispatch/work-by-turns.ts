import type { Caller } from '../context/caller.ts';
import type { Response } from '../json/response-body.ts';
import type { Turns } from '../turns/turns.ts';

/** Work of a request that is done in steps, such as reading its body, or writing its answer. */
export interface SteppedWork<T> {
  /** Milliseconds of it before others get their turn. */
  readonly turnMsMax: number;
  /** Runs a part of the work, at once or when its turn comes. */
  takeTurn(work: () => Response | Promise<Response>): Response | Promise<Response>;
  /** Whether nobody waits for the response any more. */
  isGone(): boolean;
  /** Does a step. Gives what the work comes to with the last one, before that undefined. */
  step(): T | undefined;
  /** Told of the milliseconds of each turn. Absent: nobody counts. */
  worked?: ((this: void, milliseconds: number) => void) | undefined;
  /** Called when the work has to wait for its next turn. It may throw to end the work. */
  pause(): void;
  /** Answers with what the work comes to. */
  respond(result: T): Response | Promise<Response>;
  /** Answers what was thrown. */
  fail(thrown: unknown): Response;
}

/** Answers a request by turns, so that what others ask for in little is not held up by it. */
export function answerByTurns<T>(work: SteppedWork<T>): Response | Promise<Response> {
  const runTurn = (): Response | Promise<Response> => {
    if (work.isGone()) return undefined;
    const began = performance.now();
    try {
      do {
        const result = work.step();
        if (result !== undefined) return work.respond(result);
      } while (performance.now() - began < work.turnMsMax);
      work.pause();
    } catch (thrown) {
      return work.fail(thrown);
    } finally {
      work.worked?.(performance.now() - began);
    }
    // After this turn, which must end first.
    return Promise.resolve().then(() => work.takeTurn(runTurn));
  };
  return work.takeTurn(runTurn);
}

/** Takes the turns of something that is done in several of them, of which only the first may be refused. */
export function turnTaker(turns: Pick<Turns, 'take'>, caller: Caller, isBegunBefore = false) {
  let isBegun = isBegunBefore;
  return <T extends Response>(work: () => T | Promise<T>): T | Promise<T> => {
    const asking = { caller, isBegun };
    isBegun = true;
    // Where the caller is gone there is no answer, which is one.
    return turns.take(asking, work) as T | Promise<T>;
  };
}
