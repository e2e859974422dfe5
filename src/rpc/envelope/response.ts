import { LongAnswer } from '../memory/long-answer.ts';

/**
 * The text that answers a request or a body, a long one as UTF-8 bytes outside of the heap; undefined where it holds
 * nothing but notifications.
 */
export type Response = string | Buffer | LongAnswer | undefined;

/** A response in one piece: a text, or a long one as UTF-8 bytes. */
export type WholeResponse = Exclude<Response, LongAnswer>;

/** A response for somebody who takes no pieces at all. */
export function inOnePiece(answer: Response | Promise<Response>): WholeResponse | Promise<WholeResponse> {
  if (answer instanceof Promise) return answer.then(joined);
  return joined(answer);
}

function joined(answer: Response): WholeResponse {
  return answer instanceof LongAnswer ? answer.whole() : answer;
}
