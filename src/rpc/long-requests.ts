import type { Response } from './batch.ts';
import type { LongReading, ReadBody } from './json/long-reading.ts';

/** Whose long request is read, and what is done with it. */
export interface LongRequest {
  /** Milliseconds of reading before others get their turn. */
  readonly turnMsMax: number;
  /** Runs a part of the work, at once or when its turn comes. */
  takeTurn(work: () => Response | Promise<Response>): Response | Promise<Response>;
  /** Whether nobody waits for the response any more. */
  isGone(): boolean;
  /** Answers what was read. */
  respond(body: ReadBody): Response | Promise<Response>;
  /** Answers a body that cannot be read. */
  fail(thrown: unknown): Response;
}

/** Answers a request whose body is read by turns, so that what others ask for in little is not held up by it. */
export function answerByTurns(reading: LongReading, request: LongRequest): Response | Promise<Response> {
  const runTurn = (): Response | Promise<Response> => {
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
