import { BlockLogUnavailableError, BlockLogUnsoundError } from './block-log.ts';

/** Queries a block log; on an error of the log adds it to the problems and returns undefined. */
export async function noteProblem<T>(problems: string[], ask: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
