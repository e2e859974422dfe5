import { STREAM_ASK_AGAIN_MS } from '../../../limits.ts';
import type { Time } from '../../../time.ts';

/**
 * What the log answers first. While nobody answers it is asked again: a question of a moment without a leader is
 * answered by nobody, and whoever waited for its end would hear nothing of a new leader for as long.
 *
 * @param ask asks once, and fails when an answer is late, which bounds how many questions are open
 * @throws what the first question throws that fails
 */
export function firstAnswer<T>(time: Pick<Time, 'after'>, ask: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let callOff = (): void => undefined;
    const askOnce = (): void => {
      callOff = time.after(STREAM_ASK_AGAIN_MS, askOnce);
      ask()
        .finally(() => callOff())
        .then(resolve, reject);
    };
    askOnce();
  });
}
