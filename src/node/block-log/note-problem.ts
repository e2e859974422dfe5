import { BlockLogUnavailableError, BlockLogUnsoundError } from './block-log.ts';

/** Asks a block log something; adds what is wrong with the log to the problems, and returns undefined then. */
export async function noteProblem<T>(problems: string[], ask: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
