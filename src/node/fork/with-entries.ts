import { MissingEntriesError } from '../../ledger/index.ts';
import type { RemoteChain } from '../../rpc/index.ts';

/**
 * Runs an action until it misses no entries of the remote chain. An action that misses some must change nothing, or go
 * on where it was.
 * @param remote undefined: the chain is no fork
 * @returns synchronously what an action returns that misses nothing
 */
export function withEntries<T>(
  remote: Pick<RemoteChain, 'fetch'> | undefined,
  action: () => T | Promise<T>,
): T | Promise<T> {
  if (remote === undefined) return action();
  const again = (error: unknown): Promise<T> => {
    if (!(error instanceof MissingEntriesError)) return Promise.reject(error);
    return remote.fetch(error).then(() => withEntries(remote, action));
  };
  try {
    const result = action();
    return result instanceof Promise ? result.catch(again) : result;
  } catch (error) {
    if (error instanceof MissingEntriesError) return again(error);
    throw error;
  }
}
