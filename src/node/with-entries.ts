import { MissingEntriesError } from '../ledger/index.ts';
import type { ForkedChain } from '../rpc/index.ts';

/**
 * Runs an action until it misses no entries of the remote chain: blocks and actions of tests, as `run-call.ts` does for
 * calls. An action that misses some must change nothing, or continue where it was.
 * @param fork absent: the chain is no fork
 * @returns synchronously what an action returns that misses nothing
 */
export function withEntries<T>(fork: ForkedChain | undefined, action: () => T | Promise<T>): T | Promise<T> {
  const remote = fork?.remote;
  if (fork === undefined || remote === undefined) return action();
  const again = (error: unknown): Promise<T> => {
    if (!(error instanceof MissingEntriesError)) return Promise.reject(error);
    return remote.fetch(error).then(() => withEntries(fork, action));
  };
  try {
    const result = action();
    return result instanceof Promise ? result.catch(again) : result;
  } catch (error) {
    if (error instanceof MissingEntriesError) return again(error);
    throw error;
  }
}
