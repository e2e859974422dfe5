import type { Answer } from '../envelope/streamed-answer.ts';
import type { LongReading, ReadBody } from '../json/long-reading.ts';

/** Whose long request is read, and what is done with it. */
export interface LongRequest {
  /** Milliseconds of reading before others get their turn. */
  readonly turnMsMax: number;
  /** Runs a part of the work, at once or when its turn comes. */
  takeTurn(work: () => Answer | Promise<Answer>): Answer | Promise<Answer>;
  /** Whether nobody waits for the response any more. */
  isGone(): boolean;
  /** Answers what was read. */
  respond(body: ReadBody): Answer | Promise<Answer>;
  /** Answers a body that cannot be read. */
  fail(thrown: unknown): Answer;
}

/** Answers a request whose body is read by turns, so that what others ask for in little is not held up by it. */
export function answerByTurns(reading: LongReading, request: LongRequest): Answer | Promise<Answer> {
  const runTurn = (): Answer | Promise<Answer> => {
    if (request.isGone()) return undefined;
    const began = performance.now();
    try {
      do {
        const body = reading.step();
        if (body !== undefined) return request.respond(body);
      } while (performance.now() - began < request.turnMsMax);
    } catch (thrown) {
      return request.fail(thrown);
    }
    reading.letGo();
    // After this turn, which must end first.
    return Promise.resolve().then(() => request.takeTurn(runTurn));
  };
  return request.takeTurn(runTurn);
}
