import type { RpcLimits } from './context.ts';

/** The text that answers a request or a body; undefined where it holds nothing but notifications. */
export type Response = string | undefined;

/** What a batch is answered with. */
export interface BatchSource {
  readonly limits: RpcLimits;
  /** Answers one request of the batch. */
  respond(request: unknown): Response | Promise<Response>;
  /** Answers a request that is not carried out because the answer to the batch is too large already. */
  refuse(request: unknown): Response;
}

/** What a batch has been answered so far. */
interface Progress {
  readonly answers: string[];
  characters: number;
}

/**
 * Answers the requests of a batch one after the other: a JSON array in their order, without the notifications.
 * The answer is a promise when one of theirs is, and when the batch pauses to give other connections their turn.
 */
export function respondToBatch(
  requests: readonly unknown[],
  source: BatchSource,
): Response | Promise<Response> {
  return continueBatch(requests, 0, { answers: [], characters: 0 }, source);
}

function continueBatch(
  requests: readonly unknown[],
  start: number,
  progress: Progress,
  source: BatchSource,
): Response | Promise<Response> {
  const { batchSliceMsMax, batchResponseCharactersMax } = source.limits;
  const began = performance.now();
  for (let index = start; index < requests.length; index += 1) {
    if (index > start && performance.now() - began >= batchSliceMsMax) {
      return pause().then(() => continueBatch(requests, index, progress, source));
    }
    const isFull = progress.characters > batchResponseCharactersMax;
    const answer = isFull ? source.refuse(requests[index]) : source.respond(requests[index]);
    if (answer instanceof Promise) {
      return answer.then((settled) => {
        collect(progress, settled);
        return continueBatch(requests, index + 1, progress, source);
      });
    }
    collect(progress, answer);
  }
  return progress.answers.length === 0 ? undefined : `[${progress.answers.join(',')}]`;
}

function collect(progress: Progress, answer: Response): void {
  if (answer === undefined) return;
  progress.answers.push(answer);
  progress.characters += answer.length;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
